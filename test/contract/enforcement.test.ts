import assert from "node:assert/strict";
import { build } from "esbuild";
import express, { type RequestHandler, Router } from "express";
import { afterEach, describe, expect, it } from "vitest";
import { createWebhooksClient } from "../../client/index.ts";
import { memoryServer } from "../../examples/memory-server/app.ts";
import { listen } from "../../server/api/listening/listen.ts";
import {
  type ContractOptions,
  callerOf,
  contract,
  type Handlers,
  HttpError,
  type Scoped,
} from "../../server/contract/index.ts";
import { newWebhook, type Reply, send } from "../support/api.ts";
import { assertError } from "../support/contract-check.ts";
import { operations } from "../support/operations.ts";

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const authenticate = (key: string) =>
  key === "key" ? { scopes: ["read", "write"] as const, name: "acme" } : undefined;
const someId = "6d1bbe40-2a4b-4c0e-8f0a-5e7f5b1d2c3a";

type Client = {
  url: string;
  call: (method: string, path: string, body?: unknown, key?: string) => Promise<Reply>;
  failures: HttpError[];
};

async function serve(app: express.Express, failures: HttpError[] = []): Promise<Client> {
  const { url, close } = await listen(app, { port: 0 });
  closing.push(close);
  return { url, failures, call: (method, path, body, key = "key") => send(url + path, method, { body, key }) };
}

/** An app of somebody's, with routes of its own, some of them outside the contract. */
async function withRoutes(routes: RequestHandler, options: Partial<ContractOptions<Scoped>> = {}): Promise<Client> {
  const failures: HttpError[] = [];
  const onFailure = (failure: HttpError) => void failures.push(failure);
  const app = express();
  app.use(await contract({ authenticate, routes, onFailure, ...options }));
  app.get("/status", (_request, response) => void response.send("fine"));
  return serve(app, failures);
}

async function withHandlers(handlers: Partial<Handlers>): Promise<Client> {
  const failures: HttpError[] = [];
  const onFailure = (failure: HttpError) => void failures.push(failure);
  return serve(express().use(await contract({ authenticate, handlers, onFailure })), failures);
}

describe("contract() with handlers", () => {
  it("makes a whole server in memory, whose answers are the contract's", async () => {
    const { call } = await serve(await memoryServer(new Map([["key", { scopes: ["read", "write"] }]])));
    const created = await call("POST", "/v1/webhooks", newWebhook());
    assert.equal(created.status, 201);
    assert.equal(created.headers.get("location"), `/v1/webhooks/${created.body.id}`);
    const listed = await call("GET", "/v1/webhooks");
    assert.deepEqual(listed.body, { webhooks: [created.body] });
    assert.equal((await call("DELETE", `/v1/webhooks/${created.body.id}`)).body.status, "inactive");
    assertError(await call("GET", `/v1/webhooks/${created.body.id}`), 404);
  });

  it("refuses what the contract refuses before a handler sees it", async () => {
    const { call } = await serve(await memoryServer(new Map([["key", { scopes: ["read"] }]])));
    assertError(await call("GET", "/v1/webhooks?pageSize=0"), 400, /^pageSize /);
    assertError(await call("GET", "/v1/webhooks", undefined, "other"), 401);
    assertError(await call("POST", "/v1/webhooks", newWebhook()), 403, /write/);
    assertError(await call("PUT", "/v1/webhooks"), 405);
    assertError(await call("GET", "/v1/nothing"), 404);
  });

  it("answers 501 for an operation without a handler, once the request is valid and allowed", async () => {
    const handlers: Partial<Handlers> = { listChains: () => ({ status: 200, body: { chains: [] } }) };
    const { url, call, failures } = await withHandlers(handlers);
    assert.equal((await call("GET", "/v1/chains")).status, 200);
    assertError(await call("GET", "/v1/webhooks"), 501, "The service does not implement listWebhooks.");
    assert.equal((await call("HEAD", "/v1/webhooks")).status, 501);
    assert.deepEqual([...new Set(failures.map(({ status }) => status))], [501]);
    const client = createWebhooksClient({ baseUrl: url, apiKey: "key" });
    await expect(client.listWebhooks()).rejects.toMatchObject({ code: "not_implemented", status: 501 });
    assertError(await call("GET", "/v1/webhooks", undefined, "other"), 401);
    assertError(await call("GET", "/v1/webhooks?pageSize=0"), 400);
    assertError(await call("PUT", "/v1/webhooks"), 405);
    assertError(await call("GET", "/v1/moons"), 404);
  });

  it("does not start with a handler of an operation that the contract does not have", async () => {
    const misspelt = { listChain: () => ({ status: 200 as const, body: { chains: [] } }) };
    await expect(contract({ authenticate, handlers: misspelt as object })).rejects.toThrow(
      "The contract has no operation listChain.",
    );
  });
});

describe("contract() with custom routes", () => {
  it("passes a valid answer, however it is sent", async () => {
    const chains = { chains: [] };
    for (const answer of [
      (response: express.Response) => response.json(chains),
      (response: express.Response) => response.send(chains),
      (response: express.Response) => response.type("application/json").send(JSON.stringify(chains)),
    ]) {
      const { call } = await withRoutes(Router().get("/v1/chains", (_request, response) => void answer(response)));
      const reply = await call("GET", "/v1/chains");
      assert.deepEqual([reply.status, reply.body], [200, chains]);
    }
  });

  it("passes the caller to the routes", async () => {
    const routes = Router().get("/v1/webhooks/:id", (request) => {
      throw new HttpError(
        404,
        `${callerOf<ReturnType<typeof authenticate> & Scoped>(request)?.name} has no such webhook.`,
      );
    });
    const { call } = await withRoutes(routes);
    assertError(await call("GET", `/v1/webhooks/${someId}`), 404, "acme has no such webhook.");
  });

  it("passes identifiers to the routes in lower case", async () => {
    const routes = Router().get("/v1/webhooks/:id/notifications/:messageId", ({ params, query }) => {
      throw new HttpError(404, `${params.id} ${params.messageId} ${JSON.stringify(query)}.`);
    });
    const { call } = await withRoutes(routes);
    const path = `/v1/webhooks/${someId.toUpperCase()}/notifications/${someId.toUpperCase().replace("E", "%45")}`;
    assertError(await call("GET", path), 404, `${someId} ${someId} {}.`);
  });

  it("leaves requests outside the contract's paths to the app", async () => {
    const { call } = await withRoutes(Router());
    assert.equal((await fetchText(call, "/status")).status, 200);
    assertError(await call("GET", "/v1/chain"), 404);
  });

  it("answers 501 for each operation that no route answers, and 404 and 405 for what is no operation", async () => {
    const { call } = await withRoutes(Router());
    for (const { id, method, path, body, requiredQuery } of operations) {
      const reply = await call(method, path.replaceAll(/{\w+}/g, someId) + requiredQuery, body);
      assertError(reply, 501, `The service does not implement ${id}.`);
    }
    assertError(await call("POST", "/v1/chains"), 405);
    assertError(await call("GET", "/v1/webhooks/"), 404);
    assertError(await call("GET", `/v1/webhooks/${someId}/moons`), 404);
  });

  const broken: [string, RequestHandler, RegExp][] = [
    ["a field is missing", (_request, response) => void response.json({}), /chains/],
    [
      "a field is too much",
      (_request, response) => void response.json({ chains: [], secret: 1 }),
      /secret|additional/i,
    ],
    ["the status is not documented", (_request, response) => void response.status(418).json({}), /418/],
    ["an error has another shape", (_request, response) => void response.status(500).json({ error: "x" }), /500/],
    ["the body is no JSON", (_request, response) => void response.send("<p>chains</p>"), /no JSON/],
    ["nothing could check it", (_request, response) => void response.end('{"chains":[]}'), /response\.json/],
    ["it streams", (_request, response) => void response.write("{"), /response\.json/],
    ["it says only a status", (_request, response) => void response.sendStatus(404), /no JSON/],
  ];
  it.each(broken)("answers 500 and reports the reason to the operator when %s", async (_what, handler, why) => {
    const { call, failures } = await withRoutes(Router().get("/v1/chains", handler));
    assertError(await call("GET", "/v1/chains"), 500);
    assert.equal(failures.length, 1);
    assert.match(String(failures[0]?.cause), why);
  });

  it("answers 500 when a header is missing that the contract requires", async () => {
    const created = { status: 201, body: (await sample()).body };
    const routes = Router().post("/v1/webhooks", (_request, response) => void response.status(201).json(created.body));
    const { call, failures } = await withRoutes(routes);
    assertError(await call("POST", "/v1/webhooks", newWebhook()), 500);
    assert.match(String(failures[0]?.cause), /without the header Location/);
  });

  it("hides an error that a route throws, unless it is mapped", async () => {
    const routes = Router().get("/v1/webhooks/:id", () => {
      throw new RangeError("password hunter2");
    });
    const plain = await withRoutes(routes);
    const reply = await plain.call("GET", `/v1/webhooks/${someId}`);
    assertError(reply, 500);
    assert.doesNotMatch(JSON.stringify(reply.body), /hunter2/);
    assert.ok(plain.failures[0]?.cause instanceof RangeError);
    const translate = (error: unknown) =>
      error instanceof RangeError ? new HttpError(404, "There is no such webhook.") : undefined;
    const translated = await withRoutes(routes, { translate });
    assertError(await translated.call("GET", `/v1/webhooks/${someId}`), 404, "There is no such webhook.");
    assert.deepEqual(translated.failures, []);
  });
});

it("brings neither the database nor the chain nor the delivery with it", async () => {
  const { metafile } = await build({
    entryPoints: ["server/contract/index.ts"],
    bundle: true,
    platform: "node",
    format: "esm",
    packages: "external",
    write: false,
    metafile: true,
  });
  const files = Object.keys(metafile.inputs);
  assert.deepEqual(
    files.filter((file) => /server\/(store|chain|delivery)\//.test(file)),
    [],
  );
  const packages = Object.values(metafile.outputs).flatMap(({ imports }) => imports.map(({ path }) => path));
  for (const unwanted of ["pg", "undici", "pino"]) assert.ok(!packages.includes(unwanted), unwanted);
});

async function sample(): Promise<Reply> {
  const { call } = await serve(await memoryServer(new Map([["key", { scopes: ["read", "write"] }]])));
  return call("POST", "/v1/webhooks", newWebhook());
}

async function fetchText(call: Client["call"], path: string): Promise<{ status: number }> {
  return call("GET", path).catch((error: Error) => ({ status: /fine/.test(error.message) ? 200 : 0 }));
}

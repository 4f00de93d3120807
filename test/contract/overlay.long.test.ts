/** The contract under another name: the example overlay changes what it says, the result lints, and a server can be held to it. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import express, { Router } from "express";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { createWebhooksClient } from "../../client/index.ts";
import { asArray, asObject, type JsonObject } from "../../scripts/document/json.ts";
import { redocly } from "../../scripts/document/redocly.ts";
import { listen } from "../../server/api/listening/listen.ts";
import { contract, type HttpError } from "../../server/contract/index.ts";
import type { Reply } from "../support/api.ts";
import { assertError } from "../support/contract-check.ts";
import { readDocument } from "../support/document.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const read = (path: string) => JSON.parse(readFileSync(path, "utf8")) as JsonObject;
const own = { open: read(`${root}generated/openapi.json`), closed: read(`${root}generated/openapi-closed.json`) };

let folder: string;
let changed: typeof own;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "chain-webhooks-overlay-"));
  const commands = readDocument("docs/implement.md").commands.filter((line) => line.startsWith("npx openapi-format "));
  expect(commands).toHaveLength(2);
  for (const command of commands) {
    const [, ...args] = command.replace("--output ", `--output ${folder}/`).split(" ");
    await promisify(execFile)("npx", ["--no-install", ...args], { cwd: root });
  }
  changed = { open: read(join(folder, "acme.json")), closed: read(join(folder, "acme-closed.json")) };
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

test("name, servers and the way in are its own, and all else is the contract's", () => {
  for (const kind of ["open", "closed"] as const) {
    const [is, was] = [changed[kind], own[kind]];
    expect(is.info).toMatchObject({ title: "Acme Chain Events", contact: { name: "Acme" } });
    expect(asArray(is.servers).map((server) => asObject(server).url)).toEqual([
      "https://api.acme.example",
      "https://sandbox.acme.example",
    ]);
    const { securitySchemes, ...components } = asObject(is.components);
    expect(securitySchemes).toMatchObject({ apiKey: { type: "http", scheme: "bearer" } });
    const { info, servers } = was;
    const whole = { ...components, securitySchemes: asObject(was.components).securitySchemes };
    expect({ ...is, info, servers, components: whole }).toEqual(was);
  }
});

test("the overlay and both documents lint", async () => {
  const config = join(folder, "redocly.yaml");
  // The headers' schema is for generators, which make types of schemas only.
  writeFileSync(config, "extends: [recommended-strict]\nrules: {no-unused-components: off}\n");
  const files = [`${root}examples/overlay.yaml`, join(folder, "acme.json"), join(folder, "acme-closed.json")];
  expect(await redocly("lint", ...files, "--config", config)).toContain("valid");
});

type Serving = {
  url: string;
  failures: HttpError[];
  get(path: string, headers?: Record<string, string>): Promise<Reply>;
};

async function serve(document: object): Promise<Serving> {
  const failures: HttpError[] = [];
  const routes = Router();
  routes.get("/v1/webhooks", (_request, response) => void response.json({ webhooks: [] }));
  routes.get("/v1/chains", (_request, response) => void response.json({ chains: [], extra: 1 }));
  const authenticate = (key: string) => (key === "secret" ? { scopes: ["read"] as const } : undefined);
  const onFailure = (failure: HttpError) => void failures.push(failure);
  const app = express().use(await contract({ authenticate, routes, document, onFailure }));
  const { url, close } = await listen(app, { port: 0 });
  closing.push(close);
  return {
    url,
    failures,
    async get(path, headers = {}) {
      const response = await fetch(url + path, { headers });
      return { status: response.status, headers: response.headers, body: await response.json() };
    },
  };
}

test("a server is held to it: the key is a bearer token, answers are closed, and our client can use it", async () => {
  const { url, get, failures } = await serve(changed.closed);
  const bearer = { authorization: "Bearer secret" };
  assert.deepEqual((await get("/v1/webhooks", bearer)).body, { webhooks: [] });
  assert.equal((await get("/v1/webhooks", { authorization: "bearer  secret" })).status, 200);
  for (const headers of [
    {},
    { authorization: "Basic secret" },
    { authorization: "Bearer other" },
    { "x-service-api-key": "secret" },
  ]) {
    const refused = await get("/v1/webhooks", headers as Record<string, string>);
    assertError(
      refused,
      401,
      /^The header authorization must hold a valid API key(\.|; the request has .*Bearer KEY\.$)/,
    );
    assert.doesNotMatch(refused.body.message, /secret|other/);
    assert.equal(refused.headers.get("www-authenticate"), "Bearer");
  }
  assertError(await get("/v1/webhooks?pageSize=0", bearer), 400, /^pageSize /);
  assertError(await get("/v1/chains"), 500);
  assert.match(String(failures[0]?.cause), /extra|additional/i);
  const client = createWebhooksClient({
    baseUrl: url,
    apiKey: "unused",
    fetch(request) {
      request.headers.set("authorization", bearer.authorization);
      return fetch(request);
    },
  });
  assert.deepEqual(await client.listWebhooks(), { webhooks: [] });
});

test("the key may be in a header of another name", async () => {
  const document = structuredClone(own.closed);
  asObject(asObject(asObject(document.components).securitySchemes).apiKey).name = "X-Acme-Key";
  const { get } = await serve(document);
  assert.equal((await get("/v1/webhooks", { "x-acme-key": "secret" })).status, 200);
  assertError(await get("/v1/webhooks", { "x-service-api-key": "secret" }), 401, /^The header x-acme-key must/);
});

test("an operation that the document leaves out is no path", async () => {
  const document = structuredClone(own.closed);
  delete asObject(document.paths)["/v1/webhooks/{id}/replays"];
  delete asObject(asObject(document.paths)["/v1/webhooks"]).get;
  const { get } = await serve(document);
  const headers = { "x-service-api-key": "secret" };
  assertError(await get("/v1/webhooks/6d1bbe40-2a4b-4c0e-8f0a-5e7f5b1d2c3a/replays", headers), 404);
  assertError(await get("/v1/webhooks", headers), 405);
});

test.each<[string, (document: JsonObject) => void, string]>([
  ["is no document", (one) => delete one.paths, "document must be an OpenAPI document with paths and schemas."],
  [
    "has another operation",
    (one) => Object.assign(asObject(one.paths), { "/v1/moons": { get: { operationId: "listMoons", responses: {} } } }),
    "document must have operations of the contract only, and not listMoons.",
  ],
  [
    "has an operation elsewhere",
    (one) => Object.assign(asObject(one.paths), { "/v2/chains": asObject(one.paths)["/v1/chains"], "/v1/chains": {} }),
    "document must have listChains at GET /v1/chains.",
  ],
  ["has open answers", (one) => Object.assign(one, own.open), "its Webhook allows further fields."],
  [
    "has the key in a query",
    (one) => Object.assign(asObject(asObject(asObject(one.components).securitySchemes).apiKey), { in: "query" }),
    "must be an API key in a header, or an HTTP bearer token.",
  ],
  [
    "has two ways in",
    (one) =>
      Object.assign(asObject(asObject(one.components).securitySchemes), { other: { type: "http", scheme: "bearer" } }),
    "The document must have one security scheme.",
  ],
])("a document that %s is refused at the start", async (_what, edit, message) => {
  const document = structuredClone(own.closed);
  edit(document);
  await expect(contract({ authenticate: () => undefined, handlers: {}, document })).rejects.toThrow(message);
});

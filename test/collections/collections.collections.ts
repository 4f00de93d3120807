/**
 * Each request of the collections in the programs that people open them with, against the mock; Specmatic with its examples; and the AsyncAPI
 * document, by AsyncAPI's own parser.
 */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Ajv } from "ajv";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { createWebhooksClient } from "../../client/index.ts";
import { operationTable } from "../../generated/operations.ts";
import { type Mock, startMock } from "../../scripts/command/mock/start.ts";
import { sharedJanitor } from "../../scripts/local/janitor.ts";
import { run } from "../codegen/harness/run.ts";
import { startChainWebhooks } from "../support/command.ts";
import { readDocument } from "../support/document.ts";
import { eventually } from "../support/eventually.ts";
import { freePort } from "../support/free-port.ts";

const generated = fileURLToPath(new URL("../../generated/", import.meta.url));
let folder: string;
let mock: Mock;
beforeAll(async () => {
  const janitor = await sharedJanitor();
  folder = janitor.makeFolder("chain-webhooks-collections-");
  cpSync(fileURLToPath(new URL("package.json", import.meta.url)), join(folder, "package.json"));
  cpSync(join(generated, "collections"), join(folder, "collections"), { recursive: true });
  cpSync(join(generated, "openapi.json"), join(folder, "openapi.json"));
  await command("installing the programs", "npm install --ignore-scripts --no-audit --no-fund", folder);
});
afterAll(async () => {
  const janitor = await sharedJanitor();
  await command("removing the programs", `rm -rf '${folder}'`, "/");
  janitor.forgetFolder(folder);
});

const command = (name: string, text: string, cwd: string) =>
  run({ name, command: text, cwd, env: process.env, limitMs: 300_000 });
const bin = (name: string) => join(folder, "node_modules/.bin", name);
const readJson = (path: string) => JSON.parse(readFileSync(join(folder, path), "utf8"));

type AsyncApi = { components: { messages: Record<string, { examples: { headers: object; payload: unknown }[] }> } };

/** What was asked and answered, by operationId. */
type Asked = { operationId: string; status: number }[];

const collections: Record<string, () => Promise<Asked>> = {
  async Postman() {
    const file = "chain-webhooks.postman_collection.json";
    const report = "--reporters json --reporter-json-export newman.json";
    await command(
      "newman",
      `${bin("newman")} run collections/${file} --env-var base_url=${mock.url} ${report}`,
      folder,
    );
    type Execution = { item: { name: string }; response?: { code: number } };
    const { executions } = readJson("newman.json").run as { executions: Execution[] };
    return executions.map(({ item, response }) => asked(item.name, response?.code));
  },
  async Bruno() {
    const options = `-r --env mock --env-var base_url=${mock.url} --reporter-json ../../bruno.json`;
    await command("bruno", `${bin("bru")} run ${options}`, join(folder, "collections/bruno"));
    type Result = { name: string; response: { status: number } };
    const [{ results }] = readJson("bruno.json") as [{ results: Result[] }];
    return results.map(({ name, response }) => asked(name, response.status));
  },
  async httpYac() {
    const file = join(folder, "collections/chain-webhooks.http");
    const values: Record<string, string> = { base_url: mock.url, ...(await idsOfOwn()) };
    const put = (line: string, name: string) => (values[name] ? `@${name} = ${values[name]}` : line);
    writeFileSync(file, readFileSync(file, "utf8").replaceAll(/^@(\w+) = .*$/gm, put));
    const output = await command(
      "httpyac",
      `${bin("httpyac")} send chain-webhooks.http --all --json`,
      join(folder, "collections"),
    );
    type Sent = { name: string; response?: { statusCode: number } };
    const { requests } = JSON.parse(output) as { requests: Sent[] };
    return requests.map(({ name, response }) => asked(name, response?.statusCode));
  },
};

/** What somebody has who created a webhook, waited for its notification and created a replay. */
async function idsOfOwn() {
  const client = createWebhooksClient({ baseUrl: mock.url, apiKey: "any" });
  const metadata = { addresses: ["0x57f1887a8bf19b14fc0df6fd9b2acc9af147ea85"] };
  const body = { url: "https://example.com/hooks", chainId: "1", eventType: "address_activity" as const, metadata };
  const { id } = await client.createWebhook({ body });
  const { messageId } = await eventually(async () => {
    const { notifications } = await client.listNotifications({ path: { id } });
    return notifications[0] ?? Promise.reject(new Error("nothing came yet"));
  });
  const replay = await client.createReplay({
    path: { id },
    body: { fromBlock: "1", toBlock: "2", includeEarlier: true },
  });
  return { id, messageId, replayId: replay.id };
}

function asked(name: string, status = 0): Asked[number] {
  return { operationId: name.replace(/^.*\//, "").split(/[:.]/)[0] ?? "", status };
}

test.each(Object.keys(collections))(
  "each request of the collection succeeds in %s, and every operation has one",
  async (name) => {
    mock = await startMock();
    const sent = await collections[name]?.().finally(() => mock.stop());
    expect(sent?.filter(({ status }) => status < 200 || status > 299)).toEqual([]);
    expect([...new Set(sent?.map(({ operationId }) => operationId))].sort()).toEqual(
      Object.keys(operationTable).sort(),
    );
  },
);

describe.runIf(spawnSync("java", ["-version"]).status === 0)("Specmatic", () => {
  // A busy machine answers later than Specmatic's 6 seconds.
  const options = "openapi.json --strict --examples collections/specmatic --timeout 120";
  const names = () => readdirSync(join(folder, "collections/specmatic"));

  test("holds a server to the contract, by each of the examples", async () => {
    const served = await startChainWebhooks("mock", ["--stateless", "--port", "0"]);
    // Prism, which finds the examples, takes long for the first.
    await fetch(`${served.url}/v1/chains`);
    const test = `IGNORE_INLINE_EXAMPLES=true ${bin("specmatic")} test ${options} --testBaseURL ${served.url}`;
    const output = await command("specmatic", test, folder).finally(() => served.end("SIGTERM"));
    const { length } = names();
    expect(length).toBeGreaterThanOrEqual(Object.keys(operationTable).length);
    expect(output).toContain(`Tests run: ${length}, Successes: ${length}, Failures: 0, WIP: 0, Errors: 0`);
  });

  test("serves each of the examples, and nothing else where it is strict", async () => {
    const url = `http://127.0.0.1:${await freePort()}`;
    const place = ["--strict", "--host", "127.0.0.1", "--port", new URL(url).port];
    const args = ["mock", "openapi.json", "--examples", "collections/specmatic", ...place];
    const child = spawn("java", ["-jar", "node_modules/specmatic/specmatic.jar", ...args], {
      cwd: folder,
      env: { ...process.env, IGNORE_INLINE_EXAMPLES: "true" },
      stdio: "ignore",
    });
    onTestFinished(async () => {
      const ended = once(child, "exit");
      if (child.exitCode === null && child.kill("SIGKILL")) await ended;
    });
    await eventually(() => fetch(url));
    for (const name of names()) {
      const { "http-request": asked, "http-response": promised } = readJson(`collections/specmatic/${name}`);
      const { method, path, query = {}, headers } = asked;
      const body = asked.body === undefined ? {} : { body: JSON.stringify(asked.body) };
      const answer = await fetch(`${url}${path}?${new URLSearchParams(query)}`, { method, headers, ...body });
      expect([name, answer.status, await answer.json()]).toEqual([name, promised.status, promised.body]);
    }
    const headers = { "x-service-api-key": "any", "content-type": "application/json" };
    expect((await fetch(`${url}/v1/webhooks`, { method: "POST", headers, body: "{}" })).status).toBe(400);
  });
});

test("AsyncAPI's parser finds no fault, and each callback of the contract is sent", async () => {
  type Diagnostic = { severity: number; message: string; path: unknown[] };
  type Operation = { id(): string; action(): string };
  type Parsed = { document?: { operations(): { all(): Operation[] } }; diagnostics: Diagnostic[] };
  const { Parser } = createRequire(join(folder, "package.json"))("@asyncapi/parser") as {
    Parser: new () => { parse(text: string): Promise<Parsed> };
  };
  const text = readFileSync(join(generated, "asyncapi.json"), "utf8");
  const { document, diagnostics } = await new Parser().parse(text);
  expect(diagnostics.filter(({ severity }) => severity < 2)).toEqual([]);
  const { webhooks } = JSON.parse(readFileSync(join(generated, "openapi.json"), "utf8")) as { webhooks: object };
  expect(
    document
      ?.operations()
      .all()
      .map((operation) => [operation.id(), operation.action()]),
  ).toEqual(Object.keys(webhooks).map((name) => [name, "send"]));
});

test("AsyncAPI's schemas are of JSON Schema's draft 7, and each example fits", () => {
  const api = JSON.parse(readFileSync(join(generated, "asyncapi.json"), "utf8")) as AsyncApi;
  const ajv = new Ajv({ strict: false, formats: { int64: true } });
  ajv.addSchema({ $id: "api", ...api });
  for (const [name, { examples }] of Object.entries(api.components.messages)) {
    expect(examples.length).toBeGreaterThan(0);
    for (const part of ["headers", "payload"] as const) {
      const validate = ajv.compile({ $ref: `api#/components/messages/${name}/${part}` });
      for (const example of examples) expect([validate(example[part]), validate.errors]).toEqual([true, null]);
      expect(validate(part === "headers" ? {} : { messageId: 5 })).toBe(false);
    }
  }
});

test("the guide names the versions that were tried", () => {
  const { dependencies } = JSON.parse(readFileSync(new URL("package.json", import.meta.url), "utf8"));
  const guide = readDocument("docs/clients.md").text;
  for (const [name, version] of Object.entries(dependencies)) expect(guide).toContain(`${name} ${version}`);
});

/** What README.md and the guides show is run here, as they show it. Slow: starts the mock, the service and a conformance run. */
import { execFile, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { type EvmNode, startEvmNode } from "../scripts/local/evm-node.ts";
import { createKey } from "../server/store/accounts/keys.ts";
import { createPool } from "../server/store/pool.ts";
import { startAgent } from "./support/agent.ts";
import { createEmptyDatabase, type TestDatabase } from "./support/database.ts";
import { readDocument, readGuides } from "./support/document.ts";
import { freePort } from "./support/free-port.ts";
import { end, endAll, endLater, start } from "./support/shell.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const { text: guides, commands: all } = readGuides();
// Those of cells are run in test/operations/.
const commands = all.filter((command) => !command.startsWith("CELL"));
const find = (...words: string[]) =>
  commands.find((command) => words.every((word) => command.includes(word))) ?? expect.fail(words.join(" "));
const run = promisify(execFile);

let database: TestDatabase;
let node: EvmNode;
let env: Record<string, string>;

beforeAll(async () => {
  [database, node] = await Promise.all([createEmptyDatabase(), startEvmNode({ chainId: 43114 })]);
  const chains = [{ chainId: "43114", rpcUrls: [node.rpcUrl], traces: true, finality: "latest", pollMs: 100 }];
  env = {
    DATABASE_URL: database.url,
    CHAINS: JSON.stringify(chains),
    PORT: String(await freePort()),
    LEASE_SECONDS: "2",
  };
});
afterEach(endAll);
afterAll(async () => {
  await node.stop();
  await database.drop();
});

test("the mock answers the guides' requests, and notifies the quick start's receiver", async () => {
  const port = await freePort();
  const hooks = await freePort();
  const curl = find("curl", ":4010/v1/webhooks/");
  await start("npm", ["run", "-s", "cli", "mock", "--", "--port", String(port)], /mock is listening/);
  const { stdout } = await run("sh", ["-c", curl.replace(":4010", `:${port}`)]);
  expect(JSON.parse(stdout)).toMatchObject({ id: "6d1bbe40-2a4b-4c0e-8f0a-5e7f5b1d2c3a", status: "active" });
  const secret = await fetch(`http://127.0.0.1:${port}/v1/webhooks/6d1bbe40-2a4b-4c0e-8f0a-5e7f5b1d2c3a/secret`, {
    headers: { "x-service-api-key": "any" },
  });
  expect(guides).toContain(((await secret.json()) as { secret: string }).secret);

  const receiver = await startSnippet("docs/quick-start.md", "quick-start.ts", {}, (text) =>
    text.replace("4000", String(hooks)),
  );
  await answering(`http://127.0.0.1:${hooks}/hooks`);
  const create = find("curl", ":4010/v1/webhooks -H").replace(":4010", `:${port}`).replace(":4000", `:${hooks}`);
  expect(JSON.parse((await run("sh", ["-c", create])).stdout)).toMatchObject({ status: "active" });
  await expect.poll(receiver.output).toMatch(/^1 0x[0-9a-f]{64}\n$/);

  const controls = readDocument("docs/mock.md").commands.filter((command) => command.includes(":4010/_mock"));
  const answers = [];
  for (const command of controls)
    answers.push(JSON.parse((await run("sh", ["-c", command.replace(":4010", `:${port}`)])).stdout));
  expect(answers).toMatchObject([
    { paths: expect.arrayContaining(["POST /_mock/reset"]) },
    { sent: Array(6).fill({ answer: { responseStatus: 204 } }) },
    { failing: [{ status: 503, count: 2, retryAfter: 1 }] },
    { forgotten: 0 },
    {},
  ]);
  expect(answers[3].sent).toHaveLength(7);
});

test("the mock plays the recorded blocks", async () => {
  const [command = "", ...args] = find("mock", "--chain recorded").split(" ");
  const [said = ""] = await start(command, ["run", "-s", ...args.slice(1), "--port", "0"], /mock is listening[^;]*/);
  const chains = await fetch(`${/http\S+/.exec(said)?.[0]}/v1/chains`);
  expect(await chains.json()).toMatchObject({ chains: [{ chainId: "1", traces: true }, {}, {}] });
});

test("an agent's server answers the guide's message, and starts from the configurations of hosts", async () => {
  const port = await freePort();
  await start("npm", ["run", "-s", "cli", "mock", "--", "--port", String(port)], /mock is listening/);
  const command = find("tools/call").replace(":4010", `:${port}`).replace("npm run cli mcp", "npm run -s cli mcp");
  const { result } = JSON.parse((await run("sh", ["-c", command], { cwd: root })).stdout);
  expect(result.content[0].text).toMatch(/^\d+ of \d+ webhooks fail\./);

  const configurations = readDocument("docs/agents.md").blocks.filter(({ label }) => label === "mcp");
  expect(configurations).toHaveLength(2);
  for (const { text } of configurations) {
    const { mcpServers, servers } = JSON.parse(text);
    const server = (mcpServers ?? servers)["chain-webhooks"];
    // All but the words before it is for npx to find the command; here it is the sources'.
    const ofNpx = ["-y", "-p", "chain-webhooks-tools", "-p", "@modelcontextprotocol/sdk", "chain-webhooks-tools"];
    expect([server.command, ...server.args.slice(0, ofNpx.length)]).toEqual(["npx", ...ofNpx]);
    const agent = await startAgent({
      url: `http://127.0.0.1:${port}`,
      key: server.env.API_KEY,
      args: server.args.slice(7),
    });
    expect(server.args[6]).toBe("mcp");
    expect(agent.tools).toHaveLength(7);
    await agent.close();
  }
});

test("npm run docs builds the site and serves it, with the reference in it", async () => {
  const [, url = ""] = await start("npm", ["run", "-s", "docs", "--", "--port", "0"], /listening at (\S+\/docs)/);
  expect(await (await fetch(url)).text()).toContain("Name a chain, some addresses and a URL.");
  const forPrograms = await (await fetch(new URL("/llms.txt", url))).text();
  expect(forPrograms).toContain("(/docs/quick-start.md)");
  const [, markdown = ""] = /\[List webhooks\]\((\S+)\): GET \/v1\/webhooks\n/.exec(forPrograms) ?? [];
  expect(await (await fetch(new URL(markdown, url))).text()).toMatch(/^# List webhooks\n/);
  for (const path of ["reference", "reference/listWebhooks"]) {
    const page = await (await fetch(`${url}/${path}`)).text();
    expect(page).toContain("Chain Webhooks");
    expect(page).not.toMatch(/<(?:script|link|img)[^>]+(?:src|href)="https?:/);
  }
});

test("keys can be made, listed and revoked, and accounts given quotas", async () => {
  const keys = async (...args: string[]) =>
    (await run("npm", ["run", "-s", "cli", "keys", "--", ...args], { cwd: root, env: { ...process.env, ...env } }))
      .stdout;
  const key = (await keys("create", "--account", "acme", "--scopes", "read,write")).trim();
  expect(key).toMatch(/cwk_[0-9a-f]{12}_[0-9a-f]{72}$/);
  expect(await keys("list")).toContain("acme");
  await keys("revoke", "1");
  expect(await keys("list")).toMatch(/revoked|\d{4}-\d\d-\d\d/);
  const accounts = async (...args: string[]) =>
    (await run("npm", ["run", "-s", "cli", "accounts", "--", ...args], { cwd: root, env: { ...process.env, ...env } }))
      .stdout;
  await accounts("quota", "acme", "--webhooks", "500", "--addresses", "2000000");
  expect(await accounts("list")).toMatch(/acme.*500.*2000000/);
});

test("npm start answers the client's quick start, passes conformance, and stops on SIGTERM", async () => {
  const service = await start("npm", ["-s", "start"], /"started"/, { ...env, ALLOW_PRIVATE_TARGETS: "true" });
  const baseUrl = `http://127.0.0.1:${env.PORT}`;
  const pool = createPool(database.url);
  const { key } = await createKey(pool, { account: "readme", scopes: ["read", "write"] });
  await pool.end();
  while (!(await (await fetch(`${baseUrl}/v1/chains`)).json()).chains[0].followedBlock)
    await new Promise((resolve) => setTimeout(resolve, 50));

  const BASE_URL = baseUrl;
  const API_KEY = key;
  for (const document of ["README.md", "docs/clients.md"])
    expect(await runSnippet(document, "client.ts", { BASE_URL, API_KEY })).toMatch(/is notified from block \d+ on/);

  const sh = async (command: string, more: Record<string, string> = {}) =>
    JSON.parse(
      (await run("sh", ["-c", command.replace(":3000", `:${env.PORT}`)], { env: { ...process.env, ...more } })).stdout,
    );
  const create = find('curl -s "$BASE_URL/v1/webhooks" ').replace('"fromBlock":"62318001"', '"fromBlock":"0"');
  const made = await sh(create, { BASE_URL, API_KEY });
  expect(made).toMatchObject({ status: "active", addressCount: 1 });
  const WEBHOOK_ID = String(made.id);
  const missed = await sh(find("afterSequence=41"), { BASE_URL, API_KEY, WEBHOOK_ID });
  expect(missed).toMatchObject({ notifications: [] });
  await runSnippet("docs/delivery.md", "inspect.ts", { BASE_URL, API_KEY, WEBHOOK_ID });
  expect(await sh(find(":3000/v1/chains"))).toMatchObject({ chains: [{ chainId: "43114" }] });
  expect(await sh(find(":3000/openapi.json"))).toMatchObject({ openapi: "3.1.0" });

  const proxyPort = await freePort();
  await start(
    "npx",
    ["prism", "proxy", "generated/openapi-closed.json", baseUrl, "--errors", "--port", String(proxyPort)],
    /Prism is listening/,
  );
  const through = await fetch(`http://127.0.0.1:${proxyPort}/v1/webhooks`, { headers: { "x-service-api-key": key } });
  expect(through.status).toBe(200);
  expect(((await through.json()) as { webhooks: unknown[] }).webhooks).toContainEqual(
    expect.objectContaining({ chainId: "43114" }),
  );

  const { stdout } = await run(
    "sh",
    ["-c", find("conformance", "--cases").replace(":3000", `:${env.PORT}`).replace("KEY", key)],
    {
      cwd: root,
    },
  );
  expect(stdout).toMatch(/ 0 failed, /);

  await end(service.child);
  expect(service.output()).toContain('"stopped"');
});

test("the receiver's quick start accepts what trigger sends, also through listen", async () => {
  const port = await freePort();
  const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
  const receiver = await startSnippet("README.md", "receiver.ts", { WEBHOOK_SECRET: secret }, (text) =>
    text.replace("4000", String(port)),
  );
  await answering(`http://127.0.0.1:${port}/hooks`);
  const trigger = (to: number, name = "native-transfer") =>
    run("sh", ["-c", find("trigger", name).replace("4000", String(to))], { cwd: root });
  const { stdout } = await trigger(port);
  const { messageId, event } = JSON.parse(
    readFileSync(join(root, "openapi/examples/notification.native-transfer.json"), "utf8"),
  ).value;
  expect(stdout).toContain(`1  ${messageId}  204 No Content`);
  const handled = `1 ${messageId} ${event.transaction.txHash} happened\n`;
  expect(receiver.output()).toBe(handled);

  const listenPort = await freePort();
  const listen = `${find("listen -- --forward-to").replace("4000", String(port))} --port ${listenPort}`;
  const listener = await start("sh", ["-c", listen], /Listening at/);
  await trigger(listenPort);
  expect(receiver.output()).toBe(handled + handled);
  await trigger(port, "retraction");
  expect(receiver.output()).toMatch(/ retracted\n$/);
  expect((await run("sh", ["-c", find("trigger -- --list")], { cwd: root })).stdout).toContain("retraction");
  expect(listener.output()).toMatch(/value 1 {2}NOT VERIFIED, since there is no --secret {2}http:\S+ answered 204/);
});

test("the server's quick start answers by the contract, or reports why not", async () => {
  const port = await freePort();
  await startSnippet("docs/implement.md", "server.ts", {}, (text) => text.replace("5000", String(port)));
  const ask = (path: string, key = "secret") =>
    fetch(`http://127.0.0.1:${port}${path}`, { headers: { "x-service-api-key": key } });
  await answering(`http://127.0.0.1:${port}/`);
  expect(await (await ask("/v1/chains")).json()).toMatchObject({ chains: [{ chainId: "43114" }] });
  const id = "6d1bbe40-2a4b-4c0e-8f0a-5e7f5b1d2c3a";
  expect(await (await ask(`/v1/webhooks/${id}`)).json()).toMatchObject({ message: `There is no webhook ${id}.` });
  expect((await ask(`/v1/webhooks/${id}`, "other")).status).toBe(401);
  expect(await (await ask("/v1/webhooks/6")).json()).toMatchObject({ statusCode: 400, error: "Bad Request" });
});

type Edit = (text: string) => string;

/** A TypeScript block of a document, in a file where the package's own name can be imported. */
function writeSnippet(document: string, name: string, edit: Edit): { file: string; remove: () => void } {
  const text =
    readDocument(document)
      .fences("ts")
      .find((block) => block.startsWith(`// ${name}\n`)) ?? "";
  const folder = mkdtempSync(join(root, "test", ".readme-"));
  writeFileSync(join(folder, name), edit(text));
  return { file: join(folder, name), remove: () => rmSync(folder, { recursive: true }) };
}

async function runSnippet(document: string, name: string, more: Record<string, string>): Promise<string> {
  const { file, remove } = writeSnippet(document, name, (text) => text);
  try {
    return (await run(process.execPath, ["--import", "tsx", file], { cwd: root, env: { ...process.env, ...more } }))
      .stdout;
  } finally {
    remove();
  }
}

async function startSnippet(document: string, name: string, more: Record<string, string>, edit: Edit) {
  const { file, remove } = writeSnippet(document, name, edit);
  const child = spawn(process.execPath, ["--import", "tsx", file], {
    cwd: root,
    env: { ...process.env, ...more },
    detached: true,
    stdio: ["ignore", "pipe", "inherit"],
  });
  endLater(child);
  child.once("exit", remove);
  let output = "";
  child.stdout.on("data", (chunk) => {
    output += chunk;
  });
  return { output: () => output };
}

/** Waits until something answers at the URL. */
async function answering(url: string): Promise<void> {
  for (let tries = 0; tries < 100 && !(await fetch(url).catch(() => undefined)); tries += 1)
    await new Promise((resolve) => setTimeout(resolve, 100));
}

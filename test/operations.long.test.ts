/**
 * The operators' commands in docs/ are run here, with other ports and places. What needs programs that npm does not bring
 * (PostgreSQL's clients, promtool) is in test/operations/.
 */
import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from "vitest";
import { createWebhooksClient } from "../client/index.ts";
import { type EvmNode, startEvmNode } from "../scripts/local/evm-node.ts";
import { missingPackage } from "../server/base/optional-peers.ts";
import { parseKeyring } from "../server/settings/keyring.ts";
import { beginAt, ensureChain, plainLane } from "../server/store/chains/cursor.ts";
import { openDatabase } from "../server/store/open.ts";
import { createPool, inTransaction } from "../server/store/pool.ts";
import { createWebhook } from "../server/store/webhooks/creation.ts";
import { getSecret } from "../server/store/webhooks/secrets.ts";
import { createTestDatabase, type TestDatabase } from "./support/database.ts";
import { readGuides } from "./support/document.ts";
import { freePort } from "./support/free-port.ts";
import { type RpcProxy, startRpcProxy } from "./support/rpc-proxy.ts";
import { endAll, start } from "./support/shell.ts";

// Those of cells, of growing and of deploying are run in test/operations/, test/cells/ and test/deploy/.
const commands = readGuides().commands.filter(
  (command) => !/^CELL|\bBLOCKS=|\bRESTORED_URL\b|^(docker|kubectl|helm|sudo) |\/metrics \| /.test(command),
);
const run = promisify(execFile);

let database: TestDatabase;
let node: EvmNode;
let other: RpcProxy;
let folder: string;
beforeAll(async () => {
  [database, node, folder] = await Promise.all([
    createTestDatabase(),
    startEvmNode({ chainId: 43114 }),
    mkdtemp(join(tmpdir(), "chain-webhooks-operations-")),
  ]);
  other = await startRpcProxy(node.rpcUrl);
});
afterEach(endAll);
afterAll(async () => {
  await Promise.all([node.stop(), other.close(), rm(folder, { recursive: true })]);
  await database.drop();
});

const find = (...words: string[]) => {
  const found = commands.find((command) => words.every((word) => command.includes(word)));
  if (found === undefined) throw new Error(`no command with ${words.join(" and ")}`);
  return found;
};

test("the roles start separately, report their health, survive rotated keys and secrets and a changed node, and stop", async () => {
  const ports = new Map<string, number>();
  for (const port of ["9464", "9465", "9466", "3000"]) ports.set(port, await freePort());
  const moved = (command: string) => command.replace(/\b(9464|9465|9466|3000)\b/g, (port) => String(ports.get(port)));
  const chain = { chainId: "43114", traces: true, finality: "latest", pollMs: 100 };
  const env: Record<string, string> = {
    DATABASE_URL: database.url,
    CHAINS: JSON.stringify([{ ...chain, rpcUrls: [node.rpcUrl] }]),
    LEASE_SECONDS: "2",
    RPC_URL: other.url,
    BASE_URL: `http://127.0.0.1:${ports.get("3000")}`,
  };
  const sh = async (command: string, more: Record<string, string> = {}) =>
    (await run("sh", ["-c", moved(command)], { env: { ...process.env, ...env, ...more } })).stdout;

  // Without a shell, so that npm itself gets the signal.
  const startIt = (command: string, more: Record<string, string> = {}) =>
    start("sh", ["-c", moved(command).replace("npm start", "exec npm start")], /"started"/, { ...env, ...more });

  const roles = ["follow", "deliver", "api"].map((role) => find(`ROLES=${role} `, "METRICS_PORT"));
  const [follower] = await Promise.all(roles.map((role) => startIt(role)));

  expect(JSON.parse(await sh(find("9464/healthz")))).toEqual({ status: "up" });
  await expect
    .poll(async () => JSON.parse(await sh(find("9464/readyz"))))
    .toMatchObject({ status: "ready", chains: [{ chainId: "43114", status: "following" }] });
  expect(JSON.parse(await sh(find("healthz/chains")))).toMatchObject({ status: "following" });
  expect(await sh(find("9464/metrics"))).toContain('chain_webhooks_leases{kind="shard",state="owned"} 32');

  const key = (await sh(find("keys", "create", "read,write"))).trim().split("\n").at(-1) ?? "";
  expect(await sh(find("keys", "list"))).toContain(key.slice(0, 8));
  const client = createWebhooksClient({ baseUrl: env.BASE_URL ?? "", apiKey: key });
  const metadata = { addresses: [`0x${"a".repeat(40)}`] };
  const body = { url: "https://example.com/", chainId: "43114", eventType: "address_activity" as const, metadata };
  const { id } = await client.createWebhook({ body });
  const before = await client.getWebhookSecret({ path: { id } });
  const rotated = JSON.parse(await sh(find("secret/rotate"), { WEBHOOK_ID: id, API_KEY: key }));
  expect(rotated.secret).toMatch(/^whsec_/);
  expect(rotated.secret).not.toBe(before.secret);

  expect(JSON.parse(await sh(find("eth_chainId")))).toMatchObject({ result: "0xa86a" });
  expect(JSON.parse(await sh(find("eth_blockNumber")))).toMatchObject({ result: expect.stringMatching(/^0x/) });
  const chains = join(folder, "chains.json");
  await writeFile(chains, JSON.stringify([{ ...chain, rpcUrls: [other.url, node.rpcUrl] }]));
  const asked = other.calls.length;
  const change = find("CHAINS=@chains.json").replace("@chains.json", `@${chains}`);
  await startIt(change, { ROLES: "follow" });
  const ended = once(follower?.child ?? process, "close");
  await sh(find("kill -TERM"), { OLD_PID: String(follower?.child.pid) });
  await ended;
  expect(follower?.output()).toContain('"stopped"');
  await expect.poll(() => other.calls.length).toBeGreaterThan(asked + 10);
  await expect.poll(async () => (await client.listChains()).chains[0]).toMatchObject({ lagBlocks: 0 });

  await sh(find("keys", "revoke"));
  const status = async () =>
    (await fetch(`${env.BASE_URL}/v1/webhooks`, { headers: { "x-service-api-key": key } })).status;
  await expect.poll(status).toBe(401);
});

test("the key of the secrets is changed", async () => {
  const fresh = await createTestDatabase();
  onTestFinished(() => fresh.drop());
  const sh = async (command: string, SECRET_KEY = "") =>
    (await run("sh", ["-c", command], { env: { ...process.env, DATABASE_URL: fresh.url, SECRET_KEY } })).stdout;
  const newKey = async () => (await sh(find("new-key"))).trim().split("\n").at(-1) ?? "";
  const [older, newer] = [await newKey(), await newKey()];
  expect(parseKeyring(`${newer},${older}`).keyIds).toHaveLength(2);
  const pool = createPool(fresh.url);
  onTestFinished(() => pool.end());
  await ensureChain(pool, "43114");
  await beginAt(pool, plainLane("43114"), { number: 1, hash: `0x${"1".repeat(64)}` });
  await pool.query("INSERT INTO accounts (name) VALUES ('acme')");
  const flags = { eventSignatures: [], includeInternalTxs: false, includeLogs: false };
  const texts = { url: "https://example.com/", name: "", description: "", eventType: "address_activity" as const };
  const wanted = { ...texts, ...flags, chainId: "43114", addresses: [`0x${"a".repeat(40)}`] };
  const { id } = await inTransaction(pool, (db) => createWebhook(db, 1, wanted, parseKeyring(older)));
  const { secret } = await getSecret(pool, 1, id, parseKeyring(older));
  await sh(find("secrets", "encrypt"), `${newer},${older}`);
  const [oldId = "", newId = ""] = [older, newer].flatMap((key) => parseKeyring(key).keyIds);
  const listed = await sh(find("secrets", "list"), `${newer},${older}`);
  expect(listed).toContain(newId);
  expect(listed).not.toMatch(new RegExp(`^.*[1-9].*${oldId}.*$`, "m"));
  expect(await getSecret(pool, 1, id, parseKeyring(newer))).toMatchObject({ secret });
});

test("the folder of the embedded database is a backup of it", async () => {
  const DATA_DIR = await mkdtemp(join(tmpdir(), "chain-webhooks-operations-"));
  onTestFinished(() => rm(DATA_DIR, { recursive: true, force: true }));
  const sh = (command: string) => run("sh", ["-c", command], { cwd: folder, env: { ...process.env, DATA_DIR } });
  const first = await openDatabase({ dataDir: DATA_DIR });
  await first.pool.query("INSERT INTO accounts (name) VALUES ('kept')");
  await first.close();
  await sh(find("tar", "-czf"));
  await rm(DATA_DIR, { recursive: true });
  await sh(find("tar", "-xzf"));
  expect(await readdir(DATA_DIR)).toContain("postgres");
  const second = await openDatabase({ dataDir: DATA_DIR });
  expect((await second.pool.query("SELECT name FROM accounts")).rows).toEqual([{ name: "kept" }]);
  expect(second.migrated).toEqual([]);
  await second.close();
});

test("the packages for tracing are those that the service looks for", () => {
  const names = ["@opentelemetry/sdk-trace-base", "@opentelemetry/exporter-trace-otlp-http"] as const;
  const { message } = missingPackage("Tracing", ...names);
  expect(commands).toContain(message.replace("Tracing: ", ""));
});

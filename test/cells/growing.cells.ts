/** The steps of docs/growing.md past one machine, as its commands: deliver on another, blocks by stream, a second cell. */
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type EvmNode, startEvmNode } from "../../scripts/local/evm-node.ts";
import { missingPackage } from "../../server/base/optional-peers.ts";
import { type LocalChain, openChain } from "../chain/local-chain.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { readDocument } from "../support/document.ts";
import { freePort } from "../support/free-port.ts";
import { type NatsServer, startNatsCluster } from "../support/nats-server.ts";
import { type RpcProxy, startRpcProxy } from "../support/rpc-proxy.ts";
import { testChain } from "../support/service.ts";
import { end, endAll, start } from "../support/shell.ts";
import { patientMs } from "./blocks-world.ts";

const { commands } = readDocument("docs/growing.md");
const soon = { timeout: 60_000, interval: 200 };
const ports = new Map<string, number>();

let node: EvmNode;
let chain: LocalChain;
let servers: NatsServer[];
let databases: TestDatabase[];
let folder: string;
/** The node as the reader sees it, and as the cells do. */
let [toReader, toCells]: RpcProxy[] = [];
beforeAll(async () => {
  node = await startEvmNode();
  chain = await openChain(node.rpcUrl);
  [toReader, toCells] = await Promise.all([startRpcProxy(node.rpcUrl), startRpcProxy(node.rpcUrl)]);
  servers = await startNatsCluster();
  databases = await Promise.all([createTestDatabase(), createTestDatabase()]);
  folder = await mkdtemp(join(tmpdir(), "chain-webhooks-growing-"));
  for (const port of ["9464", "9465", "9467"]) ports.set(port, await freePort());
});
afterAll(async () => {
  await endAll();
  await Promise.all([toReader?.close(), toCells?.close(), node.stop(), ...servers.map((server) => server.stop())]);
  await Promise.all([...databases.map((database) => database.drop()), rm(folder, { recursive: true })]);
});

function find(...words: string[]): string {
  const found = commands.find((line) => words.every((word) => line.includes(word)));
  if (found === undefined) throw new Error(`docs/growing.md has no command with ${words.join(" and ")}`);
  return found
    .replace(/\b946\d\b/, (port) => String(ports.get(port)))
    .replace("/etc/chain-webhooks", folder)
    .replace("npm start", "exec npm start");
}

function environment(proxy: RpcProxy | undefined): Record<string, string> {
  const followed = { ...testChain({ rpcUrl: proxy?.url ?? "" }), pollMs: 50, patienceMs: patientMs, traces: false };
  const [a, b] = databases.map(({ url }) => url);
  return {
    ...{ DATABASE_URL: a ?? "", CELL_A: a ?? "", CELL_B: b ?? "", PORT: "0", NO_COLOR: "1" },
    CHAINS: JSON.stringify([followed]),
    NATS: `nats://${servers.map(({ port }) => `127.0.0.1:${port}`).join()}`,
  };
}

const run = (command: string, more: Record<string, string> = {}, proxy = toCells) =>
  start("sh", ["-c", command], /"started"/, { ...environment(proxy), ...more });
const sh = async (command: string) =>
  (await promisify(execFile)("sh", ["-c", command], { env: { ...process.env, ...environment(toCells) } })).stdout;
const streamed = /chain_webhooks_blocks_from_stream\{[^}]*lane="plain"[^}]*\} 1/;

/** Waits until the process with these metrics takes the chain's blocks from the stream. */
async function streams(port: string): Promise<void> {
  const command = find("grep chain_webhooks_blocks_").replace(/:\d+\/metrics/, `:${ports.get(port)}/metrics`);
  await expect
    .poll(async () => {
      await chain.mine();
      return sh(command);
    }, soon)
    .toMatch(streamed);
}

test("the packages that the stream needs are those that the service asks for", () => {
  const { message } = missingPackage("Stream", "@nats-io/transport-node", "@nats-io/jetstream");
  expect(commands).toContain(message.replace("Stream: ", ""));
});

test("a process that delivers takes every shard; a reader brings the blocks; two cells take them, and no cell calls a node", async () => {
  await chain.mine();
  await run(find("ROLES=read"), {}, toReader);
  await expect.poll(() => toReader?.calls.length, soon).toBeGreaterThan(0);
  const follower = await run(find("ROLES=follow"));
  await streams("9464");
  const sender = await run(find("ROLES=deliver"));
  await expect.poll(() => sh(find("grep -c")), soon).toBe("32\n");
  const health = await sh(find("grep -E").replace(String(ports.get("9464")), String(ports.get("9465"))));
  for (const name of ["oldest_pending_seconds", "pending_notifications", "in_flight_exchanges", "unrecorded_attempts"])
    expect(health).toContain(`chain_webhooks_delivery_${name}`);
  expect(health).toContain('chain_webhooks_database_connections{used_for="');

  await Promise.all([follower, sender].map(({ child }) => end(child)));
  const cells = ["a", "b"].map((name) => ({ name, databaseUrl: environment(toCells)[`CELL_${name.toUpperCase()}`] }));
  await writeFile(join(folder, "cells.json"), JSON.stringify(cells));
  // Both on this machine.
  await run(find("CELL=a"), { METRICS_PORT: String(ports.get("9464")) });
  await run(find("CELL=b"), { METRICS_PORT: String(ports.get("9465")) });
  await streams("9464");
  await streams("9465");
  expect(await sh(find("cells.json"))).toMatch(/^a +up (.|\n)*^b +up /m);
  expect(toCells?.calls).toEqual([]);
});

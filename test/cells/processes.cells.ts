/** The guide's set-up as processes: its configuration of NATS, a reader without a database, and a follower that may not publish. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type EvmNode, startEvmNode } from "../../scripts/local/evm-node.ts";
import { openChain } from "../chain/local-chain.ts";
import { createTestDatabase, query, type TestDatabase } from "../support/database.ts";
import { readDocument } from "../support/document.ts";
import { freePort } from "../support/free-port.ts";
import { type NatsServer, startNatsServer } from "../support/nats-server.ts";
import { type RpcProxy, startRpcProxy } from "../support/rpc-proxy.ts";
import { testChain } from "../support/service.ts";
import { type ServiceProcess, startServiceProcess } from "../support/service-process.ts";

const patiently = { timeout: 60_000, interval: 100 };
let [node, database, nats, proxy]: [EvmNode?, TestDatabase?, NatsServer?, RpcProxy?] = [];
let folder: string;
const processes: ServiceProcess[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "chain-webhooks-reader-"));
});
afterEach(async () => {
  for (const { signal, ended } of processes.splice(0)) {
    signal("SIGTERM");
    await ended;
  }
  await Promise.all([node?.stop(), nats?.stop(), proxy?.close(), database?.drop()]);
  await rm(folder, { recursive: true });
});

/** The accounts of the guide's configuration, whose users may do what it says. */
function guideAccounts(): string {
  const text = readDocument("docs/blocks.md").blocks.find(({ language }) => language === "nats")?.text ?? "";
  const accounts = text.slice(text.indexOf("accounts {"));
  return accounts.replace("$READER_PASSWORD", '"reads"').replace("$CELL_PASSWORD", '"follows"');
}

test("a reader without a database publishes what a follower takes, each with the rights of the guide", async () => {
  [node, database, nats] = await Promise.all([
    startEvmNode(),
    createTestDatabase(),
    startNatsServer({ config: guideAccounts() }),
  ]);
  proxy = await startRpcProxy(node.rpcUrl);
  const chain = await openChain(node.rpcUrl);
  await chain.mine();
  const metricsPort = String(await freePort());
  const reader = await startServiceProcess("", [testChain(node)], {
    env: {
      ROLES: "read",
      BLOCKS: `nats://reader:reads@127.0.0.1:${nats.port}`,
      METRICS_PORT: metricsPort,
      DATA_DIR: folder,
    },
  });
  processes.push(reader);
  const health = async () => {
    const response = await fetch(`http://127.0.0.1:${metricsPort}/healthz/chains`);
    const { chains } = (await response.json()) as { chains: { followedBlock?: number }[] };
    return { status: response.status, at: chains[0]?.followedBlock };
  };
  const readTo = async (number: number) => {
    await expect.poll(() => health().catch(() => undefined), patiently).toEqual({ status: 200, at: number });
  };
  await readTo(1);
  const follower = await startServiceProcess(database.url, [testChain({ rpcUrl: proxy.url })], {
    env: { ROLES: "follow", BLOCKS: `nats://cell:follows@127.0.0.1:${nats.port}` },
  });
  processes.push(follower);
  const { url } = database;
  const recorded = async () =>
    (await query(url, "SELECT cursor_number::int AS at, stream IS NOT NULL AS streamed FROM chain_lanes"))[0];
  await expect.poll(recorded, patiently).toEqual({ at: 1, streamed: false });
  await chain.mine(3);
  await readTo(4);
  await expect.poll(recorded, patiently).toEqual({ at: 4, streamed: true });
  expect(proxy.calls).toEqual([]);
  const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  expect(metrics).toMatch(/chain_webhooks_blocks_published_total\{chain_id="43112"\} 4/);
  expect(metrics).toMatch(/chain_webhooks_blocks_publishing\{chain_id="43112"\} 1/);
  expect(metrics).not.toContain("chain_webhooks_database_up");
  expect(JSON.stringify([reader.logged, follower.logged])).not.toMatch(/reads@|follows@|:reads|:follows/);
  reader.signal("SIGTERM");
  expect(await reader.ended).toEqual({ code: 0, signal: null });
});

test("a reader without BLOCKS says what to set, and so does a wrong address, without showing it", async () => {
  const start = async (BLOCKS: string) => {
    const started = await startServiceProcess("", [], { env: { ROLES: "read", BLOCKS, CHAINS: "" } });
    const reason = await started.started.catch((error: Error) => error.message);
    return { reason, ...(await started.ended) };
  };
  expect(await start("")).toMatchObject({
    code: 1,
    reason: expect.stringContaining("BLOCKS must be set for the role read"),
  });
  const wrong = await start("http://me:s3cret@host");
  expect(wrong).toMatchObject({ code: 1, reason: expect.stringContaining("BLOCKS must be nats://HOST") });
  expect(wrong.reason).not.toContain("s3cret");
});

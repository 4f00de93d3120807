/** While one chain is caught up with, the API answers, another chain is followed at its head, and its webhook is notified. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createWebhooksClient } from "../../client/index.ts";
import { type EvmNode, startEvmNode } from "../../scripts/local/evm-node.ts";
import { sharedJanitor } from "../../scripts/local/janitor.ts";
import { openWallet } from "../../scripts/local/wallet.ts";
import type { ChainConfig } from "../../server/settings/chains.ts";
import { createKey } from "../../server/store/accounts/keys.ts";
import { createPool } from "../../server/store/pool.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { type Receiver, startReceiver } from "../support/receiver.ts";
import { testChain, testChainId } from "../support/service.ts";
import { type ServiceProcess, startServiceProcess } from "../support/service-process.ts";

const backlog = 600;
const notifiedMeanwhile = 5;

let live: EvmNode;
let database: TestDatabase;
let receiver: Receiver;
let ends: (() => Promise<unknown>)[];
beforeEach(async () => {
  [live, database, receiver] = await Promise.all([startEvmNode(), createTestDatabase(), startReceiver()]);
  ends = [live.stop, receiver.close];
});
afterEach(async () => {
  await Promise.all(ends.map((end) => end()));
  await database.drop();
});

/** A node with a long chain of everyday blocks. @returns its address */
async function startRecordedNode(): Promise<string> {
  const child = spawn(process.execPath, ["--import", "tsx", "test/bench/recorded-node.ts", String(backlog)], {
    cwd: fileURLToPath(new URL("../..", import.meta.url)),
    stdio: ["ignore", "pipe", "inherit"],
  });
  const janitor = await sharedJanitor();
  janitor.watchProcess(child.pid ?? 0);
  ends.push(async () => {
    child.kill();
    await once(child, "exit");
    janitor.forgetProcess(child.pid ?? 0);
  });
  const [line] = (await once(child.stdout, "data")) as [Buffer];
  return line.toString().trim();
}

async function start(): Promise<ServiceProcess> {
  const behind: ChainConfig = {
    chainId: "1",
    name: "Behind",
    rpcUrls: [await startRecordedNode()],
    traces: false,
    finality: "finalized",
    pollMs: 1_000,
    startBlock: 1,
  };
  const service = await startServiceProcess(database.url, [behind, testChain(live)]);
  ends.unshift(async () => {
    service.signal("SIGTERM");
    await service.ended;
  });
  return service;
}

test("one chain's backlog keeps nothing else waiting", async () => {
  const service = await start();
  const baseUrl = await service.started;
  const pool = createPool(database.url);
  const { key } = await createKey(pool, { account: "test", scopes: ["read", "write"] });
  await pool.end();
  const client = createWebhooksClient({ baseUrl, apiKey: key, maxRetries: 0 });
  const wallet = await openWallet(live.rpcUrl);
  const followed = async (id: string) =>
    Number((await client.listChains()).chains.find(({ chainId }) => chainId === id)?.followedBlock ?? -1);
  await expect.poll(() => followed(testChainId)).toBeGreaterThanOrEqual(0);
  await expect.poll(() => followed("1")).toBeGreaterThanOrEqual(1);
  const to = `0x${"7".repeat(40)}` as const;
  const webhook = await client.createWebhook({
    body: {
      url: `${receiver.url}/hook`,
      chainId: testChainId,
      eventType: "address_activity",
      metadata: { addresses: [to] },
    },
  });
  for (let nth = 1; nth <= notifiedMeanwhile; nth += 1) {
    await wallet.send(to, 1n);
    // A request that is not answered ends the test.
    await Promise.all([receiver.waitFor(nth), client.listNotifications({ path: { id: webhook.id } })]);
    expect((await client.getWebhook({ path: { id: webhook.id } })).id).toBe(webhook.id);
  }
  expect(await followed("1")).toBeLessThan(backlog - 1);
  await expect.poll(() => followed("1")).toBe(backlog - 1);
});

/** Catching up takes no more memory than a few blocks, however many there are, however large, and however slow the database. */
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { ChainConfig } from "../../../server/settings/chains.ts";
import { plainLane, readCursor } from "../../../server/store/chains/cursor.ts";
import { lockChainExclusively } from "../../../server/store/chains/lock.ts";
import { migrate } from "../../../server/store/migrate.ts";
import { createPool, inTransaction, type Pool } from "../../../server/store/pool.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";
import { type RpcProxy, startRpcProxy } from "../../support/rpc-proxy.ts";
import { type ServiceProcess, startServiceProcess } from "../../support/service-process.ts";
import { soon } from "../chain-world.ts";
import { longChain } from "../long-chain.ts";

const MiB = 1024 * 1024;
const chainId = "1";

let database: TestDatabase;
let pool: Pool;
let node: RpcProxy;
let service: ServiceProcess | undefined;
beforeEach(async () => {
  [database, node] = await Promise.all([createTestDatabase(), startRpcProxy()]);
  pool = createPool(database.url);
  await migrate(pool);
});
afterEach(async () => {
  service?.signal("SIGKILL");
  await service?.ended;
  await pool.end();
  await Promise.all([node.close(), database.drop()]);
});

const cursor = async () => (await readCursor(pool, plainLane(chainId))).cursor?.number ?? -1;
const reaches = (number: number) => soon(async () => expect(await cursor()).toBeGreaterThanOrEqual(number));
/** The highest block that was requested with its transactions. */
const asked = () =>
  Math.max(
    ...node.calls.map(({ method, params }) =>
      method.startsWith("eth_getBlockByN") && params[1] ? Number(params[0]) : 0,
    ),
  );

async function follow(weights: number[], heapMiB: number): Promise<void> {
  node.answer = longChain(weights).answer;
  const chain: ChainConfig = {
    chainId,
    name: "Long",
    rpcUrls: [node.url],
    traces: false,
    finality: "finalized",
    pollMs: 50,
    startBlock: 1,
  };
  service = await startServiceProcess(database.url, [chain], { nodeArgs: [`--max-old-space-size=${heapMiB}`] });
  await service.started;
}

test.each([
  ["24 everyday blocks", 1_000, 200, 24],
  ["6 of 6 MiB", 6 * MiB, 32, 6],
])(
  "while the database is slow no more than %s are fetched ahead",
  async (_, weight, count, most) => {
    await follow(
      Array.from({ length: count }, () => weight),
      512,
    );
    await reaches(20);
    await inTransaction(pool, async (db) => {
      await lockChainExclusively(db, chainId);
      for (let before = -1; before < asked(); await sleep(500)) before = asked();
      const ahead = asked() - (await cursor());
      expect(ahead).toBeGreaterThan(most / 3);
      expect(ahead).toBeLessThanOrEqual(most);
    });
    await reaches(count - 1);
  },
  90_000,
);

test("many large blocks after small ones are caught up with in a small heap", async () => {
  const weights = Array.from({ length: 60 }, (_, number) => (number < 40 ? 1_000 : 14 * MiB));
  await follow(weights, 224);
  await reaches(59);
  expect(service?.logged.filter(({ level }) => Number(level) > 40)).toEqual([]);
});

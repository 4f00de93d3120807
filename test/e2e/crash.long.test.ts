/** A process that is killed at any moment loses nothing, repeats nothing under another messageId, and leaves no gap. */
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createWebhooksClient } from "../../client/index.ts";
import { type EvmNode, startEvmNode } from "../../scripts/local/evm-node.ts";
import { messageIdOf } from "../../server/matching/message-id.ts";
import { createKey } from "../../server/store/accounts/keys.ts";
import { plainLane, readCursor } from "../../server/store/chains/cursor.ts";
import { createPool, type Pool } from "../../server/store/pool.ts";
import { keepMining } from "../chain/keep-mining.ts";
import { type LocalChain, openChain } from "../chain/local-chain.ts";
import { notifiedOf } from "../chain/notified.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { type Receiver, startReceiver } from "../support/receiver.ts";
import { seeded } from "../support/seeded.ts";
import { testChain, testChainId } from "../support/service.ts";
import { type ServiceProcess, startServiceProcess } from "../support/service-process.ts";

/** `CRASH_SEED=7 npx vitest run test/e2e/crash.long.test.ts` kills at other moments. */
const seed = Number(process.env.CRASH_SEED ?? 1);
const kills = 6;
const addresses = Array.from({ length: 8 }, (_, index) => `0x${(0xc000 + index).toString(16).padStart(40, "0")}`);

let node: EvmNode;
let chain: LocalChain;
let database: TestDatabase;
let receiver: Receiver;
let pool: Pool;
let running: ServiceProcess | undefined;
beforeEach(async () => {
  [node, database, receiver] = await Promise.all([startEvmNode(), createTestDatabase(), startReceiver()]);
  chain = await openChain(node.rpcUrl);
  pool = createPool(database.url);
});
afterEach(async () => {
  running?.signal("SIGKILL");
  await running?.ended;
  await pool.end();
  await Promise.all([node.stop(), receiver.close(), database.drop()]);
});

async function start(): Promise<string> {
  running = await startServiceProcess(database.url, [testChain(node)]);
  return running.started;
}

/** A webhook for each of the addresses. */
async function watchAll(url: string): Promise<{ id: string; address: string; from: number }[]> {
  const { key } = await createKey(pool, { account: "test", scopes: ["read", "write"] });
  const client = createWebhooksClient({ baseUrl: url, apiKey: key });
  await expect.poll(async () => (await client.listChains()).chains[0]?.followedBlock).toBeDefined();
  return Promise.all(
    addresses.map(async (address) => {
      const body = {
        url: `${receiver.url}/${address}`,
        chainId: testChainId,
        eventType: "address_activity" as const,
        metadata: { addresses: [address] },
      };
      const { id, effectiveFromBlock } = await client.createWebhook({ body });
      return { id, address, from: Number(effectiveFromBlock) };
    }),
  );
}

/** Waits until all is followed and delivered, and holds it against the chain. @returns how much there was */
async function assertNothingLost(webhooks: readonly { id: string; address: string; from: number }[]): Promise<number> {
  const head = await chain.head();
  await expect.poll(async () => (await readCursor(pool, plainLane(testChainId))).cursor).toEqual(head);
  const all = await chain.transactionsByReceiver();
  const expected = new Map(
    webhooks.flatMap(({ id: webhookId, address, from }) =>
      (all.get(address) ?? [])
        .filter(({ blockNumber }) => blockNumber >= from)
        .map(({ hash, blockHash }) => {
          const messageId = messageIdOf({ webhookId, blockHash, transactionHash: hash, occurrence: 0 });
          return [messageId, `${webhookId} ${hash}`] as const;
        }),
    ),
  );
  const delivered = () =>
    new Map(
      receiver.deliveries.map(({ notification: { messageId, webhookId, event } }) => [
        messageId,
        `${webhookId} ${event.transaction.txHash}`,
      ]),
    );
  await expect.poll(() => delivered().size).toBeGreaterThanOrEqual(expected.size);
  expect(delivered()).toEqual(expected);
  const recorded = await Promise.all(webhooks.map(({ id }) => notifiedOf(pool, id)));
  expect(recorded.flat().length).toBe(expected.size);
  return expected.size;
}

test(`killed ${kills} times while blocks come, every notification arrives, each under its one messageId (CRASH_SEED=${seed})`, async () => {
  const random = seeded(seed);
  const webhooks = await watchAll(await start());
  const mining = keepMining(chain, { addresses, random: seeded(seed + 1) });
  for (let kill = 0; kill < kills; kill += 1) {
    const killed = running;
    // Every third dies at some moment of its start, or while it waits for the lease of the one before; the others at work.
    if (kill % 3 === 2) await sleep(random(2_500));
    else {
      await expect.poll(() => killed?.logged.some(({ msg }) => msg === "recorded")).toBe(true);
      await sleep(random(1_000));
    }
    killed?.signal("SIGKILL");
    expect((await killed?.ended)?.signal).toBe("SIGKILL");
    expect(killed?.logged.filter(({ level }) => Number(level) >= 50)).toEqual([]);
    running = await startServiceProcess(database.url, [testChain(node)]);
  }
  await running?.started;
  await sleep(1_000);
  await mining.stop();
  expect(await assertNothingLost(webhooks)).toBeGreaterThan(100);
});

test("SIGTERM under load with a hanging endpoint: it exits with 0 within 15 s, and nothing is lost after a restart", async () => {
  const webhooks = await watchAll(await start());
  const [hanging] = webhooks;
  let hangs = true;
  receiver.answer = ({ notification }, response) => {
    if (!hangs || notification.webhookId !== hanging?.id) response.writeHead(204).end();
  };
  const mining = keepMining(chain, { addresses, random: seeded(seed) });
  await receiver.waitFor(1, ({ notification }) => notification.webhookId === hanging?.id);
  await receiver.waitFor(20);
  const shutdownAt = performance.now();
  running?.signal("SIGTERM");
  expect(await running?.ended).toEqual({ code: 0, signal: null });
  expect(performance.now() - shutdownAt).toBeLessThan(15_000);
  hangs = false;
  await mining.stop();
  await start();
  expect(await assertNothingLost(webhooks)).toBeGreaterThan(20);
});

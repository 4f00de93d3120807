/** Previews that take any time: following goes on meanwhile, for every account, and their computations end with them. */
import { setTimeout as sleep } from "node:timers/promises";
import { createTestClient, http, pad } from "viem";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createWebhooksClient, WebhooksError } from "../../client/index.ts";
import { createKey } from "../../server/store/accounts/keys.ts";
import { emitterCode, largestAbi } from "../support/emitter.ts";
import { startWorld, testChainId, type World } from "../support/service.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

/** How many processors this process uses. */
async function processorsUsed(): Promise<number> {
  const [before, startedAt] = [process.cpuUsage(), performance.now()];
  await sleep(500);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000 / (performance.now() - startedAt);
}

test("six previews of the most expensive kind delay nobody, and end when their time is over", async () => {
  const anvil = createTestClient({ mode: "anvil", transport: http(world.node.rpcUrl) });
  const emitter = pad("0xe418", { size: 20 });
  await anvil.setBlockGasLimit({ gasLimit: 100_000_000n });
  // Two logs of 960 KB.
  await anvil.setCode({ address: emitter, bytecode: emitterCode({ numbers: 30_000, bool: 2 }, 2) });
  const { key } = await createKey(world.service.database.pool, { account: "other", scopes: ["read", "write"] });
  const other = createWebhooksClient({ baseUrl: world.service.url ?? "", apiKey: key });
  const someone = pad("0x51", { size: 20 });
  await other.createWebhook({
    body: {
      ...{ url: `${world.receiver.url}/other`, chainId: testChainId, eventType: "address_activity" },
      metadata: { addresses: [someone] },
    },
  });
  const { transactionHash: txHash } = await world.wallet.send(emitter, 0n);
  await world.followed(await world.wallet.send(pad("0x1", { size: 20 }), 1n).then(({ blockNumber }) => blockNumber));

  const abi = largestAbi("numbers");
  const body = { chainId: testChainId, metadata: { addresses: [emitter], includeLogs: true, abi }, txHash };
  let over = 0;
  const previews = Array.from({ length: 6 }, () =>
    world.client
      .previewWebhook({ body })
      .then(
        () => 200,
        (error: unknown) => (error instanceof WebhooksError ? error.status : String(error)),
      )
      .finally(() => {
        over += 1;
      }),
  );
  const inFlight = "SELECT FROM questions WHERE taken_at IS NOT NULL";
  await expect.poll(async () => (await world.service.database.pool.query(inFlight)).rowCount).toBeGreaterThan(0);
  // Until threads are at it.
  await sleep(1_000);
  const delays: { ms: number; overBefore: number }[] = [];
  while (over < previews.length && delays.length < 50) {
    const sentAt = performance.now();
    const { transactionHash } = await world.wallet.send(someone, 1n);
    await world.receiver.waitFor(1, ({ notification }) => notification.event.transaction.txHash === transactionHash);
    delays.push({ ms: performance.now() - sentAt, overBefore: over });
  }
  // Either it took no time, or it came before any of them was over.
  expect((delays[0]?.ms ?? 0) < 3_000 || delays[0]?.overBefore === 0, JSON.stringify(delays)).toBe(true);
  for (const status of await Promise.all(previews)) expect([200, 502, 503]).toContain(status);
  await expect.poll(processorsUsed, { timeout: 20_000 }).toBeLessThan(0.5);
});

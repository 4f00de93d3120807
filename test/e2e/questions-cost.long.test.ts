/** Previews that take any time: following goes on meanwhile, for every account, and their computations end with them. */
import { setTimeout as sleep } from "node:timers/promises";
import { createTestClient, http, pad, size, toEventSelector } from "viem";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createWebhooksClient, WebhooksError } from "../../client/index.ts";
import { createKey } from "../../server/store/accounts/keys.ts";
import { startWorld, testChainId, type World } from "../support/service.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

const topic0 = toEventSelector("Large(uint256[],bool)");
const word = (value: number) => value.toString(16).padStart(64, "0");
/** 960 KB of numbers, then a bool that is none, so that every event is tried to the end. */
const numbers = 30_000;
const data = `${word(64)}${word(2)}${word(numbers)}${Array.from({ length: numbers }, (_, index) => word(index)).join("")}`;

/** Copies the data from behind the code, and logs it twice: PUSH3, PUSH1, PUSH1 0, CODECOPY; PUSH32, PUSH3, PUSH1 0, LOG1; again; STOP. */
function emitterCode(): `0x${string}` {
  const length = (data.length / 2).toString(16).padStart(6, "0");
  const log = `7f${topic0.slice(2)}62${length}6000a1`;
  const start = `62${length}60XX600039${log}${log}00`;
  return `0x${start.replace(
    "XX",
    size(`0x${start.replace("XX", "00")}`)
      .toString(16)
      .padStart(2, "0"),
  )}${data}`;
}

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
  await anvil.setCode({ address: emitter, bytecode: emitterCode() });
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

  const abi = Array.from({ length: 100 }, (_, index) => ({
    ...{ type: "event" as const, name: "Large" },
    inputs: [
      { name: `numbers${index}`, type: "uint256[]" },
      { name: "isLast", type: "bool" },
    ],
  }));
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
  await expect
    .poll(async () => (await world.service.database.pool.query(inFlight)).rowCount, { timeout: 60_000 })
    .toBeGreaterThan(0);
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

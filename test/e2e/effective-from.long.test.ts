/** What is watched changes at exact blocks, however many change it at once while blocks are followed. */
import { setTimeout as sleep } from "node:timers/promises";
import { pino } from "pino";
import { expect, test } from "vitest";
import { createWebhooksClient, type WebhooksClient } from "../../client/index.ts";
import { startService } from "../../server/service.ts";
import { createKey } from "../../server/store/accounts/keys.ts";
import { type LocalChain, openChain } from "../chain/local-chain.ts";
import { notifiedOf } from "../chain/notified.ts";
import { seeded } from "../support/seeded.ts";
import { startWorld, testChainId, type World } from "../support/service.ts";
import { createWatch, type Watch } from "./watch-log.ts";

const addresses = Array.from({ length: 80 }, (_, index) => `0x${(0xa000 + index).toString(16).padStart(40, "0")}`);
const clients = 6;
/** What each of them does, every third of it the creation of a webhook: 66 in all. */
const changes = 33;

/** Mines blocks of one to four transfers to any of the receivers, until stopped. */
function keepMining(
  chain: LocalChain,
  receivers: readonly string[],
  random: (below: number) => number,
): () => Promise<void> {
  let going = true;
  const mining = (async () => {
    const [from] = await chain.rpc<string[]>("eth_accounts");
    await chain.rpc("evm_setAutomine", [false]);
    while (going) {
      for (let count = 1 + random(4); count > 0; count -= 1)
        await chain.rpc("eth_sendTransaction", [{ from, to: receivers[random(receivers.length)], value: "0x1" }]);
      await chain.rpc("evm_mine");
      await sleep(8);
    }
  })();
  return async () => {
    going = false;
    await mining;
  };
}

/** Creates webhooks and changes what they watch, one thing after the other. */
async function keepChanging(
  client: WebhooksClient,
  receiverUrl: string,
  random: (below: number) => number,
): Promise<Watch[]> {
  const watches: Watch[] = [];
  const any = <T>(list: readonly T[]) => list[random(list.length)];
  for (let change = 0; change < changes; change += 1) {
    const watch = change % 3 === 0 ? undefined : any(watches);
    if (!watch) {
      const some = Array.from({ length: 1 + random(3) }, () => any(addresses) ?? "");
      watches.push(await createWatch(client, { url: receiverUrl, chainId: testChainId, addresses: some }));
    } else {
      const what = random(4);
      if (what === 0) await watch.add(any(addresses) ?? "");
      else if (what === 1) {
        const one = any(addresses.filter((address) => watch.watches(address)));
        if (one) await watch.remove(one);
      } else if (what === 2) await watch.pause();
      else await watch.resume();
    }
    await sleep(random(30));
  }
  for (const watch of watches) await watch.resume();
  return watches;
}

/** Holds what was recorded and delivered against the chain itself. @returns how many notifications there were */
async function assertExact(world: World, chain: LocalChain, watches: readonly Watch[]): Promise<number> {
  const mined = [...(await chain.transactionsByReceiver())].flatMap(([address, transactions]) =>
    transactions.map((transaction) => ({ address, ...transaction })),
  );
  mined.sort((a, b) => a.blockNumber - b.blockNumber);
  const messageIds = new Set<string>();
  for (const watch of watches) {
    const notified = await notifiedOf(world.service.database.pool, watch.id);
    for (const { messageId } of notified) messageIds.add(messageId);
    watch.assertExact(mined, new Set(notified.map(({ transactionHash }) => transactionHash)));
    const blocks = notified.map(({ blockNumber }) => blockNumber);
    expect(blocks).toEqual(blocks.toSorted((a, b) => a - b));
  }
  const delivered = () => new Set(world.receiver.deliveries.map(({ notification }) => notification.messageId));
  await expect.poll(() => delivered().size).toBe(messageIds.size);
  expect(delivered()).toEqual(messageIds);
  return messageIds.size;
}

test.each([1, 2])(
  "with %d service(s): webhooks and addresses that come, go and pause while blocks are mined are notified of exactly what they watched",
  // The changes of one account happen one after the other, each between two blocks, and blocks come for as long as there are changes.
  async (services) => {
    const world = await startWorld();
    const log = pino({ level: "silent" });
    const other = services > 1 ? await startService(world.config, log) : undefined;
    try {
      const chain = await openChain(world.node.rpcUrl);
      const stopMining = keepMining(chain, addresses, seeded(7 + services));
      const { key } = await createKey(world.service.database.pool, { account: "test", scopes: ["read", "write"] });
      const watches = await Promise.all(
        Array.from({ length: clients }, (_, index) => {
          const url = (index % 2 && other?.url) || world.service.url || "";
          const client = createWebhooksClient({ baseUrl: url, apiKey: key });
          return keepChanging(client, world.receiver.url, seeded(100 * services + index));
        }),
      );
      await stopMining();
      await world.followed((await chain.head()).number);
      const count = await assertExact(world, chain, watches.flat());
      expect(count).toBeGreaterThan(100);
    } finally {
      await other?.stop();
      await world.stop();
    }
  },
);

/** Others in each round, so that none was ever watched before. */
const tenThousand = (round: number) =>
  Array.from({ length: 10_000 }, (_, index) => `0x${(0x100000 * (1 + round) + index).toString(16).padStart(40, "0")}`);

test("10,000 addresses added or removed in one request take effect from the next block on, whichever process handles it", async () => {
  const world = await startWorld();
  const other = await startService(world.config, pino({ level: "silent" }));
  let stopped = false;
  try {
    const chain = await openChain(world.node.rpcUrl);
    const { key } = await createKey(world.service.database.pool, { account: "test", scopes: ["read", "write"] });
    const [ours, theirs] = await Promise.all(
      [world.service, other].map(({ url }) => {
        const client = createWebhooksClient({ baseUrl: url ?? "", apiKey: key, timeoutMs: 30_000 });
        return createWatch(client, { url: world.receiver.url, chainId: testChainId, addresses: addresses.slice(0, 1) });
      }),
    );
    if (!ours || !theirs) throw new Error("two processes were asked");
    const receivers = tenThousand(0);
    const stopMining = keepMining(chain, receivers, seeded(11));
    await world.followed(1);
    for (let round = 0; round < 4; round += 1) {
      const many = tenThousand(round);
      receivers.splice(0, receivers.length, ...many);
      await Promise.all([ours.add(...many), stopped || theirs.add(...many.slice(5_000))]);
      // Whether it is the one that follows or not.
      if (round === 2) await other.stop();
      stopped = round >= 2;
      await sleep(200);
      await ours.remove(...many);
      await sleep(50);
    }
    await stopMining();
    await world.followed((await chain.head()).number);
    expect(await assertExact(world, chain, [ours, theirs])).toBeGreaterThan(50);
  } finally {
    if (!stopped) await other.stop();
    await world.stop();
  }
});

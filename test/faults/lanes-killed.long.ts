/**
 * Webhooks that change lanes, and addresses that are added, while two real followers are killed one after the other and their node
 * refuses traces every now and then; then the same chain with a node that traces slowly. `LANES_BLOCKS` makes the first one longer.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { inTransaction } from "../../server/store/pool.ts";
import { addAddresses } from "../../server/store/webhooks/addresses.ts";
import { updateWebhook } from "../../server/store/webhooks/changes.ts";
import type { WebhookChange } from "../../server/store/webhooks/webhooks.ts";
import { type ChainWorld, soon, startChainWorld } from "../chain/chain-world.ts";
import { freshAddress } from "../chain/local-chain.ts";
import { testChain } from "../support/service.ts";
import { type ServiceProcess, startServiceProcess } from "../support/service-process.ts";

const blocks = Number(process.env.LANES_BLOCKS ?? 40);

/** Of the first webhooks; the others have none. The chain is final 64 blocks deep. */
const finalities = ["both", "finalized", { confirmations: 2 }, "both"] as const;

async function inWorld(use: (world: ChainWorld) => Promise<void>): Promise<void> {
  const world = await startChainWorld({ chain: { patienceMs: 1_000 } });
  try {
    await use(world);
  } finally {
    await world.stop();
  }
}

test("two followers, killed again and again, lose and repeat nothing of webhooks that change lanes", () =>
  inWorld(async (world) => {
    const chain = { ...testChain({ rpcUrl: world.proxy.url }), pollMs: 20 };
    const start = () =>
      startServiceProcess(world.databaseUrl, [chain], { env: { ROLES: "follow", LEASE_SECONDS: "2" } });
    const processes: ServiceProcess[] = [await start(), await start()];
    try {
      await soon(async () => expect(await world.cursor()).toBeDefined(), 60_000);
      const webhooks = await Promise.all(
        Array.from({ length: 6 }, (_, index) =>
          world.watch({
            ...{ addresses: [freshAddress()], includeInternalTxs: index % 2 === 0 },
            ...(finalities[index] && { options: { finality: finalities[index] } }),
          }),
        ),
      );
      const added = webhooks.map(() => ({ address: freshAddress(), from: Number.POSITIVE_INFINITY }));
      const change = (id: string, wanted: WebhookChange) =>
        inTransaction(world.pool, (db) => updateWebhook(db, 1, id, wanted)).catch((error: unknown) =>
          expect(error).toMatchObject({ code: "too_many_lanes" }),
        );
      const refused = { error: { code: -32601, message: "there is no such method" } };
      for (let block = 0; block < blocks; block += 1) {
        const index = block % webhooks.length;
        const { id, metadata } = webhooks[index] ?? { id: "", metadata: { addresses: [] } };
        const refuses = block % 10 >= 5;
        world.proxy.answer = ({ method }, forward) => (refuses && method.startsWith("debug_") ? refused : forward());
        await change(id, { includeInternalTxs: block % 4 < 2 });
        if (block % 3 === 0) await change(id, { includeInternalTxs: block % 4 >= 2 });
        const more = added[index];
        if (more?.from === Number.POSITIVE_INFINITY && block > 8)
          more.from = (await inTransaction(world.pool, (db) => addAddresses(db, 1, id, [more.address]))).firstBlock;
        await world.chain.transfer(metadata.addresses[0] ?? "");
        if (more) await world.chain.transfer(more.address);
        if (block % 8 === 7) {
          processes.shift()?.signal("SIGKILL");
          processes.push(await start());
        }
        await sleep(100);
      }
      world.proxy.answer = (_, forward) => forward();
      await world.chain.mine(70);
      await soon(() => world.followed(), 120_000);
      for (const [index, webhook] of webhooks.entries()) {
        const { address, from } = added[index] ?? { address: "", from: 0 };
        const expected = [
          ...(await world.chain.transactionsTo(webhook.metadata.addresses[0] ?? "")),
          ...(await world.chain.transactionsTo(address)).filter(({ blockNumber }) => blockNumber >= from),
        ].sort((a, b) => a.blockNumber - b.blockNumber);
        const notified = await world.notified(webhook);
        const isBoth = webhook.finality === "both";
        for (const part of isBoth ? [true, false] : [undefined]) {
          const told = notified.filter(({ event }) => part === undefined || (event.finalized ?? false) === part);
          expect(told.map(({ transactionHash }) => transactionHash)).toEqual(expected.map(({ hash }) => hash));
        }
      }
    } finally {
      for (const process of processes) process.signal("SIGKILL");
      await Promise.all(processes.map(({ ended }) => ended));
    }
  }));

test("a node that traces slowly delays nobody who wants no traces", () =>
  inWorld(async (world) => {
    await world.start();
    await world.followed();
    const address = freshAddress();
    const webhook = await world.watch({ addresses: [address] });
    let count = 0;
    async function latencies(): Promise<number[]> {
      const all: number[] = [];
      for (let block = 0; block < 15; block += 1) {
        const from = performance.now();
        await world.chain.transfer(address);
        count += 1;
        await soon(async () => expect(await world.notified(webhook)).toHaveLength(count));
        all.push(performance.now() - from);
      }
      return all.sort((a, b) => a - b);
    }
    const median = (all: number[]) => all[Math.floor(all.length / 2)] ?? 0;
    const calls = () => world.proxy.calls.length;
    let before = calls();
    const alone = await latencies();
    const callsAlone = calls() - before;
    world.proxy.answer = async ({ method }, forward) => {
      if (method.startsWith("debug_")) await sleep(5_000);
      return forward();
    };
    await world.watch({ addresses: [freshAddress()], includeInternalTxs: true });
    before = calls();
    const beside = await latencies();
    const callsBeside = calls() - before;
    console.log({
      alone: median(alone),
      beside: median(beside),
      worst: [alone.at(-1), beside.at(-1)],
      callsAlone,
      callsBeside,
    });
    expect(median(beside)).toBeLessThan(2 * median(alone) + 20);
    world.proxy.answer = (_, forward) => forward();
    await world.followed();
    before = calls();
    const blocksBefore = world.proxy.count("eth_getBlockByNumber");
    await latencies();
    console.log({
      callsBothLanesQuick: calls() - before,
      blockCalls: world.proxy.count("eth_getBlockByNumber") - blocksBefore,
    });
  }));

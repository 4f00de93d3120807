/**
 * A chain that reorganises again and again, followed through two nodes that fail, lie and vanish, by a service that is restarted
 * meanwhile. In the end, what was recorded is held against the chain that is left.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import { transferSignature } from "../../scripts/local/wallet.ts";
import { type ChainWorld, soon, startChainWorld } from "../chain/chain-world.ts";
import type { Finality } from "../chain/finalities.ts";
import { freshAddress } from "../chain/local-chain.ts";
import { type Notified, standing } from "../chain/notified.ts";
import { startRpcProxy } from "../support/rpc-proxy.ts";
import { seeded } from "../support/seeded.ts";
import { missingKinds } from "./faults.ts";
import { dropSockets, type Ledger, makeFaulty } from "./faulty-node.ts";
import { happenedOn, type Wanted } from "./final-chain.ts";
import { openToken } from "./token.ts";

/** How long a run is, and which. */
export type Course = {
  seed: number;
  blocks: number;
  reorgs: number;
  restarts: number;
  faultPercent: number;
  /** Whether it goes on until each kind of fault came, but for at most three times its blocks. */
  untilAllKinds?: boolean;
};

/** What there was in a run. */
export type Report = {
  blocks: number;
  reorgs: number;
  restarts: number;
  retractions: number;
  notifications: number;
  faults: Ledger;
};

/** Runs it. @throws where anything is missing, too much, or out of order */
export async function runMarathon(course: Course): Promise<Report> {
  const { seed, blocks, reorgs, restarts, faultPercent, untilAllKinds = false } = course;
  const dice = seeded(seed);
  const world = await startChainWorld({ chain: { finality: { confirmations: finalAfter } } });
  const second = await startRpcProxy(world.node.rpcUrl);
  try {
    const token = await openToken(world.node.rpcUrl);
    const [receiver, holder] = [freshAddress(), freshAddress()];
    const nodes = { rpcUrls: [world.proxy.url, second.url], wsUrl: second.wsUrl };
    await world.start(nodes);
    await world.followed();
    const watched = await watch(world, { receiver, holder, token: token.address });
    const ledgers = [world.proxy, second].map((proxy, index) =>
      makeFaulty(proxy, { seed: seed * 2 + index, percent: faultPercent }),
    );
    const report = { blocks: 0, reorgs: 0, restarts: 0 };
    const lacksKinds = () => untilAllKinds && report.blocks < 3 * blocks && missingKinds(sum(ledgers)).length > 0;
    while (report.blocks < blocks || lacksKinds()) {
      // What is read later, nodes without faults give.
      if (report.blocks >= blocks) await soon(() => world.followed(), 240_000);
      const left = Math.max(1, blocks - report.blocks);
      if (report.reorgs < reorgs && dice(left) < reorgs - report.reorgs + 1 && report.blocks > 10) {
        const depth = 1 + dice(8);
        // Otherwise while the service catches up.
        if (dice(3) > 0) await soon(() => world.followed(), 240_000);
        await world.chain.reorg(depth, await token.movesFor(depth, { receiver, holder }, dice));
        report.reorgs += 1;
      }
      if (report.restarts < restarts && dice(left) < restarts - report.restarts) {
        await world.halt();
        await world.start(nodes);
        report.restarts += 1;
      }
      if (dice(20) === 0) dropSockets(second, ledgers[1]);
      await [
        () => world.chain.transfer(receiver),
        () => token.move(holder),
        () => token.move(receiver),
        () => world.chain.mine(),
      ][dice(4)]?.();
      report.blocks += 1;
      await sleep(dice(40));
    }
    for (const proxy of [world.proxy, second]) proxy.answer = (_, forward) => forward();
    await soon(() => world.followed(), 240_000);
    const notified = (await Promise.all(watched.map((one) => assertFinal(world, one)))).flat();
    const retractions = notified.filter(({ removed }) => removed).length;
    return { ...report, retractions, notifications: notified.length, faults: sum(ledgers) };
  } finally {
    await world.stop();
    await second.close();
  }
}

/** Deeper than a reorganisation. */
const finalAfter = 12;
const finalities = ["finalized", "both", { confirmations: 1 }, { confirmations: 3 }] as const;

type Watched = { id: string; from: number; wanted: Wanted; finality: Finality };

async function watch(
  world: ChainWorld,
  { receiver, holder, token }: { receiver: string; holder: string; token: string },
): Promise<Watched[]> {
  const topic0 = transferSignature;
  const topic2 = `0x${holder.slice(2).padStart(64, "0")}`;
  const eventSignatures = [topic0];
  const wishes = [
    { watch: { addresses: [receiver] }, wanted: { party: receiver } },
    { watch: { addresses: [receiver], includeInternalTxs: true, includeLogs: true }, wanted: { party: receiver } },
    { watch: { addresses: [token], eventSignatures, includeLogs: true }, wanted: { emitter: token, topic0 } },
    { watch: { addresses: [holder], eventSignatures, includeLogs: true }, wanted: { topic0, topic2 } },
    ...finalities.map((finality) => ({
      watch: { addresses: [receiver], options: { finality } },
      wanted: { party: receiver },
    })),
  ];
  const watched: Watched[] = [];
  for (const { watch, wanted } of wishes) {
    const { id, effectiveFromBlock, finality } = await world.watch(watch);
    watched.push({ id, wanted, from: Number(effectiveFromBlock), finality });
  }
  return watched;
}

/** Nothing missing, nothing too much, in order, when it was as deep as it had to be, and with the logs that are on the chain. */
async function assertFinal(world: ChainWorld, { id, finality, ...of }: Watched) {
  const notified = await world.notified({ id });
  const { number: head } = await world.chain.head();
  const [final, open] = [true, false].map((is) => notified.filter(({ event }) => (event.finalized ?? false) === is));
  if (finality === "finalized" || finality === "both") {
    expect(final?.filter(({ removed }) => removed)).toEqual([]);
    await assertStands(world, final ?? [], { ...of, upTo: head - finalAfter });
  }
  if (finality === "finalized") expect(open).toEqual([]);
  else {
    const depth = typeof finality === "object" ? finality.confirmations : 0;
    for (const { removed, event } of open ?? [])
      if (!removed && finality) expect(event.confirmations).toBeGreaterThanOrEqual(depth);
    await assertStands(world, open ?? [], { ...of, upTo: head - depth });
  }
  return notified;
}

async function assertStands(
  world: ChainWorld,
  notified: readonly Notified[],
  { wanted, from, upTo }: Pick<Watched, "wanted" | "from"> & { upTo: number },
): Promise<void> {
  const happened = (await happenedOn(world.chain, wanted, from)).filter(({ blockNumber }) => blockNumber <= upTo);
  const left = standing(notified).map(({ hash, blockHash, blockNumber }) => ({ hash, blockHash, blockNumber }));
  expect(left, JSON.stringify(wanted)).toEqual(
    happened.map(({ hash, blockHash, blockNumber }) => ({ hash, blockHash, blockNumber })),
  );
  for (const { hash, blockHash, data } of happened) {
    const last = notified.findLast((one) => one.transactionHash === hash && one.blockHash === blockHash);
    if (last?.event.logs) expect(last.event.logs.map((log) => log.data)).toEqual(data);
  }
}

function sum(ledgers: readonly Ledger[]): Ledger {
  const total: Ledger = new Map();
  for (const [name, count] of ledgers.flatMap((ledger) => [...ledger])) total.set(name, (total.get(name) ?? 0) + count);
  return total;
}

/** Holds what endpoints received against the chain and the cells' tables, and what others noticed of a fault against what they may. */
import { expect, vi } from "vitest";
import type { Mined } from "../chain/local-chain.ts";
import { inSequence, type Notified, recordedOf } from "../chain/notified.ts";
import type { ProxyName } from "../operations/cell-proxies.ts";
import { type Account, type CellsWorld, cellNames } from "./cells-world.ts";
import { assertStands, readReceived, type Watching } from "./received.ts";

/** A moment, and what was known then. */
export type Mark = { at: number; deliveries: number; answers: number; mined: number };

export type Books = {
  mark(): Mark;
  /** Waits until every webhook of every account was notified of exactly what is on the chain. No block is mined meanwhile. */
  balance(): Promise<void>;
  /** Waits until each account was notified of some blocks mined since. */
  goOn(accounts: readonly Account[], since: Mark): Promise<void>;
  /** Each notification arrived once, and each call by these proxies succeeded. @returns the median from a block to its notification, in ms */
  assertUnaffected(accounts: readonly Account[], since: Mark, proxies: readonly ProxyName[]): Promise<number>;
  /** The statuses that an account got from the proxies. */
  statuses(account: Account, since: Mark): Set<number | undefined>;
  /** The last one by each proxy. */
  lastStatuses(account: Account, since: Mark): Partial<Record<ProxyName, number | undefined>>;
};

/** A reorganisation is less deep. */
const keptBlocks = 40;
const patiently = { timeout: 100_000, interval: 200 };
const enough = 4;

export function openBooks(world: CellsWorld): Books {
  const { accounts, callers, cells, chain, mining, receiver } = world;
  const received = readReceived(
    receiver,
    accounts.flatMap(({ webhooks }) => webhooks),
  );
  const old = new Map<string, Mined[]>();
  let firstNew = 0;

  /** Every transaction on the chain. Blocks that nothing replaces any more are read once. */
  async function onChain(): Promise<Map<string, Mined[]>> {
    const all = new Map(old);
    const newest = await chain.transactionsByReceiver(firstNew);
    firstNew = Math.max(firstNew, (await chain.head()).number - keptBlocks);
    for (const [to, mined] of newest) {
      const known = old.get(to) ?? [];
      all.set(to, [...known, ...mined]);
      old.set(to, [...known, ...mined.filter(({ blockNumber }) => blockNumber < firstNew)]);
    }
    return all;
  }

  async function recorded({ id }: Watching): Promise<Notified[]> {
    const own = await Promise.all(cellNames.map((name) => recordedOf(cells[name].pool, id)));
    return inSequence(id, own.flat());
  }

  const brief = (all: readonly Notified[]) => all.map(({ sequence, messageId }) => `${sequence} ${messageId}`);
  const since = ({ deliveries }: Mark) => new Set(receiver.deliveries.slice(deliveries));

  /** When each transaction was mined that is later than the mark. */
  const minedSince = ({ mined }: Mark) => new Map(mining.mined.slice(mined).map(({ hash, at }) => [hash, at]));

  /** From the block to the endpoint, in ms, for what was mined since. */
  function delays({ webhooks }: Account, mark: Mark): number[] {
    const [mined, fresh] = [minedSince(mark), since(mark)];
    return webhooks.flatMap((webhook) =>
      received.deliveries(webhook).flatMap((delivered) => {
        const at = mined.get(delivered.notification.event.transaction.txHash);
        return fresh.has(delivered) && !delivered.notification.event.removed && at !== undefined
          ? [delivered.receivedAt - at]
          : [];
      }),
    );
  }

  const answersTo = ({ name }: Account, mark: Mark) =>
    callers.answered.slice(mark.answers).filter(({ account }) => account === name);

  return {
    mark: () => ({
      at: performance.now(),
      deliveries: receiver.deliveries.length,
      answers: callers.answered.length,
      mined: mining.mined.length,
    }),
    balance: () =>
      mining.between(async () => {
        const all = await onChain();
        const webhooks = accounts.flatMap((account) => account.webhooks);
        await vi.waitFor(async () => {
          await received.read();
          for (const webhook of webhooks) assertStands(webhook, received.notified(webhook), all);
          // What was notified and retracted at the end shows only in the tables.
          for (const webhook of webhooks)
            expect(brief(received.notified(webhook))).toEqual(brief(await recorded(webhook)));
        }, patiently);
      }),
    goOn: (who, mark) =>
      vi.waitFor(async () => {
        await received.read();
        for (const account of who) expect(delays(account, mark).length, account.name).toBeGreaterThanOrEqual(enough);
      }, patiently),
    async assertUnaffected(who, mark, proxies) {
      await received.read();
      const fresh = since(mark);
      for (const webhook of who.flatMap(({ webhooks }) => webhooks)) {
        const all = received.deliveries(webhook);
        const times = new Map<string, number>();
        for (const { headers } of all)
          times.set(String(headers["webhook-id"]), (times.get(String(headers["webhook-id"])) ?? 0) + 1);
        const repeated = all.filter((one) => fresh.has(one) && times.get(String(one.headers["webhook-id"])) !== 1);
        expect(repeated.map(({ path, sequence }) => `${path} ${sequence}`)).toEqual([]);
      }
      const answers = who.flatMap((account) => answersTo(account, mark));
      expect(answers.filter(({ by, status }) => proxies.includes(by) && status !== 200)).toEqual([]);
      return median(who.flatMap((account) => delays(account, mark)));
    },
    statuses: (account, mark) => new Set(answersTo(account, mark).map(({ status }) => status)),
    lastStatuses: (account, mark) => Object.fromEntries(answersTo(account, mark).map(({ by, status }) => [by, status])),
  };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

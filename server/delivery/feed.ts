/** Reads what the owned shards have to send: the streams, the backlogs and the retries, each without starving the others. */
import { readBackloggedWebhooks } from "../store/delivery/backlog.ts";
import { haveOthersWebhooks, readHeads } from "../store/delivery/feed.ts";
import { type Account, hasMemory } from "./account.ts";
import { readOnInBacklogs } from "./backlogs.ts";
import type { Endpoint } from "./endpoint.ts";
import { forgetIdle, openEndpoints, parkHeldUp, refreshEndpoints } from "./endpoints.ts";
import { busyAccounts, type FeedContext } from "./feed-context.ts";
import { createRetries } from "./retries.ts";
import { isOpen, type Shard } from "./shard.ts";
import { readStreams } from "./stream.ts";
import { createTexts } from "./texts.ts";

export type Feed = {
  /** Reads once everything there is room for. @returns whether there may be more at once */
  round(): Promise<boolean>;
  /** Takes note that the outcome of a retry is on record: it may from then on come up again. */
  noteRetryRecorded(endpoint: Endpoint, sequence: number): void;
};

/** While there is enough to send, how often to look all the same: for webhooks that have changed. */
const busyPeriodMs = 100;
/**
 * So many times as long as it took to read changed webhooks again, nothing is read again. So an account that changes its own without end
 * has a fifth of the time of those who share its shards, and a single change holds from the next look on.
 */
const restAfterRefreshing = 4;
/** How often to look for other accounts while some have enough to send. */
const othersPeriodMs = 1_000;

export function createFeed(options: Omit<FeedContext, "texts">): Feed {
  const { pool, shards, recorder, sender, log } = options;
  const context: FeedContext = { ...options, texts: createTexts(pool, log) };
  const retries = createRetries(context);
  let lookedAt = Number.NEGATIVE_INFINITY;
  let refreshedUntil = Number.NEGATIVE_INFINITY;
  const others = { lookedAt: Number.NEGATIVE_INFINITY, than: "", exist: false };

  async function round(): Promise<boolean> {
    const open = [...shards.values()].filter(isOpen);
    if (open.length === 0) return false;
    sender.pumpRested();
    const busy = makeRoom(context, open);
    const enough = busy.size > 0 && !(await haveOthers(busy));
    const isDue = performance.now() - lookedAt >= busyPeriodMs || !enough;
    let more = isDue && (await readOn(open, busy, enough));
    more = (await retries.look(open)) || more;
    recorder.tick();
    forgetIdle(open);
    return more;
  }

  /** What waits for others may stand behind what waits for these. Where there are no others, all of it may wait in the stream. */
  async function haveOthers(busy: ReadonlySet<Account>): Promise<boolean> {
    const ids = [...busy].map(({ id }) => id).sort((a, b) => a - b);
    const than = ids.join();
    if (others.than !== than || performance.now() - others.lookedAt >= othersPeriodMs) {
      others.exist = await haveOthersWebhooks(pool, ids);
      others.than = than;
      others.lookedAt = performance.now();
    }
    return others.exist;
  }

  /** Reads what is new in the tables, but for retries. @param enough whether all accounts have enough to do */
  async function readOn(open: readonly Shard[], busy: ReadonlySet<Account>, enough: boolean): Promise<boolean> {
    lookedAt = performance.now();
    const { positions, versions, today } = await readHeads(
      pool,
      open.map(({ id }) => id),
    );
    if (lookedAt >= refreshedUntil) await refresh(open, versions);
    await discoverBacklogs(open.filter((shard) => shard.undiscovered));
    if (enough) return false;
    let more = false;
    for (const [chainId, upTo] of positions)
      more = (await readStreams(context, open, { chainId, upTo, today, busy })) || more;
    return (await readOnInBacklogs(context, open)) || more;
  }

  async function refresh(open: readonly Shard[], versions: ReadonlyMap<number, number>): Promise<void> {
    const changed = new Map<Shard, number>();
    for (const shard of open) {
      const version = versions.get(shard.id) ?? 0;
      if (version !== shard.version) changed.set(shard, version);
    }
    if (changed.size === 0) return;
    const from = performance.now();
    await refreshEndpoints(context, changed);
    await discoverBacklogs([...changed.keys()]);
    const took = performance.now() - from;
    refreshedUntil = performance.now() + restAfterRefreshing * took;
  }

  async function discoverBacklogs(undiscovered: readonly Shard[]): Promise<void> {
    if (undiscovered.length === 0) return;
    const ids = undiscovered.map(({ id }) => id);
    await openEndpoints(context, await readBackloggedWebhooks(pool, ids));
    for (const shard of undiscovered) shard.undiscovered = false;
  }

  /** @returns the accounts that have enough to do, or no room for more in memory */
  function makeRoom(context: FeedContext, open: readonly Shard[]): ReadonlySet<Account> {
    const full = new Set([...context.accounts.met()].filter((account) => !hasMemory(account)));
    if (full.size > 0) parkHeldUp(context, open, (account) => full.has(account));
    const stillFull = [...full].filter((account) => !hasMemory(account));
    return new Set([...busyAccounts(context, open), ...stillFull]);
  }

  return { round, noteRetryRecorded: retries.noteRecorded };
}

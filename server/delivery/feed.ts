/** Reads what the owned shards have to send: streams, backlogs and retries, so that none starves the others. */
import { setImmediate as nextTurn } from "node:timers/promises";
import { atMost } from "../base/pause.ts";
import { readBackloggedWebhooks } from "../store/delivery/backlog.ts";
import { haveOthersWebhooks } from "../store/delivery/feed.ts";
import type { Appended } from "../store/outbox/append.ts";
import { type Queryable, readTogether, together } from "../store/pool.ts";
import { type Account, hasMemory } from "./account.ts";
import { readBacklogPages } from "./backlog-pages.ts";
import { forgetIdle, openEndpoints, parkStalled, refreshEndpoints } from "./endpoints.ts";
import { createEventTexts } from "./event-texts.ts";
import { busyAccounts, type FeedContext, type OwnedShard } from "./feed-context.ts";
import { type HeadsAndNewest, readAppended, readHeadsAndNewest } from "./newest.ts";
import { createOrderChecks } from "./order-checks.ts";
import { createRetries } from "./retries.ts";
import { isOpen } from "./shard.ts";
import { readStreams } from "./stream.ts";

export type Feed = {
  /** Notifications were announced. */
  expect(): void;
  /**
   * Reads what was appended, right behind its COMMIT and on its connection, for the next round, which must begin when this settles.
   *
   * @returns whether it did. It does not during a round or another such reading, nor while there is more to read, nor after a round that
   *   failed, nor if others have appended something, too. A round that begins meanwhile waits for it a little; what is read later than that
   *   is dropped
   * @throws what the reading or the COMMIT failed with. Without the latter, others may have appended as much
   */
  readBehindCommit(db: Queryable, committed: Promise<unknown>, appended: Appended): Promise<boolean>;
  /** Reads once everything there is room for. */
  round(): Promise<Left>;
  /** For how many ms nothing will be due by itself: not above 0 while something waits in memory or in a backlog. */
  quietMs(): number;
};

/**
 * What a round has left: `more` to read immediately; more than there is room for (`full`), to be read soon; or `nothing`.
 */
export type Left = "more" | "full" | "nothing";

/** What was read before a round, and which shards were open then. */
type ReadAhead = { open: readonly OwnedShard[]; heads: HeadsAndNewest };

/** How often to look for changed webhooks while there is enough to send. */
const busyPeriodMs = 100;
/**
 * After changed webhooks were read, none is read for this multiple of the time that it took. An account that changes its own without end
 * therefore takes a fifth of the time of those who share its shards. A single change takes effect in the next round; one that follows
 * another, after five times what reading that one took. `docs/delivery.md` promises a second, or some on a busy service.
 */
const restAfterRefreshing = 4;
/** How long a round waits for what is being read behind a COMMIT, instead of reading the same. */
const patienceMs = 25;
/** How often to look for other accounts while some have enough to send. */
const othersPeriodMs = 1_000;

export function createFeed(options: Omit<FeedContext, "texts">): Feed {
  const { pool, shards, recorder, sender, log } = options;
  const context: FeedContext = { ...options, texts: createEventTexts(pool, log) };
  const retries = createRetries(context);
  const orderChecks = createOrderChecks(context);
  let readAt = Number.NEGATIVE_INFINITY;
  let refreshedUntil = Number.NEGATIVE_INFINITY;
  let isRefreshed = false;
  let isExpecting = false;
  let isAtEnd = false;
  let chainIds: Iterable<string> = [];
  let isInRound = false;
  /** How many have begun. */
  let rounds = 0;
  /** What is being read behind a COMMIT, of use until another round begins. */
  let reading: { begun: number; settled: Promise<void> } | undefined;
  /** What was read for the next round. */
  let ahead: ReadAhead | undefined;
  const others = { readAt: Number.NEGATIVE_INFINITY, than: "", exist: false };

  async function round(): Promise<Left> {
    if (reading?.begun === rounds) await atMost(patienceMs, reading.settled);
    const read = ahead;
    ahead = undefined;
    isInRound = true;
    rounds += 1;
    try {
      return await takeRound(read);
    } catch (error) {
      isAtEnd = false;
      throw error;
    } finally {
      isInRound = false;
    }
  }

  const openShards = () => [...shards.values()].filter(isOpen);

  async function takeRound(read: ReadAhead | undefined): Promise<Left> {
    const open = openShards();
    if (open.length === 0) return "nothing";
    sender.resumeRested();
    const busy = makeRoom(open);
    const isEnough = busy.size > 0 && !(await haveOthers(busy));
    const isDue = performance.now() - readAt >= busyPeriodMs || !isEnough;
    let more = isDue && (await readOn(open, { busy, isEnough, read }));
    // undici writes to a connection that rested in the next turn. The statements below would delay that by half a millisecond.
    await nextTurn();
    more = (await retries.look(open)) || more;
    await orderChecks.look(open);
    recorder.writeDueCursors();
    forgetIdle(open);
    if (more) return "more";
    return busy.size > 0 ? "full" : "nothing";
  }

  /** Other accounts' notifications may follow those of busy ones. Without other accounts, everything may wait in the stream. */
  async function haveOthers(busy: ReadonlySet<Account>): Promise<boolean> {
    const ids = [...busy].map(({ id }) => id).sort((a, b) => a - b);
    const than = ids.join();
    if (others.than !== than || performance.now() - others.readAt >= othersPeriodMs) {
      others.exist = await haveOthersWebhooks(pool, ids);
      others.than = than;
      others.readAt = performance.now();
    }
    return others.exist;
  }

  /**
   * Reads what is new in the tables, except for retries.
   *
   * @param from.isEnough whether all accounts have enough to send
   * @param from.read what was read just now
   */
  async function readOn(
    open: readonly OwnedShard[],
    { busy, isEnough, read }: { busy: ReadonlySet<Account>; isEnough: boolean; read: ReadAhead | undefined },
  ): Promise<boolean> {
    readAt = performance.now();
    // Behind the end, pages take less for each notification.
    const mayHaveNewest = isAtEnd && busy.size === 0;
    const isRead =
      mayHaveNewest && read?.open.length === open.length && read.open.every((shard, index) => shard === open[index]);
    const wanted = mayHaveNewest && isExpecting ? chainIds : [];
    // What was announced while it was read may be newer: then there is more.
    isExpecting &&= isRead;
    isAtEnd = false;
    const [heads] = isRead ? [read.heads] : await readTogether(pool, (db) => [readHeadsAndNewest(db, open, wanted)]);
    const { positions, versions, today } = heads;
    const newest = mayHaveNewest ? heads.newest : undefined;
    chainIds = [...positions.keys()];
    isRefreshed = readAt >= refreshedUntil;
    if (isRefreshed) await refresh(open, versions);
    await discoverBacklogs(open.filter((shard) => shard.undiscovered));
    if (isEnough) return false;
    let more = false;
    for (const [chainId, upTo] of positions)
      more = (await readStreams(context, open, { chainId, upTo, today, busy, newest: newest?.get(chainId) })) || more;
    isAtEnd = !more;
    return (await readBacklogPages(context, open)) || more || isExpecting;
  }

  async function refresh(open: readonly OwnedShard[], versions: ReadonlyMap<number, number>): Promise<void> {
    const changed = new Map<OwnedShard, number>();
    for (const shard of open) {
      const version = versions.get(shard.id) ?? 0;
      if (version !== shard.version) changed.set(shard, version);
    }
    if (changed.size === 0) return;
    const startedAt = performance.now();
    await refreshEndpoints(context, changed);
    await discoverBacklogs([...changed.keys()]);
    const tookMs = performance.now() - startedAt;
    refreshedUntil = performance.now() + restAfterRefreshing * tookMs;
  }

  async function discoverBacklogs(undiscovered: readonly OwnedShard[]): Promise<void> {
    if (undiscovered.length === 0) return;
    const ids = undiscovered.map(({ id }) => id);
    await openEndpoints(context, await readBackloggedWebhooks(pool, ids));
    for (const shard of undiscovered) shard.undiscovered = false;
  }

  /** @returns the accounts that have enough to send, or no room for more in memory */
  function makeRoom(open: readonly OwnedShard[]): ReadonlySet<Account> {
    const full = new Set([...context.accounts.known()].filter((account) => !hasMemory(account)));
    if (full.size > 0) parkStalled(context, open, (account) => full.has(account));
    const stillFull = [...full].filter((account) => !hasMemory(account));
    return new Set([...busyAccounts(context, open), ...stillFull]);
  }

  function quietMs(): number {
    const { notifications, exchanges, unrecorded } = context.accounts.all;
    const isWaiting = notifications.held + exchanges.held + unrecorded.held > 0;
    const areBacklogged = [...shards.values()].some(({ backlogged }) => backlogged.size > 0);
    return isWaiting || areBacklogged || !isRefreshed ? 0 : retries.nextInMs();
  }

  return {
    expect() {
      isExpecting = true;
    },
    async readBehindCommit(db, committed, appended) {
      const open = openShards();
      if (!isAtEnd || isInRound || reading || ahead || open.length === 0) return false;
      const begun = rounds;
      const read = together([readAppended(db, open, appended), committed]).then(([found]) => {
        if (found && rounds === begun) ahead = { open, heads: found };
        return found !== undefined && rounds === begun;
      });
      const end = () => {
        reading = undefined;
      };
      reading = { begun, settled: read.then(end, end) };
      return read;
    },
    ...{ round, quietMs },
  };
}

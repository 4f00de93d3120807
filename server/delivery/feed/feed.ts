/**
 * Reads what the owned shards have to send, in rounds, so that nothing starves the rest. A round makes room in memory, reads what is new in the
 * outboxes, goes on in backlogs that have room again, and looks for retries that are due.
 */
import { setImmediate as nextPass } from "node:timers/promises";
import { haveOthersWebhooks, readBackloggedWebhooks } from "../../store/delivery/feed.ts";
import { readTogether } from "../../store/pool.ts";
import { type AccountShares, hasMemory } from "../accounts.ts";
import {
  busyAccounts,
  forgetIdle,
  type OwnedShard,
  openEndpoints,
  parkStalled,
  refreshEndpoints,
} from "../endpoint/endpoints.ts";
import { isOpen } from "../shard.ts";
import { EventTexts, type FeedContext, readHeadsAndNewest, readOutboxes } from "./outbox.ts";
import { Retries, readBacklogPages } from "./waiting.ts";

/**
 * What a round has left to read: `more` to read immediately; more than there is room for (`full`), to be read soon; or `nothing`.
 */
export type LeftToRead = "more" | "full" | "nothing";

/** How often to look for changed webhooks while there is enough to send. */
const busyPeriodMs = 100;
/**
 * After changed webhooks were read, none is read for this multiple of the time that it took. An account that changes its own without end
 * therefore takes a fifth of the time of those who share its shards. A single change takes effect in the next round; one that follows
 * another, after five times what reading that one took. `docs/delivery.md` promises a second, or some on a busy service.
 */
const restAfterRefreshing = 4;
/** How often to look for other accounts while some have enough to send. */
const othersPeriodMs = 1_000;

export class Feed {
  readonly #context: FeedContext;
  readonly #retries: Retries;
  /** When the tables were last read, by `performance.now()`. */
  #readAt = Number.NEGATIVE_INFINITY;
  /** Before then, changed webhooks are not read. */
  #refreshNotBefore = Number.NEGATIVE_INFINITY;
  /** Whether the last round was not before that. */
  #isRefreshed = false;
  /** Whether notifications were announced that no round has looked for. */
  #isExpecting = false;
  /** Whether the last round has read all outboxes to their ends. */
  #isAtEnd = false;
  /** The chains that have outboxes. */
  #chainIds: Iterable<string> = [];
  /** Whether there are other accounts than those that have enough to send. */
  readonly #others = { readAt: Number.NEGATIVE_INFINITY, than: "", exist: false };

  constructor(context: Omit<FeedContext, "texts">) {
    this.#context = { ...context, texts: new EventTexts(context.pool, context.log) };
    this.#retries = new Retries(this.#context);
  }

  /** Notifications were announced. */
  expect(): void {
    this.#isExpecting = true;
  }

  /** Reads once everything there is room for. */
  async round(): Promise<LeftToRead> {
    const { sender, recorder } = this.#context;
    const open = this.#openShards();
    if (open.length === 0) return "nothing";
    sender.resumeRested();
    const busy = this.#makeRoom(open);
    const isEnough = busy.size > 0 && !(await this.#haveOthers(busy));
    const isDue = performance.now() - this.#readAt >= busyPeriodMs || !isEnough;
    let more = isDue && (await this.#readOn(open, { busy, isEnough }));
    // A connection that rested is written to in the next pass of the event loop. The statements below would delay that by half a millisecond.
    await nextPass();
    more = (await this.#retries.look(open)) || more;
    await this.#retries.checkOrder(open);
    recorder.writeDueCursors();
    forgetIdle(open);
    if (more) return "more";
    return busy.size > 0 ? "full" : "nothing";
  }

  #openShards(): OwnedShard[] {
    return [...this.#context.shards.values()].filter(isOpen);
  }

  /** @returns the accounts that have enough to send, or no room for more in memory */
  #makeRoom(open: readonly OwnedShard[]): ReadonlySet<AccountShares> {
    const { accounts } = this.#context;
    const full = new Set([...accounts.known()].filter((account) => !hasMemory(account)));
    if (full.size > 0) parkStalled(this.#context, open, (account) => full.has(account));
    const stillFull = [...full].filter((account) => !hasMemory(account));
    return new Set([...busyAccounts(accounts, open), ...stillFull]);
  }

  /** Other accounts' notifications may follow those of busy ones. Without other accounts, everything may wait in the outbox. */
  async #haveOthers(busy: ReadonlySet<AccountShares>): Promise<boolean> {
    const ids = [...busy].map(({ id }) => id).sort((a, b) => a - b);
    const others = this.#others;
    const than = ids.join();
    if (others.than !== than || performance.now() - others.readAt >= othersPeriodMs) {
      others.exist = await haveOthersWebhooks(this.#context.pool, ids);
      others.than = than;
      others.readAt = performance.now();
    }
    return others.exist;
  }

  /**
   * Reads what is new in the tables, except for retries.
   *
   * @param from.isEnough whether all accounts have enough to send
   */
  async #readOn(
    open: readonly OwnedShard[],
    { busy, isEnough }: { busy: ReadonlySet<AccountShares>; isEnough: boolean },
  ): Promise<boolean> {
    const context = this.#context;
    const now = performance.now();
    this.#readAt = now;
    // Not at the end, pages take less for each notification.
    const mayHaveNewest = this.#isAtEnd && busy.size === 0;
    const wanted = mayHaveNewest && this.#isExpecting ? this.#chainIds : [];
    this.#isExpecting = false;
    this.#isAtEnd = false;
    const [heads] = await readTogether(context.pool, (db) => [readHeadsAndNewest(db, open, wanted)]);
    const { positions, versions, today, newest } = heads;
    this.#chainIds = [...positions.keys()];
    this.#isRefreshed = now >= this.#refreshNotBefore;
    if (this.#isRefreshed) await this.#refresh(open, versions);
    await this.#discoverBacklogs(open.filter((shard) => shard.undiscovered));
    if (isEnough) return false;
    let more = false;
    for (const [chainId, upTo] of positions)
      more = (await readOutboxes(context, open, { chainId, upTo, today, busy, newest: newest.get(chainId) })) || more;
    this.#isAtEnd = !more;
    return (await readBacklogPages(context, open)) || more || this.#isExpecting;
  }

  /** Reads webhooks that have changed. */
  async #refresh(open: readonly OwnedShard[], versions: ReadonlyMap<number, number>): Promise<void> {
    const changed = new Map<OwnedShard, number>();
    for (const shard of open) {
      const version = versions.get(shard.id) ?? 0;
      if (version !== shard.version) changed.set(shard, version);
    }
    if (changed.size === 0) return;
    const startedAt = performance.now();
    await refreshEndpoints(this.#context, changed);
    await this.#discoverBacklogs([...changed.keys()]);
    const tookMs = performance.now() - startedAt;
    this.#refreshNotBefore = performance.now() + restAfterRefreshing * tookMs;
  }

  async #discoverBacklogs(undiscovered: readonly OwnedShard[]): Promise<void> {
    if (undiscovered.length === 0) return;
    const ids = undiscovered.map(({ id }) => id);
    await openEndpoints(this.#context, await readBackloggedWebhooks(this.#context.pool, ids));
    for (const shard of undiscovered) shard.undiscovered = false;
  }

  /** For how many ms nothing will be due by itself: not above 0 while something waits in memory or in a backlog. */
  quietMs(): number {
    const { accounts, shards } = this.#context;
    const { notifications, exchanges, unrecorded } = accounts.all;
    const isWaiting = notifications.used + exchanges.used + unrecorded.used > 0;
    const areBacklogged = [...shards.values()].some(({ backlogged }) => backlogged.size > 0);
    return isWaiting || areBacklogged || !this.#isRefreshed ? 0 : this.#retries.nextInMs();
  }
}

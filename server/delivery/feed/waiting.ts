/**
 * Reads what waits in the tables besides the outbox: backlogs of endpoints that have room again, and retries that are due. Accounts take turns
 * in both.
 */

import { roundRobin } from "../../base/fair-share.ts";
import { type DueRetry, type RetryLook, readDueRetries } from "../../store/delivery/due-retries.ts";
import { readWaiting } from "../../store/delivery/endpoint-states.ts";
import { readBacklogs } from "../../store/delivery/feed.ts";
import { type AccountShares, hasMemory } from "../accounts.ts";
import type { Endpoint } from "../endpoint/endpoint.ts";
import { busyAccounts, type OwnedShard, openEndpoints } from "../endpoint/endpoints.ts";
import { firstAttempt, type QueuedNotification } from "../queued-notification.ts";
import { cursorOf, isOpen } from "../shard.ts";
import type { FeedContext } from "./outbox.ts";

/** The rest of an account's memory belongs to the outbox. Otherwise dead endpoints with long backlogs would keep it from being read. */
const memoryForWaiting = 0.5;
/** How many backlogs one query reads. */
const backlogsAtOnce = 64;

/** An endpoint with a backlog, and how many notifications of it to read. */
type WaitingBacklog = { shard: OwnedShard; endpoint: Endpoint; count: number };
type BacklogRead = WaitingBacklog & { page: ReturnType<Endpoint["openPage"]>; upTo: number };

/** @returns whether a backlog has more that there is room for */
export async function readBacklogPages(context: FeedContext, open: readonly OwnedShard[]): Promise<boolean> {
  const { pool, recorder, sender } = context;
  const reads = nextPages(context, open);
  if (reads.length === 0) return false;
  const found = await readBacklogs(
    pool,
    reads.map(({ endpoint: { webhookId }, page: { from }, upTo, count }) => ({ webhookId, from, upTo, count })),
  );
  const texts = await context.texts.byAccount(
    reads.flatMap(({ endpoint: { webhookId, account } }) =>
      (found.get(webhookId) ?? []).flatMap((row) => (row.attempted ? [] : [{ ...row, accountId: account.id }])),
    ),
  );
  for (const { shard, endpoint, page, upTo, count } of reads) {
    // The endpoint was forgotten meanwhile.
    if (shard.endpoints.get(endpoint.webhookId) !== endpoint) continue;
    const rows = found.get(endpoint.webhookId) ?? [];
    const tooMuch = rows.findIndex(({ attempted, eventId }) => !attempted && !texts.has(eventId));
    const read = tooMuch < 0 ? rows : rows.slice(0, tooMuch);
    const notifications = read.flatMap((row): QueuedNotification[] => {
      const text = row.attempted ? undefined : texts.get(row.eventId);
      return text === undefined ? [] : [firstAttempt(row, text, { from: "backlog" })];
    });
    const isCaughtUp = upTo === cursorOf(shard, endpoint.chainId).readPositionOf(endpoint.account.id);
    const isEnd = tooMuch < 0 && rows.length < count && isCaughtUp;
    if (!endpoint.enqueuePage(page, notifications, { last: read.at(-1)?.sequence, isEnd })) continue;
    recorder.noteChange(endpoint);
    sender.schedule(endpoint);
  }
  const now = performance.now();
  return reads.length === backlogsAtOnce || reads.some(({ endpoint }) => endpoint.backlogWanted(now) > 0);
}

function nextPages(context: FeedContext, open: readonly OwnedShard[]): BacklogRead[] {
  const now = performance.now();
  const busy = busyAccounts(context.accounts, open);
  const byAccount = new Map<AccountShares, WaitingBacklog[]>();
  for (const shard of open) {
    for (const endpoint of shard.backlogged) {
      if (!endpoint.backlog.isParked || !endpoint.isActive) {
        shard.backlogged.delete(endpoint);
        continue;
      }
      const { account } = endpoint;
      const count = endpoint.backlogWanted(now);
      if (count === 0 || busy.has(account) || !hasMemory(account, memoryForWaiting)) continue;
      const own = byAccount.get(account);
      if (own) own.push({ shard, endpoint, count });
      else byAccount.set(account, [{ shard, endpoint, count }]);
    }
  }
  const lists = [...byAccount.values()].map((own) => own.sort(byTurn));
  lists.sort(([a], [b]) => (a && b ? byTurn(a, b) : 0));
  return roundRobin(lists, backlogsAtOnce).map(({ shard, endpoint, count }) => {
    const upTo = cursorOf(shard, endpoint.chainId).readPositionOf(endpoint.account.id);
    return { shard, endpoint, count, upTo, page: endpoint.openPage(now) };
  });
}

/** The account read longest ago comes first. */
function byTurn(a: WaitingBacklog, b: WaitingBacklog): number {
  return a.endpoint.backlog.readAt - b.endpoint.backlog.readAt;
}

/**
 * The limits of one look for retries. The accounts share it equally, because a long look delays the next one, and so everybody's retries. The
 * next look continues after it.
 */
const lookLimits = { accounts: 16, webhooks: 400, retries: 1_000, perWebhook: 20 };
/** The time between two looks, in ms, and the part of the time that looks may take, however long one is. */
const lookPeriodMs = 200;
const partOfTime = 0.2;
/** How often to check what ordered endpoints wait for, in ms. */
const orderPeriodMs = 60_000;

/** Looks for retries that are due, and for ordered endpoints that wait for a retry in vain. */
export class Retries {
  readonly #context: FeedContext;
  #lookNotBefore = 0;
  #checkNotBefore = performance.now() + orderPeriodMs;
  /** By `performance.now()`. */
  #nextDueAt = 0;
  #hadMore = false;
  /** By shard: the account read last, if it has further ones; and by account the webhook read last. */
  readonly #readLast = new Map<number, { account: number; webhooks: Map<number, string> }>();

  constructor(context: FeedContext) {
    this.#context = context;
  }

  /** In how many ms the next retry is due that looks have seen; not above 0 if one may be due now. */
  nextInMs(): number {
    return this.#nextDueAt - performance.now();
  }

  /** Reads due retries, if it is time. @returns whether to look again immediately */
  async look(open: readonly OwnedShard[]): Promise<boolean> {
    const { pool, accounts } = this.#context;
    const startedAt = performance.now();
    if (startedAt < this.#lookNotBefore) return false;
    for (const shard of open) shard.retryLooks += 1;
    const full = [...accounts.known()].flatMap((account) => (hasMemory(account, memoryForWaiting) ? [] : [account.id]));
    const places = open.map(({ id }) => ({ shard: id, ...this.#readLast.get(id) }));
    const found = await readDueRetries(
      pool,
      {
        shards: places.map(({ shard, account = 0 }) => ({ shard, afterAccount: account })),
        accounts: places.flatMap(({ shard, webhooks = [] }) =>
          [...webhooks].map(([accountId, afterWebhook]) => ({ shard, accountId, afterWebhook })),
        ),
        without: full,
      },
      lookLimits,
    );
    const more = open.map(({ id }) => this.#noteRead(id, found, full)).includes(true);
    if (found.due.length > 0) await this.#enqueue(open, found.due);
    const dueAt = found.due.length > 0 ? 0 : startedAt + found.nextInMs;
    // A look that continues another one sees only the rest.
    this.#nextDueAt = this.#hadMore ? Math.min(this.#nextDueAt, dueAt) : dueAt;
    this.#hadMore = more;
    const tookMs = performance.now() - startedAt;
    this.#lookNotBefore = startedAt + Math.max(more ? 0 : lookPeriodMs, tookMs / partOfTime);
    return more;
  }

  /** @returns whether the shard may have more that this look did not reach */
  #noteRead(shard: number, found: RetryLook, full: readonly number[]): boolean {
    const inShard = found.accounts.filter((account) => account.shard === shard);
    const account = inShard.length < lookLimits.accounts ? 0 : (inShard.at(-1)?.accountId ?? 0);
    const before = this.#readLast.get(shard);
    const webhooks = new Map(before?.webhooks);
    // The look found all accounts of the shard, so the others have no retries any more.
    if (account === 0 && !before?.account)
      for (const id of webhooks.keys()) if (!inShard.some(({ accountId }) => accountId === id)) webhooks.delete(id);
    for (const { accountId, last } of inShard) {
      if (last !== undefined) webhooks.set(accountId, last);
      else if (!full.includes(accountId)) webhooks.delete(accountId);
    }
    this.#readLast.set(shard, { account, webhooks });
    return account > 0 || inShard.some(({ last }) => last !== undefined);
  }

  async #enqueue(open: readonly OwnedShard[], due: readonly DueRetry[]): Promise<void> {
    const { shards, sender, texts: eventTexts } = this.#context;
    await openEndpoints(this.#context, due);
    const reserved: { row: DueRetry; endpoint: Endpoint }[] = [];
    const byId = new Map(open.map((shard) => [shard.id, shard]));
    for (const row of due) {
      const shard = byId.get(row.shard);
      const endpoint = shard?.endpoints.get(row.webhookId);
      // A shard that was lost meanwhile may be ours again. The look may then be out of date.
      if (!shard || !endpoint || shards.get(row.shard) !== shard || !isOpen(shard)) continue;
      if (!hasMemory(endpoint.account, memoryForWaiting)) continue;
      if (endpoint.reserveRetry(row, lookLimits.perWebhook)) reserved.push({ row, endpoint });
    }
    const rows = reserved.map(({ row, endpoint }) => ({ ...row, accountId: endpoint.account.id }));
    const texts = await eventTexts.byAccount(rows).catch((error: unknown) => {
      for (const { row, endpoint } of reserved) endpoint.releaseRetry(row.sequence);
      throw error;
    });
    /** Ordered endpoints of which one retry waits for the next look: so do the ones after it. */
    const cut = new Set<Endpoint>();
    for (const { row, endpoint } of reserved) {
      const eventText = texts.get(row.eventId);
      if (eventText === undefined || !endpoint.isActive || cut.has(endpoint)) {
        if (endpoint.isOrdered) cut.add(endpoint);
        endpoint.releaseRetry(row.sequence);
        continue;
      }
      endpoint.enqueue({ ...row, eventText, source: { from: "retries" } });
      sender.schedule(endpoint);
    }
  }

  /**
   * Compares what ordered endpoints wait for with the tables, if it is time. A retry can end without an attempt: its day is dropped by
   * retention. Nothing else would let the endpoint go on.
   */
  async checkOrder(open: readonly OwnedShard[]): Promise<void> {
    const { pool, shards } = this.#context;
    if (performance.now() < this.#checkNotBefore) return;
    const blocked = new Map(
      open.flatMap(({ endpoints }) =>
        [...endpoints.values()].flatMap((endpoint) =>
          endpoint.awaitsRetry ? [[endpoint.webhookId, { endpoint, mark: endpoint.orderMark }]] : [],
        ),
      ),
    );
    if (blocked.size > 0) {
      for (const { webhookId, waiting } of await readWaiting(pool, [...blocked.keys()])) {
        const { endpoint, mark } = blocked.get(webhookId) ?? {};
        const isOurs = endpoint && shards.get(endpoint.shard.id) === endpoint.shard;
        if (isOurs && mark !== undefined) endpoint.confirmOrder(mark, waiting);
      }
    }
    this.#checkNotBefore = performance.now() + orderPeriodMs;
  }
}

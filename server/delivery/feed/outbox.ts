/**
 * Reads on in the outboxes of the owned shards, from their cursors, and queues what it finds with the endpoints.
 *
 * What was just recorded is read in the round trip that reads the heads anyway, with its texts, since a new block waits for each: the first
 * notifications of outboxes that were read to their end. Everything else is read by pages, the accounts that have enough to send separately.
 */
import type { Logger } from "../../base/log.ts";
import {
  type AccountFilter,
  type NewestRow,
  type OutboxHeads,
  type OutboxRow,
  readHeads,
  readNewest,
  readOutbox,
} from "../../store/delivery/feed.ts";
import { readEventTexts } from "../../store/outbox/event-texts.ts";
import type { Pool, Queryable } from "../../store/pool.ts";
import type { AccountShares } from "../accounts.ts";
import type { OutboxCursor, ReadProgress } from "../cursor.ts";
import type { Endpoint } from "../endpoint/endpoint.ts";
import { type EndpointsContext, type OwnedShard, openEndpoints, parkStalled } from "../endpoint/endpoints.ts";
import { firstAttempt } from "../queued-notification.ts";
import type { Recorder } from "../recorder.ts";
import type { Sender } from "../send/sender.ts";
import { cursorOf } from "../shard.ts";

/** What the parts of the feed share. */
export type FeedContext = EndpointsContext & {
  texts: EventTexts;
  sender: Pick<Sender, "schedule" | "resumeRested">;
  recorder: Pick<Recorder, "noteProgress" | "writeDueCursors">;
};

/** The newest notifications of each chain that are read with the heads. More come by pages. */
const newestAtOnce = 50;
/** Of so many positions, which other processes' shards have, too. */
const newestAmong = 1_000;
/** In bytes. Longer texts are read as all others are, once for all notifications of an event. */
const longestNewestText = 8 * 1024;
/** Webhooks to leave out of the newest. Their ids are sent each time, also if nothing is new. */
const newestLeftOutLimit = 100;

/** With more entries after one that is not done, stalled endpoints are parked. Otherwise entries could grow without end. */
const entryLimit = 5_000;
/** The positions that one query covers. Almost all of them may be left out. */
const positionsAtOnce = 100_000;
/** Rows of one query. More would delay exchanges while the rows are taken in. An outbox that may have none gets few. */
const rowsAtOnce = 1_000;
const fewRows = 50;
/** Where most notifications share POSTs, a query returns this many times as many rows. Batches of 50 then took a tenth less processor time each. */
const batchedTimes = 4;
/** An outbox is read without the endpoints that have a backlog; otherwise others would wait for their millions. */
const leftOutLimit = 20_000;

/** The newest notifications of one chain. */
export type NewestOfChain = {
  /** For each shard the position that they follow on, which is the same for all. */
  readonly after: ReadonlyMap<OwnedShard, number>;
  /** Webhooks whose notifications were left out. */
  readonly without: readonly string[];
  readonly rows: readonly NewestRow[];
  /** Everything there was up to this position was read. */
  readonly upTo: number;
};

/** The heads, and the newest notifications by chain. */
export type HeadsAndNewest = OutboxHeads & { newest: ReadonlyMap<string, NewestOfChain> };

/** @param db a single connection @param chainIds those whose newest notifications to read */
export async function readHeadsAndNewest(
  db: Queryable,
  open: readonly OwnedShard[],
  chainIds: Iterable<string>,
): Promise<HeadsAndNewest> {
  const ids = open.map(({ id }) => id);
  // As they are now: a round may read on meanwhile.
  const places = [...chainIds].flatMap((chainId) => {
    const cursors = open.map((shard) => cursorOf(shard, chainId));
    const position = cursors[0]?.readPosition;
    if (position === undefined || !cursors.every((cursor) => cursor.isPlain && cursor.readPosition === position))
      return [];
    return [{ chainId, position, since: earliest(cursors.map(({ readSince }) => readSince)) }];
  });
  const without = leftOut(open);
  if (places.length === 0 || without.length > newestLeftOutLimit)
    return { ...(await readHeads(db, ids)), newest: new Map() };
  const { heads, rows } = await readNewest(db, ids, {
    ...{ places, without, count: newestAtOnce, among: newestAmong, longest: longestNewestText },
  });
  const newest = new Map(
    places.map(({ chainId, position }): [string, NewestOfChain] => {
      const found = rows.filter((row) => row.chainId === chainId);
      const upTo = found.length === newestAtOnce ? found.at(-1)?.position : undefined;
      const after = new Map(open.map((shard) => [shard, position]));
      return [chainId, { after, without, rows: found, upTo: upTo ?? position + newestAmong }];
    }),
  );
  return { ...heads, newest };
}

const earliest = (days: readonly string[]) => days.reduce((a, b) => (a < b ? a : b));

/** A chain's newest position, the day on which it was read, and who and what else there is. */
type OutboxHead = {
  chainId: string;
  upTo: number;
  today: string;
  busy: ReadonlySet<AccountShares>;
  newest?: NewestOfChain | undefined;
};

type OwnedOutbox = { shard: OwnedShard; cursor: OutboxCursor };

/**
 * @param head the chain's newest position, and the day on which it was read
 * @param head.busy accounts that have enough to send, after which others may have something in the outbox
 * @param head.newest what was read already
 * @returns whether the outboxes may hold more that there is room for
 */
export async function readOutboxes(
  context: FeedContext,
  open: readonly OwnedShard[],
  { chainId, newest, ...head }: OutboxHead,
): Promise<boolean> {
  const owned = open.map((shard) => ({ shard, cursor: cursorOf(shard, chainId) }));
  const long = owned.filter(({ cursor }) => cursor.entries.length > entryLimit);
  parkStalled(
    context,
    long.map(({ shard }) => shard),
  );
  if (newest && areNext(newest, open, chainId)) return takeNewest(context, open, { chainId, newest, ...head });
  const unread = owned.filter(({ cursor }) => cursor.readPosition < head.upTo);
  const busy = [...head.busy].map(({ id }) => id);
  const separateIds = [
    ...new Set([...owned.flatMap(({ cursor }) => [...cursor.separateIds]), ...(unread.length > 0 ? busy : [])]),
  ];
  // The same in all outboxes, since one query reads all of them.
  for (const { cursor } of owned) for (const id of separateIds) cursor.separate(id);
  let more = await readPage(
    context,
    unread.map((outbox) => unreadByAll(outbox, head)),
    { chainId, but: separateIds },
  );
  for (const id of separateIds) {
    if (!busy.includes(id)) more = (await readAccount(context, owned, { chainId, only: id })) || more;
    if (owned.every(({ cursor }) => cursor.readPositionOf(id) === cursor.readPosition))
      for (const { cursor } of owned) cursor.rejoin(id);
  }
  return more;
}

/** Whether these are still the next ones of all these shards. */
export function areNext({ after, without }: NewestOfChain, open: readonly OwnedShard[], chainId: string): boolean {
  const areLeftOut = new Set(without.length > 0 ? leftOut(open) : []);
  if (!without.every((webhookId) => areLeftOut.has(webhookId))) return false;
  return open.every((shard) => {
    const cursor = cursorOf(shard, chainId);
    return cursor.isPlain && after.get(shard) === cursor.readPosition;
  });
}

/** A shard's outbox that has more to read. */
type UnreadOutbox = {
  shard: OwnedShard;
  progress: ReadProgress;
  recoverUpTo: number;
  upTo: number;
  /** A day before which nothing after `upTo` was recorded. */
  since: string;
};

function unreadByAll({ shard, cursor }: OwnedOutbox, { upTo, today }: { upTo: number; today: string }): UnreadOutbox {
  const { readPosition, recoverUpTo, readSince } = cursor;
  const last = Math.min(upTo, readPosition + positionsAtOnce);
  return { shard, progress: cursor, recoverUpTo, upTo: last, since: last === upTo ? today : readSince };
}

/** Continues an account's notifications, up to where the others' were read. */
async function readAccount(
  context: FeedContext,
  owned: readonly OwnedOutbox[],
  what: { chainId: string; only: number },
): Promise<boolean> {
  const unread = owned.flatMap(({ shard, cursor }): UnreadOutbox[] => {
    const progress = cursor.separateOf(what.only);
    if (!progress || progress.readPosition >= cursor.readPosition) return [];
    const upTo = Math.min(cursor.readPosition, progress.readPosition + positionsAtOnce);
    const since = upTo === cursor.readPosition ? cursor.readSince : progress.readSince;
    return [{ shard, progress, recoverUpTo: cursor.recoverUpTo, upTo, since }];
  });
  const more = await readPage(context, unread, what);
  return more || unread.some(({ progress, upTo }) => progress.readPosition < upTo);
}

/** Reads the next page of a chain's outboxes in one query and queues it. @returns whether there may be more */
async function readPage(
  context: FeedContext,
  unread: readonly UnreadOutbox[],
  { chainId, ...accounts }: { chainId: string } & AccountFilter,
): Promise<boolean> {
  if (unread.length === 0) return false;
  const limitOf = limitsFor(unread);
  const without = leftOut(
    unread.map(({ shard }) => shard),
    accounts,
  );
  const rows = await readOutbox(
    context.pool,
    chainId,
    unread.map(({ shard, progress, upTo }) => ({
      shard: shard.id,
      position: progress.readPosition,
      upTo,
      limit: limitOf(progress),
    })),
    {
      ...{ without, accounts },
      since: earliest(unread.map(({ progress }) => progress.readSince)),
      recovering: unread.some(({ progress, recoverUpTo }) => progress.readPosition < recoverUpTo),
    },
  );
  const { texts } = context;
  const { only } = accounts;
  return queueRows(context, unread, {
    rows,
    limitOf,
    without,
    textsOf: (wanted) =>
      only === undefined ? texts.of(wanted) : texts.byAccount(wanted.map((row) => ({ ...row, accountId: only }))),
  });
}

/** @returns how many rows to read of an outbox. Decided now: outboxes that had more the last time share the rows of a query */
function limitsFor(unread: readonly UnreadOutbox[]): (progress: ReadProgress) => number {
  const full = new Set(unread.flatMap(({ progress }) => (progress.isFull ? [progress] : [])));
  const share = Math.max(fewRows, Math.floor(rowsAtOnce / full.size));
  const limits = new Map([...full].map((progress) => [progress, progress.isBatched ? batchedTimes * share : share]));
  return (progress) => limits.get(progress) ?? fewRows;
}

/** Takes in what was read with the heads. */
async function takeNewest(
  context: FeedContext,
  open: readonly OwnedShard[],
  { chainId, newest, ...head }: OutboxHead & { newest: NewestOfChain },
): Promise<boolean> {
  const upTo = Math.min(head.upTo, newest.upTo);
  const rows = newest.rows.filter(({ position }) => position <= upTo);
  const unread = open.flatMap((shard) => {
    const cursor = cursorOf(shard, chainId);
    if (cursor.readPosition >= upTo) return [];
    const since = upTo === head.upTo ? head.today : cursor.readSince;
    return [{ ...{ shard, upTo, since }, progress: cursor, recoverUpTo: cursor.recoverUpTo }];
  });
  const known = new Map(rows.flatMap(({ eventId, text }) => (text === null ? [] : [[eventId, text] as const])));
  const more = await queueRows(context, unread, {
    ...{ rows, limitOf: () => Number.POSITIVE_INFINITY, without: newest.without },
    textsOf: async (wanted) => {
      const missing = wanted.filter(({ eventId }) => !known.has(eventId));
      return missing.length === 0 ? known : new Map([...(await context.texts.of(missing)), ...known]);
    },
  });
  return more || upTo < head.upTo;
}

/** Rows of outboxes, by position, and what was asked for. */
type OutboxRows = {
  rows: readonly OutboxRow[];
  limitOf: (progress: ReadProgress) => number;
  without: readonly string[];
  textsOf: (rows: readonly OutboxRow[]) => Promise<ReadonlyMap<number, string | undefined>>;
};

/** Queues what was read. @returns whether there may be more */
async function queueRows(
  context: FeedContext,
  unread: readonly UnreadOutbox[],
  { rows, limitOf, without, textsOf }: OutboxRows,
): Promise<boolean> {
  const { recorder, sender, shards } = context;
  const endpoints = await openEndpoints(context, rows);
  const pages = new Map(unread.map((outbox) => [outbox.shard.id, { ...outbox, count: 0, batched: 0, isFull: false }]));
  const takes = (row: OutboxRow, endpoint: Endpoint | undefined): endpoint is Endpoint =>
    !row.attempted && endpoint !== undefined && endpoint.takesFromOutbox;
  const wanted = rows.filter((row, index) => takes(row, endpoints[index]));
  const texts = await textsOf(wanted);
  for (const [index, row] of rows.entries()) {
    const page = pages.get(row.shard);
    // The shard was lost meanwhile, and perhaps claimed again: then its outbox is read again.
    if (!page || page.isFull || shards.get(row.shard) !== page.shard) continue;
    const endpoint = endpoints[index];
    const isTaken = takes(row, endpoint);
    const text = isTaken ? texts.get(row.eventId) : undefined;
    if (isTaken && text === undefined && !texts.has(row.eventId)) {
      page.isFull = true;
      continue;
    }
    page.count += 1;
    const entry = page.progress.add(row);
    if (!endpoint || row.attempted || (isTaken && text === undefined)) {
      entry.done = true;
    } else if (text !== undefined) {
      if (endpoint.batch) page.batched += 1;
      endpoint.enqueue(firstAttempt(row, text, { from: "outbox", entry }));
      sender.schedule(endpoint);
    } else {
      endpoint.skip(row.sequence, entry);
      page.shard.backlogged.add(endpoint);
      if (!entry.done) recorder.noteChange(endpoint);
    }
  }
  let more = false;
  for (const { shard, progress, count, batched, isFull, upTo, since } of pages.values()) {
    if (count > 0 || without.length > 0) recorder.noteProgress(shard);
    progress.isFull = isFull || count === limitOf(progress);
    if (count > 0) progress.isBatched = 2 * batched > count;
    if (!progress.isFull) progress.noteRead(upTo, since);
    else more = true;
  }
  return more;
}

/** @returns the webhooks whose notifications are not read, because their backlog holds them */
function leftOut(shards: readonly OwnedShard[], { only, but = [] }: AccountFilter = {}): string[] {
  const webhookIds: string[] = [];
  for (const { backlogged } of shards)
    for (const { webhookId, account, backlog } of backlogged) {
      const isRead = only === undefined ? !but.includes(account.id) : account.id === only;
      if (isRead && backlog.hasSkipped && webhookIds.length < leftOutLimit) webhookIds.push(webhookId);
    }
  return webhookIds;
}

/**
 * In characters. It holds one block's texts, which its notifications share. Most events have a few thousand characters; a
 * transaction of many thousand logs has millions.
 */
const cacheLimit = 8_000_000;
/** In bytes, for one query. */
const textsReadLimit = 16_000_000;
/** In bytes, for one account while others wait for the same query or the next: 16 million took 0.2 to 0.5 s on a busy machine. */
const accountReadLimit = 4_000_000;

type EventRow = { webhookId: string; sequence: number; recordedOn: string; eventId: number };
type AccountEventRow = EventRow & { accountId: number };

/** Events' texts for the notifications that carry them. Webhooks often share an event, so the newest shared texts are cached. */
export class EventTexts {
  readonly #pool: Pool;
  readonly #log: Logger;
  // Two generations: dropping the older one as a whole costs nothing for each text.
  #newer = new Map<number, string | undefined>();
  #older = this.#newer;
  /** Of the newer one, in characters. */
  #size = 0;

  constructor(pool: Pool, log: Logger) {
    this.#pool = pool;
    this.#log = log;
  }

  /**
   * @returns the texts by event id; undefined for an event that no longer exists. An id is missing if its text would exceed one
   * query's limit. The first row's is never missing.
   */
  of(rows: readonly EventRow[]): Promise<Map<number, string | undefined>> {
    return this.#read(rows, textsReadLimit);
  }

  /** The same, divided by account: each has a smaller limit, and the one that has read least comes first. */
  byAccount(rows: readonly AccountEventRow[]): Promise<Map<number, string | undefined>> {
    const accounts = new Set(rows.map(({ accountId }) => accountId)).size;
    return this.#read(rows, Math.min(textsReadLimit, accounts * accountReadLimit));
  }

  async #read(rows: readonly (EventRow | AccountEventRow)[], limit: number): Promise<Map<number, string | undefined>> {
    const found = new Map<number, string | undefined>();
    const missing = new Map<number, EventRow>();
    const shared = new Set<number>();
    for (const row of rows) {
      const cached = this.#newer.has(row.eventId) ? this.#newer : this.#older;
      if (cached.has(row.eventId)) found.set(row.eventId, cached.get(row.eventId));
      else if (missing.has(row.eventId)) shared.add(row.eventId);
      else missing.set(row.eventId, row);
    }
    if (missing.size === 0) return found;
    const texts = await readEventTexts(this.#pool, [...missing.values()], limit);
    for (const [id, { webhookId, sequence }] of missing) {
      const text = texts.get(id);
      if (text === null) continue;
      if (text === undefined)
        this.#log.error({ webhookId, sequence, eventId: id }, "a notification's event is missing");
      found.set(id, text);
      if (shared.has(id)) this.#cache(id, text);
    }
    return found;
  }

  #cache(id: number, text: string | undefined): void {
    this.#newer.set(id, text);
    this.#size += text?.length ?? 0;
    if (this.#size < cacheLimit / 2) return;
    this.#older = this.#newer;
    this.#newer = new Map();
    this.#size = 0;
  }
}

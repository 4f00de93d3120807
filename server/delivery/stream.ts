/** Continues reading the streams of the owned shards. Accounts that have enough to send are read separately. */
import { type AccountFilter, readStream, type StreamRow } from "../store/delivery/feed.ts";
import type { Account } from "./account.ts";
import type { Endpoint } from "./endpoint.ts";
import { openEndpoints, parkStalled } from "./endpoints.ts";
import { type FeedContext, leftOut, type OwnedShard } from "./feed-context.ts";
import { areNext, type Newest } from "./newest.ts";
import { firstAttempt } from "./queued-notification.ts";
import { windowOf } from "./shard.ts";
import {
  addEntry,
  noteRead,
  readPositionOf,
  rejoin,
  type StreamProgress,
  type StreamWindow,
  separate,
} from "./stream-window.ts";

/** With more entries behind one that is not done, stalled endpoints are parked. Otherwise entries could grow without end. */
const entryLimit = 5_000;
/** The positions that one query covers. Almost all of them may be left out. */
const positionsAtOnce = 100_000;
/** Rows of one query. More would delay exchanges while the rows are taken in. A stream that may have none gets few. */
const rowsAtOnce = 1_000;
const fewRows = 50;
/** So many times as many rows where most share POSTs, which delay less. Batches of 50 took a tenth less processor time each. */
const batchedTimes = 4;

type ShardStream = { shard: OwnedShard; window: StreamWindow };

/** A shard's stream that has more to read. */
type UnreadStream = {
  shard: OwnedShard;
  progress: StreamProgress;
  recoverUpTo: number;
  upTo: number;
  /** A day before which nothing behind `upTo` was recorded. */
  since: string;
};

/** A chain's newest position, the day on which it was read, and who and what else there is. */
type StreamHead = {
  chainId: string;
  upTo: number;
  today: string;
  busy: ReadonlySet<Account>;
  newest?: Newest | undefined;
};

/**
 * @param head the chain's newest position, and the day on which it was read
 * @param head.busy accounts that have enough to send, behind which others may have something in the stream
 * @param head.newest what was read already
 * @returns whether the stream may hold more that there is room for
 */
export async function readStreams(
  context: FeedContext,
  open: readonly OwnedShard[],
  { chainId, newest, ...head }: StreamHead,
): Promise<boolean> {
  const owned = open.map((shard) => ({ shard, window: windowOf(shard, chainId) }));
  const long = owned.filter(({ window }) => window.entries.length > entryLimit);
  parkStalled(
    context,
    long.map(({ shard }) => shard),
  );
  if (newest && areNext(newest, open, chainId)) return takeNewest(context, open, { chainId, newest, ...head });
  const behind = (upTo: number) => owned.filter(({ window }) => window.readPosition < upTo);
  const busy = [...head.busy].map(({ id }) => id);
  const isNew = behind(head.upTo).length > 0;
  const separateIds = [
    ...new Set([...owned.flatMap(({ window }) => [...window.separate.keys()]), ...(isNew ? busy : [])]),
  ];
  // The same in all windows, since one query reads all of them.
  for (const { window } of owned) for (const id of separateIds) separate(window, id);
  let more = await readPart(
    context,
    behind(head.upTo).map((stream) => unreadByAll(stream, head)),
    { chainId, but: separateIds },
  );
  for (const id of separateIds) {
    if (!busy.includes(id)) more = (await readAccount(context, owned, { chainId, only: id })) || more;
    if (owned.every(({ window }) => readPositionOf(window, id) === window.readPosition))
      for (const { window } of owned) rejoin(window, id);
  }
  return more;
}

function unreadByAll({ shard, window }: ShardStream, { upTo, today }: { upTo: number; today: string }): UnreadStream {
  const { readPosition, recoverUpTo, readSince } = window;
  const last = Math.min(upTo, readPosition + positionsAtOnce);
  return { shard, progress: window, recoverUpTo, upTo: last, since: last === upTo ? today : readSince };
}

/** Continues an account's notifications, up to where the others' were read. */
async function readAccount(
  context: FeedContext,
  owned: readonly ShardStream[],
  what: { chainId: string; only: number },
): Promise<boolean> {
  const unread = owned.flatMap(({ shard, window }): UnreadStream[] => {
    const progress = window.separate.get(what.only);
    if (!progress || progress.readPosition >= window.readPosition) return [];
    const upTo = Math.min(window.readPosition, progress.readPosition + positionsAtOnce);
    const since = upTo === window.readPosition ? window.readSince : progress.readSince;
    return [{ shard, progress, recoverUpTo: window.recoverUpTo, upTo, since }];
  });
  const more = await readPart(context, unread, what);
  return more || unread.some(({ progress, upTo }) => progress.readPosition < upTo);
}

/** Reads the next page of a chain's streams in one query and queues it. @returns whether there may be more */
async function readPart(
  context: FeedContext,
  unread: readonly UnreadStream[],
  { chainId, ...accounts }: { chainId: string } & AccountFilter,
): Promise<boolean> {
  if (unread.length === 0) return false;
  const limitOf = limitsFor(unread);
  const without = leftOut(
    unread.map(({ shard }) => shard),
    accounts,
  );
  const rows = await readStream(
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
      since: unread.map(({ progress }) => progress.readSince).reduce((a, b) => (a < b ? a : b)),
      recovering: unread.some(({ progress, recoverUpTo }) => progress.readPosition < recoverUpTo),
    },
  );
  return queueRows(context, unread, {
    rows,
    limitOf,
    without,
    textsOf: (wanted) => textsOf(context, wanted, accounts),
  });
}

function textsOf({ texts }: FeedContext, rows: readonly StreamRow[], { only }: AccountFilter) {
  return only === undefined ? texts.of(rows) : texts.byAccount(rows.map((row) => ({ ...row, accountId: only })));
}

/** Takes in what was read with the heads. */
async function takeNewest(
  context: FeedContext,
  open: readonly OwnedShard[],
  { chainId, newest, ...head }: StreamHead & { newest: Newest },
): Promise<boolean> {
  const upTo = Math.min(head.upTo, newest.upTo ?? head.upTo);
  const rows = newest.rows.filter(({ position }) => position <= upTo);
  const unread = open.flatMap((shard) => {
    const window = windowOf(shard, chainId);
    if (window.readPosition >= upTo) return [];
    const since = upTo === head.upTo ? head.today : window.readSince;
    return [{ ...{ shard, upTo, since }, progress: window, recoverUpTo: window.recoverUpTo }];
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

/** Rows of streams, by position, and what was asked for. */
type ReadRows = {
  rows: readonly StreamRow[];
  limitOf: (progress: StreamProgress) => number;
  without: readonly string[];
  textsOf: (rows: readonly StreamRow[]) => Promise<ReadonlyMap<number, string | undefined>>;
};

/** Queues what was read. @returns whether there may be more */
async function queueRows(
  context: FeedContext,
  unread: readonly UnreadStream[],
  { rows, limitOf, without, textsOf }: ReadRows,
): Promise<boolean> {
  const { recorder, sender, shards } = context;
  const endpoints = await openEndpoints(context, rows);
  const pages = new Map(unread.map((stream) => [stream.shard.id, { ...stream, count: 0, batched: 0, isFull: false }]));
  const takes = (row: StreamRow, endpoint: Endpoint | undefined): endpoint is Endpoint =>
    !row.attempted && endpoint !== undefined && endpoint.takesFromStream;
  const wanted = rows.filter((row, index) => takes(row, endpoints[index]));
  const texts = await textsOf(wanted);
  for (const [index, row] of rows.entries()) {
    const page = pages.get(row.shard);
    // The shard was lost meanwhile, and perhaps claimed again: then the stream is read again.
    if (!page || page.isFull || shards.get(row.shard) !== page.shard) continue;
    const endpoint = endpoints[index];
    const isTaken = takes(row, endpoint);
    const text = isTaken ? texts.get(row.eventId) : undefined;
    if (isTaken && text === undefined && !texts.has(row.eventId)) {
      page.isFull = true;
      continue;
    }
    page.count += 1;
    const entry = addEntry(page.progress, row);
    if (!endpoint || row.attempted || (isTaken && text === undefined)) {
      entry.done = true;
    } else if (text !== undefined) {
      if (endpoint.batch) page.batched += 1;
      endpoint.enqueue(firstAttempt(row, text, { from: "stream", entry }));
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
    progress.full = isFull || count === limitOf(progress);
    if (count > 0) progress.batched = 2 * batched > count;
    if (!progress.full) noteRead(progress, upTo, since);
    else more = true;
  }
  return more;
}

/** @returns how many rows to read of a stream. Decided now: streams that had more the last time share the rows of a query */
function limitsFor(unread: readonly UnreadStream[]): (progress: StreamProgress) => number {
  const full = new Set(unread.flatMap(({ progress }) => (progress.full ? [progress] : [])));
  const share = Math.max(fewRows, Math.floor(rowsAtOnce / full.size));
  const limits = new Map([...full].map((progress) => [progress, progress.batched ? batchedTimes * share : share]));
  return (progress) => limits.get(progress) ?? fewRows;
}

/** Reads the next page of a chain's stream, for several shards in one query, and takes its notifications in. */
import { type Accounts, readStream, type StreamRow } from "../store/delivery/feed.ts";
import { parkFromStream, takeFromStream, takesFromStream } from "./backlog.ts";
import { type Endpoint, firstAttempt } from "./endpoint.ts";
import { openEndpoints } from "./endpoints.ts";
import type { FeedContext } from "./feed-context.ts";
import type { Shard } from "./shard.ts";
import { addPlace, noteRead, type Reading } from "./window.ts";

/** So many rows are read at once: more would keep exchanges waiting while they are taken in. Few are for shards that may have none. */
const rowsAtOnce = 1_000;
const fewRows = 50;
/** So many endpoints that have a backlog are read without while that lasts: else others would wait behind their millions. */
const leftOutLimit = 20_000;

/** A shard's stream that is to be read on. */
export type Behind = {
  shard: Shard;
  reading: Reading;
  recoverUpTo: number;
  upTo: number;
  /** A day before which nothing behind `upTo` was recorded. */
  since: string;
};

/** @param which the chain, and whose notifications of it: only one account's, or those of all but some @returns whether there may be more */
export async function readPart(
  context: FeedContext,
  behind: readonly Behind[],
  { chainId, ...accounts }: { chainId: string } & Accounts,
): Promise<boolean> {
  if (behind.length === 0) return false;
  const { pool, recorder, sender, shards } = context;
  const limitOf = limitsFor(behind);
  const without = leftOut(behind, accounts);
  const rows = await readStream(
    pool,
    chainId,
    behind.map((each) => {
      const { shard, reading, upTo } = each;
      return { shard: shard.id, position: reading.readPosition, upTo, limit: limitOf(reading) };
    }),
    {
      ...{ without, accounts },
      since: behind.map(({ reading }) => reading.readSince).reduce((a, b) => (a < b ? a : b)),
      recovering: behind.some(({ reading, recoverUpTo }) => reading.readPosition < recoverUpTo),
    },
  );
  const endpoints = await openEndpoints(context, rows);
  const asked = new Map(behind.map((each) => [each.shard.id, { ...each, count: 0, full: false }]));
  const takes = (row: StreamRow, endpoint: Endpoint | undefined): boolean =>
    !row.attempted && endpoint !== undefined && takesFromStream(endpoint);
  const wanted = rows.filter((row, index) => takes(row, endpoints[index]));
  const { only } = accounts;
  const texts = await (only === undefined
    ? context.texts.of(wanted)
    : context.texts.byAccount(wanted.map((row) => ({ ...row, accountId: only }))));
  for (const [index, row] of rows.entries()) {
    const its = asked.get(row.shard);
    // Lost meanwhile, and perhaps taken again: then it is read anew.
    if (!its || its.full || shards.get(row.shard) !== its.shard) continue;
    const endpoint = endpoints[index];
    const taken = takes(row, endpoint);
    const text = taken ? texts.get(row.eventId) : undefined;
    if (taken && text === undefined && !texts.has(row.eventId)) {
      its.full = true;
      continue;
    }
    its.count += 1;
    const place = addPlace(its.reading, row);
    if (!endpoint || row.attempted || (taken && text === undefined)) {
      place.done = true;
    } else if (text !== undefined) {
      takeFromStream(endpoint, firstAttempt(row, text, { from: "stream", place }));
      sender.pump(its.shard, endpoint);
    } else {
      parkFromStream(endpoint, row.sequence, place);
      its.shard.backlogged.add(endpoint);
      if (!place.done) recorder.touch(its.shard, endpoint);
    }
  }
  let more = false;
  for (const { shard, reading, count, full, upTo, since } of asked.values()) {
    if (count > 0 || without.length > 0) recorder.noteProgress(shard);
    reading.full = full || count === limitOf(reading);
    if (!reading.full) noteRead(reading, upTo, since);
    else more = true;
  }
  return more;
}

/** @returns the webhooks without whose notifications to read */
function leftOut(behind: readonly Behind[], { only, but = [] }: Accounts): string[] {
  const webhookIds: string[] = [];
  for (const { shard } of behind)
    for (const { webhookId, account, backlog } of shard.backlogged) {
      const isRead = only === undefined ? !but.includes(account.id) : account.id === only;
      if (isRead && backlog.left > 0 && webhookIds.length < leftOutLimit) webhookIds.push(webhookId);
    }
  return webhookIds;
}

/** @returns how many rows to read of a stream, decided now: those that had more the last time share what is read at once */
function limitsFor(behind: readonly Behind[]): (reading: Reading) => number {
  const full = new Set(behind.flatMap(({ reading }) => (reading.full ? [reading] : [])));
  const share = Math.max(fewRows, Math.floor(rowsAtOnce / full.size));
  return (reading) => (full.has(reading) ? share : fewRows);
}

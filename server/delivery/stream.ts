/** Reads on in the streams of the owned shards: what is new on a chain. */
import { readStream, type StreamRow } from "../store/delivery-feed.ts";
import { type Account, hasMemory } from "./account.ts";
import { parkFromStream, takeFromStream, takesFromStream } from "./backlog.ts";
import { type Endpoint, firstAttempt } from "./endpoint.ts";
import { openEndpoints, parkHeldUp } from "./endpoints.ts";
import type { FeedContext } from "./feed-context.ts";
import { type Shard, windowOf } from "./shard.ts";
import { addPlace, noteRead, type Window } from "./window.ts";

/** So many rows are read at once: more would keep exchanges waiting while they are taken in. Few are for shards that may have none. */
const rowsAtOnce = 1_000;
const fewRows = 50;
/** With so many places behind one that is not done, what an endpoint holds up is parked: else they could grow without end. */
const placesLimit = 5_000;
/** So many endpoints that have a backlog are read without while that lasts: else others would wait behind their millions. */
const leftOutLimit = 5_000;
/** So many positions are gone through at once, of which almost all may be left out. */
const positionsAtOnce = 100_000;

type Behind = { shard: Shard; window: Window; upTo: number };

/**
 * @param upTo the chain's newest position @param today the day on which it was
 * @param busy accounts that have enough to do: what is theirs is left to their backlogs, so that it is not in the way of others
 * @returns whether the stream may hold more that there is room for
 */
export async function readStreams(
  context: FeedContext,
  open: readonly Shard[],
  { chainId, upTo, today, busy }: { chainId: string; upTo: number; today: string; busy: ReadonlySet<Account> },
): Promise<boolean> {
  const behind = open
    .map((shard) => ({ shard, window: windowOf(shard, chainId) }))
    .filter(({ window }) => window.readPosition < upTo)
    .map((each) => ({ ...each, upTo: Math.min(upTo, each.window.readPosition + positionsAtOnce) }));
  if (behind.length === 0) return false;
  makeRoom(context, open, behind);
  const { pool, recorder, sender, shards } = context;
  const limitOf = limitsFor(behind);
  const without = leftOut(behind);
  const rows = await readStream(
    pool,
    chainId,
    behind.map(({ shard: { id }, window, upTo }) => {
      return { shard: id, position: window.readPosition, upTo, limit: limitOf(window) };
    }),
    {
      without,
      since: behind.map(({ window }) => window.readSince).reduce((a, b) => (a < b ? a : b)),
      recovering: behind.some(({ window }) => window.readPosition < window.recoverUpTo),
    },
  );
  const endpoints = await openEndpoints(context, rows);
  const asked = new Map(behind.map((each) => [each.shard.id, { ...each, count: 0, full: false }]));
  const takes = (row: StreamRow, endpoint: Endpoint | undefined): boolean =>
    !row.attempted && endpoint !== undefined && !busy.has(endpoint.account) && takesFromStream(endpoint);
  const texts = await context.texts.of(rows.filter((row, index) => takes(row, endpoints[index])));
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
    const place = addPlace(its.window, row);
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
  for (const { shard, window, count, full, ...its } of asked.values()) {
    if (count > 0 || without.length > 0) recorder.noteProgress(shard);
    window.full = full || count === limitOf(window);
    if (!window.full) noteRead(window, its.upTo, its.upTo === upTo ? today : window.readSince);
    if (window.readPosition < upTo) more = true;
  }
  return more;
}

/** @returns the webhooks without whose notifications to read */
function leftOut(behind: readonly Behind[]): string[] {
  const webhookIds: string[] = [];
  for (const { shard } of behind)
    for (const endpoint of shard.backlogged)
      if (webhookIds.length < leftOutLimit && endpoint.backlog.left > 0) webhookIds.push(endpoint.webhookId);
  return webhookIds;
}

/** @returns how many rows to read of a stream, decided now: those that had more the last time share what is read at once */
function limitsFor(behind: readonly Behind[]): (window: Window) => number {
  const full = new Set(behind.flatMap(({ window }) => (window.full ? [window] : [])));
  const share = Math.max(fewRows, Math.floor(rowsAtOnce / full.size));
  return (window) => (full.has(window) ? share : fewRows);
}

function makeRoom(context: FeedContext, open: readonly Shard[], behind: readonly Behind[]): void {
  const full = new Set([...context.accounts.met()].filter((account) => !hasMemory(account)));
  if (full.size > 0) parkHeldUp(context, open, (account) => full.has(account));
  const long = behind.filter(({ window }) => window.places.length > placesLimit);
  parkHeldUp(
    context,
    long.map(({ shard }) => shard),
  );
}

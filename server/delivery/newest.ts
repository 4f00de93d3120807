/**
 * What was just recorded is read in the round trip that reads the heads anyway, with its texts, since a new block waits for each: the first
 * notifications of streams that were read to their end. Everything else is read by `stream.ts`.
 */
import { type NewestRow, type OutboxHeads, readHeads, readNewest } from "../store/delivery/feed.ts";
import type { Appended } from "../store/outbox/append.ts";
import type { Queryable } from "../store/pool.ts";
import { leftOut, type OwnedShard } from "./feed-context.ts";
import { windowOf } from "./shard.ts";
import type { StreamWindow } from "./stream-window.ts";

/** Of each chain. More come by pages. */
const countAtOnce = 50;
/** In bytes. Longer texts are read as all others are, once for all notifications of an event. */
const longestText = 8 * 1024;
/** Webhooks to leave out. Their ids are sent each time, also if nothing is new. */
const leftOutLimit = 100;

/** Notifications of one chain. */
export type Newest = {
  /** For each shard the position that they follow on. */
  readonly after: ReadonlyMap<OwnedShard, number>;
  /** Webhooks whose notifications were left out. */
  readonly without: readonly string[];
  readonly rows: readonly NewestRow[];
  /** Everything up to this position was read; undefined for everything there was. */
  readonly upTo: number | undefined;
};

/** The heads, and the notifications by chain. */
export type HeadsAndNewest = OutboxHeads & { newest: ReadonlyMap<string, Newest> };

/** @returns up to where everything was read; undefined for everything */
const readUpTo = (rows: readonly NewestRow[]) => (rows.length === countAtOnce ? rows.at(-1)?.position : undefined);

/** @param db a single connection @param chainIds those whose streams to look at */
export async function readHeadsAndNewest(
  db: Queryable,
  open: readonly OwnedShard[],
  chainIds: Iterable<string>,
): Promise<HeadsAndNewest> {
  const ids = open.map(({ id }) => id);
  // As they are now: a round may read on meanwhile.
  const places = [...chainIds].flatMap((chainId) => {
    const owned = open.map((shard) => ({ shard, window: windowOf(shard, chainId) }));
    if (!owned.every(({ window }) => isPlain(window))) return [];
    return owned.map(({ shard, window }) => ({
      shard,
      chainId,
      position: window.readPosition,
      since: window.readSince,
    }));
  });
  const without = leftOut(open);
  if (places.length === 0 || without.length > leftOutLimit) return { ...(await readHeads(db, ids)), newest: new Map() };
  const { heads, rows } = await readNewest(db, ids, {
    places: places.map(({ shard: { id }, ...place }) => ({ ...place, shard: id })),
    ...{ without, count: countAtOnce, longest: longestText },
  });
  const newest = new Map<string, Newest>();
  for (const chainId of new Set(places.map((place) => place.chainId))) {
    const of = places.filter((place) => place.chainId === chainId);
    const found = rows.filter((row) => row.chainId === chainId);
    newest.set(chainId, {
      after: new Map(of.map(({ shard, position }) => [shard, position])),
      ...{ without, rows: found },
      upTo: readUpTo(found),
    });
  }
  return { ...heads, newest };
}

/**
 * Reads the heads, and what a transaction has just appended. Nobody else may have appended anything to its chain since the streams were read,
 * so only its shards are looked at: 0.3 ms instead of 0.5 for 32 shards.
 *
 * @param db a single connection
 * @returns the appended chain first; undefined if others have, or if pages must be read
 */
export async function readAppended(
  db: Queryable,
  open: readonly OwnedShard[],
  { chainId, count, shards }: Appended,
): Promise<HeadsAndNewest | undefined> {
  const streams = open.map((shard) => ({ shard, window: windowOf(shard, chainId) }));
  const from = streams[0]?.window.readPosition;
  const areAtOne = streams.every(({ window }) => isPlain(window) && window.readPosition === from);
  const without = leftOut(open);
  if (from === undefined || !areAtOne || without.length > leftOutLimit) return undefined;
  const places = streams
    .filter(({ shard }) => shards.has(shard.id))
    .map(({ shard, window }) => ({ shard: shard.id, chainId, position: from, since: window.readSince }));
  const { heads, rows } = await readNewest(
    db,
    open.map(({ id }) => id),
    { places, without, count: countAtOnce, longest: longestText },
  );
  const upTo = from + count;
  if (heads.positions.get(chainId) !== upTo) return undefined;
  const after = new Map(open.map((shard) => [shard, from]));
  return {
    ...{ ...heads, positions: new Map([[chainId, upTo], ...heads.positions]) },
    newest: new Map([[chainId, { after, without, rows, upTo: readUpTo(rows) }]]),
  };
}

/** Whether everybody's notifications are read together, and none that follow can have attempts. */
function isPlain({ full, separate, readPosition, recoverUpTo }: StreamWindow): boolean {
  return !full && separate.size === 0 && readPosition >= recoverUpTo;
}

/** Whether these are still the next ones of all these shards. */
export function areNext({ after, without }: Newest, open: readonly OwnedShard[], chainId: string): boolean {
  const areLeftOut = new Set(without.length > 0 ? leftOut(open) : []);
  if (!without.every((webhookId) => areLeftOut.has(webhookId))) return false;
  return open.every((shard) => {
    const window = windowOf(shard, chainId);
    return isPlain(window) && after.get(shard) === window.readPosition;
  });
}

/**
 * What was just recorded is read in the round trip that reads the heads anyway, with its texts, since a new block waits for each: the first
 * notifications of streams that were read to their end. Everything else is read by `stream.ts`.
 */
import { type NewestRow, type OutboxHeads, readHeads, readNewest } from "../store/delivery/feed.ts";
import type { Pool } from "../store/pool.ts";
import { leftOut, type OwnedShard } from "./feed-context.ts";
import { windowOf } from "./shard.ts";
import type { StreamWindow } from "./stream-window.ts";

/** Of each chain. More come by pages. */
const countAtOnce = 50;
/** In bytes. Longer texts are read as all others are. */
const longestText = 64 * 1024;

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

/** @param chainIds those whose streams to look at @returns also the notifications by chain */
export async function readHeadsAndNewest(
  pool: Pool,
  open: readonly OwnedShard[],
  chainIds: Iterable<string>,
): Promise<OutboxHeads & { newest: ReadonlyMap<string, Newest> }> {
  const ids = open.map(({ id }) => id);
  const places = [...chainIds].flatMap((chainId) => {
    const owned = open.map((shard) => ({ shard, window: windowOf(shard, chainId) }));
    return owned.every(({ window }) => isPlain(window)) ? owned : [];
  });
  if (places.length === 0) return { ...(await readHeads(pool, ids)), newest: new Map() };
  const without = leftOut(open);
  const { heads, rows } = await readNewest(pool, ids, {
    places: places.map(({ shard: { id }, window: { chainId, readPosition } }) => ({
      ...{ chainId, shard: id, position: readPosition },
    })),
    since: places.map(({ window }) => window.readSince).reduce((a, b) => (a < b ? a : b)),
    ...{ without, count: countAtOnce, longest: longestText },
  });
  const newest = new Map<string, Newest>();
  for (const chainId of new Set(places.map(({ window }) => window.chainId))) {
    const of = places.filter(({ window }) => window.chainId === chainId);
    const found = rows.filter((row) => row.chainId === chainId);
    newest.set(chainId, {
      after: new Map(of.map(({ shard, window }) => [shard, window.readPosition])),
      ...{ without, rows: found },
      upTo: found.length === countAtOnce ? found.at(-1)?.position : undefined,
    });
  }
  return { ...heads, newest };
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

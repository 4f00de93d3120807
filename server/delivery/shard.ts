/** One shard that this process owns: its streams, its endpoints, and what is on its way. */
import { readHeads, readStreamCursors } from "../store/delivery/feed.ts";
import type { Lease } from "../store/lease-holder.ts";
import type { Queryable } from "../store/pool.ts";
import { type Endpoint, emptyQueue } from "./endpoint.ts";
import { UnderWay } from "./under-way.ts";
import { openWindow, type Window } from "./window.ts";

export type Shard = {
  readonly id: number;
  readonly lease: Lease;
  /** What is held of its webhooks is as new as this version. */
  version: number;
  /** Its backlogs are still to be looked up. */
  undiscovered: boolean;
  /** By chain. */
  readonly windows: Map<string, Window>;
  /** By webhook. */
  readonly endpoints: Map<string, Endpoint>;
  /** Those that may have a backlog to read. */
  readonly backlogged: Set<Endpoint>;
  readonly exchanges: UnderWay;
  readonly positionsAtStart: ReadonlyMap<string, number>;
};

/** Loads the state of a shard whose lease was just taken. From now on nobody else writes it. */
export async function openShard(db: Queryable, lease: Lease): Promise<Shard> {
  const id = Number(lease.key);
  const { versions, positions } = await readHeads(db, [id]);
  const cursors = await readStreamCursors(db, id);
  return {
    id,
    lease,
    version: versions.get(id) ?? 0,
    undiscovered: true,
    windows: new Map(cursors.map((cursor) => [cursor.chainId, openWindow(cursor, positions.get(cursor.chainId) ?? 0)])),
    endpoints: new Map(),
    backlogged: new Set(),
    exchanges: new UnderWay(),
    positionsAtStart: positions,
  };
}

/** @returns the shard's window on a chain's stream; one that was never read begins at its beginning */
export function windowOf(shard: Shard, chainId: string): Window {
  const known = shard.windows.get(chainId);
  if (known) return known;
  const beginning = { chainId, position: 0, recordedOn: "1970-01-02" };
  const opened = openWindow(beginning, shard.positionsAtStart.get(chainId) ?? 0);
  shard.windows.set(chainId, opened);
  return opened;
}

/** Whether new exchanges may begin. */
export function isOpen({ lease }: Shard): boolean {
  return lease.isHeld() && !lease.stopping.aborted;
}

/** What waits in memory of a shard that is given up is for its next owner to read. */
export function closeShard({ endpoints }: Shard): void {
  for (const endpoint of endpoints.values()) {
    emptyQueue(endpoint);
    endpoint.active = false;
  }
  endpoints.clear();
}

/** Settles when everything under way has ended, which is at once when the lease is lost. */
export async function endExchanges({ exchanges, lease }: Shard): Promise<void> {
  if (lease.lost.aborted) exchanges.abort();
  lease.lost.addEventListener("abort", () => exchanges.abort(), { once: true });
  await exchanges.ended();
}

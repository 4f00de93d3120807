/** One shard that this process owns: its streams, its endpoints, and what is on its way. */
import { readPositions, readStreamCursors, readVersions } from "../store/delivery-feed.ts";
import type { Lease } from "../store/lease-holder.ts";
import type { Queryable } from "../store/pool.ts";
import type { Endpoint } from "./endpoint.ts";
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
  readonly exchanges: Set<Promise<void>>;
  /** Those of its endpoints that may have a backlog to read. */
  readonly backlogged: Set<Endpoint>;
  /** How many of its attempts are not on record yet. */
  unrecorded: number;
  readonly positionsAtStart: ReadonlyMap<string, number>;
};

/** Loads the state of a shard whose lease was just taken. From now on nobody else writes it. */
export async function openShard(db: Queryable, lease: Lease): Promise<Shard> {
  const id = Number(lease.key);
  const versions = await readVersions(db, [id]);
  const positionsAtStart = await readPositions(db);
  const cursors = await readStreamCursors(db, id);
  return {
    id,
    lease,
    version: versions.get(id) ?? 0,
    undiscovered: true,
    windows: new Map(
      cursors.map((cursor) => [cursor.chainId, openWindow(cursor, positionsAtStart.get(cursor.chainId) ?? 0)]),
    ),
    endpoints: new Map(),
    exchanges: new Set(),
    backlogged: new Set(),
    unrecorded: 0,
    positionsAtStart,
  };
}

/** Has the shard hold an endpoint. */
export function holdEndpoint(shard: Shard, endpoint: Endpoint): void {
  shard.endpoints.set(endpoint.webhookId, endpoint);
  if (endpoint.parked) shard.backlogged.add(endpoint);
}

/** Forgets an endpoint. */
export function dropEndpoint(shard: Shard, endpoint: Endpoint): void {
  shard.endpoints.delete(endpoint.webhookId);
  shard.backlogged.delete(endpoint);
}

/** @returns the shard's window on a chain's stream; one that was never read begins at its beginning */
export function windowOf(shard: Shard, chainId: string): Window {
  const known = shard.windows.get(chainId);
  if (known) return known;
  const opened = openWindow(
    { chainId, position: 0, recordedOn: "1970-01-02" },
    shard.positionsAtStart.get(chainId) ?? 0,
  );
  shard.windows.set(chainId, opened);
  return opened;
}

/** Whether new exchanges may begin. */
export function isOpen({ lease }: Shard): boolean {
  return lease.isHeld() && !lease.stopping.aborted;
}

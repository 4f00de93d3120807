/** A shard that this process owns: its lease, its place in each chain's stream, and its exchanges in flight. */
import { readHeads, readStreamCursors } from "../store/delivery/feed.ts";
import type { Lease } from "../store/lease-holder.ts";
import type { Queryable } from "../store/pool.ts";
import { InFlightSet } from "./in-flight.ts";
import { openWindow, type StreamWindow } from "./stream-window.ts";

/** A shard that is lost and claimed again is another object. */
export type Shard = {
  readonly id: number;
  readonly lease: Lease;
  /** The version of its webhooks' settings that memory holds. */
  version: number;
  /** Whether its backlogs on record still need to be read. */
  undiscovered: boolean;
  /** How many times its due retries were read; see `reserveRetry` in endpoint.ts. */
  retryLooks: number;
  /** By chain. */
  readonly windows: Map<string, StreamWindow>;
  readonly exchanges: InFlightSet;
  readonly positionsAtStart: ReadonlyMap<string, number>;
};

/** Loads the state of a shard whose lease was just claimed. From now on no other process writes it. */
export async function openShard(db: Queryable, lease: Lease): Promise<Shard> {
  const id = Number(lease.key);
  const { versions, positions } = await readHeads(db, [id]);
  const cursors = await readStreamCursors(db, id);
  return {
    id,
    lease,
    version: versions.get(id) ?? 0,
    undiscovered: true,
    retryLooks: 0,
    windows: new Map(cursors.map((cursor) => [cursor.chainId, openWindow(cursor, positions.get(cursor.chainId) ?? 0)])),
    exchanges: new InFlightSet(),
    positionsAtStart: positions,
  };
}

/** @returns the shard's window on a chain's stream. A stream that was never read starts at its beginning */
export function windowOf(shard: Shard, chainId: string): StreamWindow {
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

export function isLost({ lease }: Shard): boolean {
  return lease.lost.aborted;
}

/** Waits for the exchanges in flight. Aborts them as soon as the lease is lost. */
export async function endExchanges({ exchanges, lease }: Shard): Promise<void> {
  if (lease.lost.aborted) exchanges.abort();
  lease.lost.addEventListener("abort", () => exchanges.abort(), { once: true });
  await exchanges.ended();
}

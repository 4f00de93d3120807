/** A shard that this process owns: its lease, its cursor in each chain's outbox, and its exchanges in flight. */
import { readHeads, readShardCursors } from "../store/delivery/feed.ts";
import type { Lease } from "../store/lease-holder.ts";
import type { Queryable } from "../store/pool.ts";
import { OutboxCursor } from "./cursor.ts";

/** A shard that is lost and claimed again is another object. */
export type Shard = {
  readonly id: number;
  readonly lease: Lease;
  /** The version of its webhooks' settings that memory has. */
  version: number;
  /** Whether its backlogs on record still need to be read. */
  undiscovered: boolean;
  /** How many times its due retries were read; see `reserveRetry` in endpoint.ts. */
  retryLooks: number;
  /** By chain. */
  readonly cursors: Map<string, OutboxCursor>;
  readonly exchanges: InFlightSet;
  readonly positionsAtStart: ReadonlyMap<string, number>;
};

/** Loads the state of a shard whose lease was just claimed. From now on no other process writes it. */
export async function openShard(db: Queryable, lease: Lease): Promise<Shard> {
  const id = Number(lease.key);
  const { versions, positions } = await readHeads(db, [id]);
  const recorded = await readShardCursors(db, id);
  return {
    id,
    lease,
    version: versions.get(id) ?? 0,
    undiscovered: true,
    retryLooks: 0,
    cursors: new Map(
      recorded.map((cursor) => [cursor.chainId, new OutboxCursor(cursor, positions.get(cursor.chainId) ?? 0)]),
    ),
    exchanges: new InFlightSet(),
    positionsAtStart: positions,
  };
}

/** @returns the shard's cursor in a chain's outbox. One that was never read starts at its beginning */
export function cursorOf(shard: Shard, chainId: string): OutboxCursor {
  const known = shard.cursors.get(chainId);
  if (known) return known;
  const beginning = { chainId, position: 0, recordedOn: "1970-01-02" };
  const opened = new OutboxCursor(beginning, shard.positionsAtStart.get(chainId) ?? 0);
  shard.cursors.set(chainId, opened);
  return opened;
}

/** Whether new exchanges may begin. */
export function isOpen({ lease }: Shard): boolean {
  return lease.isOwned() && !lease.stopping.aborted;
}

export function isLost({ lease }: Shard): boolean {
  return lease.lost.aborted;
}

/** Waits for the exchanges in flight. Aborts them as soon as the lease is lost. */
export async function endExchanges({ exchanges, lease }: Shard): Promise<void> {
  if (lease.lost.aborted) exchanges.abort();
  // Its body is not ready, so it was certainly not sent: the next owner sends it.
  exchanges.abort(({ isBegun }) => isBegun?.() === false);
  lease.lost.addEventListener("abort", () => exchanges.abort(), { once: true });
  await exchanges.ended();
}

/** Something in flight that can be aborted. */
export type Abortable = {
  abort(): void;
  /** Whether anything may have been sent; absent if it may. */
  isBegun?(): boolean;
  place?: number | undefined;
};

/**
 * What is in flight with the endpoints of a shard, without order. A Set leaves an old table whenever it grows. V8 keeps what is in that table
 * for long: every request with all that belongs to it. With a Set, a delivery took a fifth more processor time and the sender 395 MB instead of 315
 * (medians of five pairs of `bench:deliver -- --only drain --notifications 120000`, Node 24).
 */
export class InFlightSet {
  readonly #all: Abortable[] = [];
  #waiting: (() => void)[] = [];

  add(abortable: Abortable): void {
    abortable.place = this.#all.push(abortable) - 1;
  }

  /** Call it when the exchange has ended and all its consequences are done. */
  delete(abortable: Abortable): void {
    const { place } = abortable;
    const last = this.#all.at(-1);
    if (place === undefined || this.#all[place] !== abortable || !last) return;
    this.#all[place] = last;
    last.place = place;
    this.#all.pop();
    if (this.#all.length > 0) return;
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  /** Aborts what is in flight. @param which by default all */
  abort(which: (abortable: Abortable) => boolean = () => true): void {
    for (const abortable of this.#all.filter(which)) abortable.abort();
  }

  /** Settles when nothing is in flight. */
  async ended(): Promise<void> {
    if (this.#all.length > 0) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }
}

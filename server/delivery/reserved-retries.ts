/**
 * Retries of one endpoint that must not be queued again. A read of the tables may have started before the last outcome was recorded, and still
 * show that retry as due. So a recorded one is free again only in the next read. Only endpoint.ts uses this.
 */
import type { Shard } from "./shard.ts";

export class ReservedRetries {
  /** By sequence: the last read that may show the retry as due, once its outcome is on record. */
  readonly #lastLooks = new Map<number, number>();
  readonly #shard: Pick<Shard, "retryLooks">;

  constructor(shard: Pick<Shard, "retryLooks">) {
    this.#shard = shard;
  }

  get size(): number {
    for (const [sequence, lastLook] of this.#lastLooks)
      if (lastLook < this.#shard.retryLooks) this.#lastLooks.delete(sequence);
    return this.#lastLooks.size;
  }

  /** Call `size` first, which frees those of earlier reads. */
  has(sequence: number): boolean {
    return this.#lastLooks.has(sequence);
  }

  /** Whether it is queued or in flight. */
  isReserved(sequence: number): boolean {
    return this.#lastLooks.get(sequence) === Number.POSITIVE_INFINITY;
  }

  /** Its exchange has ended, and its outcome is not on record yet. */
  finish(sequence: number): void {
    if (this.has(sequence)) this.#lastLooks.set(sequence, Number.MAX_VALUE);
  }

  add(sequence: number): void {
    this.#lastLooks.set(sequence, Number.POSITIVE_INFINITY);
  }

  release(sequence: number): void {
    this.#lastLooks.delete(sequence);
  }

  /** Its outcome is on record. */
  settle(sequence: number): void {
    this.#lastLooks.set(sequence, this.#shard.retryLooks);
  }
}

/** What is in flight with the endpoints of a shard. */

/** Something in flight that can be aborted. */
export type Abortable = { abort(): void; place?: number | undefined };

/**
 * A set of it, without order. A Set leaves its old table behind whenever it grows. V8 keeps what is in that table for long: every
 * request with all that belongs to it. With a Set, a delivery took a fifth more processor time and the sender 395 MB instead of 315
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

  /** Aborts what is in flight. */
  abort(): void {
    for (const abortable of [...this.#all]) abortable.abort();
  }

  /** Settles when nothing is in flight. */
  async ended(): Promise<void> {
    if (this.#all.length > 0) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }
}

/** What is under way with the endpoints of a shard. */

/** Something under way that can be cut off. */
export type Cuttable = { abort(): void; place?: number | undefined };

/**
 * A set of it, without order. A Set leaves its old table behind whenever it grows. V8 keeps what stands in that table for long: every
 * request with all that belongs to it. With a Set, a delivery took a fifth more processor time and the sender 395 MB instead of 315
 * (medians of five pairs of `bench:deliver -- --only drain --notifications 120000`, Node 24).
 */
export class UnderWay {
  readonly #all: Cuttable[] = [];
  #waiting: (() => void)[] = [];

  add(cuttable: Cuttable): void {
    cuttable.place = this.#all.push(cuttable) - 1;
  }

  /** To be called when it has ended, and all that follows from it is done. */
  delete(cuttable: Cuttable): void {
    const { place } = cuttable;
    const last = this.#all.at(-1);
    if (place === undefined || this.#all[place] !== cuttable || !last) return;
    this.#all[place] = last;
    last.place = place;
    this.#all.pop();
    if (this.#all.length > 0) return;
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  /** Cuts off what is under way now. */
  abort(): void {
    for (const cuttable of [...this.#all]) cuttable.abort();
  }

  /** Settles when nothing is under way. */
  async ended(): Promise<void> {
    if (this.#all.length > 0) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }
}

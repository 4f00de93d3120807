/** What is under way with the endpoints of a shard. */

/** Something under way that can be cut off. */
export type Running = { readonly done: Promise<void>; readonly exchange: { abort(): void }; place?: number };

/**
 * A set of it, without order. A Set leaves a table behind whenever it makes itself a new one; where that is old enough, V8 keeps for a
 * long time what stands in it, and here that was every request with all that belongs to it.
 */
export class UnderWay {
  readonly #all: Running[] = [];

  add(running: Running): void {
    running.place = this.#all.push(running) - 1;
  }

  delete(running: Running): void {
    const { place } = running;
    const last = this.#all.at(-1);
    if (place === undefined || this.#all[place] !== running || !last) return;
    this.#all[place] = last;
    last.place = place;
    this.#all.pop();
  }

  /** @returns what is under way now */
  all(): Running[] {
    return [...this.#all];
  }
}

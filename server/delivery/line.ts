/** Who waits, first come, first served. An array's own `shift` moves all that stand behind; thousands of endpoints may wait here. */
export class Line<T> {
  readonly #items: (T | undefined)[] = [];
  #first = 0;

  get size(): number {
    return this.#items.length - this.#first;
  }

  add(item: T): void {
    this.#items.push(item);
  }

  /** @returns who has waited longest, and waits no more */
  take(): T | undefined {
    if (this.size === 0) return undefined;
    const item = this.#items[this.#first];
    this.#items[this.#first] = undefined;
    this.#first += 1;
    if (this.#first * 2 > this.#items.length) {
      this.#items.splice(0, this.#first);
      this.#first = 0;
    }
    return item;
  }
}

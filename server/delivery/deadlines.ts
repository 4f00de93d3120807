/** Ends what takes too long. */

/** Something under way that has so long to end. */
export type Expiring = {
  /** By `performance.now()`. */
  readonly startedAt: number;
  /** Called when the time is over. */
  expire(): void;
  earlier?: Expiring | undefined;
  later?: Expiring | undefined;
};

/**
 * What began first has to end first, since all have the same time. So one timer does for thousands that begin and end each second,
 * where a timer for each costs as much as signing does.
 */
export class Deadlines {
  readonly timeoutMs: number;
  #first: Expiring | undefined;
  #last: Expiring | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(timeoutMs: number) {
    this.timeoutMs = timeoutMs;
  }

  /** @param timed which begins now */
  add(timed: Expiring): void {
    timed.earlier = this.#last;
    if (this.#last) this.#last.later = timed;
    else this.#first = timed;
    this.#last = timed;
    this.#timer ??= this.#wait(this.timeoutMs);
  }

  /** To be called once for each, when it has ended in time. */
  delete(timed: Expiring): void {
    const { earlier, later } = timed;
    if (earlier) earlier.later = later;
    else if (this.#first === timed) this.#first = later;
    if (later) later.earlier = earlier;
    else if (this.#last === timed) this.#last = earlier;
    timed.earlier = undefined;
    timed.later = undefined;
  }

  #wait(ms: number): NodeJS.Timeout {
    // What is waited for keeps the process alive by itself.
    return setTimeout(() => this.#expire(), ms).unref();
  }

  #expire(): void {
    const over = performance.now() - this.timeoutMs;
    while (this.#first && this.#first.startedAt <= over) {
      const timed = this.#first;
      this.delete(timed);
      timed.expire();
    }
    this.#timer = this.#first && this.#wait(Math.max(1, Math.ceil(this.#first.startedAt - over)));
  }
}

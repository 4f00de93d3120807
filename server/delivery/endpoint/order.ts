/**
 * What an ordered webhook waits for: the notifications that failed and will be retried. The ones after them wait in the backlog. The tables have
 * the same in `retries`, so the next owner waits for the same. Only endpoint.ts uses this.
 */
import type { NewAttempt } from "../../store/delivery/results.ts";

/** What of an attempt decides whether the next notification may be sent. */
export type OrderedAttempt = Pick<NewAttempt, "sequence" | "trigger" | "errorClass" | "retryInMs">;

export class Order {
  readonly #waiting: Set<number>;
  /** Grows with each change, so that what was read before it is known to be out of date. */
  #mark = 0;
  /** Outcomes that the tables do not have yet. */
  #unrecorded = 0;

  /** @param waiting what the tables have */
  constructor(waiting: readonly number[]) {
    this.#waiting = new Set(waiting);
  }

  /** Whether a notification waits for its retry. */
  get awaitsRetry(): boolean {
    return this.#waiting.size > 0;
  }

  get mark(): number {
    return this.#mark;
  }

  /** A retry was found that was not known to be waited for. */
  awaitRetry(sequence: number): void {
    this.#mark += 1;
    this.#waiting.add(sequence);
  }

  /** Takes the outcomes of an exchange. A failed resend changes nothing. */
  conclude(attempts: readonly OrderedAttempt[]): void {
    this.#mark += 1;
    this.#unrecorded += attempts.length;
    for (const { sequence, trigger, errorClass } of attempts) {
      if (errorClass === null) this.#waiting.delete(sequence);
      else if (trigger === "schedule") this.#waiting.add(sequence);
    }
  }

  /**
   * An attempt is on record, or can never be. One that was the last is passed over only now: otherwise a process that dies could have sent the
   * next one, and its successor this one again.
   *
   * @param attempt undefined if it can never be on record
   */
  settle(sequence: number, attempt: OrderedAttempt | undefined): void {
    this.#mark += 1;
    this.#unrecorded -= 1;
    const isLast = attempt?.errorClass && attempt.trigger === "schedule" && attempt.retryInMs === null;
    if (!attempt || isLast) this.#waiting.delete(sequence);
  }

  /** Whether this retry is next: all that wait before it are ready to be sent, too. */
  isNext(sequence: number, isReady: (sequence: number) => boolean): boolean {
    for (const before of this.#waiting) if (before < sequence && !isReady(before)) return false;
    return true;
  }

  has(sequence: number): boolean {
    return this.#waiting.has(sequence);
  }

  /** Takes over what the tables have, if nothing has happened that they did not have. @param mark when they were read */
  confirm(mark: number, waiting: readonly number[]): void {
    if (mark !== this.#mark || this.#unrecorded > 0) return;
    this.#waiting.clear();
    for (const sequence of waiting) this.#waiting.add(sequence);
  }
}

/**
 * How fast an endpoint may be called: how many exchanges are concurrent, and how long it rests after failures. The limit starts low and grows
 * with each success, so an endpoint that hangs has only a few exchanges. Its owner may limit it further. Only endpoint.ts uses this.
 */
import type { Speed } from "../accounts.ts";

const firstLimit = 2;
const highestLimit = 10;
/** A longer exchange makes the endpoint slow. */
const slowMs = 1_000;
/** From one failure in a row more than this, the endpoint rests after each. The rest doubles each time. */
const failuresBeforeRest = 5;
const shortestRestMs = 100;
const longestRestMs = 5_000;

export class EndpointPace {
  #limit: number;
  /** Failures since the last success. */
  #failures: number;
  /** It has answered quickly at least once. */
  #isProven = false;
  /** The last exchange failed or took long. */
  #isSlow: boolean;
  #restUntil = 0;

  /** @param failing whether it failed the last time, as far as is known */
  constructor(failing: boolean) {
    this.#limit = failing ? 1 : firstLimit;
    this.#failures = failing ? 1 : 0;
    this.#isSlow = failing;
  }

  /** At most this many concurrent exchanges. */
  get limit(): number {
    return this.#limit;
  }

  /** How many notifications to keep in memory, so that the endpoint is never idle. */
  get queueLimit(): number {
    return this.#limit === 1 ? 2 : this.#limit * 10;
  }

  get speed(): Speed {
    return this.#isSlow ? "slow" : this.#isProven ? "quick" : "new";
  }

  /** No exchange begins before then, by `performance.now()`. */
  get restUntil(): number {
    return this.#restUntil;
  }

  get isResting(): boolean {
    return this.#restUntil > 0 && this.#restUntil > performance.now();
  }

  /** Takes the outcome of an exchange. @param now by `performance.now()` */
  adjust(succeeded: boolean, durationMs: number, now: number): void {
    if (succeeded) {
      this.#limit = Math.min(highestLimit, this.#limit + 1);
      this.#failures = 0;
      this.#isSlow = durationMs > slowMs;
      this.#isProven ||= !this.#isSlow;
      this.#restUntil = 0;
      return;
    }
    this.#limit = Math.max(1, Math.floor(this.#limit / 2));
    this.#failures += 1;
    this.#isSlow = true;
    const rests = this.#failures - failuresBeforeRest;
    if (rests > 0) this.#restUntil = now + Math.min(longestRestMs, shortestRestMs * 2 ** Math.min(rests - 1, 10));
  }

  /** Its address has changed: how quickly the old one answered says nothing. */
  forgetProof(): void {
    this.#isProven = false;
  }
}

const windowMs = 1_000;

/** The rate that a webhook's owner has set: in any second so many POSTs begin at most. */
export class OwnRate {
  /** When the last ones began, by `performance.now()`; of a second at most. */
  readonly #begun: number[] = [];
  /** Undefined for no limit. */
  #limit: number | undefined;

  constructor(limit: number | undefined) {
    this.#limit = limit;
  }

  /** Undefined for no limit. */
  get limit(): number | undefined {
    return this.#limit;
  }

  change(limit: number | undefined): void {
    this.#limit = limit;
  }

  /** How long until the next may begin, in ms. @param now by `performance.now()` */
  waitMs(now: number): number {
    if (this.#limit === undefined) return 0;
    this.#forget(now);
    const before = this.#begun.at(-this.#limit);
    return before === undefined ? 0 : before + windowMs - now;
  }

  /** Whether a new one would allow no more. @param now by `performance.now()` */
  isUnused(now: number): boolean {
    this.#forget(now);
    return this.#begun.length === 0;
  }

  /** @param now by `performance.now()` */
  begin(now: number): void {
    if (this.#limit !== undefined) this.#begun.push(now);
  }

  #forget(now: number): void {
    while (this.#begun.length > 0 && (this.#begun[0] ?? 0) <= now - windowMs) this.#begun.shift();
  }
}

/**
 * How fast an endpoint may be called: how many exchanges are concurrent, and how long it rests after failures. The limit starts low and grows
 * with each success, so an endpoint that hangs has only a few exchanges. Only endpoint.ts uses this.
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

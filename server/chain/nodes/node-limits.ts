/** What one node accepts: how much at the same time, how much a second, which methods, and how many blocks' logs. All are learned from its responses. */

/** Limits the concurrent exchanges with a node. */
export type ConcurrencyLimit = {
  /** How many more exchanges may start now. */
  free(): number;
  start(): void;
  /** @param throttled whether the node asked for fewer calls */
  end(throttled: boolean): void;
};

/** One more concurrent exchange after ten that the node did not throttle. */
const concurrencyGrowth = 0.1;

/** @param most the limit at first, and its maximum */
export function limitConcurrency(most: number): ConcurrencyLimit {
  let limit = most;
  let inFlight = 0;
  return {
    free: () => Math.max(0, Math.floor(limit) - inFlight),
    start() {
      inFlight += 1;
    },
    end(throttled) {
      inFlight -= 1;
      limit = throttled ? Math.max(1, limit / 2) : Math.min(most, limit + concurrencyGrowth);
    },
  };
}

/** One more call is tried after so many good exchanges. Where that was too much, after twice as many, and so on. */
const shortestTrial = 40;
const longestTrial = 5_120;

/**
 * How many calls a batch may have. It falls to half of what failed, and no further than to what has worked. So a node that takes three
 * calls is asked for four once in forty exchanges, then once in eighty, at last once in five thousand.
 */
export class BatchLimit {
  readonly #most: number;
  #limit: number;
  /** The largest batch that the node answered, as far as that still holds. */
  #proven = 1;
  #good = 0;
  #trial = shortestTrial;

  /** @param most the limit at first, and its maximum */
  constructor(most: number) {
    this.#most = most;
    this.#limit = most;
  }

  now(): number {
    return this.#limit;
  }

  /** The node answered a batch of this size, or a single call. */
  accepted(size: number): void {
    if (size > this.#proven) {
      this.#proven = size;
      this.#trial = shortestTrial;
    }
    this.#good += 1;
    if (this.#limit === this.#most || this.#good < this.#trial) return;
    this.#limit += 1;
    this.#good = 0;
  }

  /** A batch of this size failed, and a call of it succeeded alone. */
  refused(size: number): void {
    if (size === this.#proven + 1) this.#trial = Math.min(longestTrial, 2 * this.#trial);
    if (size <= this.#proven) this.#proven = 1;
    this.#limit = Math.min(this.#limit, Math.max(this.#proven, Math.floor(size / 2)));
    this.#good = 0;
  }
}

/** Most providers return the logs of so many blocks; what more they allow is found out, up to a bound on what one step passes over. */
const [firstRange, longestRange] = [1_000, 10_000];
/** Twice as many are tried after so many good ranges. Where that was too much, after twice as many, and so on. */
const [shortestRangeTrial, longestRangeTrial] = [8, 1_024];

/**
 * Of how many blocks the logs may be asked for in one call. Providers limit blocks, results, bytes and time, and say so in many ways. So whatever a
 * node refuses is asked for in halves. Until a node refuses, each good range is followed by one of twice the length.
 */
export class LogRange {
  #limit = firstRange;
  #good = 0;
  /** How many good ranges make the next one longer. */
  #trial = 1;
  /** Whether none of this length was good yet. */
  #isTried = false;

  now(): number {
    return this.#limit;
  }

  /** The node returned the logs of so many blocks. */
  accepted(blocks: number): void {
    if (blocks < this.#limit) return;
    if (this.#isTried) this.#trial = Math.min(this.#trial, shortestRangeTrial);
    this.#isTried = false;
    this.#good += 1;
    if (this.#good < this.#trial || this.#limit === longestRange) return;
    this.#limit = Math.min(longestRange, 2 * this.#limit);
    this.#isTried = true;
    this.#good = 0;
  }

  /** The node refused so many blocks. @param tooLate whether it did not answer in time: each further attempt takes as long */
  refused(blocks: number, tooLate: boolean): void {
    this.#limit = Math.max(1, Math.floor(blocks / (tooLate ? 8 : 2)));
    const trial = this.#isTried ? 2 * this.#trial : this.#trial;
    this.#trial = Math.min(longestRangeTrial, Math.max(shortestRangeTrial, trial));
    this.#isTried = false;
    this.#good = 0;
  }
}

/** Of so many lanes it is known how much the node returns to them. */
const mostLanes = 1_000;

/**
 * The ranges of the lanes that ask a node for logs. How much it returns depends on what they look for, and on where: an account that looks for the most
 * frequent event would have all others ask for small ranges.
 */
export class LogRanges {
  readonly #byLane = new Map<number, LogRange>();

  of(lane: number): LogRange {
    const range = this.#byLane.get(lane) ?? new LogRange();
    this.#byLane.delete(lane);
    this.#byLane.set(lane, range);
    for (const oldest of this.#byLane.keys()) if (this.#byLane.size > mostLanes) this.#byLane.delete(oldest);
    return range;
  }
}

/** The rate is what the node answered in so much time. */
const windowMs = 1_000;
/** A node that answers so many calls a second is not limited. */
const unlimitedRate = 1_000;
const slowestRate = 0.1;
/** After a throttled call we go slightly below what the node answered. */
const caution = 0.9;
/** How much a second adds to the rate: half of it while we look for the limit, and a twentieth for ten seconds after we met it. */
const searchGrowth = 0.5;
const heldGrowth = 0.05;
const heldMs = 10_000;
const shortestPauseMs = 100;

/**
 * How fast to call a node that throttles us. Nothing is limited until the node asks for fewer calls. From then on calls go out at the rate
 * at which it answered. After a pause the throttled calls are made again: as long as the node answers some, none of them fails.
 */
export class CallPace {
  readonly #patienceMs: number;
  readonly #now: () => number;
  /** Calls a second. */
  #rate = Number.POSITIVE_INFINITY;
  #nextAt = 0;
  #answers: { at: number; calls: number }[] = [];
  /** Whether the node answered since it was connected or we gave up. */
  #answered = false;
  /** When the node first throttled us since its last answer, and how often since. */
  #throttledSince: number | undefined;
  #pauses = 0;
  #pausedAt = Number.NEGATIVE_INFINITY;
  /** When the node last throttled us at the rate, while it answered some calls. */
  #metAt = Number.NEGATIVE_INFINITY;

  /** @param patienceMs for how long throttled calls wait for any answer of the node @param now a monotonic clock, in ms */
  constructor(patienceMs: number, now: () => number = () => performance.now()) {
    this.#patienceMs = patienceMs;
    this.#now = now;
  }

  /** How many calls may go out together now: none, or as many as the node takes in a second. */
  allowed(): number {
    return this.waitMs() > 0 ? 0 : Math.max(1, Math.floor(this.#rate));
  }

  /** How long until calls may go out. */
  waitMs(): number {
    return Math.max(0, this.#nextAt - this.#now());
  }

  sent(calls: number): void {
    this.#nextAt = Math.max(this.#now(), this.#nextAt) + (calls / this.#rate) * 1_000;
  }

  /** The node answered: with results, or with errors that do not ask for fewer calls. */
  answered(calls: number): void {
    const at = this.#now();
    this.#answers.push({ at, calls });
    this.#forget();
    this.#answered = true;
    this.#throttledSince = undefined;
    this.#pauses = 0;
    this.#rate += calls * (at - this.#metAt < heldMs ? heldGrowth : searchGrowth);
    if (this.#rate >= unlimitedRate) this.#rate = Number.POSITIVE_INFINITY;
  }

  /**
   * The node throttled calls.
   *
   * @param refusal.alone whether a single call was sent
   * @param refusal.sentAt when they were sent, by the same clock
   * @returns "give up" if the node is not expected to answer soon
   */
  throttled(refusal: {
    calls: number;
    alone: boolean;
    sentAt: number;
    retryAfterMs: number | undefined;
  }): "wait" | "give up" {
    const { calls, alone, sentAt, retryAfterMs } = refusal;
    const at = this.#now();
    // What was in flight when the pause began says nothing new.
    const isKnown = sentAt < this.#pausedAt;
    if (isKnown && retryAfterMs === undefined) return "wait";
    if (!isKnown) this.#slowDown(at);
    this.#throttledSince ??= at;
    const pauseMs = retryAfterMs ?? this.#pauseMs(calls);
    const isHopeless = alone && !this.#answered;
    if (isHopeless || at + pauseMs > this.#throttledSince + this.#patienceMs) {
      this.#answered = false;
      this.#throttledSince = undefined;
      this.#pauses = 0;
      return "give up";
    }
    if (!isKnown) this.#pauses += 1;
    this.#pausedAt = at;
    this.#nextAt = Math.max(this.#nextAt, at + pauseMs);
    return "wait";
  }

  #slowDown(at: number): void {
    const isPaced = Number.isFinite(this.#rate);
    const answered = caution * this.#measured();
    this.#rate = isPaced
      ? Math.max(slowestRate, Math.min(caution * this.#rate, Math.max(answered, this.#rate / 2)))
      : Math.max(1, answered);
    if (isPaced && answered > 0) this.#metAt = at;
  }

  /** Short if the node still answers some calls; twice as long each time it answers none. */
  #pauseMs(calls: number): number {
    const answersSome = this.#pauses === 0 && this.#measured() > 0;
    if (answersSome) return Math.min(windowMs, Math.max(shortestPauseMs, (calls / this.#rate) * 1_000));
    return windowMs * 2 ** this.#pauses;
  }

  /** How many calls the node answered in the last second. */
  #measured(): number {
    this.#forget();
    return this.#answers.reduce((sum, { calls }) => sum + calls, 0);
  }

  #forget(): void {
    const since = this.#now() - windowMs;
    const kept = this.#answers.findIndex(({ at }) => at > since);
    this.#answers.splice(0, kept < 0 ? this.#answers.length : kept);
  }
}

/**
 * The methods that a node does not know. One of several nodes behind an address may lack what the others know, so a single answer is not
 * believed: the node must refuse three times in a row, and must not have known the method for a while. We also remember it for a while
 * only, since a node may learn a method with its next version.
 */
export class RefusedMethods {
  readonly #now: () => number;
  readonly #states = new Map<string, { refusals: number; until: number; knownAt: number }>();

  /** @param now a monotonic clock, in ms */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Whether not to try the method now. */
  has(method: string): boolean {
    return this.#of(method).until > this.#now();
  }

  /** The node said that it does not know the method. */
  refused(method: string): void {
    const state = this.#of(method);
    const wasKnown = this.#now() - state.knownAt < refusedForMs;
    const refusals = state.refusals + 1;
    const until = refusals >= believedRefusals && !wasKnown ? this.#now() + refusedForMs : state.until;
    this.#states.set(method, { ...state, refusals, until });
  }

  /** The node knows the method. */
  known(method: string): void {
    this.#states.set(method, { refusals: 0, until: Number.NEGATIVE_INFINITY, knownAt: this.#now() });
  }

  #of(method: string) {
    const never = Number.NEGATIVE_INFINITY;
    return this.#states.get(method) ?? { refusals: 0, until: never, knownAt: never };
  }
}

/** How often in a row a node must refuse a method. */
export const believedRefusals = 3;
/** Working around a method can cost a call for each transaction of a block. Trying it again costs one call. */
export const refusedForMs = 300_000;

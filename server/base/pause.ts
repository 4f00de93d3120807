/** Waits that end early on a wake-up or a result. */

/** A wait that a wake-up ends. A wake-up just before the wait counts, so that none is missed. */
export type Pause = {
  /** Settles after the given time in ms, or at the next wake-up, or immediately if one came since the last wait. */
  wait(ms: number): Promise<void>;
  wake(): void;
};

/** @param signal ends every wait from then on */
export function createPause(signal?: AbortSignal): Pause {
  let woken = false;
  let end = () => {};
  signal?.addEventListener("abort", () => end(), { once: true });
  return {
    async wait(ms) {
      if (!woken && !signal?.aborted) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms);
          end = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      woken = false;
    },
    wake() {
      woken = true;
      end();
    },
  };
}

/**
 * How long to wait for the next tick of a clock that all who wait for this period share, in ms. So an idle process wakes once for all of them,
 * and they can share what one of them reads.
 */
export function untilTick(periodMs: number): number {
  // A timer may fire a millisecond early.
  return Math.ceil(periodMs - (performance.now() % periodMs)) + 1;
}

/** Settles as `work` does, but after the given time in ms at the latest. Its later result is ignored. */
export async function atMost(ms: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const impatience = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work, impatience]).finally(() => clearTimeout(timer));
}

/**
 * Work that goes first, and other work that leaves it the machine meanwhile. It waits for at most a while, so what goes first may hang, or never
 * pause: the other work then goes on slowly.
 */
export class Precedence {
  #underWay = 0;
  readonly #waiting = new Set<() => void>();
  readonly #longestWaitMs: number;

  constructor(longestWaitMs = 250) {
    this.#longestWaitMs = longestWaitMs;
  }

  /** Does what goes first. */
  async first<T>(work: () => Promise<T>): Promise<T> {
    this.#underWay += 1;
    try {
      return await work();
    } finally {
      this.#underWay -= 1;
      if (this.#underWay === 0) for (const goOn of this.#waiting) goOn();
    }
  }

  /** Settles once all work that goes first is done. Other work waits for it before it begins. */
  async free(): Promise<void> {
    if (this.#underWay === 0) return;
    let goOn = () => {};
    const isFree = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    this.#waiting.add(goOn);
    await atMost(this.#longestWaitMs, isFree);
    this.#waiting.delete(goOn);
  }
}

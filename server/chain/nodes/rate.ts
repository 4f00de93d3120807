/** How much a node is asked for at once: half as much when it asks for less, and slowly more while it bears that. */

/** What is allowed, a whole number from 1 on. */
export type Allowance = {
  now(): number;
  /** Half of what is allowed, or of what was too much. */
  halve(tooMuch?: number): void;
  grow(): void;
};

/** @param most what is allowed at most, and at first @param growth what it grows by each time */
export function allowance(most: number, growth: number): Allowance {
  let allowed = most;
  return {
    now: () => Math.floor(allowed),
    halve(tooMuch = allowed) {
      allowed = Math.max(1, tooMuch / 2);
    },
    grow() {
      allowed = Math.min(most, allowed + growth);
    },
  };
}

/** Decides how many exchanges there are at once. */
export type Rate = {
  /** How many more may begin now. */
  free(): number;
  begin(): void;
  /** @param throttled whether the node asked for fewer */
  end(throttled: boolean): void;
};

/** One more after ten exchanges that the node bore. */
const growth = 0.1;

/** @param most how many at once at most, and at first */
export function adaptiveRate(most: number): Rate {
  const allowed = allowance(most, growth);
  let underWay = 0;
  return {
    free: () => Math.max(0, allowed.now() - underWay),
    begin() {
      underWay += 1;
    },
    end(throttled) {
      underWay -= 1;
      if (throttled) allowed.halve();
      else allowed.grow();
    },
  };
}

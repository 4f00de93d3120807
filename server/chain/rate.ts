/** How many exchanges a node gets at once: half as many when it asks for fewer, and slowly more while it bears them. */

/** Decides how many. */
export type Rate = {
  /** How many more may begin now. */
  free(): number;
  begin(): void;
  /** @param throttled whether the node asked for fewer */
  end(throttled: boolean): void;
};

/** What the allowance grows by with each exchange that the node bore: by one after ten. */
const growth = 0.1;

/** @param most how many at once at most, and at first */
export function adaptiveRate(most: number): Rate {
  let allowed = most;
  let underWay = 0;
  return {
    free: () => Math.max(0, Math.floor(allowed) - underWay),
    begin() {
      underWay += 1;
    },
    end(throttled) {
      underWay -= 1;
      allowed = throttled ? Math.max(1, allowed / 2) : Math.min(most, allowed + growth);
    },
  };
}

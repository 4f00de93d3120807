/** Requests that the mock makes fail on purpose. */
import { setTimeout as pause } from "node:timers/promises";
import type { LocatedOperation } from "../../../../server/contract/contract.ts";
import type { FailOptions } from "../types.ts";

/** What happens to the next requests, and to how many. */
export type Fault = FailOptions & { count: number };

export type Faults = {
  add(fault: Fault): void;
  list(): Fault[];
  /**
   * Counts a request that is valid, unless its client repeats it by itself.
   *
   * @param isRepeated whether its client sends it again when its connection is cut
   * @returns what happens to it
   */
  take(operation: LocatedOperation, isRepeated: boolean): Fault | undefined;
  /** Delays an answer. @param gone aborted when its client does not wait any longer */
  delay(fault: Fault, gone: AbortSignal): Promise<void>;
  /** Forgets all of them. Answers that are delayed follow now. */
  reset(): void;
};

export function createFaults(): Faults {
  let faults: Fault[] = [];
  let delays = new AbortController();
  return {
    add: (fault) => void faults.push({ ...fault }),
    list: () => faults.map((fault) => ({ ...fault })),
    take({ operationId, responses = {} }, isRepeated) {
      const fault = faults.find(
        (one) =>
          (one.operationId ?? operationId) === operationId &&
          (one.status === undefined || String(one.status) in responses),
      );
      if (!fault || (fault.reset && isRepeated)) return fault;
      fault.count -= 1;
      faults = faults.filter(({ count }) => count > 0);
      return fault;
    },
    async delay({ delayMs = 0 }, gone) {
      const signal = AbortSignal.any([gone, delays.signal]);
      if (delayMs > 0) await pause(delayMs, undefined, { signal }).catch(() => undefined);
    },
    reset() {
      faults = [];
      delays.abort();
      delays = new AbortController();
    },
  };
}

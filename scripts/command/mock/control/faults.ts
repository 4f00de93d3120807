/** Requests that the mock makes fail on purpose. */
import { setTimeout as pause } from "node:timers/promises";
import type { Response } from "express";
import type { LocatedOperation } from "../../../../server/contract/contract.ts";
import type { FailOptions } from "../types.ts";

/** What happens to the next requests, and to how many. */
export type Fault = FailOptions & { count: number };

export type Faults = {
  add(fault: Fault): void;
  list(): Fault[];
  /** Counts a request that is valid. @returns what happens to it */
  take(operation: LocatedOperation): Fault | undefined;
  reset(): void;
};

export function createFaults(): Faults {
  let faults: Fault[] = [];
  return {
    add: (fault) => void faults.push({ ...fault }),
    list: () => faults.map((fault) => ({ ...fault })),
    take({ operationId, responses = {} }) {
      const fault = faults.find(
        (one) =>
          (one.operationId ?? operationId) === operationId &&
          (one.status === undefined || String(one.status) in responses),
      );
      if (!fault) return undefined;
      fault.count -= 1;
      faults = faults.filter(({ count }) => count > 0);
      return fault;
    },
    reset() {
      faults = [];
    },
  };
}

/** Delays an answer, or cuts its connection. @returns whether it is still to be sent */
export async function undergo({ delayMs = 0, reset = false }: Fault, response: Response): Promise<boolean> {
  const gone = new AbortController();
  response.once("close", () => gone.abort());
  if (delayMs > 0) await pause(delayMs, undefined, { signal: gone.signal }).catch(() => undefined);
  if (reset) response.socket?.resetAndDestroy();
  return response.socket?.destroyed === false;
}

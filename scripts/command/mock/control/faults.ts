/** Requests that the mock makes fail on purpose. */
import { setTimeout as pause } from "node:timers/promises";
import type { Request, Response } from "express";
import type { LocatedOperation } from "../../../../server/contract/contract.ts";
import type { FailOptions } from "../types.ts";

/** What happens to the next requests, and to how many. */
export type Fault = FailOptions & { count: number };

export type Faults = {
  add(fault: Fault): void;
  list(): Fault[];
  /** Counts a request that is valid, unless its client repeats it by itself. @returns what happens to it */
  take(operation: LocatedOperation, request: Request): Fault | undefined;
  /** Delays an answer, or cuts its connection. @returns whether it is still to be sent */
  undergo(fault: Fault, response: Response): Promise<boolean>;
  /** Forgets all of them. Answers that are delayed follow now. */
  reset(): void;
};

/**
 * Whether the client sends the request again when its connection is cut. Chromium and Firefox do so without the page's knowledge, and
 * whatever the method, if the connection was used before. The request then comes once more over a new one.
 */
function isRepeated({ headers, socket }: Request): boolean {
  return headers["sec-fetch-site"] !== undefined && socket.bytesWritten > 0;
}

export function createFaults(): Faults {
  let faults: Fault[] = [];
  let delays = new AbortController();
  return {
    add: (fault) => void faults.push({ ...fault }),
    list: () => faults.map((fault) => ({ ...fault })),
    take({ operationId, responses = {} }, request) {
      const fault = faults.find(
        (one) =>
          (one.operationId ?? operationId) === operationId &&
          (one.status === undefined || String(one.status) in responses),
      );
      if (!fault || (fault.reset && isRepeated(request))) return fault;
      fault.count -= 1;
      faults = faults.filter(({ count }) => count > 0);
      return fault;
    },
    async undergo({ delayMs = 0, reset = false }, response) {
      const gone = new AbortController();
      response.once("close", () => gone.abort());
      const signal = AbortSignal.any([gone.signal, delays.signal]);
      if (delayMs > 0) await pause(delayMs, undefined, { signal }).catch(() => undefined);
      if (reset) response.socket?.resetAndDestroy();
      return response.socket?.destroyed === false;
    },
    reset() {
      faults = [];
      delays.abort();
      delays = new AbortController();
    },
  };
}

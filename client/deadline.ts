/** Time limits and the caller's signal, both of which end a call immediately, even if a custom fetch ignores them. */

import { WebhooksError } from "./errors.ts";
import type { OperationName } from "./types.ts";

/** Why a wait was ended early. */
export class Interrupted {
  readonly by: "timeout" | "aborted";
  /** The reason of the caller's signal; undefined for a time-out. */
  readonly reason: unknown;

  constructor(by: "timeout" | "aborted", reason: unknown) {
    this.by = by;
    this.reason = reason;
  }
}

/**
 * Runs `work` until `timeoutMs` or the caller's signal, and passes it a signal that aborts at either.
 * @throws Interrupted at either, or whatever `work` throws before.
 */
export function withDeadline<T>(
  timeoutMs: number,
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const controller = new AbortController();
    const interrupt = (why: Interrupted) => {
      settle();
      reject(why);
      controller.abort();
    };
    const onAbort = () => interrupt(new Interrupted("aborted", signal?.reason));
    const timer = setTimeout(() => interrupt(new Interrupted("timeout", undefined)), timeoutMs);
    const settle = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
    };
    if (signal?.aborted) {
      onAbort();
    } else {
      signal?.addEventListener("abort", onAbort, { once: true });
      work(controller.signal).then(resolve, reject).finally(settle);
    }
  });
}

/** Waits before a retry of an operation. @throws WebhooksError `aborted` when the caller's signal ends the wait. */
export async function backOff(
  operation: OperationName,
  delayMs: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  try {
    await withDeadline(delayMs, signal, () => new Promise<never>(() => {}));
  } catch (why) {
    if (why instanceof Interrupted && why.by === "aborted") throw interruption(operation, why, delayMs);
  }
}

/** The error of a call that its time limit or the caller ended. */
export function interruption(operation: OperationName, why: Interrupted, timeoutMs: number): WebhooksError {
  return why.by === "timeout"
    ? new WebhooksError(`${operation} failed: no whole answer came within ${timeoutMs} ms.`, {
        code: "timeout",
        operation,
      })
    : new WebhooksError(`${operation} was aborted by the caller.`, { code: "aborted", operation, cause: why.reason });
}

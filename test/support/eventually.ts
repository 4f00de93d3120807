/** Waiting for a condition, instead of for a time. */
import { vi } from "vitest";
import { patienceMs } from "./patience.ts";

/**
 * Tries until it does not throw. Looking every 20 ms cost more processor than what was waited for.
 *
 * @returns what it returns then
 * @throws what it threw last, after minutes
 */
export function eventually<T>(attempt: () => Promise<T> | T): Promise<T> {
  return vi.waitFor(attempt, { timeout: patienceMs, interval: 50 });
}

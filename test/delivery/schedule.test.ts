/** The schedule of attempts, without waiting for it. */
import { expect, test } from "vitest";
import { attemptLimit, pauseAfter } from "../../server/delivery/schedule.ts";

const minute = 60_000;
const hour = 60 * minute;

test("there are ten attempts, with the documented pauses between them", () => {
  const pauses = Array.from({ length: attemptLimit }, (_, index) => pauseAfter(index + 1, undefined, 0.5));
  expect(attemptLimit).toBe(10);
  expect(pauses).toEqual([
    10_000,
    minute,
    5 * minute,
    10 * minute,
    30 * minute,
    2 * hour,
    6 * hour,
    12 * hour,
    24 * hour,
    undefined,
  ]);
});

test("each pause is spread by ten percent", () => {
  expect(pauseAfter(1, undefined, 0)).toBe(9_000);
  expect(pauseAfter(1, undefined, 1 - Number.EPSILON)).toBeCloseTo(11_000);
});

test("Retry-After lengthens a pause, up to twice the step, and never shortens it", () => {
  expect(pauseAfter(2, 90_000, 0.5)).toBe(90_000);
  expect(pauseAfter(2, 10 * minute, 0.5)).toBe(2 * minute);
  expect(pauseAfter(2, 1_000, 0.5)).toBe(minute);
  expect(pauseAfter(10, 1_000, 0.5)).toBeUndefined();
});

/** The schedule of attempts, without waiting for it. */
import { expect, test } from "vitest";
import { pauseAfter } from "../../server/delivery/send/attempt.ts";
import { defaultPeriods } from "../../server/settings/periods.ts";

const minute = 60_000;
const hour = 60 * minute;
const pausesMs = defaultPeriods.retryPausesMs;

test("there are ten attempts by default, with the documented pauses between them", () => {
  const pauses = Array.from({ length: 10 }, (_, index) => pauseAfter(index + 1, { pausesMs, random: 0.5 }));
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
  expect(pauseAfter(1, { pausesMs, random: 0 })).toBe(9_000);
  expect(pauseAfter(1, { pausesMs, random: 1 - Number.EPSILON })).toBeCloseTo(11_000);
});

test("Retry-After lengthens a pause, up to twice the step, and never shortens it", () => {
  const pauseFor = (number: number, retryAfterMs: number) =>
    pauseAfter(number, { pausesMs, retryAfterMs, random: 0.5 });
  expect(pauseFor(2, 90_000)).toBe(90_000);
  expect(pauseFor(2, 10 * minute)).toBe(2 * minute);
  expect(pauseFor(2, 1_000)).toBe(minute);
  expect(pauseFor(10, 1_000)).toBeUndefined();
});

test("a notification that is further on than a schedule which was shortened meanwhile has had its last attempt", () => {
  expect(pauseAfter(3, { pausesMs: [1_000, 2_000], random: 0.5 })).toBeUndefined();
  expect(pauseAfter(7, { pausesMs: [1_000, 2_000], random: 0.5 })).toBeUndefined();
});

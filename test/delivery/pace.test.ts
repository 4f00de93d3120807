/** How fast an endpoint may be called. */
import { expect, test } from "vitest";
import { adjustPace, openPace, queueLimit } from "../../server/delivery/pace.ts";

const after = (outcomes: boolean[], pace = openPace(false)) => {
  for (const succeeded of outcomes) adjustPace(pace, succeeded, 10, 1_000);
  return pace;
};

test("the limit starts low, grows with every success up to ten, and halves with every failure", () => {
  expect(after([]).limit).toBe(2);
  expect(after(Array(20).fill(true)).limit).toBe(10);
  expect(after([...Array(20).fill(true), false]).limit).toBe(5);
  expect(after(Array(20).fill(false)).limit).toBe(1);
});

test("after five failures in a row the endpoint rests, twice as long each time; one success ends that", () => {
  const rest = (failures: number) => after(Array(failures).fill(false)).restUntil;
  expect([1, 5, 6, 7, 8].map(rest)).toEqual([0, 0, 1_100, 1_200, 1_400]);
  expect(rest(100)).toBe(6_000);
  expect(after([true], after(Array(50).fill(false)))).toMatchObject({ restUntil: 0, failures: 0, slow: false });
});

test("an endpoint that fails or takes long is slow until the next quick success", () => {
  const pace = openPace(false);
  adjustPace(pace, true, 1_001, 0);
  expect(pace.slow).toBe(true);
  adjustPace(pace, true, 1_000, 0);
  expect(pace.slow).toBe(false);
  adjustPace(pace, false, 1, 0);
  expect(pace.slow).toBe(true);
  expect(openPace(true)).toMatchObject({ slow: true, limit: 1 });
});

test("memory holds enough to keep the endpoint busy", () => {
  expect([1, 2, 10].map((limit) => queueLimit({ ...openPace(false), limit }))).toEqual([2, 20, 100]);
});

/** How much an endpoint is trusted with. */
import { expect, test } from "vitest";
import { noteEnd, openPace, roomFor } from "../../server/delivery/pace.ts";

const ends = (outcomes: boolean[], pace = openPace(false)) => {
  for (const succeeded of outcomes) noteEnd(pace, succeeded, 10, 1_000);
  return pace;
};

test("it begins low, grows with every success up to ten at once, and halves with every failure", () => {
  expect(ends([]).limit).toBe(2);
  expect(ends(Array(20).fill(true)).limit).toBe(10);
  expect(ends([...Array(20).fill(true), false]).limit).toBe(5);
  expect(ends(Array(20).fill(false)).limit).toBe(1);
});

test("after five failures in a row it is left alone for a while that doubles; one success ends that", () => {
  const rest = (failures: number) => ends(Array(failures).fill(false)).restUntil;
  expect([1, 5, 6, 7, 8].map(rest)).toEqual([0, 0, 1_100, 1_200, 1_400]);
  expect(rest(100)).toBe(6_000);
  expect(ends([true], ends(Array(50).fill(false)))).toMatchObject({ restUntil: 0, failures: 0, slow: false });
});

test("who fails or takes long is slow until the next quick success", () => {
  const pace = openPace(false);
  noteEnd(pace, true, 1_001, 0);
  expect(pace.slow).toBe(true);
  noteEnd(pace, true, 1_000, 0);
  expect(pace.slow).toBe(false);
  noteEnd(pace, false, 1, 0);
  expect(pace.slow).toBe(true);
  expect(openPace(true)).toMatchObject({ slow: true, limit: 1 });
});

test("memory is kept for what it can take", () => {
  expect([1, 2, 10].map((limit) => roomFor({ ...openPace(false), limit }))).toEqual([2, 20, 100]);
});

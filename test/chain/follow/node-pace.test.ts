/** Questions share what a node allows with following, and give way. */
import { expect, test } from "vitest";
import { NodePace } from "../../../server/chain/sources/node-pool.ts";

let now = 0;
const minute = 60_000;

/** Asks as often as it may for a time. @returns when each began, in seconds */
function ask(pace: NodePace, forMs: number, { lastsMs, isThrottled }: { lastsMs: number; isThrottled: boolean }) {
  const began: number[] = [];
  for (const until = now + forMs; now < until; now += 100) {
    if (!pace.mayStart()) continue;
    began.push(now / 1_000);
    pace.started();
    if (isThrottled) pace.throttled();
    now += lastsMs;
    pace.ended();
  }
  return began;
}

test("while a node throttles, one question at a time comes every eight seconds", () => {
  const pace = new NodePace(() => now);
  expect(ask(pace, 1_000, { lastsMs: 100, isThrottled: false })).toHaveLength(5);
  const began = ask(pace, minute, { lastsMs: 900, isThrottled: true });
  for (const [index, at] of began.slice(1).entries()) expect(at - (began[index] ?? 0)).toBeGreaterThan(8);
  expect(began.length).toBeGreaterThan(5);
});

test("one that is in flight keeps others of the same chain from starting", () => {
  const pace = new NodePace(() => now);
  pace.started();
  expect(pace.mayStart()).toBe(true);
  pace.throttled();
  now += 8_000;
  expect(pace.mayStart()).toBe(false);
  pace.ended();
  expect(pace.mayStart()).toBe(false);
  now += 8_000;
  expect(pace.mayStart()).toBe(true);
});

test("the pauses get shorter each minute, and after four there are none", () => {
  const pace = new NodePace(() => now);
  pace.started();
  pace.throttled();
  pace.ended();
  const counts = Array.from({ length: 5 }, () => ask(pace, minute, { lastsMs: 0, isThrottled: false }).length);
  const [first = 0, second = 0, third = 0, fourth = 0, free = 0] = counts;
  expect(first).toBeLessThan(9);
  expect(second).toBeGreaterThan(1.5 * first);
  expect(third).toBeGreaterThan(1.5 * second);
  expect(fourth).toBeGreaterThan(1.5 * third);
  expect(free).toBe(600);
  expect(pace.isSlow()).toBe(false);
});

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

test("while a node throttles, one question at a time comes every eight seconds in the end", () => {
  const pace = new NodePace(() => now);
  expect(ask(pace, 1_000, { lastsMs: 100, isThrottled: false })).toHaveLength(5);
  ask(pace, minute, { lastsMs: 900, isThrottled: true });
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

test("a node that refuses many calls of one piece of work has asked once", () => {
  const begun = [1, 40].map((refusals) => {
    const pace = new NodePace(() => now);
    pace.started();
    for (let refusal = 0; refusal < refusals; refusal += 1) pace.throttled();
    now += 500;
    pace.ended();
    return ask(pace, 10_000, { lastsMs: 500, isThrottled: false }).length;
  });
  expect(begun[0]).toBe(begun[1]);
});

test("one refusal costs half a minute, not minutes", () => {
  const pace = new NodePace(() => now);
  const usual = ask(pace, minute, { lastsMs: 400, isThrottled: false }).length;
  pace.started();
  pace.throttled();
  now += 400;
  pace.ended();
  expect(pace.isSlow()).toBe(true);
  expect(ask(pace, minute, { lastsMs: 400, isThrottled: false }).length).toBeGreaterThan(usual / 2);
  expect(pace.isSlow()).toBe(false);
});

/** A node that takes some calls in each second, and refuses the others. */
function strictNode(callsPerSecond: number) {
  let [second, taken] = [0, 0];
  return (calls: number) => {
    const current = Math.floor(now / 1_000);
    if (current !== second) [second, taken] = [current, 0];
    const room = Math.max(0, callsPerSecond - taken);
    taken += Math.min(room, calls);
    return Math.max(0, calls - room);
  };
}

test.each([
  [8, 3],
  [60, 30],
  [300, 30],
])(
  "of %i calls a second that a node allows, work of %i calls takes a good part, and following is rarely refused",
  (allowed, callsOfWork) => {
    const pace = new NodePace(() => now);
    const refusals = strictNode(allowed);
    let [done, refused, nextBlock] = [0, 0, now];
    for (const until = now + 10 * minute; now < until; now += 20) {
      for (; nextBlock <= now; nextBlock += 500) refused += refusals(1);
      if (!pace.mayStart()) continue;
      pace.started();
      for (let calls = callsOfWork; calls > 0; calls -= 10) {
        const over = refusals(Math.min(10, calls));
        if (over > 0) pace.throttled();
        done += Math.min(10, calls) - over;
        now += 50;
      }
      pace.ended();
    }
    expect(done / 600).toBeGreaterThan(allowed / 4);
    expect(refused / 1_200).toBeLessThan(0.05);
  },
);

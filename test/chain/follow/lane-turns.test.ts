/** Each lane gets on, whatever holds up the others, and the one furthest back is not passed over for it. */
import { expect, test } from "vitest";
import { createLaneTurns } from "../../../server/chain/follow/lanes.ts";
import type { Lane } from "../../../server/store/chains/lanes.ts";

const head = 200;
type Place = { lane: number; at: number; stuck?: boolean; account?: number };

/** Lanes at some blocks, each turn of which is one block; those that meet become one. @returns the numbers of those that moved */
function run(places: Place[], turns: number, between: (turn: number) => void = () => {}): number[] {
  const { next, taken } = createLaneTurns();
  const moved: number[] = [];
  for (let turn = 0; turn < turns; turn += 1) {
    between(turn);
    places.sort((a, b) => a.at - b.at);
    const lane = next(places.map(laneOf));
    const place = places.find((place) => place.lane === lane?.lane);
    if (!lane || !place) continue;
    taken(lane);
    if (place.stuck) continue;
    moved.push(place.lane);
    place.at += 1;
    const met = places.findIndex((other) => other !== place && other.at === place.at);
    if (place.at === head) places.splice(places.indexOf(place), 1);
    else if (met >= 0) places.splice(met, 1);
  }
  return moved;
}

const laneOf = ({ lane, at, account }: Place): Lane => ({
  ...(account !== undefined && { isHistory: true, historyAccount: account }),
  ...{
    chainId: "1",
    lane,
    traces: true,
    catchesUp: true,
    isApart: false,
    isOwing: false,
    isLeaving: false,
    untended: false,
  },
  cursor: { number: at, hash: `0x${at}` },
});

test("a lane between a stopped one and one at the head advances", () => {
  const places: Place[] = [
    { lane: 1, at: 10, stuck: true },
    { lane: 2, at: 50 },
    { lane: 3, at: head - 1, stuck: true },
  ];
  const moved = run(places, 60);
  expect(moved.filter((lane) => lane === 2).length).toBeGreaterThanOrEqual(18);
});

test("a lane advances while others start behind and ahead of it at each turn", () => {
  const victim: Place = { lane: 0, at: 100 };
  const places = [victim];
  let made = 0;
  run(places, 200, (turn) => {
    if (turn % 2 !== 0 || places.length >= 9) return;
    made += 1;
    places.push({ lane: made, at: turn % 4 === 0 ? 10 : head - 2 });
  });
  expect(victim.at).toBeGreaterThanOrEqual(115);
});

test("an account's many histories leave every other account's one its turns", () => {
  const places: Place[] = [
    ...Array.from({ length: 16 }, (_, index) => ({ lane: index, at: 2 * index, account: 1 })),
    { lane: 20, at: 100, account: 2 },
    { lane: 21, at: 120, account: 3 },
  ];
  const moved = run(places, 60);
  for (const lane of [20, 21]) expect(moved.filter((other) => other === lane).length).toBeGreaterThanOrEqual(14);
});

test("an account's histories meet: blocks are read less than twice for all of them", () => {
  const places = Array.from({ length: 8 }, (_, index) => ({ lane: index, at: 10 * index, account: 1 }));
  expect(run(places, 1_000).length).toBeLessThanOrEqual(2 * head);
});

test("an account's short history does not wait for its long one", () => {
  const short = { lane: 2, at: head - 10, account: 1 };
  run([{ lane: 1, at: 0, account: 1 }, short], 60);
  expect(short.at).toBe(head);
});

test("where all get on, no block is read twice", () => {
  const places = Array.from({ length: 10 }, (_, index) => ({ lane: index, at: 10 * index }));
  const moved = run(places, 1_000);
  // 200 blocks, and what those before the last one went on meanwhile.
  expect(moved.length).toBeLessThanOrEqual(2 * head);
});

test("a lane keeps its turn until it takes a step", () => {
  const { next, taken } = createLaneTurns();
  const lanes = [laneOf({ lane: 1, at: 1 }), laneOf({ lane: 2, at: 2 })];
  const [first, second] = [next(lanes), next(lanes)];
  expect(second).toBe(first);
  if (first) taken(first);
  expect(next(lanes)).not.toBe(first);
});

/** How fast an endpoint may be called. */
import { expect, test } from "vitest";
import { EndpointPace, OwnRate } from "../../server/delivery/endpoint/pace.ts";

const after = (outcomes: boolean[], pace = new EndpointPace(false)) => {
  for (const succeeded of outcomes) pace.adjust(succeeded, 10, 1_000);
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
  const recovered = after([true], after(Array(50).fill(false)));
  expect([recovered.restUntil, recovered.speed]).toEqual([0, "quick"]);
  expect([after(Array(5).fill(false), recovered).restUntil, after([false], recovered).restUntil]).toEqual([0, 1_100]);
});

test("an endpoint that fails or takes long is slow until the next quick success", () => {
  const pace = new EndpointPace(false);
  pace.adjust(true, 1_001, 0);
  expect(pace.speed).toBe("slow");
  pace.adjust(true, 1_000, 0);
  expect(pace.speed).toBe("quick");
  pace.adjust(false, 1, 0);
  expect(pace.speed).toBe("slow");
  const failing = new EndpointPace(true);
  expect([failing.speed, failing.limit]).toEqual(["slow", 1]);
});

test("an endpoint is new until it has answered quickly, and again with a new address", () => {
  const pace = new EndpointPace(false);
  expect(pace.speed).toBe("new");
  pace.adjust(true, 10, 0);
  expect(pace.speed).toBe("quick");
  pace.forgetProof();
  expect(pace.speed).toBe("new");
});

test("memory has enough to keep the endpoint busy", () => {
  const limits = [after([false]), after([]), after(Array(8).fill(true))].map(({ limit, queueLimit }) => [
    limit,
    queueLimit,
  ]);
  expect(limits).toEqual([
    [1, 2],
    [2, 20],
    [10, 100],
  ]);
});

test("a webhook's own rate holds in any second, wherever that second begins", () => {
  const rate = new OwnRate(3);
  const begunAt: number[] = [];
  for (let now = 0; now < 3_000; now += 100)
    if (rate.waitMs(now) <= 0) {
      rate.begin(now);
      begunAt.push(now);
    }
  expect(begunAt).toEqual([0, 100, 200, 1_000, 1_100, 1_200, 2_000, 2_100, 2_200]);
  expect(rate.waitMs(2_250)).toBe(750);
});

test("a rate that is changed counts what was begun before, and one that is taken away holds nothing up", () => {
  const rate = new OwnRate(5);
  for (let begun = 0; begun < 4; begun += 1) rate.begin(100);
  expect(rate.waitMs(200)).toBe(0);
  rate.change(2);
  expect(rate.waitMs(200)).toBe(900);
  rate.change(undefined);
  expect(rate.waitMs(200)).toBe(0);
});

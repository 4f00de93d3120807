/** How fast an endpoint may be called. */
import { expect, test } from "vitest";
import { EndpointPace } from "../../server/delivery/endpoint/pace.ts";

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

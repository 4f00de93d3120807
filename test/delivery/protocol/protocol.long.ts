/** The same with more notifications and shards, as far as that can be looked through in a minute or two. */
import { expect, test } from "vitest";
import { explore } from "./explore.ts";
import { allRules } from "./model.ts";

const size = { processes: 2, attemptLimit: 1, networkLimit: 1 };

test("two notifications of one shard: nothing is wrong in any state, and from every one all can be settled", () => {
  const { fault, stuck } = explore({ ...size, shardOf: [0, 0] }, allRules);
  expect({ fault, stuck }).toEqual({ fault: undefined, stuck: 0 });
});

test("two shards: nothing is wrong in the first 50,000 states, which are those of the shortest ways", () => {
  const { fault, states } = explore({ ...size, shardOf: [0, 1] }, allRules, 50_000);
  expect(fault).toBeUndefined();
  expect(states).toBeGreaterThan(50_000);
});

test("an ordered webhook with retries: nothing is wrong in the first 100,000 states", () => {
  const { fault, states } = explore({ ...size, shardOf: [0, 0], attemptLimit: 2, isOrdered: true }, allRules, 100_000);
  expect(fault).toBeUndefined();
  expect(states).toBeGreaterThan(100_000);
});

/** The protocol of leases and results, looked through whole: nothing is lost in any order of events, and no rule can be spared. */
import { expect, test } from "vitest";
import { explore } from "./explore.ts";
import { allRules, type Rules } from "./model.ts";

const size = { processes: 2, shardOf: [0], attemptLimit: 2, networkLimit: 2 };

test("in every state two processes can come to nothing is wrong, and from every one all can still be settled", () => {
  const { states, fault, stuck } = explore(size, allRules);
  expect({ fault, stuck }).toEqual({ fault: undefined, stuck: 0 });
  expect(states).toBeGreaterThan(10_000);
});

test.each<[keyof Rules, string]>([
  ["fence", "an attempt that was made is not on record"],
  ["newEpoch", "an attempt that was made is not on record"],
  ["ownClock", "two processes may send for one shard"],
  ["once", "delivered, and yet to be sent again"],
])("without the rule %s it goes wrong: %s", (rule, what) => {
  const { fault } = explore(size, { ...allRules, [rule]: false });
  expect(fault?.what).toEqual([what]);
});

const ordered = { processes: 2, shardOf: [0, 0], attemptLimit: 1, networkLimit: 1, isOrdered: true };

test("of an ordered webhook none is sent for the first time after a later one, in the first 30,000 states", () => {
  const { states, fault } = explore(ordered, allRules, 30_000);
  expect(fault).toBeUndefined();
  expect(states).toBeGreaterThan(30_000);
});

test.each<[keyof Rules]>([["afterAccepted"], ["overOnRecord"]])("without the rule %s that happens", (rule) => {
  const { fault } = explore(ordered, { ...allRules, [rule]: false }, 30_000);
  expect(fault?.what).toEqual(["one is sent for the first time after a later one"]);
});

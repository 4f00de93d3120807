/** The same with more notifications and shards: some hundred thousand states each. */
import { expect, test } from "vitest";
import { explore } from "./explore.ts";
import { allRules } from "./model.ts";

test.each([
  { what: "two notifications of one shard", shardOf: [0, 0] },
  { what: "two shards", shardOf: [0, 1] },
])("$what: nothing is wrong in any state, and from every one all can be settled", ({ shardOf }) => {
  const size = { processes: 2, shardOf, attemptLimit: 1, networkLimit: 1 };
  const { fault, stuck } = explore(size, allRules);
  expect({ fault, stuck }).toEqual({ fault: undefined, stuck: 0 });
});

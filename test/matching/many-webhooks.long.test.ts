/** The same with thousands of webhooks, over every recorded block that is worth it. `MATCH_SEED=N` tries others, `MATCH_WEBHOOKS=N` as many for each block. */
import { expect, test } from "vitest";
import { recordedBundle } from "../../scripts/local/recorded.ts";
import { assertAsAlone } from "./many-webhooks.ts";

const seed = Number(process.env.MATCH_SEED ?? 1);
const most = Number(process.env.MATCH_WEBHOOKS ?? 2_000);

const blocks: [string, number][] = [
  ["mainnet-traced/6196166", 2_000],
  ["mainnet-traced/9069000", 2_000],
  ["mainnet-traced/12244000", 2_000],
  ["mainnet-traced/19933122", 2_000],
  ["mainnet/1000000", 1_000],
  ["mainnet/4369999", 1_000],
  ["mainnet/17034870", 1_000],
  ["mainnet/18951424", 1_000],
  ["mainnet/22869878", 1_000],
  // It has 10,001 logs in one transaction.
  ["mainnet/15537394", 200],
];
const sized = blocks.map(([name, count]) => [name, Math.min(count, most)] as const);

test.each(sized)(
  "of the block %s, %i webhooks are notified as each would be alone",
  { timeout: 600_000 },
  async (name, count) => {
    expect(await assertAsAlone(recordedBundle(name), count, seed)).toBeGreaterThan(count / 10);
  },
);

/** Blocks that come together, as in one answer, do not hold everything else up until the last one is examined. */
import { expect, test } from "vitest";
import { checkBlock } from "../../../server/chain/checks/check-block.ts";
import { profileOf } from "../../../server/chain/profiles.ts";
import { inTurn } from "../../../server/chain/reading/turns.ts";
import { recordedBundle } from "../../support/recorded.ts";

test("each of several blocks is examined in a turn of its own", async () => {
  const bundle = recordedBundle("mainnet/20000000");
  let turns = 0;
  const count = () => {
    turns += 1;
    ticking = setTimeout(count);
  };
  let ticking = setTimeout(count);
  const { checks } = profileOf("1");
  await Promise.all(Array.from({ length: 8 }, () => inTurn(() => checkBlock(bundle, checks, "a node"))));
  clearTimeout(ticking);
  expect(turns).toBeGreaterThanOrEqual(6);
});

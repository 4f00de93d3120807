/** The recorded blocks that a long chain is made of: everyday ones, of several forks. */

import { recordedBundle } from "../../scripts/local/recorded.ts";
import type { BlockBundle } from "../../server/matching/wire.ts";

export const everydayBlocks: readonly BlockBundle[] = ["20000000", "18951424", "17034870", "22869878"].map((number) =>
  recordedBundle(`mainnet/${number}`),
);

/** A block that is seldom in a long chain. */
export const rareBlock: BlockBundle = recordedBundle("mainnet-traced/12244000");

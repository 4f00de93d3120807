/**
 * Reads runs of packed blocks. Each passes the checks of a block that a node returns, but one: the root of its transactions takes 2.8 ms of
 * 12 for a block of 185, and the reader's digest covers them. Receipts are held against their root, so none can be missing, nor a log.
 */

import type { Rules } from "../../settings/chain-profiles.ts";
import { acceptBundle } from "../check/accept.ts";
import { type ReadBlock, readBlock } from "./block.ts";
import type { PackedRun } from "./messages.ts";
import { unpackBlock } from "./packed-block.ts";
import { type FetchContext, linkedBlocks } from "./run.ts";
import { heaviestRun } from "./run-length.ts";

/**
 * @returns the blocks until one fails, is not the child of the one before, or makes the run too heavy
 * @throws what the first block failed with
 */
export function unpackRun(
  { chainId, rules, origin, onSkippedCheck }: Omit<FetchContext, "node" | "traces"> & { origin: string },
  { packed, traces, requestedAt, fetchedAt }: PackedRun,
): ReadBlock[] {
  const ofStream: Rules = { ...rules, checks: { ...rules.checks, transactionsRoot: "off" } };
  const read = (bytes: Uint8Array): ReadBlock => {
    const { bundle, skipped } = acceptBundle(unpackBlock(bytes, { traces }), ofStream, origin);
    const { number, hash } = bundle.block;
    for (const check of skipped) onSkippedCheck(check, { number: Number(number), hash });
    const times = { requestedAt, fetchedAt, checkedAt: performance.timeOrigin + performance.now() };
    // Whoever published a block with an unproven header has asked another node for it.
    return readBlock(bundle, chainId, { times });
  };
  const results: PromiseSettledResult<ReadBlock>[] = [];
  let held = 0;
  for (const bytes of packed) {
    try {
      const block = read(bytes);
      held += block.weight;
      // A small message may hold a large block. The next run, which is shorter, reads it again.
      if (held > heaviestRun && results.length > 0) break;
      results.push({ status: "fulfilled", value: block });
    } catch (reason) {
      results.push({ status: "rejected", reason });
      break;
    }
  }
  return linkedBlocks(results, () => undefined);
}

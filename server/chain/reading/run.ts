/** Fetches runs of blocks that follow one another, each checked, to be recorded together. */
import type { BlockBundle, Hex, WireBlock } from "../../matching/wire.ts";
import { acceptBlock, type OnInapplicable } from "../accept.ts";
import { checkParent } from "../checks/parent-hash.ts";
import { BlockRefusedError } from "../checks/refused.ts";
import type { ChainConfig } from "../config.ts";
import { completeBlock, fetchBlock } from "../fetch.ts";
import { type Node, NodeError } from "../node.ts";
import { heaviestRun } from "../run-length.ts";
import type { BlockTimes } from "./block.ts";
import { weightOf } from "./weight.ts";

/** Each thread has a `performance.now()` of its own. */
const epochNow = () => performance.timeOrigin + performance.now();

/** From where blocks are fetched, what of them, and who is told of checks that could say nothing. */
export type Source = {
  chain: ChainConfig;
  node: Node;
  traces: boolean;
  onInapplicable: OnInapplicable;
  /** Where it is noted how long each block took. */
  times?: WeakMap<BlockBundle, BlockTimes>;
};

/**
 * @returns the blocks from `from` to `to`, as far as the node has them, none of them failed, each is the child of the one
 *   before, and they are not too heavy together
 * @throws what the first one failed with
 */
export async function fetchRun(source: Source, from: number, to: number): Promise<BlockBundle[]> {
  const numbers = Array.from({ length: to - from + 1 }, (_, index) => from + index);
  let held = 0;
  // What comes when there is no room is let go at once, and fetched again with the next run, which is shorter.
  const hasRoom = (weight: number, number: number) => {
    held += weight;
    return held <= heaviestRun || number === from;
  };
  const found = await Promise.allSettled(
    numbers.map(async (number) => {
      const askedAt = epochNow();
      const block = await fetchBlock(source.node, number);
      const weight = block ? weightOf({ block, receipts: [] }) : 0;
      if (!block || !hasRoom(weight, number)) return undefined;
      const bundle = await complete(source, block, askedAt);
      return hasRoom(weightOf(bundle) - weight, number) ? bundle : undefined;
    }),
  );
  // The chain may have changed in between, or one of several nodes behind an address have answered that lags.
  return linked(found, () => undefined);
}

/**
 * @param hashes of blocks that follow one another
 * @returns the blocks, as far as none of them failed
 * @throws what the first one failed with, such as NodeError where the node lacks it; BlockRefusedError where they do not follow
 *   one another
 */
export async function fetchByHash(source: Source, hashes: readonly Hex[]): Promise<BlockBundle[]> {
  const { node } = source;
  const found = await Promise.allSettled(
    hashes.map(async (hash) => {
      const askedAt = epochNow();
      const block = await fetchBlock(node, hash);
      if (!block) throw new NodeError(`no block ${hash}`, { method: "eth_getBlockByHash", origin: node.origin });
      return complete(source, block, askedAt);
    }),
  );
  return linked(found, (reason, block) => {
    throw new BlockRefusedError(reason, { check: "parentHash", block, node: node.origin });
  });
}

/** What was fetched is not thrown away because something behind it could not be had. */
function linked(
  found: readonly PromiseSettledResult<BlockBundle | undefined>[],
  onBreak: (reason: string, block: WireBlock) => void,
): BlockBundle[] {
  const run: BlockBundle[] = [];
  for (const each of found) {
    const last = run.at(-1);
    if (each.status === "rejected" && !last) throw each.reason;
    if (each.status === "rejected" || !each.value) break;
    const { block } = each.value;
    const finding = last && checkParent(block, last.block);
    if (finding && "refused" in finding) {
      onBreak(finding.refused, block);
      break;
    }
    run.push(each.value);
  }
  return run;
}

async function complete(source: Source, block: WireBlock, askedAt: number): Promise<BlockBundle> {
  const { chain, node, traces, onInapplicable, times } = source;
  const whole = await completeBlock(node, block, { traces });
  const fetchedAt = epochNow();
  const bundle = await acceptBlock(whole, { chain, node, onInapplicable });
  times?.set(bundle, { askedAt, fetchedAt, checkedAt: epochNow() });
  return bundle;
}

/** Fetches runs of blocks that follow one another, each checked, to be recorded together. */
import type { BlockBundle, Hex, WireBlock } from "../matching/wire.ts";
import type { Queryable } from "../store/pool.ts";
import { wantsTraces } from "../store/watchers.ts";
import { acceptBlock, type OnInapplicable } from "./accept.ts";
import { checkParent } from "./checks/parent-hash.ts";
import { BlockRefusedError } from "./checks/refused.ts";
import type { ChainConfig } from "./config.ts";
import { completeBlock, fetchBlock } from "./fetch.ts";
import { type Node, NodeError } from "./node.ts";
import { StandstillError } from "./standstill.ts";
import type { BlockTrace } from "./trace-blocks.ts";
import { weightOf } from "./weight.ts";

/** How many blocks are fetched at once, and recorded in one transaction, while catching up. */
export const longestRun = 8;
/** How heavy a run may be, in bytes, beside its first block. */
const heaviestRun = 16 * 1024 * 1024;

/**
 * @param run what was fetched of a run, in which `asked` blocks were asked for while runs had the given length
 * @returns how long the next one is to be: a node that cannot give all at once is asked for less, and where blocks are large
 *   there are fewer in a run
 */
export function nextLength(run: readonly BlockBundle[], { asked, length }: { asked: number; length: number }): number {
  const wanted = run.length < asked ? run.length : Math.min(longestRun, length * 2);
  return Math.max(1, Math.min(wanted, Math.floor(heaviestRun / Math.max(1, ...run.map(weightOf)))));
}

/** From where blocks are fetched, what of them, and who is told of checks that could say nothing. */
export type Source = {
  chain: ChainConfig;
  node: Node;
  traces: boolean;
  onInapplicable: OnInapplicable;
  /** Where it is noted how long each block took. */
  times?: BlockTrace["times"] | undefined;
};

/** @throws StandstillError where traces are wanted of a chain that is configured without: blocks would miss notifications */
export async function tracesWanted(db: Queryable, { chainId, traces }: ChainConfig): Promise<boolean> {
  const wanted = await wantsTraces(db, chainId);
  if (wanted && !traces)
    throw new StandstillError(
      `Webhooks on chain ${chainId} include internal transactions, but its configuration has "traces": false; ` +
        "following stands still until one or the other is changed.",
      "configuration",
    );
  return wanted;
}

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
      const askedAt = performance.now();
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
      const askedAt = performance.now();
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
  const fetchedAt = performance.now();
  const bundle = await acceptBlock(whole, { chain, node, onInapplicable });
  times?.set(bundle, { askedAt, fetchedAt, checkedAt: performance.now() });
  return bundle;
}

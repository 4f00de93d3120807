/** Fetches runs of blocks that follow one another, each checked, to be recorded together. */
import type { BlockBundle, Hex, WireBlock } from "../../matching/wire.ts";
import { acceptBlock, type OnInapplicable } from "../check/accept.ts";
import { checkParent } from "../check/parent-hash.ts";
import { BlockRefusedError } from "../check/refused.ts";
import type { ChainConfig } from "../config.ts";
import { type Node, NodeError } from "../nodes/node.ts";
import { type ReadBlock, readBlock } from "./block.ts";
import { fetchBlock, fetchRest } from "./fetch.ts";
import { heaviestRun } from "./run-length.ts";
import { inTurn } from "./turns.ts";
import { weightOf } from "./weight.ts";

/** Each thread has a `performance.now()` of its own. */
const epochNow = () => performance.timeOrigin + performance.now();

/** From where blocks are fetched, what of them, and who is told of checks that could say nothing. */
export type Source = { chain: ChainConfig; node: Node; traces: boolean; onInapplicable: OnInapplicable };

/**
 * @returns the blocks from `from` to `to`, as far as the node has them, none of them failed, each is the child of the one
 *   before, and they are not too heavy together
 * @throws what the first one failed with
 */
export async function fetchRun(source: Source, from: number, to: number): Promise<ReadBlock[]> {
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
      return read(source, {
        ...{ block, askedAt },
        hasRoom: (bundle) => hasRoom(weightOf(bundle) - weight, number),
      });
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
export async function fetchByHash(source: Source, hashes: readonly Hex[]): Promise<ReadBlock[]> {
  const { node } = source;
  const found = await Promise.allSettled(
    hashes.map(async (hash) => {
      const askedAt = epochNow();
      const block = await fetchBlock(node, hash);
      if (!block) throw new NodeError(`no block ${hash}`, { method: "eth_getBlockByHash", origin: node.origin });
      return read(source, { block, askedAt, hasRoom: () => true });
    }),
  );
  return linked(found, (reason, block) => {
    throw new BlockRefusedError([{ check: "parentHash", reason }], { block, node: node.origin });
  });
}

/** What was fetched is not thrown away because something behind it could not be had. */
function linked(
  found: readonly PromiseSettledResult<ReadBlock | undefined>[],
  onBreak: (reason: string, block: ReadBlock) => void,
): ReadBlock[] {
  const run: ReadBlock[] = [];
  for (const each of found) {
    const last = run.at(-1);
    if (each.status === "rejected" && !last) throw each.reason;
    if (each.status === "rejected" || !each.value) break;
    const block = each.value;
    const finding = last && checkParent(block, last);
    if (finding && "refused" in finding) {
      onBreak(finding.refused, block);
      break;
    }
    run.push(block);
  }
  return run;
}

/** Reads what belongs to a block, and checks the whole. */
async function read(
  { chain, node, traces, onInapplicable }: Source,
  fetched: { block: WireBlock; askedAt: number; hasRoom: (bundle: BlockBundle) => boolean },
): Promise<ReadBlock | undefined> {
  const { block, askedAt, hasRoom } = fetched;
  const rest = await fetchRest(node, block, { traces });
  const fetchedAt = epochNow();
  return inTurn(() => {
    const whole = { block, ...rest };
    if (!hasRoom(whole)) return undefined;
    const { bundle, unprovenHeader } = acceptBlock(whole, { chain, node, onInapplicable });
    const times = { askedAt, fetchedAt, checkedAt: epochNow() };
    return readBlock(bundle, chain.chainId, { times, unprovenHeader });
  });
}

/** One step along a chain: from the recorded cursor towards a node's head, or over to another branch. */
import type { BlockBundle } from "../matching/wire.ts";
import { type BlockId, beginAt, noteHead, readCursor } from "../store/chain-cursor.ts";
import type { Pool } from "../store/pool.ts";
import { wantsTraces } from "../store/watchers.ts";
import { findBranch } from "./branch.ts";
import { checkBundle } from "./checks.ts";
import type { ChainConfig } from "./config.ts";
import { completeBlock, fetchBlock, fetchHead } from "./fetch.ts";
import { type Node, NodeError } from "./node.ts";
import { recordStep } from "./record.ts";

/** How many blocks are fetched at once, and recorded in one transaction, while catching up. */
const windowSize = 8;

/** What must be known of the polls before: a head beside the cursor is believed when it is seen twice. */
export type Memory = { contender?: string; head?: number };

/** What one step did. */
export type Progress = { cursor: BlockId; head: number; notifications: number; moved: boolean };

/** Takes one step with one node. @throws NodeError, CheckError, FinalityError and what recordStep throws; nothing is half done */
export async function advance(pool: Pool, chain: ChainConfig, node: Node, memory: Memory): Promise<Progress> {
  const head = await fetchHead(node, "latest");
  if (head.number !== memory.head) await noteHead(pool, chain.chainId, head.number);
  memory.head = head.number;
  const { cursor } = await readCursor(pool, chain.chainId);
  if (!cursor) {
    const first = await firstBlock(chain, node, head);
    await beginAt(pool, chain.chainId, first);
    return { cursor: first, head: head.number, notifications: 0, moved: first.number < head.number };
  }
  const still = { cursor, head: head.number, notifications: 0, moved: false };
  // An older head is a node that lags. A head at the same height may be one too, so it must come again.
  if (head.number < cursor.number || head.hash === cursor.hash) return still;
  const beside = head.number === cursor.number;
  if (beside && memory.contender !== head.hash) {
    memory.contender = head.hash;
    return still;
  }
  const traces = chain.traces && (await wantsTraces(pool, chain.chainId));
  const from = beside ? cursor.number : cursor.number + 1;
  const bundles = linked(await fetchWindow(chain, node, from, Math.min(head.number, from + windowSize - 1), traces));
  const step = await stepFrom(pool, chain, node, cursor, bundles, traces);
  const last = step.bundles.at(-1)?.block;
  const reached = last ? { number: Number(last.number), hash: last.hash } : cursor;
  const finalNumber = await finalNumberOf(chain, node, reached.number);
  const notifications = await recordStep(pool, chain.chainId, { ...step, cursor, finalNumber });
  return { cursor: reached, head: head.number, notifications, moved: true };
}

async function stepFrom(
  pool: Pool,
  chain: ChainConfig,
  node: Node,
  cursor: BlockId,
  bundles: BlockBundle[],
  traces: boolean,
) {
  const first = bundles[0]?.block;
  if (!first || first.parentHash === cursor.hash) return { bundles };
  const { ancestor, blocks } = await findBranch(pool, node, chain.chainId, first);
  const branch = await Promise.all(blocks.slice(0, -1).map((block) => fetchChecked(chain, node, block, traces)));
  return { retractAbove: ancestor, bundles: [...branch, ...bundles] };
}

async function firstBlock(chain: ChainConfig, node: Node, head: BlockId): Promise<BlockId> {
  if (chain.startBlock === undefined) return head;
  const number = Math.max(0, chain.startBlock - 1);
  const block = await fetchBlock(node, number);
  if (!block)
    throw new NodeError(`no block ${number}, before startBlock`, {
      method: "eth_getBlockByNumber",
      origin: node.origin,
    });
  return { number, hash: block.hash };
}

async function fetchWindow(
  chain: ChainConfig,
  node: Node,
  from: number,
  to: number,
  traces: boolean,
): Promise<BlockBundle[]> {
  const numbers = Array.from({ length: to - from + 1 }, (_, index) => from + index);
  return Promise.all(
    numbers.map(async (number) => {
      const block = await fetchBlock(node, number);
      if (!block)
        throw new NodeError(`no block ${number}, below its own head`, {
          method: "eth_getBlockByNumber",
          origin: node.origin,
        });
      return fetchChecked(chain, node, block, traces);
    }),
  );
}

async function fetchChecked(
  chain: ChainConfig,
  node: Node,
  block: BlockBundle["block"],
  traces: boolean,
): Promise<BlockBundle> {
  const bundle = await completeBlock(node, block, { traces });
  checkBundle(bundle, chain.checks);
  return bundle;
}

/** The bundles up to the first that is not the child of the one before: the chain changed while they were fetched. */
function linked(bundles: BlockBundle[]): BlockBundle[] {
  const broken = bundles.findIndex(
    ({ block }, index) => index > 0 && block.parentHash !== bundles[index - 1]?.block.hash,
  );
  return broken === -1 ? bundles : bundles.slice(0, broken);
}

async function finalNumberOf({ finality }: ChainConfig, node: Node, reached: number): Promise<number> {
  if (finality === "latest") return reached;
  if (finality === "finalized") return Math.min(reached, (await fetchHead(node, "finalized")).number);
  return Math.max(0, reached - finality.confirmations);
}

/** One step along a chain: from the recorded cursor towards a node's head, or over to another branch. */
import type { BlockBundle } from "../matching/wire.ts";
import { type BlockId, beginAt, noteHead, readCursor } from "../store/chain-cursor.ts";
import type { Pool } from "../store/pool.ts";
import type { OnInapplicable } from "./accept.ts";
import { isAgreedOn } from "./agreement.ts";
import type { Ahead } from "./ahead.ts";
import { findBranch, type KnownHeaders } from "./branch.ts";
import type { ChainConfig } from "./config.ts";
import { fetchBlock, fetchHead } from "./fetch.ts";
import { finalNumberOf } from "./finality.ts";
import { type Node, NodeError } from "./node.ts";
import { type ChainStep, recordStep } from "./record.ts";
import { fetchByHash, fetchRun, longestRun, nextLength, type Source, tracesWanted } from "./run.ts";

/** What must be known of the steps before. */
export type Memory = {
  /** How many blocks to fetch at once. */
  run: number;
  /** The block by which a node contradicted the cursor last: it is believed when it comes again. */
  rival?: string;
  head?: number;
  /** Headers of branches, on the way back to the recorded chain. */
  headers: KnownHeaders;
  ahead: Ahead;
  /** Told of checks that could say nothing of a block. */
  onInapplicable: OnInapplicable;
};

/** What one step did. */
export type Progress = { cursor: BlockId; head: number; notifications: number; moved: boolean };

/**
 * Takes one step with one node.
 *
 * @param others the chain's other nodes, who are asked before anything is taken back
 * @throws NodeError, BlockRefusedError, StandstillError and what recordStep throws; nothing is half done
 */
export async function advance(
  pool: Pool,
  chain: ChainConfig,
  node: Node,
  { memory, others }: { memory: Memory; others: readonly Node[] },
): Promise<Progress> {
  const head = await fetchHead(node, "latest");
  if (!head) throw lacks(node, "latest block");
  if (head.number !== memory.head) await noteHead(pool, chain.chainId, head.number);
  memory.head = head.number;
  const { cursor } = await readCursor(pool, chain.chainId);
  if (!cursor) {
    const first = await firstBlock(chain, node, head);
    await beginAt(pool, chain.chainId, first);
    return { cursor: first, head: head.number, notifications: 0, moved: first.number < head.number };
  }
  const step = await nextStep(pool, chain, node, { cursor, head, memory, others });
  const reached = step?.bundles.at(-1)?.block;
  if (!step || !reached) return { cursor, head: head.number, notifications: 0, moved: false };
  const last = { number: Number(reached.number), hash: reached.hash };
  const finalNumber = await finalNumberOf(chain, node, last.number);
  memory.ahead.fill(step.source, last.number + 1, { head: head.number, length: memory.run });
  const notifications = await recordStep(pool, chain.chainId, { ...step, cursor, finalNumber });
  memory.headers.clear();
  return { cursor: last, head: head.number, notifications, moved: true };
}

async function firstBlock(chain: ChainConfig, node: Node, head: BlockId): Promise<BlockId> {
  if (chain.startBlock === undefined) return head;
  const number = Math.max(0, chain.startBlock - 1);
  const block = await fetchBlock(node, number);
  if (!block) throw lacks(node, `block ${number}, before startBlock`);
  return { number, hash: block.hash };
}

/** @returns undefined where there is nothing to record now */
async function nextStep(
  pool: Pool,
  chain: ChainConfig,
  node: Node,
  { cursor, head, memory, others }: { cursor: BlockId; head: BlockId; memory: Memory; others: readonly Node[] },
): Promise<(Pick<ChainStep, "retractAbove" | "bundles"> & { source: Source }) | undefined> {
  // An older head is a node that lags.
  if (head.number < cursor.number) return undefined;
  if (head.hash === cursor.hash) {
    delete memory.rival;
    return undefined;
  }
  const source = { chain, node, traces: await tracesWanted(pool, chain), onInapplicable: memory.onInapplicable };
  const from = Math.min(head.number, cursor.number + 1);
  const { run, to } = await runFrom(source, from, { cursor, head, memory });
  const first = run[0]?.block;
  if (!first) throw lacks(node, `block ${from}, below its own head`);
  const atCursor = from > cursor.number ? first.parentHash : first.hash;
  if (atCursor === cursor.hash) {
    delete memory.rival;
    memory.run = nextLength(run, { asked: to - from + 1, length: memory.run });
    return from > cursor.number ? { source, bundles: run } : undefined;
  }
  // What was notified is not taken back on one word: a node behind a load balancer may be on a stale branch for a moment.
  if (memory.rival !== atCursor) {
    memory.rival = atCursor;
    return undefined;
  }
  const rival = { number: from > cursor.number ? cursor.number : from, hash: atCursor };
  if (!(await isAgreedOn(rival, others)))
    throw new NodeError(`its block ${rival.number} is ${rival.hash}, and the other nodes have another`, {
      method: "eth_getBlockByNumber",
      origin: node.origin,
    });
  const { ancestor, hashes } = await findBranch(pool, node, {
    chain,
    tip: { number: Number(first.number), parentHash: first.parentHash },
    known: memory.headers,
  });
  // A long branch is recorded from its beginning, as much as fits in a step; the rest follows like any other blocks.
  const below = await fetchByHash(source, hashes.slice(0, longestRun));
  const whole = below.length === hashes.length && hashes.length < longestRun;
  return { source, retractAbove: ancestor, bundles: whole ? [...below, ...run] : below };
}

/** The next blocks: what was fetched ahead, unless the chain has changed since, which a look at it as it is now will tell. */
async function runFrom(
  source: Source,
  from: number,
  { cursor, head, memory }: { cursor: BlockId; head: BlockId; memory: Memory },
): Promise<{ run: BlockBundle[]; to: number }> {
  const ahead = memory.ahead.take(source, from);
  const run = await ahead?.blocks;
  if (ahead && run?.[0]?.block.parentHash === cursor.hash) return { run, to: ahead.to };
  const to = Math.min(head.number, from + memory.run - 1);
  return { run: await fetchRun(source, from, to), to };
}

function lacks({ origin }: Node, what: string): NodeError {
  return new NodeError(`no ${what}`, { method: "eth_getBlockByNumber", origin });
}

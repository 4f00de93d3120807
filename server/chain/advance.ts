/** One step along a chain: from the recorded cursor towards a node's head, or over to another branch. */
import type { BlockBundle } from "../matching/wire.ts";
import { type BlockId, beginAt, noteHead, readCursor } from "../store/chain-cursor.ts";
import type { Pool } from "../store/pool.ts";
import type { WatchFilter } from "../store/watch-filter.ts";
import type { OnInapplicable } from "./accept.ts";
import { isAgreedOn } from "./agreement.ts";
import type { Ahead } from "./ahead.ts";
import { findBranch, type KnownHeaders } from "./branch.ts";
import type { ChainConfig } from "./config.ts";
import { fetchBlock, fetchHead } from "./fetch.ts";
import { finalNumberOf } from "./finality.ts";
import { type Node, NodeError } from "./node.ts";
import type { Witnesses } from "./node-pool.ts";
import { NotBelievedError } from "./not-believed.ts";
import { type ChainStep, recordStep } from "./record.ts";
import { fetchByHash, fetchRun, longestRun, nextLength, type Source, tracesWanted } from "./run.ts";
import type { BlockTrace } from "./trace-blocks.ts";

/** What must be known of the steps before. */
export type Memory = {
  /** How many blocks to fetch at once. */
  run: number;
  /** The block by which a node contradicted the cursor last, and since when nobody has denied it: it may be believed when it comes again. */
  rival?: { hash: string; since: number };
  head?: number;
  /** Headers of branches, on the way back to the recorded chain. */
  headers: KnownHeaders;
  ahead: Ahead;
  filter: WatchFilter;
  /** Told of checks that could say nothing of a block. */
  onInapplicable: OnInapplicable;
  trace?: BlockTrace | undefined;
};

/** What one step did. */
export type Progress = {
  cursor: BlockId;
  head: BlockId;
  /** How many blocks were recorded and taken back, and how many notifications both gave. */
  blocks: number;
  replaced: number;
  notifications: number;
  /** Whether the cursor moved. */
  moved: boolean;
};

/**
 * Takes one step with one node.
 *
 * @param witnesses the chain's other nodes, who are asked before anything is taken back
 * @throws NodeError, BlockRefusedError, StandstillError and what recordStep throws; nothing is half done
 */
export async function advance(
  pool: Pool,
  chain: ChainConfig,
  node: Node,
  { memory, witnesses }: { memory: Memory; witnesses: Witnesses },
): Promise<Progress> {
  const head = await fetchHead(node, "latest");
  if (!head) throw lacks(node, "latest block");
  if (head.number !== memory.head) await noteHead(pool, chain.chainId, head.number);
  memory.head = head.number;
  const { cursor } = await readCursor(pool, chain.chainId);
  const nothing = { head, blocks: 0, replaced: 0, notifications: 0 };
  if (!cursor) {
    const first = await firstBlock(chain, node, head);
    await beginAt(pool, chain.chainId, first);
    return { ...nothing, cursor: first, moved: first.number < head.number };
  }
  const step = await nextStep(pool, chain, node, { cursor, head, memory, witnesses });
  const reached = step?.bundles.at(-1)?.block;
  if (!step || !reached) return { ...nothing, cursor, moved: false };
  const last = { number: Number(reached.number), hash: reached.hash };
  const finalNumber = await finalNumberOf(chain, node, last.number);
  memory.ahead.fill(step.source, last.number + 1, { head: head.number, length: memory.run });
  const from = performance.now();
  const notifications = await recordStep(pool, chain.chainId, { ...step, cursor, finalNumber }, memory.filter);
  memory.trace?.recorded(step.bundles, { from, node: node.origin, notifications });
  memory.headers.clear();
  const replaced = cursor.number - (step.retractAbove ?? cursor.number);
  return { cursor: last, head, blocks: step.bundles.length, replaced, notifications, moved: true };
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
  { cursor, head, memory, witnesses }: { cursor: BlockId; head: BlockId; memory: Memory; witnesses: Witnesses },
): Promise<(Pick<ChainStep, "retractAbove" | "bundles"> & { source: Source }) | undefined> {
  // An older head is a node that lags.
  if (head.number < cursor.number) return undefined;
  if (head.hash === cursor.hash) {
    delete memory.rival;
    return undefined;
  }
  const { onInapplicable, trace } = memory;
  const source = { chain, node, traces: await tracesWanted(pool, chain), onInapplicable, times: trace?.times };
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
  if (memory.rival?.hash !== atCursor) {
    memory.rival = { hash: atCursor, since: performance.now() };
    return undefined;
  }
  const rival = { number: from > cursor.number ? cursor.number : from, hash: atCursor };
  const agreed = await isAgreedOn(rival, witnesses, performance.now() - memory.rival.since);
  if (agreed === undefined) return undefined;
  if (!agreed) {
    delete memory.rival;
    throw new NotBelievedError(`its block ${rival.number} is ${rival.hash}, and the other nodes have another`, {
      method: "eth_getBlockByNumber",
      origin: node.origin,
    });
  }
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

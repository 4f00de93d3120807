/** One step along a lane of a chain: from the recorded cursor towards a node's head, or over to another branch. */
import { type BlockId, beginAt, noteHead } from "../../store/chains/cursor.ts";
import type { Lane } from "../../store/chains/lanes.ts";
import type { Pool } from "../../store/pool.ts";
import type { WatchFilter } from "../../store/webhooks/watch-filter.ts";
import type { ChainConfig } from "../config.ts";
import { type Node, NodeError } from "../nodes/node.ts";
import type { Witnesses } from "../nodes/node-pool.ts";
import { NotBelievedError } from "../nodes/untrusted-node.ts";
import { fetchBlockHash, fetchHead } from "../read/fetch.ts";
import type { BlockReader, ReadRun } from "../read/reader.ts";
import { longestRun, nextLength } from "../read/run-length.ts";
import { isAgreedOn } from "./agreement.ts";
import type { Ahead, Source } from "./ahead.ts";
import { findBranch, type KnownHeaders } from "./branch.ts";
import { areConfirmed } from "./confirm.ts";
import { finalNumberOf } from "./finality.ts";
import { type ChainStep, recordStep } from "./record.ts";
import { StandstillError } from "./standstill.ts";
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
  trace?: BlockTrace | undefined;
};

/** Whom a step is taken with. */
export type With = {
  /** As it was found just now. */
  lane: Lane;
  node: Node;
  /** Reads blocks from that node. */
  reader: BlockReader;
  /** The chain's other nodes, who are asked before anything is taken back. */
  witnesses: Witnesses;
  memory: Memory;
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
 * @throws NodeError, BlockRefusedError, StandstillError and what recordStep throws; nothing is half done
 */
export async function advance(
  pool: Pool,
  chain: ChainConfig,
  { lane, node, memory, ...others }: With,
): Promise<Progress> {
  const head = await fetchHead(node, "latest");
  if (!head) throw lacks(node, "latest block");
  if (head.number !== memory.head) await noteHead(pool, lane, head.number);
  memory.head = head.number;
  const { cursor } = lane;
  const nothing = { head, blocks: 0, replaced: 0, notifications: 0 };
  if (!cursor) {
    const first = await firstBlock(chain, node, head);
    await beginAt(pool, lane, first);
    return { ...nothing, cursor: first, moved: first.number < head.number };
  }
  const held: ReadRun[] = [];
  try {
    const step = await nextStep(pool, chain, { lane, node, memory, ...others, cursor, head, held });
    const reached = step?.blocks.at(-1);
    if (!step || !reached) return { ...nothing, cursor, moved: false };
    if (!(await areConfirmed(step.blocks, { chain, node, witnesses: others.witnesses })))
      return { ...nothing, cursor, moved: false };
    const last = { number: reached.number, hash: reached.hash };
    const finalNumber = await finalNumberOf(chain, node, last.number);
    memory.ahead.fill(step.source, last.number + 1, { head: head.number, length: memory.run });
    const from = performance.now();
    const notifications = await recordStep(pool, lane, { ...step, cursor, finalNumber }, memory.filter);
    memory.trace?.recorded(step.blocks, { from, node: node.origin, notifications });
    memory.headers.clear();
    const replaced = cursor.number - (step.retractAbove ?? cursor.number);
    return { cursor: last, head, blocks: step.blocks.length, replaced, notifications, moved: true };
  } finally {
    for (const run of held) run.release();
  }
}

async function firstBlock(chain: ChainConfig, node: Node, head: BlockId): Promise<BlockId> {
  if (chain.startBlock === undefined) return head;
  const number = Math.max(0, chain.startBlock - 1);
  const hash = await fetchBlockHash(node, number);
  if (!hash) throw lacks(node, `block ${number}, before startBlock`);
  return { number, hash };
}

/** Where a step begins, and the runs that were read for it, which its end releases. */
type Begun = With & { cursor: BlockId; head: BlockId; held: ReadRun[] };

/** @returns undefined where there is nothing to record now */
async function nextStep(
  pool: Pool,
  chain: ChainConfig,
  begun: Begun,
): Promise<(Pick<ChainStep, "retractAbove" | "blocks"> & { source: Source }) | undefined> {
  const { lane, node, reader, witnesses, memory, cursor, head, held } = begun;
  // An older head is a node that lags.
  if (head.number < cursor.number) return undefined;
  if (head.hash === cursor.hash) {
    delete memory.rival;
    return undefined;
  }
  assertTraces(lane, chain);
  const source = { reader, traces: lane.traces };
  const from = Math.min(head.number, cursor.number + 1);
  const { run, to } = await runFrom(source, from, begun);
  const first = run[0];
  if (!first) throw lacks(node, `block ${from}, below its own head`);
  const atCursor = from > cursor.number ? first.parentHash : first.hash;
  if (atCursor === cursor.hash) {
    delete memory.rival;
    memory.run = nextLength(run, { asked: to - from + 1, length: memory.run });
    return from > cursor.number ? { source, blocks: run } : undefined;
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
    ...{ chain, lane },
    tip: first,
    known: memory.headers,
  });
  // A long branch is recorded from its beginning, as much as fits in a step; the rest follows like any other blocks.
  const branch = await reader.read({ hashes: hashes.slice(0, longestRun), traces: source.traces });
  held.push(branch);
  const below = branch.blocks;
  const whole = below.length === hashes.length && hashes.length < longestRun;
  return { source, retractAbove: ancestor, blocks: whole ? [...below, ...run] : below };
}

/** The next blocks: what was read ahead, unless the chain has changed since, which a look at it as it is now will tell. */
async function runFrom(
  source: Source,
  from: number,
  { lane, cursor, head, memory, held }: Begun,
): Promise<{ run: ReadRun["blocks"]; to: number }> {
  const keep = async (read: Promise<ReadRun>) => {
    const run = await read;
    held.push(run);
    return run.blocks;
  };
  const ahead = memory.ahead.take(source, from);
  const run = ahead && (await keep(ahead.read));
  const limit = Math.min(head.number, lane.meetsAt ?? head.number);
  if (ahead && run?.[0]?.parentHash === cursor.hash)
    return { run: run.filter(({ number }) => number <= Math.max(from, limit)), to: Math.min(ahead.to, limit) };
  const to = Math.max(from, Math.min(limit, from + memory.run - 1));
  return { run: await keep(source.reader.read({ from, to, traces: source.traces })), to };
}

/** @throws StandstillError where the lane is one with traces, and the chain is configured without */
function assertTraces(lane: Lane, { chainId, traces }: ChainConfig): void {
  if (lane.traces && !traces)
    throw new StandstillError(
      `Webhooks on chain ${chainId} include internal transactions, but its configuration has "traces": false. ` +
        "They wait until one or the other is changed; webhooks without internal transactions do not.",
      "configuration",
    );
}

function lacks({ origin }: Node, what: string): NodeError {
  return new NodeError(`no ${what}`, { method: "eth_getBlockByNumber", origin });
}

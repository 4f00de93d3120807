/** One step along a lane of a chain: from the recorded cursor towards a node's head, or over to another branch. */
import { type BlockId, beginAt, noteHead } from "../../store/chains/cursor.ts";
import type { Lane } from "../../store/chains/lanes.ts";
import type { Pool } from "../../store/pool.ts";
import type { ChainConfig } from "../config.ts";
import { type Node, NodeError, UntrustedNodeError } from "../nodes/node.ts";
import { fetchBlockHash, fetchHead } from "../read/fetch.ts";
import type { BlockReader, ReadRun } from "../read/reader.ts";
import { longestRun, nextRunLength } from "../read/run-length.ts";
import { finalNumberOf, findBranch } from "./branch.ts";
import type { LaneMemory } from "./lanes.ts";
import type { Witnesses } from "./node-pool.ts";
import type { LaneSource } from "./read-ahead.ts";
import { type ChainStep, recordStep } from "./record.ts";
import { StandstillError } from "./standstill.ts";
import { areConfirmed, isAgreedOn } from "./witnesses.ts";

/** What a step is taken with. */
export type StepContext = {
  /** As it was read just now. */
  lane: Lane;
  node: Node;
  /** Reads blocks from that node. */
  reader: BlockReader;
  /** The chain's other nodes, which are asked before anything is retracted. */
  witnesses: Witnesses;
  memory: LaneMemory;
};

/** The result of a step. */
export type StepProgress = {
  cursor: BlockId;
  head: BlockId;
  /** How many blocks were recorded. */
  blocks: number;
  /** How many blocks left the chain. */
  replaced: number;
  /** How many notifications were recorded, retractions included. */
  notifications: number;
  /** Whether the cursor moved. */
  moved: boolean;
};

/** @throws NodeError, BlockRefusedError, StandstillError and what recordStep throws; a failed step has changed nothing */
export async function advance(
  pool: Pool,
  chain: ChainConfig,
  { lane, node, memory, ...others }: StepContext,
): Promise<StepProgress> {
  const head = await fetchHead(node, "latest");
  if (!head) throw missing(node, "latest block");
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
    const newest = step?.blocks.at(-1);
    if (!step || !newest) return { ...nothing, cursor, moved: false };
    if (!(await areConfirmed(step.blocks, { chain, node, witnesses: others.witnesses })))
      return { ...nothing, cursor, moved: false };
    const last = { number: newest.number, hash: newest.hash };
    const finalNumber = await finalNumberOf(chain, node, last.number);
    memory.readAhead.fill(step.source, last.number + 1, { head: head.number, length: memory.runLength });
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
  if (!hash) throw missing(node, `block ${number}, before startBlock`);
  return { number, hash };
}

/** A step from a cursor, and the runs read for it, which are released at its end. */
type StepFromCursor = StepContext & { cursor: BlockId; head: BlockId; held: ReadRun[] };

/** @returns undefined if there is nothing to record now */
async function nextStep(
  pool: Pool,
  chain: ChainConfig,
  step: StepFromCursor,
): Promise<(Pick<ChainStep, "retractAbove" | "blocks"> & { source: LaneSource }) | undefined> {
  const { lane, node, reader, witnesses, memory, cursor, head, held } = step;
  // A head below the cursor means that the node lags.
  if (head.number < cursor.number) return undefined;
  if (head.hash === cursor.hash) {
    delete memory.rival;
    return undefined;
  }
  assertTraces(lane, chain);
  const source = { reader, traces: lane.traces };
  const from = Math.min(head.number, cursor.number + 1);
  const { run, to } = await runFrom(source, from, step);
  const first = run[0];
  if (!first) throw missing(node, `block ${from}, below its own head`);
  const atCursor = from > cursor.number ? first.parentHash : first.hash;
  if (atCursor === cursor.hash) {
    delete memory.rival;
    memory.runLength = nextRunLength(run, { requested: to - from + 1, length: memory.runLength });
    return from > cursor.number ? { source, blocks: run } : undefined;
  }
  // A node behind a load balancer may be on a stale branch for a moment, so the branch must be seen twice.
  if (memory.rival?.hash !== atCursor) {
    memory.rival = { hash: atCursor, since: performance.now() };
    return undefined;
  }
  const rival = { number: from > cursor.number ? cursor.number : from, hash: atCursor };
  const agreed = await isAgreedOn(rival, witnesses, performance.now() - memory.rival.since);
  if (agreed === undefined) return undefined;
  if (!agreed) {
    delete memory.rival;
    throw new UntrustedNodeError(`its block ${rival.number} is ${rival.hash}, and the other nodes have another`, {
      method: "eth_getBlockByNumber",
      origin: node.origin,
    });
  }
  const { ancestor, hashes } = await findBranch(pool, node, {
    ...{ chain, lane },
    tip: first,
    known: memory.headers,
  });
  // A step records as much of a long branch as fits, from its beginning. The rest follows like any other blocks.
  const branch = await reader.read({ hashes: hashes.slice(0, longestRun), traces: source.traces });
  held.push(branch);
  const below = branch.blocks;
  const isComplete = below.length === hashes.length && hashes.length < longestRun;
  return { source, retractAbove: ancestor, blocks: isComplete ? [...below, ...run] : below };
}

/** The next blocks: those read ahead, unless the chain has changed since; then they are read again. */
async function runFrom(
  source: LaneSource,
  from: number,
  { lane, cursor, head, memory, held }: StepFromCursor,
): Promise<{ run: ReadRun["blocks"]; to: number }> {
  const hold = async (read: Promise<ReadRun>) => {
    const run = await read;
    held.push(run);
    return run.blocks;
  };
  const ahead = memory.readAhead.take(source, from);
  const run = ahead && (await hold(ahead.read));
  const limit = Math.min(head.number, lane.meetsAt ?? head.number);
  if (ahead && run?.[0]?.parentHash === cursor.hash)
    return { run: run.filter(({ number }) => number <= Math.max(from, limit)), to: Math.min(ahead.to, limit) };
  const to = Math.max(from, Math.min(limit, from + memory.runLength - 1));
  return { run: await hold(source.reader.read({ from, to, traces: source.traces })), to };
}

/** @throws StandstillError if the lane has traces and the chain's configuration has none */
function assertTraces(lane: Lane, { chainId, traces }: ChainConfig): void {
  if (lane.traces && !traces)
    throw new StandstillError(
      `Webhooks on chain ${chainId} include internal transactions, but its configuration has "traces": false. ` +
        "They wait until one or the other is changed; webhooks without internal transactions do not.",
      "configuration",
    );
}

function missing({ origin }: Node, what: string): NodeError {
  return new NodeError(`no ${what}`, { method: "eth_getBlockByNumber", origin });
}

/**
 * One step along a lane of a chain: from the recorded cursor towards a source's head, or over to another branch. `takeStep` asks for the head,
 * `move` finds out which blocks come next, reads them, has them confirmed, and records them.
 */
import { isServiceError } from "../../base/errors.ts";
import type { Hex } from "../../matching/wire.ts";
import type { ChainConfig } from "../../settings/chains.ts";
import type { BlockId } from "../../store/chains/cursor.ts";
import type { Lane } from "../../store/chains/lanes.ts";
import { isDatabaseUnavailable } from "../../store/database-errors.ts";
import type { LaneInterest } from "../../store/webhooks/watchers.ts";
import { NodeError, NoLogsError, UntrustedNodeError } from "../nodes/node.ts";
import type { ReadRun } from "../read/reader.ts";
import { longestRun, nextRunLength, nextSparseLength, wholeIn } from "../read/run-length.ts";
import type { AnnouncedHead } from "../sources/heads.ts";
import type { BlockSource, FinalNumber, SourceHead } from "../sources/source.ts";
import type { DoubtedLogs } from "../sources/witnesses.ts";
import { findBranch } from "./branch.ts";
import { type ChainStep, type LaneRecord, type LaneSource, noSparseRun, type StepMemory } from "./lane-record.ts";
import { StandstillError } from "./standstill.ts";

/** What a step is taken with, and the head that was announced since the last one, if any. */
export type StepContext = {
  record: LaneRecord;
  source: BlockSource;
  memory: StepMemory;
  announced?: AnnouncedHead | undefined;
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
  /** What had waited was recorded or retracted, and more may be due. */
  releasing?: boolean;
};

/** @throws NodeError, BlockRefusedError, StandstillError and what recording throws; a failed step has changed nothing */
export async function takeStep(chain: ChainConfig, context: StepContext): Promise<StepProgress> {
  const { record, memory } = context;
  const askedAt = performance.now();
  const head = await headOf(chain, context);
  memory.headMs = performance.now() - askedAt;
  let noting: Promise<void> | undefined;
  // The head is only displayed. If noting it fails, the next step retries.
  const note = () => {
    if (memory.head === head.number) return;
    noting ??= record.noteHead?.(head.number).then(
      () => {
        memory.head = head.number;
      },
      () => undefined,
    );
  };
  // Recording a block notes the head, too, in the same transaction. Until a long step ends, nobody would see that the chain lags.
  const longStep = setTimeout(note, longStepMs);
  try {
    const progress = await advance(head, chain, context);
    note();
    return progress;
  } catch (error) {
    if (!isServiceError(error, "cursor_moved") && !isDatabaseUnavailable(error)) note();
    throw error;
  } finally {
    clearTimeout(longStep);
    await noting;
  }
}

/** After so long a step's head is noted by itself. */
const longStepMs = 1_000;

/**
 * Asks the source for its head. An announced child of the cursor is read meanwhile, which saves a round trip. It is dropped unless it is the
 * head.
 */
async function headOf(chain: ChainConfig, context: StepContext): Promise<SourceHead> {
  const { source, memory, announced } = context;
  const isRead = readAnnounced(chain, context);
  let head: SourceHead | undefined;
  try {
    head = await source.head();
    return head;
  } finally {
    if (isRead && head?.hash !== announced?.hash) memory.readAhead.drop();
  }
}

/** @returns whether the announced head is being read */
function readAnnounced(chain: ChainConfig, { record, source, memory, announced }: StepContext): boolean {
  const { cursor, traces } = record.lane;
  const { finality } = memory;
  if (!announced || finality?.reader !== source.reader || source.isSettled || (traces && !chain.traces)) return false;
  if (announced.number !== (cursor?.number ?? 0) + 1 || announced.parentHash !== cursor?.hash) return false;
  return memory.readAhead.expect({ reader: source.reader, traces }, announced, finality.number);
}

/** Where a step stands: the lane's cursor, the source's head, and the runs of blocks that it has read, which are released at its end. */
type Standing = StepContext & { cursor: BlockId; head: SourceHead; runs: ReadRun[] };

/** Head, branch, read, confirm, record. */
async function advance(head: SourceHead, chain: ChainConfig, context: StepContext): Promise<StepProgress> {
  const { cursor, isLeaving } = context.record.lane;
  if (!cursor) return begin(head, chain, context);
  const standing: Standing = { ...context, cursor, head, runs: [] };
  // Which blocks leave was decided before, and no node has a say in it any more.
  if (isLeaving) return leave(standing);
  // A head below the cursor means that the node lags.
  if (head.number < cursor.number) return stayed(standing);
  try {
    return head.hash === cursor.hash ? await settle(chain, standing) : await move(chain, standing);
  } finally {
    for (const run of standing.runs) run.release();
  }
}

/** The first step of a lane: the head counts as recorded, or the block before `startBlock`. */
async function begin(head: SourceHead, chain: ChainConfig, { record, source }: StepContext): Promise<StepProgress> {
  const first = await firstBlock(chain, source, head);
  const finality = await source.finality();
  const parentHash = first === head ? head.parentHash : undefined;
  await record.beginAt(first, parentHash, finality.isGuess ? undefined : finality(first.number));
  return { head, cursor: first, blocks: 0, replaced: 0, notifications: 0, moved: first.number < head.number };
}

/** The cursor is the head. What is still owed of its block, or has waited for finality, is recorded. */
async function settle(chain: ChainConfig, standing: Standing): Promise<StepProgress> {
  const { record, memory } = standing;
  delete memory.competing;
  if (record.lane.isOwing) return settleOwed(standing);
  const notifications = await releaseHeld(chain, standing);
  return { ...stayed(standing), notifications, releasing: notifications > 0 };
}

/** The head is another block: the next blocks are recorded, or those of a branch. */
async function move(chain: ChainConfig, standing: Standing): Promise<StepProgress> {
  const { record, source, memory, cursor, head } = standing;
  // Finality is asked for while the blocks are read, for the next ones: of blocks that were read before, the source could call final what has
  // replaced them.
  const asked = source.finality();
  asked.catch(() => undefined);
  // What another source calls final may be of another branch.
  if (memory.finality?.reader !== source.reader) memory.finality = { reader: source.reader, number: await asked };
  const next = await nextBlocks(chain, { ...standing, finality: memory.finality.number });
  if (next === "owing") return settleOwed(standing);
  // Nothing is awaited: the next step reads the same blocks whole.
  if (next === "doubtful") return { ...stayed(standing), releasing: true };
  if (next && "leavesAbove" in next)
    return { ...(await leave(standing, next.leavesAbove)), replaced: cursor.number - next.leavesAbove.number };
  const newest = next?.blocks.at(-1);
  if (!next || !newest || !(await source.areConfirmed(next.blocks))) return stayed(standing);

  memory.finality = { reader: source.reader, number: await asked };
  const { interest } = next.from;
  const byLogs = interest?.mode === "logs";
  const length = record.lane.isApart ? 1 : interest ? memory.sparse.runLength : memory.runLength;
  const upTo = Math.min(head.number, interest?.upTo ?? head.number);
  const ahead = { head: upTo, length, finality: memory.finality.number };
  // By logs a step passes over so many blocks that the next one can wait for it.
  if (memory.readsAhead && !byLogs) memory.readAhead.fill(next.from, newest.number + 1, ahead);

  const from = performance.now();
  const finalNumber = next.finality(newest.number);
  const isFinal = !next.finality.isGuess;
  const notifications = await record.record({ ...next, cursor, head: head.number, finalNumber, isFinal, interest });
  if (isDense(memory.sparse)) {
    memory.sparse = noSparseRun;
    await record.readWhole?.(newest.number + 1);
  }
  memory.head = head.number;
  memory.trace?.recorded(next.blocks, { from, node: source.origin, notifications });
  memory.headers.clear();
  const replaced = cursor.number - (next.retractAbove ?? cursor.number);
  const reached = { number: newest.number, hash: newest.hash };
  const blocks = byLogs ? newest.number - cursor.number + replaced : next.blocks.length;
  return { cursor: reached, head, blocks, replaced, notifications, moved: true };
}

/** Nothing was recorded. */
const stayed = ({ head, cursor }: Standing): StepProgress => ({
  ...{ head, cursor },
  ...{ blocks: 0, replaced: 0, notifications: 0, moved: false },
});

/** How often to ask for finality while something waits for it and no block comes, in polls. */
const finalityPolls = 10;

/**
 * Records what is due though no block came: what a step left, or what has become final since.
 *
 * @returns how many notifications
 */
async function releaseHeld(chain: ChainConfig, { record, source, memory, cursor }: Standing): Promise<number> {
  const { held } = record.lane;
  if (!record.release || !held) return 0;
  const released = held.isDue ? await record.release() : 0;
  if (released > 0) return released;
  const now = performance.now();
  const isTime = now - (memory.finalityAskedAt ?? Number.NEGATIVE_INFINITY) >= finalityPolls * chain.pollMs;
  if (!held.waitsForFinality || !isTime) return 0;
  memory.finalityAskedAt = now;
  const finality = await source.finality();
  // Another block may have taken the cursor's place meanwhile, and that one would be final.
  if (finality.isGuess || (await source.head()).hash !== cursor.hash) return 0;
  return record.release(finality(cursor.number));
}

async function firstBlock(chain: ChainConfig, source: BlockSource, head: BlockId): Promise<BlockId> {
  if (chain.startBlock === undefined) return head;
  const number = Math.max(0, chain.startBlock - 1);
  const hash = await source.hashAt(number);
  if (!hash) throw missing(source, `block ${number}, before startBlock`);
  return { number, hash };
}

/** With finality as it was before anything is read. */
type Reading = Standing & { finality: FinalNumber };

/** What to record, where it was read, and finality before it was. */
type NextBlocks = Pick<ChainStep, "retractAbove" | "blocks" | "nodesAgreed"> & {
  from: LaneSource;
  finality: FinalNumber;
};

/** Matches the cursor's block with the webhooks that were not yet, as many as fit into a turn. It is still on the chain. */
async function settleOwed(standing: Standing): Promise<StepProgress> {
  const { record, source, cursor, runs } = standing;
  const { traces } = record.lane;
  const run = await source.reader.read({ hashes: [cursor.hash as Hex], above: cursor.number - 1, traces });
  runs.push(run);
  const [block] = run.blocks;
  if (!block) throw missing(source, `block ${cursor.hash}, which is on its chain`);
  const notifications = (await record.settle?.(block)) ?? 0;
  return { ...stayed(standing), notifications, releasing: true };
}

/** Takes blocks off the record of a lane that is set apart. What replaces them are further steps. */
async function leave(standing: Standing, above?: BlockId): Promise<StepProgress> {
  const notifications = (await standing.record.leave?.(above)) ?? 0;
  return { ...stayed(standing), notifications, releasing: true };
}

/**
 * @returns undefined if there is nothing to record now; "owing" if the cursor's block comes first, which is on the source's chain; "doubtful" if
 *   logs were not believed; the newest block that stays if the lane must leave others first
 */
async function nextBlocks(
  chain: ChainConfig,
  step: Reading,
): Promise<NextBlocks | { leavesAbove: BlockId } | "owing" | "doubtful" | undefined> {
  const { record, source, memory, cursor, head, runs } = step;
  const { lane } = record;
  assertTraces(lane, chain);
  const from = Math.min(head.number, cursor.number + 1);
  const interest = from > cursor.number ? await record.interestAt?.(from, newestByLogs(step)) : undefined;
  const read = { reader: source.reader, traces: lane.traces, interest };
  const found = interest?.mode === "logs" ? await runByLogs(interest, from, step) : await runFrom(read, from, step);
  if (found === "doubtful") return found;
  const { run, to, finality, nodesAgreed } = found;
  const first = run[0];
  if (!first) throw missing(source, `block ${from}, below its own head`);
  const atCursor = from > cursor.number ? first.parentHash : first.hash;
  if (atCursor === cursor.hash) {
    delete memory.competing;
    if (lane.isOwing) return "owing";
    if (nodesAgreed === undefined) noteRun(memory, run, { requested: to - from + 1, isSparse: interest !== undefined });
    return from > cursor.number ? { from: read, finality, blocks: run, nodesAgreed } : undefined;
  }
  // A node behind a load balancer may be on a stale branch for a moment, so the branch must be seen twice.
  if (memory.competing?.hash !== atCursor) {
    memory.competing = { hash: atCursor, since: performance.now() };
    if (!source.isSettled) return undefined;
  }
  const competing = { number: from > cursor.number ? cursor.number : from, hash: atCursor };
  const agreed = await source.isAgreedOn(competing, performance.now() - memory.competing.since);
  if (agreed === undefined) return undefined;
  if (!agreed) {
    delete memory.competing;
    throw new UntrustedNodeError(
      `its block ${competing.number} is ${competing.hash}, and the other nodes have another`,
      {
        method: "eth_getBlockByNumber",
        origin: source.origin,
      },
    );
  }
  const { ancestor, ancestorHash, hashes } = await findBranch(record.isRecorded, source, first);
  if (lane.isApart) return { leavesAbove: { number: ancestor, hash: ancestorHash } };
  // A step records as much of a long branch as fits, from its beginning. The rest follows like any other blocks.
  const selection = { hashes: hashes.slice(0, longestRun), above: ancestor, traces: read.traces };
  const branch = await source.reader.read(selection);
  runs.push(branch);
  const below = branch.blocks;
  const isComplete = below.length === hashes.length && hashes.length < longestRun;
  return { from: read, finality, retractAbove: ancestor, blocks: isComplete ? [...below, ...run] : below, nodesAgreed };
}

/** Blocks to record, the last one that was asked for, and finality as it was then. */
type NextRun = {
  run: ReadRun["blocks"];
  to: number;
  finality: FinalNumber;
  /** Set if some are passed over by the logs that nodes returned. */
  nodesAgreed?: number;
};

/**
 * One of several nodes behind an address may be some blocks behind: it returns no logs of those, as if there were none. Where a block is final at once
 * nothing else keeps us from asking for them.
 */
const freshBlocks = 32;

/** The newest block of which logs are asked for. */
const newestByLogs = ({ head, finality }: Pick<Reading, "head" | "finality">) =>
  Math.min(finality(head.number), head.number - freshBlocks);

/**
 * The blocks whose logs can match, up to the last that is final or that nodes return logs of. What was asked serves several steps: the blocks are final.
 *
 * @returns "doubtful" if the logs are not believed. The blocks are then read whole, which needs no belief
 */
async function runByLogs(
  interest: LaneInterest,
  from: number,
  { record, source, memory, head, runs, finality }: Reading,
): Promise<NextRun | "doubtful"> {
  memory.readAhead.drop();
  const doubt = async (logs: DoubtedLogs): Promise<"doubtful"> => {
    delete memory.hits;
    source.doubted?.({ ...logs, from });
    await record.readWhole?.(from, logs.upTo);
    return "doubtful";
  };
  const limit = Math.min(newestByLogs({ head, finality }), interest.upTo, record.lane.meetsAt ?? interest.upTo);
  const known = memory.hits;
  if (known?.interest !== interest || from < known.from || from > known.to) {
    delete memory.hits;
    if (!source.agreedHits) throw new Error("logs can be asked of nodes only");
    const { lane = 0 } = record.lane;
    const to = Math.max(from, Math.min(limit, from + (memory.logsReach ?? limit) - 1));
    const found = await source.agreedHits({ from, to, lane, interest: interest.logs });
    if ("reason" in found) return doubt(found);
    // One node may return far more blocks' logs than another, or than are remembered. The rest would be returned for nothing.
    if (found.to < limit) memory.logsReach = 2 * (found.to - from + 1);
    else delete memory.logsReach;
    memory.hits = { ...found, from, interest };
  }
  const hits = memory.hits ?? known;
  if (!hits) throw new Error("no logs were asked for");
  const to = Math.max(from, Math.min(limit, hits.to));
  const blocks = hits.blocks.filter(({ number }) => number >= from && number <= to);
  const selection = {
    from,
    to,
    traces: false,
    interest: interest.logs,
    hits: { to: hits.to, hash: hits.hash, blocks },
  };
  try {
    const run = await source.reader.read(selection);
    runs.push(run);
    return { run: run.blocks, to, finality, nodesAgreed: hits.nodesAgreed };
  } catch (error) {
    if (!(error instanceof NoLogsError)) throw error;
    return doubt({ upTo: hits.to, reason: error.message, nodes: [source.origin], isContradiction: true });
  }
}

/** The next blocks: those read ahead, unless the chain has changed since; then they are read again. */
async function runFrom(
  source: LaneSource,
  from: number,
  { record: { lane }, cursor, head, memory, runs, finality }: Reading,
): Promise<NextRun> {
  const keep = async (read: Promise<ReadRun>) => {
    const run = await read;
    runs.push(run);
    return run.blocks;
  };
  const ahead = memory.readAhead.take(source, from);
  const run = ahead && (await keep(ahead.read));
  // A lane that is set apart records one block after the other.
  const { interest } = source;
  const end = Math.min(head.number, interest?.upTo ?? head.number);
  const limit = Math.min(end, lane.isApart ? from : (lane.meetsAt ?? end));
  if (ahead && run?.[0]?.parentHash === cursor.hash) {
    const wanted = run.filter(({ number }) => number <= Math.max(from, limit));
    return { run: wanted, to: Math.min(ahead.to, limit), finality: ahead.finality };
  }
  const length = interest ? memory.sparse.runLength : memory.runLength;
  const to = Math.max(from, Math.min(limit, from + length - 1));
  const whole = head.number === from && "transactionHashes" in head ? head : undefined;
  const selection = { from, to, head: whole, traces: source.traces, interest: interest?.logs };
  return { run: await keep(source.reader.read(selection)), to, finality };
}

/** Learns from a run how long the next one is. */
function noteRun(
  memory: StepMemory,
  run: ReadRun["blocks"],
  { requested, isSparse }: { requested: number; isSparse: boolean },
): void {
  if (!isSparse) {
    memory.runLength = nextRunLength(run, { requested, length: memory.runLength });
    return;
  }
  const { sparse } = memory;
  // What came before counts half.
  const [blocks, whole] =
    sparse.blocks < denseWindow ? [sparse.blocks, sparse.whole] : [sparse.blocks / 2, sparse.whole / 2];
  memory.sparse = {
    runLength: nextSparseLength(run, { requested, length: sparse.runLength }),
    blocks: blocks + run.length,
    whole: whole + wholeIn(run),
  };
}

/** After so many blocks it is decided whether passing over pays. */
const denseWindow = 128;

/** A third of the blocks read whole takes as long as all of them, since those come with their headers, in longer runs. */
const isDense = ({ blocks, whole }: StepMemory["sparse"]) => blocks >= denseWindow && whole * 3 > blocks;

/** @throws StandstillError if the lane has traces and the chain's configuration has none */
function assertTraces(lane: Pick<Lane, "traces">, { chainId, traces }: ChainConfig): void {
  if (lane.traces && !traces)
    throw new StandstillError(
      `Webhooks on chain ${chainId} include internal transactions, but its configuration has "traces": false. ` +
        "They wait until one or the other is changed; webhooks without internal transactions do not.",
      "configuration",
    );
}

function missing({ origin }: BlockSource, what: string): NodeError {
  return new NodeError(`no ${what}`, { method: "eth_getBlockByNumber", origin });
}

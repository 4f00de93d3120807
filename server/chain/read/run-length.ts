/** How many blocks make a run. While catching up, a run is fetched concurrently and recorded in one transaction. */
import type { BlockBundle, WireCallFrame } from "../../matching/wire.ts";

export const longestRun = 8;
/** How heavy a run may be, in bytes, without its first block. */
export const heaviestRun = 16 * 1024 * 1024;

/**
 * The next run is shorter if the node did not have all blocks of this one, or if blocks are large. Otherwise it doubles.
 *
 * @param run what was read of a run
 * @param options.requested how many blocks it should have had
 * @param options.length the length of runs until now
 */
export function nextRunLength(
  run: readonly { weight: number }[],
  { requested, length }: { requested: number; length: number },
): number {
  const wanted = run.length < requested ? run.length : Math.min(longestRun, length * 2);
  return Math.max(1, Math.min(wanted, Math.floor(heaviestRun / Math.max(1, ...run.map(({ weight }) => weight)))));
}

/** How many headers make a run where most blocks are passed over. */
const longestSparseRun = 512;

/**
 * The length of the next run where most blocks are passed over. One that had too many others is cut short, and what was read above is read again:
 * so it grows only where there is room for twice as many.
 */
export function nextSparseLength(
  run: readonly { isPassed?: true }[],
  { requested, length }: { requested: number; length: number },
): number {
  if (run.length < requested) return Math.max(longestRun, run.length);
  const hasRoom = 2 * wholeIn(run) <= longestRun;
  return hasRoom ? Math.min(longestSparseRun, length * 2) : length;
}

/** How many blocks of a run were read whole. */
export const wholeIn = (run: readonly { isPassed?: true }[]): number =>
  run.reduce((sum, { isPassed }) => sum + (isPassed ? 0 : 1), 0);

/** What nodes return for each, besides texts of any length: a transaction with its receipt and bloom, a log, a call frame. */
const perTransaction = 2_000;
const perLog = 700;
const perFrame = 400;

/** A block bundle, or what there is of it. */
type Weighed = Omit<BlockBundle, "block"> & { block?: Pick<BlockBundle["block"], "transactions"> };

/** The approximate bytes of the node's responses. The bundle may be unchecked, so any field may be absent. */
export function weightOf({ block, receipts, traces }: Weighed): number {
  let weight = 0;
  for (const transaction of listOf(block?.transactions)) weight += perTransaction + lengthOf(transaction?.input);
  for (const receipt of listOf(receipts))
    for (const log of listOf(receipt?.logs)) weight += perLog + lengthOf(log?.data);
  for (const trace of listOf(traces)) weight += weightOfFrame(trace?.result);
  return weight;
}

/** Tracers also return each call's input and output, which nobody reads. */
function weightOfFrame(frame: (WireCallFrame & { input?: unknown; output?: unknown }) | null | undefined): number {
  if (!frame) return 0;
  let weight = perFrame + lengthOf(frame.input) + lengthOf(frame.output);
  for (const call of listOf(frame.calls)) weight += weightOfFrame(call);
  return weight;
}

const listOf = <T>(list: readonly T[] | null | undefined): readonly T[] => (Array.isArray(list) ? list : []);
const lengthOf = (text: unknown) => (typeof text === "string" ? text.length : 0);

/** About how many bytes a block takes: a few large blocks may be held at once, or more small ones. */
import type { BlockBundle, WireCallFrame } from "../../matching/wire.ts";

/** What nodes say of each, beside texts of any length: a transaction with its receipt and bloom, a log, a call frame. */
const perTransaction = 2_000;
const perLog = 700;
const perFrame = 400;

/** @returns about as many bytes as in the node's answers; nothing is presumed of them, for they are not checked yet */
export function weightOf({ block, receipts, traces }: BlockBundle): number {
  let weight = 0;
  for (const transaction of listOf(block.transactions)) weight += perTransaction + lengthOf(transaction?.input);
  for (const receipt of listOf(receipts))
    for (const log of listOf(receipt?.logs)) weight += perLog + lengthOf(log?.data);
  for (const trace of listOf(traces)) weight += weightOfFrame(trace?.result);
  return weight;
}

/** Tracers tell what each call was given and gave back, too, which nobody reads. */
function weightOfFrame(frame: (WireCallFrame & { input?: unknown; output?: unknown }) | null | undefined): number {
  if (!frame) return 0;
  let weight = perFrame + lengthOf(frame.input) + lengthOf(frame.output);
  for (const call of listOf(frame.calls)) weight += weightOfFrame(call);
  return weight;
}

const listOf = <T>(list: readonly T[] | null | undefined): readonly T[] => (Array.isArray(list) ? list : []);
const lengthOf = (text: unknown) => (typeof text === "string" ? text.length : 0);

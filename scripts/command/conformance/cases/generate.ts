/** Generated cases as a part of a run: with a record of their own, which they examine, and whatever they created deleted again. */
import { createExchangeRecorder, type RecordedExchange } from "../exchange.ts";
import type { Finding } from "../findings.ts";
import type { Target } from "../probe.ts";
import { runCases } from "./run.ts";

/** How many cases, and by which seed. */
export type Cases = { count: number; seed: number };

/** The result. */
export type Generated = {
  findings: Finding[];
  exchanges: RecordedExchange[];
  /** Webhooks that could not be deleted. */
  left: string[];
};

/** After Ctrl-C, for the answer in flight, which says what was created, and for deleting that. */
const graceMs = 20_000;

/** Runs the cases. @throws once the signal is aborted, after cleaning up */
export async function generateCases({
  baseUrl,
  target,
  signal,
  cases: { count, seed },
}: {
  baseUrl: URL;
  target: Target;
  signal: AbortSignal;
  cases: Cases;
}): Promise<Generated> {
  const ended = new AbortController();
  const end = () => void setTimeout(() => ended.abort(), graceMs).unref();
  signal.addEventListener("abort", end, { once: true });
  const recorder = createExchangeRecorder(baseUrl, ended.signal);
  const left: string[] = [];
  try {
    const findings = await runCases({ recorder, target, signal, cases: count, seed, left });
    return { findings, exchanges: recorder.exchanges, left };
  } finally {
    signal.removeEventListener("abort", end);
    await recorder.close();
  }
}

/** Writes down how a run went: numbers for programs, sentences and plots for people, and whether the hostile slowed others down. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Line, plot } from "./plot.ts";
import type { Sample } from "./samples.ts";

/** From a block's being there to the arrival of its notification, of endpoints that answer at once. */
export type Latency = { at: number; ms: number };

export type Findings = {
  course: { minutes: number; webhooks: number; seed: number };
  counts: Record<string, number>;
  latencyMs: { p50: number; p95: number; p99: number };
  /** How long the well-behaved waited without the hostile ones and with them. */
  fairness: Fairness[];
  /** The same for the costly account, in turns; empty in a short run. */
  costly: Fairness[];
  /** How often the hostile ones did what. */
  hostile: Record<string, number>;
  /** How often the node refused calls, by the way. */
  refusals: Record<string, number>;
  growth: Growth[];
  /** What came of each operation, by status. */
  api: Record<string, number>;
};

/** How memory or handles of a process were in the first and the last third, as medians. */
export type Growth = { process: string; of: "memoryMb" | "handles"; first: number; last: number };

const binSeconds = 5;

/** @returns how everything that was watched grew; the first tenth is left out, in which code is compiled and caches fill */
export function growthIn(samples: readonly Sample[]): Growth[] {
  const warm = samples.slice(Math.floor(samples.length / 10));
  const third = Math.floor(warm.length / 3);
  const names = Object.keys(samples[0]?.memoryMb ?? {});
  return names.flatMap((process) =>
    (["memoryMb", "handles"] as const).map((of) => {
      const values = warm.map((sample) => sample[of][process] ?? 0);
      return { process, of, first: quantile(values.slice(0, third), 0.5), last: quantile(values.slice(-third), 0.5) };
    }),
  );
}

/** The value below which so much of all lies; 0 of nothing. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return Math.round((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0) * 10) / 10;
}

/** Writes report.json, report.md and the plots that it shows. */
export function writeReport(
  folder: string,
  findings: Findings,
  samples: readonly Sample[],
  latencies: readonly Latency[],
): void {
  const names = Object.keys(samples[0]?.memoryMb ?? {});
  const over = (name: string, value: (sample: Sample) => number): Line => ({
    name,
    points: samples.map((sample) => [sample.at, value(sample)] as const),
  });
  mkdirSync(folder, { recursive: true });
  const files = {
    "report.json": `${JSON.stringify({ ...findings, samples }, undefined, 2)}\n`,
    "report.md": words(findings),
    "latency.svg": plot(
      "From the block to the endpoint",
      "ms",
      [0.5, 0.99].map((part) => inBins(latencies, part)),
    ),
    "backlog.svg": plot("Notifications that wait", "notifications", [
      over("for the first attempt", ({ waiting }) => waiting),
      over("for another attempt", ({ retrying }) => retrying),
    ]),
    "memory.svg": plot(
      "Memory",
      "MB",
      names.map((name) => over(name, ({ memoryMb }) => memoryMb[name] ?? 0)),
    ),
    "handles.svg": plot(
      "File handles",
      "open",
      names.map((name) => over(name, ({ handles }) => handles[name] ?? 0)),
    ),
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
}

function inBins(latencies: readonly Latency[], part: number): Line {
  const bins = new Map<number, number[]>();
  for (const { at, ms } of latencies) {
    const bin = Math.floor(at / binSeconds) * binSeconds;
    bins.set(bin, [...(bins.get(bin) ?? []), ms]);
  }
  const points = [...bins].sort(([a], [b]) => a - b).map(([at, values]) => [at, quantile(values, part)] as const);
  return { name: `p${part * 100}`, points };
}

function words({ course, counts, latencyMs, fairness, costly, hostile, refusals, growth, api }: Findings): string {
  const rows = (pairs: readonly (readonly unknown[])[]) => pairs.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
  return `# ${course.minutes} minutes with ${course.webhooks} webhooks (seed ${course.seed})

| what | how many |
| --- | --- |
${rows(Object.entries(counts))}

From a block's being there to the arrival at endpoints that answer at once: half within ${latencyMs.p50} ms, 95 of 100 within ${latencyMs.p95} ms, 99 within ${latencyMs.p99} ms.

![latency](latency.svg)
![backlog](backlog.svg)
![memory](memory.svg)
![file handles](handles.svg)

99 of 100 waited at most so long, in ms: before a hostile account and a hostile client came, and with them.

| who | without | with |
| --- | --- | --- |
${rows(fairness.map(({ of, ...ms }) => [of, ms.without, ms.with]))}

The same in turns without an account that costs most and with it. ${unfairTo(costly).remark ?? ""}

| who | without | with |
| --- | --- | --- |
${rows(costly.map(({ of, ...ms }) => [of, ms.without, ms.with]))}

| what they did | how often |
| --- | --- |
${rows(Object.entries(hostile))}

| how the node refused | how often |
| --- | --- |
${rows(Object.entries(refusals))}

| process | of | first third | last third |
| --- | --- | --- | --- |
${rows(growth.map(({ process, of, first, last }) => [process, of, first, last]))}

| operation and status | how often |
| --- | --- |
${rows(Object.entries(api))}
`;
}

/** How long something took that began at a time, both in ms; times since the epoch. */
export type Wait = { at: number; ms: number };

/** How long a call of the API took. */
export type CallWait = Wait & { isRead: boolean };

/** Parts of a run: from, and until, in ms since the epoch. */
export type Stretch = { from: number; to: number };

/** 99 of 100 took at most so long, in ms, without somebody and with them. */
export type Fairness = { of: string; without: number; with: number };

/** One slow moment of the machine must not decide: it is one window of several. */
const windowMs = 4_000;
/** What is faster is not held up. */
const unnoticedMs = 100;

/** The median of what 99 of 100 took at most in each window of some stretches. */
function typicalP99(waits: readonly Wait[], stretches: readonly Stretch[]): number {
  const windows = new Map<string, number[]>();
  for (const [index, { from, to }] of stretches.entries())
    for (const { at, ms } of waits) {
      const window = Math.floor((at - from) / windowMs);
      if (at < from || at >= to || window + 1 > (to - from) / windowMs) continue;
      const key = `${index} ${window}`;
      windows.set(key, [...(windows.get(key) ?? []), ms]);
    }
  return quantile(
    [...windows.values()].map((each) => quantile(each, 0.99)),
    0.5,
  );
}

export function fairnessOf(
  waits: Readonly<Record<string, readonly Wait[]>>,
  stretches: { without: readonly Stretch[]; with: readonly Stretch[] },
): Fairness[] {
  return Object.entries(waits).map(([of, each]) => ({
    of,
    without: typicalP99(each, stretches.without),
    with: typicalP99(each, stretches.with),
  }));
}

/** Whether they took more than twice as long. What takes up to 100 ms without them may take 200 ms: nobody is held up by that. */
export function isUnfair(fairness: Fairness): boolean {
  return fairness.with > 2 * Math.max(unnoticedMs, fairness.without);
}

/**
 * A machine on which others wait for longer without the costly account is busy with other things: nothing follows from what they wait with it. On a
 * quiet one with two processors they wait 0.3 s for deliveries.
 */
export const tooBusyMs = 1_000;

/** @param costly of the turns without the costly account and with it; empty if the run was too short for some @returns a remark if nothing is judged */
export function unfairTo(costly: readonly Fairness[]): { unfair: Fairness[]; remark: string | undefined } {
  if (costly.length === 0) return { unfair: [], remark: "Not compared: the run was too short." };
  const busy = costly.filter((fairness) => fairness.without > tooBusyMs).map(({ of }) => of);
  if (busy.length === 0) return { unfair: costly.filter(isUnfair), remark: undefined };
  return { unfair: [], remark: `Not judged: without it, ${busy.join(" and ")} took more than ${tooBusyMs} ms.` };
}

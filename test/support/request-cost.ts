/** What requests cost a server that runs in this process: processor time beside that of `JSON.parse`, and memory. */
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { CostlyRequest } from "./costly-requests.ts";
import { openSocket } from "./raw-http.ts";

/** The bodies that the contract gives as examples of a creation. */
const example = new URL("../../openapi/examples/create-webhook.wallet.json", import.meta.url);
const { value } = JSON.parse(readFileSync(example, "utf8")) as { value: unknown };
const one = JSON.stringify(value);
const plain = Buffer.from(`[${Array.from({ length: Math.floor(1_048_576 / (one.length + 1)) }, () => one).join(",")}]`);

/** What one request costs. */
export type Cost = { name: string; status: string; cpuMs: number; times: number };

const requestsASample = 3;

/**
 * Finds the requests that cost most. Each is measured a few times in turn with the parsing of a plain body; the most expensive are then
 * measured again, more often. Medians.
 *
 * @returns what parsing a plain mebibyte costs, in ms, and each request's cost, the highest first
 */
export async function rankByCost(
  url: string,
  requests: readonly CostlyRequest[],
  rounds: { all: number; worst: number },
): Promise<{ parseMs: number; costs: Cost[] }> {
  for (const request of requests) await send(url, request);
  const first = await measure(url, requests, rounds.all);
  const suspects = new Set(first.costs.slice(0, 5).map(({ name }) => name));
  const again = await measure(
    url,
    requests.filter(({ name }) => suspects.has(name)),
    rounds.worst,
  );
  const rest = first.costs.filter(({ name }) => !suspects.has(name));
  return { parseMs: again.parseMs, costs: [...again.costs, ...rest] };
}

async function measure(url: string, requests: readonly CostlyRequest[], rounds: number) {
  const parses: number[] = [];
  const samples = new Map<string, { status: string; ms: number[] }>();
  for (let round = 0; round < rounds; round += 1)
    for (const request of requests) {
      parses.push(await cpuMs(() => void JSON.parse(plain.toString())));
      let status = "";
      const ms = await cpuMs(async () => {
        for (let n = 0; n < requestsASample; n += 1) status = await send(url, request);
      });
      const sample = samples.get(request.name) ?? { status, ms: [] };
      sample.ms.push(ms / requestsASample);
      samples.set(request.name, sample);
    }
  const parseMs = median(parses);
  const costs = [...samples].map(([name, { status, ms }]) => ({
    name,
    status,
    cpuMs: median(ms),
    times: median(ms) / parseMs,
  }));
  return { parseMs, costs: costs.sort((a, b) => b.cpuMs - a.cpuMs) };
}

/** The most memory that any of the requests takes beside what the process has, in MB; undefined where the system does not tell. */
export async function mostMemoryMb(url: string, requests: readonly CostlyRequest[]): Promise<number | undefined> {
  if (!existsSync("/proc/self/clear_refs")) return undefined;
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  let most = 0;
  for (const request of requests) {
    collect();
    // Lets the peak begin anew.
    writeFileSync("/proc/self/clear_refs", "5");
    const before = memoryMb("VmRSS");
    await send(url, request);
    most = Math.max(most, memoryMb("VmHWM") - before);
  }
  return most;
}

function memoryMb(name: "VmRSS" | "VmHWM"): number {
  return Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(readFileSync("/proc/self/status", "utf8"))?.[1]) / 1_024;
}

/** @returns the status line of the answer */
async function send(url: string, { bytes }: CostlyRequest): Promise<string> {
  const socket = openSocket(url);
  socket.write(bytes);
  const [chunk] = (await once(socket, "data")) as [Buffer];
  socket.destroy();
  return chunk.toString("latin1", 9, 12);
}

async function cpuMs(work: () => Promise<void> | void): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}

/** What requests cost the process that serves them: processor time beside that of `JSON.parse`, and memory. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { CostlyRequest } from "./costly-requests.ts";
import { openSocket } from "./raw-http.ts";
import { seeded } from "./seeded.ts";

/** What one request costs: the processor time of the server's process, also beside that of parsing a plain mebibyte. */
export type Cost = { name: string; status: string; cpuMs: number; times: number };

/** An API in a process of its own. */
export type CostlyServer = {
  pid: number;
  url: string;
  ask(what: "cpu" | "parse" | "collect"): Promise<number>;
  close(): Promise<void>;
};

/** Starts it. @param chains which it serves */
export async function startCostlyServer(databaseUrl: string, chains: readonly object[]): Promise<CostlyServer> {
  const child = fork("test/support/cost-process.ts", [databaseUrl, JSON.stringify(chains)], {
    cwd: fileURLToPath(new URL("../..", import.meta.url)),
    execArgv: ["--import", "tsx"],
  });
  const ended = once(child, "exit");
  const next = async () => {
    const [said] = await Promise.race([once(child, "message"), ended]);
    if (child.exitCode !== null) throw new Error(`The server ended with ${child.exitCode}.`);
    return said as number;
  };
  const port = await next();
  return {
    pid: child.pid ?? 0,
    url: `http://127.0.0.1:${port}`,
    ask(what) {
      const answer = next();
      child.send(what);
      return answer;
    },
    async close() {
      child.disconnect();
      await ended;
    },
  };
}

const requestsASample = 2;
/** So many of those that seem the worst are measured again. */
const suspected = 6;

/**
 * Finds the requests that cost most. Each is measured a few times in turn with the parsing of a plain body; the most expensive are then
 * measured again, more often. Medians.
 *
 * @returns what parsing a plain mebibyte costs, in ms, and each request's cost, the highest first
 */
export async function rankByCost(
  server: CostlyServer,
  requests: readonly CostlyRequest[],
  rounds: { all: number; worst: number },
): Promise<{ parseMs: number; costs: Cost[] }> {
  const first = await measure(server, requests, rounds.all);
  const suspects = new Set(first.costs.slice(0, suspected).map(({ name }) => name));
  const again = await measure(
    server,
    requests.filter(({ name }) => suspects.has(name)),
    rounds.worst,
  );
  const rest = first.costs.filter(({ name }) => !suspects.has(name));
  return { parseMs: again.parseMs, costs: [...again.costs, ...rest] };
}

async function measure(server: CostlyServer, requests: readonly CostlyRequest[], rounds: number) {
  const parses: number[] = [];
  const samples = new Map<string, { status: string; ms: number[]; times: number[] }>();
  const random = seeded(rounds);
  for (let round = 0; round < rounds; round += 1)
    for (const request of shuffled(requests, random)) {
      const parse = await server.ask("parse");
      parses.push(parse);
      const before = await server.ask("cpu");
      let status = "";
      for (let n = 0; n < requestsASample; n += 1) status = await send(server.url, request);
      const ms = (await server.ask("cpu")) - before;
      const sample = samples.get(request.name) ?? { status, ms: [], times: [] };
      sample.ms.push(ms / requestsASample);
      // What other processes do to the caches changes from one moment to the next.
      sample.times.push(ms / requestsASample / parse);
      samples.set(request.name, sample);
    }
  const parseMs = median(parses);
  const costs = [...samples].map(([name, { status, ms, times }]) => ({
    name,
    status,
    cpuMs: median(ms),
    times: median(times),
  }));
  return { parseMs, costs: costs.sort((a, b) => b.cpuMs - a.cpuMs) };
}

/** The most memory that any of the requests takes beside what the process has, in MB; undefined where the system does not tell. */
export async function mostMemoryMb(
  server: CostlyServer,
  requests: readonly CostlyRequest[],
): Promise<number | undefined> {
  const peak = `/proc/${server.pid}/clear_refs`;
  if (!existsSync(peak)) return undefined;
  let most = 0;
  for (const request of requests) {
    await server.ask("collect");
    // Resets the peak.
    writeFileSync(peak, "5");
    const before = memoryMb(server.pid, "VmRSS");
    await send(server.url, request);
    most = Math.max(most, memoryMb(server.pid, "VmHWM") - before);
  }
  return most;
}

function memoryMb(pid: number, name: "VmRSS" | "VmHWM"): number {
  return Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1_024;
}

/** @returns the status line of the answer */
async function send(url: string, { bytes }: CostlyRequest): Promise<string> {
  const socket = openSocket(url);
  socket.write(bytes);
  const [chunk] = (await once(socket, "data")) as [Buffer];
  socket.destroy();
  return chunk.toString("latin1", 9, 12);
}

/** In the same order each time, a collection of all that they leave would always come with the same request. */
function shuffled(requests: readonly CostlyRequest[], random: (below: number) => number): CostlyRequest[] {
  return requests
    .map((request) => ({ request, at: random(1_000_000) }))
    .sort((a, b) => a.at - b.at)
    .map(({ request }) => request);
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}

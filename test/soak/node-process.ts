/**
 * What stands before the node in a run: a provider that refuses every batch, in ways that change, and that half of the time limits the rate. Its
 * arguments are the node's address, how long it takes to go through all ways once, in ms, and a seed. It prints its address, and how often it
 * refused in which way when it is ended. It begins when it reads a line: `batches` alone, or `all`.
 */
import { Agent, createServer, type IncomingMessage, request as requestOf, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { seeded } from "../support/seeded.ts";

const [upstream = "", cycle = "", seed = ""] = process.argv.slice(2);
const cycleMs = Number(cycle);
/** How many calls it answers in a second while it limits them: about what following one chain takes. */
const perSecond = 8;

type Call = { id: unknown };
type Refuse = (response: ServerResponse, calls: readonly Call[]) => void;

const json = (response: ServerResponse, body: unknown, status = 200) =>
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
const error = (id: unknown, code: number, message: string) => ({ jsonrpc: "2.0", id, error: { code, message } });

const ofBatches: Record<string, Refuse> = {
  "batch: an array with one error": (response, [first]) =>
    json(response, [error(first?.id, -32600, "batch too large")]),
  "batch: a 500": (response) => json(response, error(1, 31, "batch limit exceeded"), 500),
  "batch: one error without an id": (response) => json(response, error(null, -32000, "batch limit exceeded")),
  "batch: a dropped connection": (response) => response.destroy(),
};
const ofRates: Record<string, Refuse> = {
  "rate: a 429 with Retry-After": (response) => response.writeHead(429, { "retry-after": "1" }).end(),
  "rate: -32005": (response, [call]) => json(response, error(call?.id, -32005, "limit exceeded")),
};
const ways = { batches: Object.keys(ofBatches), rates: Object.keys(ofRates) };
const counts = Object.fromEntries([...ways.batches, ...ways.rates].map((way) => [way, 0]));

/** In each cycle since it began the ways have another order. */
function shuffled(of: readonly string[], cycle: number): string[] {
  const dice = seeded(Number(seed) * 31 + cycle);
  return of
    .map((way) => ({ way, at: dice(1_000_000) }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ way }) => way);
}

let beganAt: number | undefined;
let limitsRate = false;
process.stdin.on("data", (line) => {
  beganAt = performance.now();
  limitsRate = line.toString().trim() === "all";
});

/** How it refuses batches now, and how it limits the rate, if it does. */
function waysNow(): { batch: string | undefined; rate: string | undefined } {
  if (beganAt === undefined) return { batch: undefined, rate: undefined };
  const cycles = (performance.now() - beganAt) / cycleMs;
  const [cycle, at] = [Math.floor(cycles), cycles % 1];
  const rates = shuffled(ways.rates, cycle).flatMap((way) => [way, undefined]);
  const nth = <T>(of: readonly T[]) => of[Math.floor(at * of.length)];
  return { batch: nth(shuffled(ways.batches, cycle)), rate: limitsRate ? nth(rates) : undefined };
}

let tokens = perSecond;
let countedAt = performance.now();
function isTooFast(): boolean {
  const now = performance.now();
  tokens = Math.min(perSecond, tokens + ((now - countedAt) / 1_000) * perSecond);
  countedAt = now;
  if (tokens < 1) return true;
  tokens -= 1;
  return false;
}

function refusalOf(calls: readonly Call[]): Refuse | undefined {
  const { batch, rate } = waysNow();
  const way = calls.length > 1 ? batch : rate !== undefined && isTooFast() ? rate : undefined;
  if (way === undefined) return undefined;
  counts[way] = (counts[way] ?? 0) + 1;
  return ofBatches[way] ?? ofRates[way];
}

const agent = new Agent({ keepAlive: true });
const { hostname, port } = new URL(upstream);

/** Passes it on as it is: what the node returns may be megabytes. */
function forward(body: Buffer, response: ServerResponse): void {
  const headers = { "content-type": "application/json", "content-length": body.length };
  const onward = requestOf({ agent, hostname, port, method: "POST", path: "/", headers }, (answer: IncomingMessage) => {
    response.writeHead(answer.statusCode ?? 502, { "content-type": "application/json" });
    answer.on("error", () => response.destroy()).pipe(response);
  });
  onward.on("error", () => response.destroy());
  response.on("close", () => response.writableFinished || onward.destroy());
  onward.end(body);
}

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request
    .on("data", (chunk) => chunks.push(chunk))
    .on("end", () => {
      const body = Buffer.concat(chunks);
      const calls = [JSON.parse(body.toString())].flat() as Call[];
      const refuse = refusalOf(calls);
      if (refuse) refuse(response, calls);
      else forward(body, response);
    });
});
server.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));

process.once("SIGTERM", () => process.stdout.write(`${JSON.stringify(counts)}\n`, () => process.exit(0)));

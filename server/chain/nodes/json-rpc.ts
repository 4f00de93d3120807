/** One HTTP exchange with a node over JSON-RPC: a single call, or a batch. */
import { isAscii } from "node:buffer";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { Agent, type Dispatcher, interceptors, request } from "undici";
import { parseRetryAfter } from "../../retry-after.ts";
import type { NodeAddress } from "./node-address.ts";

export type Call = { method: string; params: readonly unknown[] };

/** Why a call failed. */
export type Failure = {
  reason: string;
  /** The JSON-RPC error code, if the node returned one. */
  code?: number;
  /** The node asks for fewer calls. */
  throttled?: true;
  /** How long the node asked us to wait. */
  retryAfterMs?: number;
  /** The node did not respond in time, or we stopped waiting. */
  unanswered?: "timed out" | "cancelled";
};

export type CallResult = { result: unknown } | { failure: Failure };

type RpcResponse = { id?: unknown; result?: unknown; error?: { code?: unknown; message?: unknown } | null };

/** No block bundle comes near. A node that never stops sending must not fill the memory. */
const largestResponse = 256 * 1024 * 1024;
/** Larger batches are split: several are in flight, and each is read whole before it is used. */
const largestBatchResponse = 8 * 1024 * 1024;
const longestRetryAfterMs = 600_000;
/** JSON-RPC "limit exceeded" (EIP-1474). */
const limitExceeded = -32005;
/** The statuses of servers that take no batches, or only shorter ones. */
const batchRefusals = new Set([400, 404, 405, 413, 415, 501]);

/** As many as `fetch` follows. */
const maxRedirections = 20;
/** `fetch` takes 0.8 ms longer for each call, and each new block waits for it. The global dispatcher may be that of Node's own undici. */
const dispatcher = new Agent().compose(interceptors.redirect({ maxRedirections }));

/** Some providers refuse requests without a User-Agent. */
const defaultHeaders = {
  "user-agent": "chain-webhooks",
  accept: "application/json",
  "accept-encoding": "gzip",
  "content-type": "application/json",
};

/**
 * Makes the calls.
 *
 * @returns a result for each call, in order. `"batch refused"` if the node does not take that many in one request, or if its
 *   response is too large
 * @throws what `request` throws, the signal's reason, or that the response cannot be read
 */
export async function exchange(
  { href, headers }: NodeAddress,
  calls: readonly Call[],
  signal: AbortSignal,
): Promise<CallResult[] | "batch refused"> {
  const requests = calls.map(({ method, params }, id) => ({ jsonrpc: "2.0", id, method, params }));
  const response = await orAborted(
    signal,
    request(href, {
      ...{ method: "POST", signal, dispatcher },
      headers: { ...defaultHeaders, ...headers },
      body: JSON.stringify(requests.length === 1 ? requests[0] : requests),
    }),
  );
  const text = await readText(response, calls.length === 1 ? largestResponse : largestBatchResponse);
  if (text === undefined && calls.length > 1) return "batch refused";
  if (text === undefined) throw new Error("the response is too large");
  const { statusCode } = response;
  const status = { ok: statusCode >= 200 && statusCode < 300, status: statusCode, limits: limitsOf(response) };
  const parsed = parse(text);
  if (calls.length === 1) return [resultOf(asObject(parsed), status)];
  if (!Array.isArray(parsed)) {
    const whole = resultOf(asObject(parsed), status);
    const throttled = "failure" in whole && whole.failure.throttled;
    if (!throttled && (status.ok || batchRefusals.has(status.status))) return "batch refused";
    return calls.map(() => whole);
  }
  const byId = new Map(parsed.map((each) => [asObject(each)?.id, asObject(each)]));
  return calls.map((_, id) => resultOf(byId.get(id), status));
}

/** Fails as soon as the signal aborts: while undici connects, for up to 10 s, it does not heed the signal. */
async function orAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  signal.throwIfAborted();
  let abort = () => {};
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}

/** What the results need of the HTTP response. */
type HttpStatus = { ok: boolean; status: number; limits: Partial<Failure> };

function resultOf(response: RpcResponse | undefined, { ok, status, limits }: HttpStatus): CallResult {
  if (response?.error) {
    const { code, message } = response.error;
    return {
      failure: {
        reason: typeof message === "string" ? message : "an error",
        ...(typeof code === "number" && { code }),
        ...(code === limitExceeded && { throttled: true }),
        ...limits,
      },
    };
  }
  if (!ok) return { failure: { reason: `status ${status}`, ...limits } };
  if (response?.result === undefined) return { failure: { reason: "no JSON-RPC answer" } };
  return { result: response.result };
}

/** A node throttles by 429, or by 503 with `Retry-After`. */
function limitsOf({ statusCode, headers }: Dispatcher.ResponseData): Partial<Failure> {
  const retryAfter = headers["retry-after"]?.toString();
  if (statusCode !== 429 && (statusCode !== 503 || retryAfter === undefined)) return {};
  const ms = parseRetryAfter(retryAfter, Date.now());
  // A date that is over must not make us call again immediately.
  return { throttled: true, ...(ms && { retryAfterMs: Math.min(ms, longestRetryAfterMs) }) };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const asObject = (value: unknown): RpcResponse | undefined =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;

/** Buffers to read the next responses into. The more memory V8 sees outside the heap, the more often it collects garbage. */
const spareBuffers: Buffer[] = [];
const maxSpareBuffers = 2;
const smallestBuffer = 1024 * 1024;
const largestKept = 16 * 1024 * 1024;

/** Decodes the body in one piece: twice as fast as chunk by chunk. @returns undefined if it is longer than `most` bytes */
async function readText(
  { statusCode, headers, body }: Dispatcher.ResponseData,
  most: number,
): Promise<string | undefined> {
  let gathered = spareBuffers.pop() ?? Buffer.allocUnsafeSlow(smallestBuffer);
  let size = 0;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      const { length } = chunk;
      if (size + length > most) return undefined;
      if (size + length > gathered.length) gathered = larger(gathered, size, 2 * (size + length));
      gathered.set(chunk, size);
      size += length;
    }
    const bytes = gathered.subarray(0, size);
    return textOf(await decoded(bytes, { encoding: headers["content-encoding"], most, isError: statusCode >= 400 }));
  } finally {
    if (spareBuffers.length < maxSpareBuffers && gathered.length <= largestKept) spareBuffers.push(gathered);
  }
}

/** @returns undefined if there would be more than `most` bytes. An error whose body cannot be decoded has none: its status says enough */
async function decoded(
  bytes: Buffer,
  { encoding, most, isError }: { encoding: string | string[] | undefined; most: number; isError: boolean },
): Promise<Buffer | undefined> {
  if (encoding === undefined || encoding === "identity" || bytes.length === 0) return bytes;
  try {
    if (!/^(x-)?gzip$/i.test(String(encoding))) throw new Error(`the response has the content encoding ${encoding}`);
    return await promisify(gunzip)(bytes, { maxOutputLength: most });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE") return undefined;
    if (isError) return Buffer.alloc(0);
    throw error;
  }
}

/** Nodes respond in ASCII, which needs no decoding. */
const textOf = (bytes: Buffer | undefined) => bytes?.toString(isAscii(bytes) ? "latin1" : "utf8");

function larger(gathered: Buffer, size: number, length: number): Buffer {
  const room = Buffer.allocUnsafeSlow(length);
  gathered.copy(room, 0, 0, size);
  return room;
}

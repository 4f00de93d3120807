/** One HTTP exchange with a node over JSON-RPC: a single call, or a batch. */
import { parseRetryAfter } from "../../retry-after.ts";
import type { NodeAddress } from "./node-address.ts";
import { post, type WholeResponse } from "./whole-response.ts";

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
 * @throws what `post` throws, or that the response is too large
 */
export async function exchange(
  { href, headers }: NodeAddress,
  calls: readonly Call[],
  signal: AbortSignal,
): Promise<CallResult[] | "batch refused"> {
  const requests = calls.map(({ method, params }, id) => ({ jsonrpc: "2.0", id, method, params }));
  const { text, ...response } = await post(
    href,
    {
      headers: { ...defaultHeaders, ...headers },
      body: JSON.stringify(requests.length === 1 ? requests[0] : requests),
    },
    { most: calls.length === 1 ? largestResponse : largestBatchResponse, signal },
  );
  if (text === undefined && calls.length > 1) return "batch refused";
  if (text === undefined) throw new Error("the response is too large");
  const status = {
    ok: response.status >= 200 && response.status < 300,
    status: response.status,
    limits: limitsOf(response),
  };
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
function limitsOf({ status, headers }: Pick<WholeResponse, "status" | "headers">): Partial<Failure> {
  const retryAfter = headers["retry-after"]?.toString();
  if (status !== 429 && (status !== 503 || retryAfter === undefined)) return {};
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

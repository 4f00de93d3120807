/** One HTTP exchange with a node over JSON-RPC: a single call, or a batch. */
import { parseRetryAfter } from "../../base/retry-after.ts";
import type { NodeAddress } from "./node-address.ts";
import { post, type WholeResponse } from "./whole-response.ts";

export type RpcCall = { method: string; params: readonly unknown[] };

export const logsMethod = "eth_getLogs";

/** Why a call failed. */
export type RpcFailure = {
  reason: string;
  /** The JSON-RPC error code, if the node returned one. */
  code?: number;
  /** The node asks for fewer calls. */
  throttled?: true;
  /** How long the node asked us to wait. */
  retryAfterMs?: number;
  /** The node did not respond in time, or we stopped waiting. */
  unanswered?: "timed out" | "cancelled";
  /** There was no response at all, nor a wait for one. */
  unreached?: true;
};

type CallResult = { result: unknown } | { failure: RpcFailure };

type RpcError = { code?: unknown; message?: unknown; data?: unknown };
type RpcResponse = { id?: unknown; result?: unknown; error?: RpcError | string | null };

/** No block bundle comes near. A node that never stops sending must not fill the memory. */
const largestResponse = 256 * 1024 * 1024;
/** Larger batches are split: several are in flight, and each is read whole before it is used. */
const largestBatchResponse = 8 * 1024 * 1024;
/** A range of blocks with more logs than that is asked for in smaller ones. */
const largestLogsResponse = 32 * 1024 * 1024;
const longestRetryAfterMs = 600_000;

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
 * @returns a result for each call, in order. A call of a batch that the node did not answer by itself has what it said of the batch.
 * @throws what `post` throws
 */
export async function postCalls(
  { href, headers }: NodeAddress,
  calls: readonly RpcCall[],
  signal: AbortSignal,
): Promise<CallResult[]> {
  const requests = calls.map(({ method, params }, id) => ({ jsonrpc: "2.0", id, method, params }));
  const isBatch = requests.length > 1;
  const { text, ...http } = await post(
    href,
    { headers: { ...defaultHeaders, ...headers }, body: JSON.stringify(isBatch ? requests : requests[0]) },
    {
      most: isBatch ? largestBatchResponse : calls[0]?.method === logsMethod ? largestLogsResponse : largestResponse,
      signal,
    },
  );
  if (text === undefined) return calls.map(() => ({ failure: { reason: "the response is too large" } }));
  const parsed = parse(text);
  if (!isBatch) return [resultOf(asObject(parsed), http, calls[0]?.method)];
  const responses = [parsed].flat().map(asObject);
  const byId = new Map<number, RpcResponse>();
  const repeated = new Set<number>();
  for (const response of responses) {
    const id = idOf(response);
    if (!response || id === undefined) continue;
    if (byId.has(id)) repeated.add(id);
    byId.set(id, response);
  }
  // Nodes say that they refuse a batch in the error of its first call, in one without an id, or in one with an id of their own.
  const ofBatch = responses.find((response) => response?.error && (idOf(response) === undefined || byId.size === 1));
  const unanswered = resultOf(ofBatch, http);
  return calls.map((_, id) => {
    const response = repeated.has(id) ? undefined : byId.get(id);
    // What arrived counts, whatever the status says of the others.
    if (response && !response.error && response.result != null) return { result: response.result };
    return response ? resultOf(response, http) : unanswered;
  });
}

type HttpHead = Pick<WholeResponse, "status" | "headers">;

/** @param method of a call that went out alone */
function resultOf(response: RpcResponse | undefined, http: HttpHead, method?: string): CallResult {
  const isOk = http.status >= 200 && http.status < 300;
  if (response?.error) {
    const { code, message, data } = typeof response.error === "string" ? { message: response.error } : response.error;
    const reason = typeof message === "string" ? message : "an error";
    return {
      failure: {
        reason,
        ...(typeof code === "number" && { code }),
        ...throttlingOf(http, { code, reason, data, method }),
      },
    };
  }
  if (!isOk) return { failure: { reason: `status ${http.status}`, ...throttlingOf(http) } };
  if (response?.result === undefined) return { failure: { reason: "no JSON-RPC answer" } };
  return { result: response.result };
}

/** EIP-1474's "limit exceeded", those of QuickNode and others, and the status where a provider returns it inside a 200. */
const throttlingCodes: ReadonlySet<unknown> = new Set([-32005, -32007, -32029, 429]);
const throttlingWords = /rate.?limit|too many requests|(requests?|calls|units) (per|a) second|throttl/i;
type SaidError = { code: unknown; reason: string; data: unknown; method: string | undefined };
/**
 * A batch that is too long is no reason to wait. Code 3 is a contract's revert, whose words are its own. For logs, -32005 is what a range has that is
 * too large: a node that wants fewer calls also says so in words, or for how long to wait.
 */
const isThrottling = ({ code, reason, data, method }: SaidError) =>
  !/batch/i.test(reason) &&
  ((throttlingCodes.has(code) && !(method === logsMethod && code === -32005 && backoffMs(data) === undefined)) ||
    (code !== 3 && throttlingWords.test(reason) && !/revert/i.test(reason)));

/** A node throttles by 429, by 503 with `Retry-After`, or by a JSON-RPC error. */
function throttlingOf(
  { status, headers }: HttpHead,
  error?: SaidError,
): Pick<RpcFailure, "throttled" | "retryAfterMs"> {
  const retryAfter = headers["retry-after"]?.toString();
  const byStatus = status === 429 || (status === 503 && retryAfter !== undefined);
  if (!byStatus && !(error && isThrottling(error))) return {};
  const ms = parseRetryAfter(retryAfter, Date.now()) ?? backoffMs(error?.data);
  // A date that is over must not make us call again immediately.
  return { throttled: true, ...(ms && { retryAfterMs: Math.min(ms, longestRetryAfterMs) }) };
}

/** Infura says in the error how long to wait. */
function backoffMs(data: unknown): number | undefined {
  const { backoff_seconds: seconds } = fieldsOf(fieldsOf(data).rate);
  return typeof seconds === "number" && seconds > 0 ? Math.ceil(seconds * 1_000) : undefined;
}

/** Some nodes return the number as text. */
function idOf(response: RpcResponse | undefined): number | undefined {
  const id = response?.id;
  return typeof id === "number" ? id : typeof id === "string" && /^\d{1,6}$/.test(id) ? Number(id) : undefined;
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

const fieldsOf = (value: unknown): Record<string, unknown> =>
  typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};

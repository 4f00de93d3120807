/** One exchange with a node over HTTP JSON-RPC: a call, or several as a batch. */
import type { NodeAddress } from "./node-address.ts";
import { readText } from "./read-text.ts";

/** What a node is asked. */
export type Call = { method: string; params: readonly unknown[] };

/** Why a call failed. */
export type Failure = {
  reason: string;
  /** The JSON-RPC error code, where the node gave one. */
  code?: number;
  /** The node asks for fewer calls. */
  throttled?: true;
  /** How long the node wants to be left alone. */
  retryAfterMs?: number;
  /** There was no answer: not in time, or it was not waited for any longer. */
  unanswered?: "late" | "given up";
};

/** What came of a call. */
export type Outcome = { result: unknown } | { failure: Failure };

type Answer = { id?: unknown; result?: unknown; error?: { code?: unknown; message?: unknown } | null };

/** No block with all that belongs to it comes near; a node that goes on for ever must not fill the memory. */
const largestAnswer = 256 * 1024 * 1024;
/** What is larger is asked for in smaller batches: several are on their way at once, and each is read whole before it is used. */
const largestBatchAnswer = 8 * 1024 * 1024;
const longestRetryAfterMs = 600_000;
/** JSON-RPC "limit exceeded" (EIP-1474). */
const limitExceeded = -32005;
/** What servers answer that cannot do batches, or none so long. */
const batchRefusals = new Set([400, 404, 405, 413, 415, 501]);

/**
 * Makes the calls.
 *
 * @returns an outcome for each call, in their order; `"batch refused"` where the node does not take so many in one request, or
 *   where they are too much to be read at once
 * @throws what `fetch` throws
 */
export async function exchange(
  { href, headers }: NodeAddress,
  calls: readonly Call[],
  signal: AbortSignal,
): Promise<Outcome[] | "batch refused"> {
  const asked = calls.map(({ method, params }, id) => ({ jsonrpc: "2.0", id, method, params }));
  const response = await fetch(href, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify(asked.length === 1 ? asked[0] : asked),
    signal,
  });
  const text = await readText(response, calls.length === 1 ? largestAnswer : largestBatchAnswer);
  if (text === undefined && calls.length > 1) return "batch refused";
  if (text === undefined) throw new Error("the answer is too large");
  const status = { ok: response.ok, status: response.status, limits: limitsOf(response) };
  const answer = parse(text);
  if (calls.length === 1) return [outcomeOf(asObject(answer), status)];
  if (!Array.isArray(answer)) {
    const whole = outcomeOf(asObject(answer), status);
    const throttled = "failure" in whole && whole.failure.throttled;
    if (!throttled && (status.ok || batchRefusals.has(status.status))) return "batch refused";
    return calls.map(() => whole);
  }
  const byId = new Map(answer.map((each) => [asObject(each)?.id, asObject(each)]));
  return calls.map((_, id) => outcomeOf(byId.get(id), status));
}

/** What of the response says how the calls went. */
type Status = Pick<Response, "ok" | "status"> & { limits: Partial<Failure> };

function outcomeOf(answer: Answer | undefined, { ok, status, limits }: Status): Outcome {
  if (answer?.error) {
    const { code, message } = answer.error;
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
  if (answer?.result === undefined) return { failure: { reason: "no JSON-RPC answer" } };
  return { result: answer.result };
}

/** 429, and 503 with `Retry-After`, ask for patience. */
function limitsOf({ status, headers }: Response): Partial<Failure> {
  const retryAfter = headers.get("retry-after");
  if (status !== 429 && (status !== 503 || retryAfter === null)) return {};
  const ms = retryAfter === null ? Number.NaN : retryAfterMs(retryAfter);
  return { throttled: true, ...(ms >= 0 && { retryAfterMs: Math.min(ms, longestRetryAfterMs) }) };
}

/** Seconds, or a date (RFC 9110, section 10.2.3). */
function retryAfterMs(text: string): number {
  return /^\d+$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - Date.now();
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const asObject = (value: unknown): Answer | undefined =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;

/**
 * One node, called over HTTP JSON-RPC. Calls go out in batches, as many concurrently as the node accepts.
 *
 * Room `nodes/`: talks to one node and knows nothing of blocks. It imports none of the other rooms of `chain/`.
 */
import { type ErrorCode, ServiceError } from "../../errors.ts";
import { type Call, exchange, type Failure } from "./json-rpc.ts";
import { nodeAddress } from "./node-address.ts";
import { adaptiveLimit, limitConcurrency, type RefusedMethods, rememberRefusedMethods } from "./node-limits.ts";

export type Node = {
  /** Names it in logs. */
  readonly origin: string;
  /** @throws NodeError */
  request<T>(method: string, params: readonly unknown[]): Promise<T>;
  /** Aborts the calls in flight and those that wait. */
  cancel(): void;
  /** The methods that the node refused recently. */
  readonly refused: RefusedMethods;
};

/** A call failed. The message may be logged: of the node's address it holds the origin only. */
export class NodeError extends ServiceError {
  override readonly name: string = "NodeError";
  /** The JSON-RPC error code, if the node returned one. */
  readonly rpcCode: number | undefined;
  /** Whether the node asked for fewer calls. */
  readonly throttled: boolean;
  /** How long the node asked us to wait, if it did. */
  readonly retryAfterMs: number | undefined;
  /** The node did not respond in time, or we stopped waiting. */
  readonly unanswered: Failure["unanswered"];

  readonly reason: string;
  readonly about: { method: string; origin: string } & Omit<Failure, "reason">;

  constructor(reason: string, about: NodeError["about"], code: ErrorCode = "node_failed") {
    super(code, `${about.method} at ${about.origin}: ${reason}`);
    this.reason = reason;
    this.about = about;
    this.rpcCode = about.code;
    this.throttled = about.throttled ?? false;
    this.retryAfterMs = about.retryAfterMs;
    this.unanswered = about.unanswered;
  }
}

/** The node responds, but lags, is of another chain, or contradicts the other nodes. While set aside, it is no witness either. */
export class UntrustedNodeError extends NodeError {
  constructor(reason: string, about: NodeError["about"]) {
    super(reason, about, "node_untrusted");
  }
}

/** Public nodes refuse many more exchanges, or calls in each. A node works through a batch one call at a time. */
export const maxConcurrentExchanges = 4;
const largestBatch = 10;
/** One more call after forty exchanges, so a node that takes no batches refuses one request in forty. */
const batchGrowth = 1 / 40;
/** To trace a block is to execute it again. Such a call goes out alone, and with more time. */
const isSlow = ({ method }: Call) => method.startsWith("debug_");
/** A healthy node has headers at hand. */
const isQuick = ({ method, params }: Call) =>
  method === "eth_chainId" || (method.startsWith("eth_getBlockBy") && params[1] === false);

function timeoutMs(batch: readonly Call[]): number {
  if (batch.some(isSlow)) return 60_000;
  return batch.every(isQuick) ? 5_000 : 15_000;
}

const timedOut: Failure = { reason: "no response in time", unanswered: "timed out" };
const cancelled: Failure = { reason: "cancelled", unanswered: "cancelled" };

type WaitingCall = Call & { resolve: (result: unknown) => void; reject: (error: NodeError) => void };

/**
 * @param options.signal aborts the calls in flight, and makes all later ones fail
 */
export function connectNode(
  url: string,
  { signal, maxConcurrent = maxConcurrentExchanges }: { signal: AbortSignal; maxConcurrent?: number },
): Node {
  const address = nodeAddress(url);
  const { origin, hide } = address;
  const concurrency = limitConcurrency(maxConcurrent);
  const inFlight = new Set<AbortController>();
  let waiting: WaitingCall[] = [];
  let gathering = false;
  const batchLimit = adaptiveLimit(largestBatch, batchGrowth);

  function failure(method: string, { reason, ...more }: Failure): NodeError {
    return new NodeError(hide(reason), { method, origin, ...more });
  }

  function cancel(): void {
    const dropped = waiting;
    waiting = [];
    for (const { method, reject } of dropped) reject(failure(method, cancelled));
    for (const controller of inFlight) controller.abort();
  }
  signal.addEventListener("abort", cancel, { once: true });

  /** Divides the waiting calls among the exchanges that may start. */
  function startExchanges(): void {
    gathering = false;
    for (let free = concurrency.free(); free > 0 && waiting.length > 0; free = concurrency.free()) {
      const share = Math.min(batchLimit.now(), Math.ceil(waiting.length / free));
      const slowAt = waiting.findIndex(isSlow);
      const batch = waiting.splice(0, slowAt === 0 ? 1 : slowAt > 0 ? Math.min(slowAt, share) : share);
      void runExchange(batch);
    }
  }

  async function runExchange(batch: WaitingCall[]): Promise<void> {
    const controller = new AbortController();
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      controller.abort();
    }, timeoutMs(batch));
    inFlight.add(controller);
    concurrency.start();
    let throttled = false;
    try {
      const results = await exchange(address, batch, controller.signal);
      if (results === "batch refused") {
        batchLimit.halve(batch.length);
        waiting.unshift(...batch);
        return;
      }
      batchLimit.grow();
      for (const [index, { method, resolve, reject }] of batch.entries()) {
        const result = results[index] ?? { failure: { reason: "no JSON-RPC answer" } };
        if ("failure" in result) reject(failure(method, result.failure));
        else resolve(result.result);
        throttled ||= ("failure" in result && result.failure.throttled) ?? false;
      }
    } catch (error) {
      const unanswered = late ? timedOut : cancelled;
      const why = controller.signal.aborted ? unanswered : { reason: networkReason(error) };
      for (const { method, reject } of batch) reject(failure(method, why));
    } finally {
      clearTimeout(timer);
      inFlight.delete(controller);
      concurrency.end(throttled);
      startExchanges();
    }
  }

  function request<T>(method: string, params: readonly unknown[]): Promise<T> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(failure(method, cancelled));
      waiting.push({ method, params, resolve: (result) => resolve(result as T), reject });
      // Calls of the same turn of the event loop share a batch.
      if (!gathering) setImmediate(startExchanges);
      gathering = true;
    });
  }

  return {
    origin,
    cancel,
    refused: rememberRefusedMethods(),
    request,
  };
}

/** JSON-RPC -32601, EIP-1474 -32004. */
export function isUnknownMethod(error: unknown): boolean {
  return error instanceof NodeError && (error.rpcCode === -32601 || error.rpcCode === -32004);
}

/** The error of a connection that was tried to several addresses has a code and no message. */
function networkReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.message || ("code" in error && String(error.code)) || error.name;
}

/**
 * One node, called over HTTP JSON-RPC. Calls go out in batches, as many concurrently as the node accepts.
 *
 * Room `nodes/`: talks to one node and knows nothing of blocks. It imports none of the other rooms of `chain/`.
 */
import { type ErrorCode, ServiceError } from "../../base/errors.ts";
import { logsMethod, postCalls, type RpcCall, type RpcFailure } from "./json-rpc.ts";
import { nodeAddress } from "./node-address.ts";
import { BatchLimit, CallPace, LogRanges, limitConcurrency, RefusedMethods } from "./node-limits.ts";

export type Node = {
  /** Names it in logs. */
  readonly origin: string;
  /** @throws NodeError */
  request<T>(method: string, params: readonly unknown[]): Promise<T>;
  /** Aborts the calls in flight and those that wait. */
  cancel(): void;
  /** The methods that the node does not know. */
  readonly refused: RefusedMethods;
  /** Of how many blocks it returns the logs in one call, to each lane. */
  readonly logRanges: LogRanges;
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
  readonly unanswered: RpcFailure["unanswered"];

  readonly reason: string;
  readonly about: { method: string; origin: string } & Omit<RpcFailure, "reason">;

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

/** The node responds, and its logs are of no use: it does not return those of a single block, or they contradict its blocks. */
export class NoLogsError extends NodeError {
  constructor(reason: string, origin: string) {
    super(reason, { method: logsMethod, origin });
  }
}

/** Public nodes refuse many more exchanges, or calls in each. A node works through a batch one call at a time. */
export const maxConcurrentExchanges = 4;
const largestBatch = 10;
/**
 * For how long throttled calls wait for the node to answer again, and how long a `Retry-After` may be. With several nodes, another is
 * used meanwhile.
 */
const patienceAloneMs = 30_000;
const patienceAmongSeveralMs = 1_000;
/** A call that is throttled so often, while the node answers others, is itself what the node does not want. */
const mostThrottled = 5;
/** To trace a block is to execute it again. Such a call goes out alone, and with more time. */
const isSlow = ({ method }: RpcCall) => method.startsWith("debug_");
/** Logs are alone, too: what a node refuses of them is their range. */
const goesAlone = (call: RpcCall) => isSlow(call) || call.method === logsMethod;
/** A healthy node has headers at hand. */
const isQuick = ({ method, params }: RpcCall) =>
  method === "eth_chainId" || (method.startsWith("eth_getBlockBy") && params[1] === false);

function timeoutMs(batch: readonly RpcCall[]): number {
  if (batch.some(isSlow)) return 60_000;
  return batch.every(isQuick) ? 5_000 : 15_000;
}

const timedOut: RpcFailure = { reason: "no response in time", unanswered: "timed out" };
const cancelled: RpcFailure = { reason: "cancelled", unanswered: "cancelled" };

type WaitingCall = RpcCall & {
  askedAt: number;
  resolve: (result: unknown) => void;
  reject: (failure: RpcFailure) => void;
  /** How often the node throttled it, and when first. */
  throttled?: { times: number; since: number };
};

type FailedCall = { call: WaitingCall; failure: RpcFailure };

/**
 * @param options.signal aborts the calls in flight, and makes all later ones fail
 * @param options.alone whether there is no other node to use while this one throttles us
 * @param options.onThrottled called for each throttled call that is made again, with how long ago it was asked for
 */
export function connectNode(
  url: string,
  options: {
    signal: AbortSignal;
    maxConcurrent?: number;
    alone?: boolean;
    onThrottled?: (method: string, seconds: number) => void;
  },
): Node {
  const { signal, maxConcurrent = maxConcurrentExchanges, alone = true, onThrottled } = options;
  const address = nodeAddress(url);
  const { origin, hide } = address;
  const patienceMs = alone ? patienceAloneMs : patienceAmongSeveralMs;
  const concurrency = limitConcurrency(maxConcurrent);
  const batchLimit = new BatchLimit(largestBatch);
  const pace = new CallPace(patienceMs);
  const inFlight = new Set<AbortController>();
  let waiting: WaitingCall[] = [];
  let gathering = false;
  let nextStart: NodeJS.Timeout | undefined;

  function rejectWaiting(failure: RpcFailure): void {
    clearTimeout(nextStart);
    nextStart = undefined;
    const dropped = waiting;
    waiting = [];
    for (const { reject } of dropped) reject(failure);
  }

  function cancel(): void {
    rejectWaiting(cancelled);
    for (const controller of inFlight) controller.abort();
  }
  signal.addEventListener("abort", cancel, { once: true });

  /** Divides the waiting calls among the exchanges that may start. */
  function startExchanges(): void {
    gathering = false;
    for (let free = concurrency.free(); free > 0 && waiting.length > 0; free = concurrency.free()) {
      const allowed = pace.allowed();
      if (allowed === 0) {
        nextStart ??= setTimeout(() => {
          nextStart = undefined;
          startExchanges();
        }, pace.waitMs());
        return;
      }
      const share = Math.min(batchLimit.now(), allowed, Math.ceil(waiting.length / free));
      const aloneAt = waiting.findIndex(goesAlone);
      void runExchange(waiting.splice(0, aloneAt === 0 ? 1 : aloneAt > 0 ? Math.min(aloneAt, share) : share));
    }
  }

  async function runExchange(batch: WaitingCall[]): Promise<void> {
    const sentAt = performance.now();
    concurrency.start();
    let throttled = false;
    try {
      const failed = await send(batch);
      const limited = failed.filter(({ failure }) => failure.throttled);
      const others = failed.filter(({ failure }) => !failure.throttled);
      throttled = limited.length > 0;
      if (throttled) askLater(limited, { sentAt, alone: batch.length === 1 });
      if (batch.length > 1 && others.length > 0) await askAlone(others, batch.length);
      else {
        for (const { call, failure } of others) call.reject(failure);
        if (failed.length === 0) batchLimit.accepted(batch.length);
      }
    } finally {
      concurrency.end(throttled);
      startExchanges();
    }
  }

  /** Makes the calls in one request, and resolves those that have a result. @returns the others */
  async function send(batch: readonly WaitingCall[]): Promise<FailedCall[]> {
    const controller = new AbortController();
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      controller.abort();
    }, timeoutMs(batch));
    inFlight.add(controller);
    pace.sent(batch.length);
    const failed: FailedCall[] = [];
    try {
      const results = await postCalls(address, batch, controller.signal);
      for (const [index, call] of batch.entries()) {
        const result = results[index] ?? { failure: { reason: "no JSON-RPC answer" } };
        if ("result" in result) call.resolve(result.result);
        else failed.push({ call, failure: result.failure });
      }
      const answered = batch.length - failed.filter(({ failure }) => failure.throttled).length;
      if (answered > 0) pace.answered(answered);
    } catch (error) {
      const unanswered = late ? timedOut : cancelled;
      const failure: RpcFailure = controller.signal.aborted
        ? unanswered
        : { reason: networkReason(error), unreached: true };
      failed.push(...batch.map((call) => ({ call, failure })));
    } finally {
      clearTimeout(timer);
      inFlight.delete(controller);
    }
    return failed;
  }

  /**
   * Nodes refuse a batch in many ways, and only some can be told from a failure of its calls. So one of the failed calls is made alone.
   * If that succeeds, the batch was too much: the others go out again, in smaller ones. If it fails, that is its own failure, or the node's.
   */
  async function askAlone(failed: readonly FailedCall[], size: number): Promise<void> {
    const rest = [...failed];
    let silent = 0;
    for (let next = rest.shift(); next; next = rest.shift()) {
      const { call, failure } = next;
      if (failure.unanswered === "cancelled" || signal.aborted) {
        for (const { call } of [next, ...rest]) call.reject(cancelled);
        return;
      }
      const sentAt = performance.now();
      const [again] = await send([call]);
      if (!again) {
        batchLimit.refused(size);
        waiting.unshift(...rest.map(({ call }) => call));
        return;
      }
      if (again.failure.throttled) {
        askLater([again, ...rest.map(({ call }) => ({ call, failure: again.failure }))], { sentAt, alone: true });
        return;
      }
      call.reject(again.failure);
      // An error of the node's own is about this call. Without one, the node fails, as it does for the others, unless the next one shows
      // that it does not.
      if (again.failure.code === undefined) silent += 1;
      if (silent === 2 || again.failure.unanswered) {
        for (const { call, failure } of rest) call.reject(failure);
        return;
      }
    }
  }

  /** Has throttled calls wait until the node answers again, or rejects them with all that wait. */
  function askLater(limited: readonly FailedCall[], { sentAt, alone }: { sentAt: number; alone: boolean }): void {
    const now = performance.now();
    const retryAfterMs = longest(limited.map(({ failure }) => failure.retryAfterMs));
    const [first] = limited;
    const verdict = pace.throttled({ calls: limited.length, alone, sentAt, retryAfterMs });
    if (verdict === "give up" && first) {
      for (const { call, failure } of limited) call.reject(failure);
      rejectWaiting(first.failure);
      return;
    }
    const again = limited.filter(({ call, failure }) => {
      const { times, since } = call.throttled ?? { times: 0, since: now };
      call.throttled = { times: times + 1, since };
      if (times + 1 > mostThrottled && now - since > patienceMs) {
        call.reject(failure);
        return false;
      }
      onThrottled?.(call.method, (now - call.askedAt) / 1_000);
      return true;
    });
    waiting.unshift(...again.map(({ call }) => call));
  }

  function request<T>(method: string, params: readonly unknown[]): Promise<T> {
    return new Promise((resolve, reject) => {
      const fail = ({ reason, ...more }: RpcFailure) =>
        reject(new NodeError(hide(reason), { method, origin, ...more }));
      if (signal.aborted) return fail(cancelled);
      const askedAt = performance.now();
      waiting.push({ method, params, askedAt, resolve: (result) => resolve(result as T), reject: fail });
      // Calls of the same turn of the event loop share a batch.
      if (!gathering) setImmediate(startExchanges);
      gathering = true;
    });
  }

  return { origin, cancel, refused: new RefusedMethods(), logRanges: new LogRanges(), request };
}

const longest = (times: readonly (number | undefined)[]) => {
  const known = times.filter((ms) => ms !== undefined);
  return known.length > 0 ? Math.max(...known) : undefined;
};

/** JSON-RPC -32601, EIP-1474 -32004. */
export function isUnknownMethod(error: unknown): boolean {
  return error instanceof NodeError && (error.rpcCode === -32601 || error.rpcCode === -32004);
}

/** The error of a connection that was tried to several addresses has a code and no message. */
function networkReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.message || ("code" in error && String(error.code)) || error.name;
}

export const callOutcomes = ["ok", "error", "throttled", "timeout"] as const;

/** A call that has ended. */
export type EndedCall = { method: string; outcome: (typeof callOutcomes)[number]; seconds: number };
export type OnCall = (call: EndedCall) => void;

/** @returns the same node, which reports each call when it ends */
export function reportCalls(node: Node, onCall: OnCall): Node {
  async function reported<T>(method: string, call: () => Promise<T>): Promise<T> {
    const startedAt = performance.now();
    let outcome: EndedCall["outcome"] | undefined = "ok";
    try {
      return await call();
    } catch (error) {
      outcome = outcomeOf(error);
      throw error;
    } finally {
      if (outcome) onCall({ method, outcome, seconds: (performance.now() - startedAt) / 1_000 });
    }
  }
  return {
    ...node,
    request: (method, params) => reported(method, () => node.request(method, params)),
  };
}

/** Reports the calls that a node throttled, and that are made again. */
export function reportThrottled(onCall: OnCall): (method: string, seconds: number) => void {
  return (method, seconds) => onCall({ method, outcome: "throttled", seconds });
}

/** @returns undefined for a call that we cancelled: it says nothing about the node */
function outcomeOf(error: unknown): EndedCall["outcome"] | undefined {
  if (!(error instanceof NodeError)) return "error";
  if (error.throttled) return "throttled";
  return error.unanswered === "cancelled" ? undefined : error.unanswered === "timed out" ? "timeout" : "error";
}

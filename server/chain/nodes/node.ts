/** One node, spoken to over HTTP JSON-RPC: calls are gathered into batches, as many at once as the node bears. */
import { type Call, exchange, type Failure } from "./json-rpc.ts";
import { nodeAddress } from "./node-address.ts";
import { adaptiveRate, allowance } from "./rate.ts";
import { type RefusedMethods, rememberRefusedMethods } from "./refused-methods.ts";

/** A node. */
export type Node = {
  /** Names it in logs. */
  readonly origin: string;
  /** @throws NodeError */
  request<T>(method: string, params: readonly unknown[]): Promise<T>;
  /** Gives up the requests that are under way or wait for their turn. */
  cancel(): void;
  /** The methods that the node did not know, for as long as it need not be asked for them again. */
  readonly refused: RefusedMethods;
};

/** A node did not answer, or answered with an error. The message is fit for logs: it holds no address beyond the origin. */
export class NodeError extends Error {
  override readonly name = "NodeError";
  /** The JSON-RPC error code, where the node gave one. */
  readonly code: number | undefined;
  /** Whether the node asked for fewer calls. */
  readonly throttled: boolean;
  /** How long the node asked to be left alone, if it said so. */
  readonly retryAfterMs: number | undefined;
  /** Whether there was no answer in time, or it was not waited for any longer. */
  readonly unanswered: Failure["unanswered"];

  readonly reason: string;
  readonly about: { method: string; origin: string } & Omit<Failure, "reason">;

  constructor(reason: string, about: NodeError["about"]) {
    super(`${about.method} at ${about.origin}: ${reason}`);
    this.reason = reason;
    this.about = about;
    this.code = about.code;
    this.throttled = about.throttled ?? false;
    this.retryAfterMs = about.retryAfterMs;
    this.unanswered = about.unanswered;
  }
}

/** Exchanges at once, and calls in each; public nodes refuse much more. Nodes work on a batch one call after the other. */
export const exchangesAtOnce = 4;
const largestBatch = 10;
/** One call more after forty exchanges: a node that never takes batches refuses one request of forty for it. */
const batchGrowth = 1 / 40;
/** Tracing a block means executing it again: alone, and for longer. */
const isSlow = ({ method }: Call) => method.startsWith("debug_");
/** A header is at hand or the node is not well. */
const isQuick = ({ method, params }: Call) =>
  method === "eth_chainId" || (method.startsWith("eth_getBlockBy") && params[1] === false);

function patienceMs(batch: readonly Call[]): number {
  if (batch.some(isSlow)) return 60_000;
  return batch.every(isQuick) ? 5_000 : 15_000;
}

const tooLate: Failure = { reason: "no answer in time", unanswered: "late" };
const givenUp: Failure = { reason: "given up", unanswered: "given up" };

type Waiting = Call & { resolve: (result: unknown) => void; reject: (error: NodeError) => void };

/**
 * @param url the node's address
 * @param options.signal gives up what is under way, and refuses all that follows
 * @param options.atOnce how many exchanges at once at most
 */
export function connectNode(
  url: string,
  { signal, atOnce = exchangesAtOnce }: { signal: AbortSignal; atOnce?: number },
): Node {
  const address = nodeAddress(url);
  const { origin, hide } = address;
  const rate = adaptiveRate(atOnce);
  const underWay = new Set<AbortController>();
  let waiting: Waiting[] = [];
  let gathering = false;
  const batchLimit = allowance(largestBatch, batchGrowth);

  function failure(method: string, { reason, ...more }: Failure): NodeError {
    return new NodeError(hide(reason), { method, origin, ...more });
  }

  function cancel(): void {
    const given = waiting;
    waiting = [];
    for (const { method, reject } of given) reject(failure(method, givenUp));
    for (const controller of underWay) controller.abort();
  }
  signal.addEventListener("abort", cancel, { once: true });

  /** Divides what waits among the exchanges that may begin. */
  function begin(): void {
    gathering = false;
    for (let free = rate.free(); free > 0 && waiting.length > 0; free = rate.free()) {
      const share = Math.min(batchLimit.now(), Math.ceil(waiting.length / free));
      const slowAt = waiting.findIndex(isSlow);
      const batch = waiting.splice(0, slowAt === 0 ? 1 : slowAt > 0 ? Math.min(slowAt, share) : share);
      void make(batch);
    }
  }

  async function make(batch: Waiting[]): Promise<void> {
    const controller = new AbortController();
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      controller.abort();
    }, patienceMs(batch));
    underWay.add(controller);
    rate.begin();
    let throttled = false;
    try {
      const outcomes = await exchange(address, batch, controller.signal);
      if (outcomes === "batch refused") {
        batchLimit.halve(batch.length);
        waiting.unshift(...batch);
        return;
      }
      batchLimit.grow();
      for (const [index, { method, resolve, reject }] of batch.entries()) {
        const outcome = outcomes[index] ?? { failure: { reason: "no JSON-RPC answer" } };
        if ("failure" in outcome) reject(failure(method, outcome.failure));
        else resolve(outcome.result);
        throttled ||= ("failure" in outcome && outcome.failure.throttled) ?? false;
      }
    } catch (error) {
      const unanswered = late ? tooLate : givenUp;
      const why = controller.signal.aborted ? unanswered : { reason: networkReason(error) };
      for (const { method, reject } of batch) reject(failure(method, why));
    } finally {
      clearTimeout(timer);
      underWay.delete(controller);
      rate.end(throttled);
      begin();
    }
  }

  function request<T>(method: string, params: readonly unknown[]): Promise<T> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(failure(method, givenUp));
      waiting.push({ method, params, resolve: (result) => resolve(result as T), reject });
      // Whatever else is asked for in this turn of the event loop goes along.
      if (!gathering) setImmediate(begin);
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

/** @returns whether the node said that it does not know the method (JSON-RPC -32601, EIP-1474 -32004) */
export function isUnknownMethod(error: unknown): boolean {
  return error instanceof NodeError && (error.code === -32601 || error.code === -32004);
}

/** `fetch` itself says only that it failed. */
function networkReason(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (!(cause instanceof Error)) return String(cause);
  return cause.message || ("code" in cause && String(cause.code)) || cause.name;
}

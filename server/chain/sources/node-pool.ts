/** The nodes of a chain. One is used at a time, and one that fails is set aside for a while. */

import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "../../base/log.ts";
import type { ChainConfig } from "../../settings/chains.ts";
import { BlockRefusedError } from "../check/accept.ts";
import {
  connectNode,
  type Node,
  NodeError,
  type OnCall,
  reportCalls,
  reportThrottled,
  UntrustedNodeError,
} from "../nodes/node.ts";
import { nodeAddress } from "../nodes/node-address.ts";
import { type ChainMetrics, logSkippedChecks } from "../observe.ts";
import { fetchHead } from "../read/fetch.ts";
import { createReader, type NodeReader } from "../read/reader.ts";
import type { ReadPurpose } from "../read/threads.ts";

/** The nodes of a chain, the preferred one first. */
export type NodePool = {
  /** The first node that is neither set aside nor in `except`; undefined if there is none. */
  pick(except?: ReadonlySet<Node>): Node | undefined;
  /** The other nodes that respond: those not set aside, and those that are not trusted. */
  others(node: Node): Node[];
  witnesses(node: Node): Witnesses;
  /** Sets a node aside: the longer, the more often it failed in a row, or for as long as it asked. @returns for how many ms */
  setAside(node: Node, error: unknown): number;
  /** @returns how often the node had failed in a row */
  noteSuccess(node: Node): number;
  /** How many ms until the first node is back; 0 if one is available. */
  waitMs(): number;
  status(): { origin: string; aside: boolean }[];
};

/**
 * The nodes that have a say on what another node returned. A node set aside for what it returned has none. One that only failed to
 * respond counts, since it may be back.
 */
export type Witnesses = {
  ask: Node[];
  /** How many throttled us and cannot be asked. */
  silent: number;
};

/** A node that takes longer for a small call is far: who reads from it mostly waits. What reads from others mostly takes processors. */
export const farMs = 20;

/**
 * @param options.signal aborts the calls in flight, and makes all later ones fail
 * @param options.onThrottled called when a node asked for fewer calls
 * @param options.purpose in whose threads the nodes' blocks are read
 */
export function connectNodes(
  chain: ChainConfig,
  options: {
    signal: AbortSignal;
    purpose: ReadPurpose;
    metrics: ChainMetrics;
    log: Logger;
    onThrottled?: () => void;
  },
): { nodes: NodePool; readers: ReadonlyMap<Node, NodeReader> } {
  const { signal, purpose, metrics, log, onThrottled } = options;
  const onSkippedCheck = logSkippedChecks(log);
  const readers = new Map(
    chain.rpcUrls.map((url) => {
      const count = metrics.callsOf(nodeAddress(url).origin);
      const onCall: OnCall = (call) => {
        if (call.outcome === "throttled") onThrottled?.();
        count(call);
      };
      const node = connectNode(url, {
        signal,
        alone: chain.rpcUrls.length === 1,
        onThrottled: reportThrottled(onCall),
      });
      return [reportCalls(node, onCall), createReader({ url, chain, signal, purpose, onCall, onSkippedCheck })];
    }),
  );
  return { nodes: createNodePool([...readers.keys()]), readers };
}

const shortestMs = 250;
const longestMs = 10_000;
/** For a node that throttles us without saying for how long. */
const throttledMs = 1_000;

type NodeStatus = { failures: number; asideUntil: number; because?: unknown };

/** @param now a monotonic clock, in ms */
export function createNodePool(nodes: readonly Node[], now: () => number = () => performance.now()): NodePool {
  const statuses = new Map<Node, NodeStatus>(nodes.map((node) => [node, { failures: 0, asideUntil: 0 }]));
  const statusOf = (node: Node): NodeStatus => statuses.get(node) ?? { failures: 0, asideUntil: 0 };
  const isAvailable = (node: Node) => statusOf(node).asideUntil <= now();
  const reasonToBeAside = (node: Node) => (isAvailable(node) ? undefined : statusOf(node).because);

  return {
    pick: (except) => nodes.find((node) => isAvailable(node) && !except?.has(node)),
    others: (node) =>
      nodes.filter(
        (other) => other !== node && (isAvailable(other) || statusOf(other).because instanceof UntrustedNodeError),
      ),
    witnesses(node) {
      const others = nodes.filter((other) => other !== node && !isUntrue(reasonToBeAside(other)));
      const ask = others.filter((other) => !isThrottled(reasonToBeAside(other)));
      return { ask, silent: others.length - ask.length };
    },
    setAside(node, error) {
      const failures = statusOf(node).failures + 1;
      const ms = asideMs(failures, error);
      statuses.set(node, { failures, asideUntil: now() + ms, because: error });
      return ms;
    },
    noteSuccess(node) {
      const { failures } = statusOf(node);
      statuses.set(node, { failures: 0, asideUntil: 0 });
      return failures;
    },
    waitMs: () => Math.max(0, Math.min(...nodes.map((node) => statusOf(node).asideUntil)) - now()),
    status: () => nodes.map((node) => ({ origin: node.origin, aside: !isAvailable(node) })),
  };
}

const isUntrue = (error: unknown) => error instanceof UntrustedNodeError || error instanceof BlockRefusedError;
const isThrottled = (error: unknown) => error instanceof NodeError && error.throttled;

function asideMs(failures: number, error: unknown): number {
  const byFailures = Math.min(longestMs, shortestMs * 2 ** (failures - 1));
  if (!(error instanceof NodeError && error.throttled)) return byFailures;
  return error.retryAfterMs ?? Math.max(throttledMs, byFailures);
}

/** Of the time, what whatever is not following takes at first once a node has throttled it, and in the end. */
const [firstShare, leastShare] = [1 / 4, 1 / 64];
/** Between two pieces of work, once a node has throttled one. */
const [shortestPauseMs, longestPauseMs] = [250, 8_000];
/** After so long without that, it takes twice as much. */
const relaxedAfterMs = 20_000;

/**
 * How much a chain's nodes take besides following: questions, histories, or runs of replays. What a node allows in a second is also what following
 * has: a node that allowed 8 calls a second, and that six previews were asked of without end, delayed notifications by 2.7 s instead of 0.3
 * (p99). So once a node throttles a piece of work, they come one at a time, with pauses in proportion to how long each takes. The share of the time
 * that they take is halved each time, and grows again: one refusal among thousands costs a history half a minute, not its speed.
 */
export class NodePace {
  readonly #now: () => number;
  #share = 1;
  #inFlight = 0;
  /** Whether what is in flight was throttled already. */
  #isCounted = false;
  #startedAt = 0;
  #nextAt = Number.NEGATIVE_INFINITY;
  #relaxedAt = Number.NEGATIVE_INFINITY;

  /** @param now a monotonic clock, in ms */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Whether another may start now. */
  mayStart(): boolean {
    const now = this.#now();
    while (this.#share < 1 && now >= this.#relaxedAt) {
      this.#share *= 2;
      this.#relaxedAt += relaxedAfterMs;
    }
    return this.#share === 1 || (this.#inFlight === 0 && now >= this.#nextAt);
  }

  /** Whether they come one at a time. */
  isSlow(): boolean {
    return this.#share < 1;
  }

  started(): void {
    this.#inFlight += 1;
    this.#startedAt = this.#now();
  }

  /** A node asked for fewer calls. It asks each of those that are in flight together. */
  throttled(): void {
    this.#relaxedAt = this.#now() + relaxedAfterMs;
    if (this.#isCounted) return;
    this.#isCounted = this.#inFlight > 0;
    this.#share = Math.max(leastShare, Math.min(firstShare, this.#share / 2));
  }

  ended(): void {
    const now = this.#now();
    this.#inFlight -= 1;
    if (this.#inFlight === 0) this.#isCounted = false;
    const pauseMs = (now - this.#startedAt) * (1 / this.#share - 1);
    this.#nextAt = now + Math.min(longestPauseMs, Math.max(shortestPauseMs, pauseMs));
  }
}

const retryMs = 10 * 60_000;
/** A node that did not respond may be back soon. */
const silentRetryMs = 60_000;

/**
 * Checks that each node of a chain with `"traces": true` returns the traces of its newest block: at the start, then every few minutes until
 * it does. Nothing waits for the check. It warns the operator before a webhook has to wait.
 *
 * @param options.signal ends it
 */
export async function checkTracing(options: {
  nodes: readonly Node[];
  log: Logger;
  signal: AbortSignal;
}): Promise<void> {
  const { nodes, log, signal } = options;
  await Promise.all(
    nodes.map(async (node) => {
      let warned = false;
      while (!signal.aborted) {
        const answer = await traceHead(node);
        if (answer === "traces") {
          if (warned) log.info({ node: node.origin }, "the node returns traces now");
          return;
        }
        if (answer !== "silent" && !warned) {
          warned = true;
          log.warn({ node: node.origin, setting: "traces", reason: answer.reason }, missing);
        }
        await sleep(answer === "silent" ? silentRetryMs : retryMs, undefined, { signal, ref: false }).catch(
          () => undefined,
        );
      }
    }),
  );
}

const missing =
  'the chain\'s configuration has "traces": true, but the node does not return them: webhooks with includeInternalTxs wait until ' +
  'another of its nodes does. Add a node that answers debug_traceBlockByHash, or set "traces" to false.';

async function traceHead(node: Node): Promise<"traces" | "silent" | { reason: string }> {
  try {
    const head = await fetchHead(node, "latest");
    if (!head) return "silent";
    const traces = await node.request<unknown>("debug_traceBlockByHash", [head.hash, { tracer: "callTracer" }]);
    return Array.isArray(traces) ? "traces" : { reason: "the result is no list" };
  } catch (error) {
    const refused = error instanceof NodeError && error.rpcCode !== undefined && !error.throttled;
    return refused ? { reason: error.message } : "silent";
  }
}

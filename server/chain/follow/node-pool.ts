/** The nodes of a chain. One is used at a time, and one that fails is set aside for a while. */
import type { Logger } from "../../base/log.ts";
import type { ChainConfig } from "../../settings/chains.ts";
import { BlockRefusedError } from "../check/accept.ts";
import { connectNode, type Node, NodeError, UntrustedNodeError } from "../nodes/node.ts";
import { nodeAddress } from "../nodes/node-address.ts";
import { reportCalls, reportThrottled } from "../nodes/node-calls.ts";
import { type BlockReader, createReader } from "../read/reader.ts";
import { type ChainMetrics, logSkippedChecks } from "./observe.ts";

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

/** @param signal aborts the calls in flight, and makes all later ones fail */
export function connectNodes(
  chain: ChainConfig,
  { signal, metrics, log }: { signal: AbortSignal; metrics: ChainMetrics; log: Logger },
): { nodes: NodePool; readers: ReadonlyMap<Node, BlockReader> } {
  const onSkippedCheck = logSkippedChecks(log);
  const readers = new Map(
    chain.rpcUrls.map((url) => {
      const onCall = metrics.callsOf(nodeAddress(url).origin);
      const node = connectNode(url, {
        signal,
        alone: chain.rpcUrls.length === 1,
        onThrottled: reportThrottled(onCall),
      });
      return [reportCalls(node, onCall), createReader({ url, chain, signal, onCall, onSkippedCheck })];
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

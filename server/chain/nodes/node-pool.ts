/** The nodes of a chain: one serves at a time, and one that fails is set aside for a while. */
import { BlockRefusedError } from "../check/refused.ts";
import { type Node, NodeError } from "./node.ts";
import { NotBelievedError } from "./untrusted-node.ts";

/** The nodes of a chain, the preferred one first. */
export type NodePool = {
  /** The first node that is not set aside, nor among `besides`; undefined when there is none. */
  pick(besides?: ReadonlySet<Node>): Node | undefined;
  /** The others that answer: those not set aside, and those whose answers were not believed. */
  others(node: Node): Node[];
  /** Who besides a node can say something on the chain. */
  witnesses(node: Node): Witnesses;
  /** Leaves a node alone: the longer, the more often it failed in a row, or for as long as it asked. @returns for how many ms */
  setAside(node: Node, error: unknown): number;
  /** The node did well. @returns how often it had failed before */
  didWell(node: Node): number;
  /** How many ms until a node is back that is set aside now; 0 when one is there. */
  waitMs(): number;
  /** Every node, and whether it is set aside now. */
  standings(): { origin: string; aside: boolean }[];
};

/**
 * The nodes whose opinion counts. Those set aside for what they said are not among them; those that only failed to answer are,
 * since they may be back.
 */
export type Witnesses = {
  ask: Node[];
  /** How many asked to be left alone, and so cannot be asked. */
  silent: number;
};

const shortestMs = 250;
const longestMs = 10_000;
/** For a node that asks for fewer calls without saying how long it wants to be left alone. */
const throttledMs = 1_000;

type Standing = { failures: number; asideUntil: number; because?: unknown };

/** @param now ms, of a clock that never goes back */
export function createNodePool(nodes: readonly Node[], now: () => number = () => performance.now()): NodePool {
  const standings = new Map<Node, Standing>(nodes.map((node) => [node, { failures: 0, asideUntil: 0 }]));
  const standingOf = (node: Node): Standing => standings.get(node) ?? { failures: 0, asideUntil: 0 };
  const isThere = (node: Node) => standingOf(node).asideUntil <= now();
  const reasonToBeAside = (node: Node) => (isThere(node) ? undefined : standingOf(node).because);

  return {
    pick: (besides) => nodes.find((node) => isThere(node) && !besides?.has(node)),
    others: (node) =>
      nodes.filter(
        (other) => other !== node && (isThere(other) || standingOf(other).because instanceof NotBelievedError),
      ),
    witnesses(node) {
      const others = nodes.filter((other) => other !== node && !isUntrue(reasonToBeAside(other)));
      const ask = others.filter((other) => !isThrottled(reasonToBeAside(other)));
      return { ask, silent: others.length - ask.length };
    },
    setAside(node, error) {
      const failures = standingOf(node).failures + 1;
      const ms = asideMs(failures, error);
      standings.set(node, { failures, asideUntil: now() + ms, because: error });
      return ms;
    },
    didWell(node) {
      const { failures } = standingOf(node);
      standings.set(node, { failures: 0, asideUntil: 0 });
      return failures;
    },
    waitMs: () => Math.max(0, Math.min(...nodes.map((node) => standingOf(node).asideUntil)) - now()),
    standings: () => nodes.map((node) => ({ origin: node.origin, aside: !isThere(node) })),
  };
}

const isUntrue = (error: unknown) => error instanceof NotBelievedError || error instanceof BlockRefusedError;
const isThrottled = (error: unknown) => error instanceof NodeError && error.throttled;

function asideMs(failures: number, error: unknown): number {
  const byFailures = Math.min(longestMs, shortestMs * 2 ** (failures - 1));
  if (!(error instanceof NodeError && error.throttled)) return byFailures;
  return error.retryAfterMs ?? Math.max(throttledMs, byFailures);
}

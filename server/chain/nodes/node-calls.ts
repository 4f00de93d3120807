/** Tells of a node's calls, so that they can be counted. */
import { type Node, NodeError } from "./node.ts";

export const callOutcomes = ["ok", "error", "throttled", "timeout"] as const;

/** A call that has ended. */
export type EndedCall = { method: string; outcome: (typeof callOutcomes)[number]; seconds: number };
export type OnCall = (call: EndedCall) => void;

/** @returns the same node, which tells of each call when it has ended */
export function tellCalls(node: Node, onCall: OnCall): Node {
  async function told<T>(method: string, call: () => Promise<T>): Promise<T> {
    const startedAt = performance.now();
    let outcome: EndedCall["outcome"] | undefined = "ok";
    try {
      return await call();
    } catch (error) {
      outcome = outcomeOf(error);
      throw error;
    } finally {
      // What was given up says nothing of the node.
      if (outcome) onCall({ method, outcome, seconds: (performance.now() - startedAt) / 1_000 });
    }
  }
  return {
    ...node,
    request: (method, params) => told(method, () => node.request(method, params)),
  };
}

function outcomeOf(error: unknown): EndedCall["outcome"] | undefined {
  if (!(error instanceof NodeError)) return "error";
  if (error.throttled) return "throttled";
  return error.unanswered === "given up" ? undefined : error.unanswered === "late" ? "timeout" : "error";
}

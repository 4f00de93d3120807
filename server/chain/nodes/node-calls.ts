/** Reports a node's calls as they end, so that they can be counted. */
import { type Node, NodeError } from "./node.ts";

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

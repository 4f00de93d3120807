/** Counts the calls of a node. A contract that fails is an answer of its node, not a failure. */
import { type Node, NodeError } from "../nodes/node.ts";
import { type OnCall, reportCalls } from "../nodes/node-calls.ts";

/** @returns the same node, which reports each call when it ends */
export function countAnswers(node: Node, onCall: OnCall): Node {
  const request: Node["request"] = async <T>(method: string, params: readonly unknown[]): Promise<T> => {
    const answering = { ...node, request: <R>() => answered<R>(node.request(method, params)) };
    const answer = await reportCalls(answering, onCall).request<{ result: T } | { refused: NodeError }>(method, params);
    if ("refused" in answer) throw answer.refused;
    return answer.result;
  };
  return { ...node, request };
}

async function answered<R>(call: Promise<unknown>): Promise<R> {
  try {
    return { result: await call } as R;
  } catch (error) {
    if (error instanceof NodeError && error.rpcCode !== undefined && !error.throttled) return { refused: error } as R;
    throw error;
  }
}

/**
 * Checks that each node of a chain with `"traces": true` returns the traces of its newest block: at the start, then every few minutes until
 * it does. Nothing waits for the check. It warns the operator before a webhook has to wait.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "../../base/log.ts";
import { type Node, NodeError } from "../nodes/node.ts";
import { fetchHead } from "../read/fetch.ts";

const retryMs = 10 * 60_000;
/** A node that did not respond may be back soon. */
const silentRetryMs = 60_000;

/** @param options.signal ends it */
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

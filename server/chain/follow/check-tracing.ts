/**
 * Asks each node of a chain that is said to trace whether it does, by its newest block: at the start, and every few minutes until it
 * did. Nothing waits for it; it only tells the operator before a webhook has to wait.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import { type Node, NodeError } from "../nodes/node.ts";
import { fetchHead } from "../read/fetch.ts";

const againMs = 10 * 60_000;
/** A node that did not answer may be back soon. */
const soonMs = 60_000;

/** @param options.signal ends it */
export async function checkTracing(options: {
  nodes: readonly Node[];
  log: Logger;
  signal: AbortSignal;
}): Promise<void> {
  const { nodes, log, signal } = options;
  await Promise.all(
    nodes.map(async (node) => {
      let lacks = false;
      while (!signal.aborted) {
        const found = await askTraces(node);
        if (found === "traces") {
          if (lacks) log.info({ node: node.origin }, "the node returns traces now");
          return;
        }
        if (found !== "silent" && !lacks) {
          lacks = true;
          log.warn({ node: node.origin, setting: "traces", reason: found.reason }, missing);
        }
        await sleep(found === "silent" ? soonMs : againMs, undefined, { signal, ref: false }).catch(() => undefined);
      }
    }),
  );
}

const missing =
  'the chain\'s configuration has "traces": true, but the node does not return them: webhooks with includeInternalTxs wait until ' +
  'another of its nodes does. Add a node that answers debug_traceBlockByHash, or set "traces" to false.';

async function askTraces(node: Node): Promise<"traces" | "silent" | { reason: string }> {
  try {
    const head = await fetchHead(node, "latest");
    if (!head) return "silent";
    const answer = await node.request<unknown>("debug_traceBlockByHash", [head.hash, { tracer: "callTracer" }]);
    return Array.isArray(answer) ? "traces" : { reason: "the answer is no list" };
  } catch (error) {
    const answered = error instanceof NodeError && error.code !== undefined && !error.throttled;
    return answered ? { reason: error.message } : "silent";
  }
}

/** Counts what following a chain does, and what its nodes are asked. */
import type { Metrics } from "../metrics.ts";
import type { Progress } from "./advance.ts";
import { type Node, NodeError } from "./node.ts";
import type { NodePool } from "./node-pool.ts";

/** The counters of one chain. */
export type ChainCount = {
  progress(progress: Progress): void;
  /** @returns the same node, its calls counted */
  calls(node: Node): Node;
  /** Shows which nodes are set aside, until the signal comes. */
  nodes(pool: NodePool, signal: AbortSignal): void;
};

export function countChain({ chain, onScrape }: Metrics, chainId: string): ChainCount {
  const of = { chain_id: chainId };
  chain.blocks.inc(of, 0);
  chain.notifications.inc(of, 0);
  chain.reorgDepth.zero(of);

  return {
    progress({ blocks, notifications, replaced }) {
      chain.blocks.inc(of, blocks);
      chain.notifications.inc(of, notifications);
      if (replaced > 0) chain.reorgDepth.observe(of, replaced);
    },
    calls(node) {
      const labels = { ...of, node: node.origin };
      for (const outcome of ["ok", "error", "throttled", "timeout"]) chain.calls.inc({ ...labels, outcome }, 0);
      const request = async <T>(method: string, params: readonly unknown[]): Promise<T> => {
        const stop = chain.callSeconds.startTimer({ ...labels, method });
        let outcome: ReturnType<typeof outcomeOf> = "ok";
        try {
          return await node.request<T>(method, params);
        } catch (error) {
          outcome = outcomeOf(error);
          throw error;
        } finally {
          // What was given up says nothing of the node.
          if (outcome) chain.calls.inc({ ...labels, outcome });
          if (outcome) stop();
        }
      };
      return { ...node, request };
    },
    nodes(pool, signal) {
      const show = () => {
        const standings = pool.standings();
        for (const { origin } of standings) {
          // Nodes with one origin, as of one provider with two keys, are told of together.
          const aside = standings.some((one) => one.origin === origin && one.aside);
          chain.nodeAside.set({ ...of, node: origin }, aside ? 1 : 0);
        }
      };
      const end = onScrape(show);
      signal.addEventListener(
        "abort",
        () => {
          end();
          for (const { origin } of pool.standings()) chain.nodeAside.remove({ ...of, node: origin });
        },
        { once: true },
      );
    },
  };
}

function outcomeOf(error: unknown): "ok" | "error" | "throttled" | "timeout" | undefined {
  if (!(error instanceof NodeError)) return "error";
  if (error.throttled) return "throttled";
  return error.unanswered === "given up" ? undefined : error.unanswered === "late" ? "timeout" : "error";
}

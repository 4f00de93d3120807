/** Counts what following a chain does, and what its nodes are asked. */
import type { Metrics } from "../../metrics.ts";
import { callOutcomes, type OnCall } from "../nodes/node-calls.ts";
import type { NodePool } from "../nodes/node-pool.ts";
import type { Progress } from "./advance.ts";

/** The counters of one lane of a chain. */
export type ChainCount = {
  progress(progress: Progress): void;
  /** @param node its origin @returns what counts its calls */
  calls(node: string): OnCall;
  /** Shows which nodes are set aside, until the signal comes. */
  nodes(pool: NodePool, signal: AbortSignal): void;
};

export function countChain({ chain, onScrape }: Metrics, chainId: string, lane: string): ChainCount {
  const ofChain = { chain_id: chainId };
  const of = { ...ofChain, lane };
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
      const labels = { ...ofChain, node };
      for (const outcome of callOutcomes) chain.calls.inc({ ...labels, outcome }, 0);
      return ({ method, outcome, seconds }) => {
        chain.calls.inc({ ...labels, outcome });
        chain.callSeconds.observe({ ...labels, method }, seconds);
      };
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

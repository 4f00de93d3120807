/** Counts what following a chain does, and what its nodes are asked. */
import type { Metrics } from "../../metrics.ts";
import type { Tracing } from "../../tracing.ts";
import { callOutcomes, type OnCall } from "../nodes/node-calls.ts";
import type { ReadBlock } from "../read/block.ts";
import type { Progress } from "./advance.ts";
import type { NodePool } from "./node-pool.ts";

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

// FROM server/chain/follow/trace-blocks.ts: /** Tells of each block how long it took to be fetched, checked and recorded, where that is traced. */
export type BlockTrace = {
  /** Blocks were recorded together. @param of.from when that began @param of.notifications of all of them */
  recorded(blocks: readonly ReadBlock[], of: { from: number; node: string; notifications: number }): void;
};

export function traceBlocks(tracing: Tracing, chainId: string): BlockTrace {
  return {
    recorded(blocks, { from, node, notifications }) {
      const to = performance.now();
      const here = (epoch: number) => epoch - performance.timeOrigin;
      const together = { "chain_webhooks.blocks": blocks.length, "chain_webhooks.notifications": notifications };
      for (const { hash: blockHash, number, transactions, times } of blocks) {
        if (!times) continue;
        const [askedAt, fetchedAt, checkedAt] = [here(times.askedAt), here(times.fetchedAt), here(times.checkedAt)];
        const span = (name: string, start: number, end: number, more: Record<string, string | number>) => ({
          ...{ name, blockHash, from: start, to: end },
          attributes: { "chain_webhooks.chain_id": chainId, "chain_webhooks.block": number, ...more },
        });
        tracing.tell({ ...span("block", askedAt, to, { "chain_webhooks.transactions": transactions }), isRoot: true });
        tracing.tell({ ...span("fetch", askedAt, fetchedAt, { "chain_webhooks.node": node }), isClient: true });
        tracing.tell(span("check", fetchedAt, checkedAt, {}));
        tracing.tell(span("record", from, to, together));
      }
    },
  };
}

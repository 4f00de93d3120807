/** Tells of each block how long it took to be fetched, checked and recorded, where that is traced. */
import type { BlockBundle } from "../matching/wire.ts";
import type { Tracing } from "../tracing.ts";

/** When a block was asked for, whole, and checked, by `performance.now()`. */
export type BlockTimes = { askedAt: number; fetchedAt: number; checkedAt: number };

export type BlockTrace = {
  /** Kept for as long as the block itself. */
  times: WeakMap<BlockBundle, BlockTimes>;
  /** Blocks were recorded together. @param of.from when that began @param of.notifications of all of them */
  recorded(bundles: readonly BlockBundle[], of: { from: number; node: string; notifications: number }): void;
};

export function traceBlocks(tracing: Tracing, chainId: string): BlockTrace {
  const times: BlockTrace["times"] = new WeakMap();
  return {
    times,
    recorded(bundles, { from, node, notifications }) {
      const to = performance.now();
      const together = { "chain_webhooks.blocks": bundles.length, "chain_webhooks.notifications": notifications };
      for (const bundle of bundles) {
        const its = times.get(bundle);
        if (!its) continue;
        const { hash: blockHash, number, transactions } = bundle.block;
        const span = (name: string, start: number, end: number, more: Record<string, string | number>) => ({
          ...{ name, blockHash, from: start, to: end },
          attributes: { "chain_webhooks.chain_id": chainId, "chain_webhooks.block": Number(number), ...more },
        });
        const size = { "chain_webhooks.transactions": transactions.length };
        tracing.tell({ ...span("block", its.askedAt, to, size), isRoot: true });
        tracing.tell({ ...span("fetch", its.askedAt, its.fetchedAt, { "chain_webhooks.node": node }), isClient: true });
        tracing.tell(span("check", its.fetchedAt, its.checkedAt, {}));
        tracing.tell(span("record", from, to, together));
      }
    },
  };
}

/** Tells of each block how long it took to be fetched, checked and recorded, where that is traced. */
import type { Tracing } from "../../tracing.ts";
import type { ReadBlock } from "../read/block.ts";

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

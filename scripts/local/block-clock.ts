/** Tells when each block of a local chain could first be had from its node, to measure from. */
import { callNode } from "./evm-node.ts";

export type BlockClock = {
  /** @returns when the block was first seen, by `performance.now()`; undefined if it never was */
  seenAt(blockHash: string): number | undefined;
  stop(): Promise<void>;
};

type Block = { number: string; hash: string };

/** Looks for new blocks every few ms until stopped. */
export function watchBlocks(rpcUrl: string, periodMs = 5): BlockClock {
  const block = (tag: string) => callNode<Block>(rpcUrl, "eth_getBlockByNumber", [tag, false]);
  const seen = new Map<string, number>();
  let stopped = false;
  let newest: number | undefined;

  async function look(): Promise<void> {
    const head = await block("latest");
    const at = performance.now();
    const last = Number(head.number);
    for (let number = newest === undefined ? last : newest + 1; number <= last; number += 1) {
      const { hash } = number === last ? head : await block(`0x${number.toString(16)}`);
      seen.set(hash, at);
    }
    newest = last;
  }

  const running = (async () => {
    while (!stopped) {
      await look().catch(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, periodMs));
    }
  })();
  return {
    seenAt: (blockHash) => seen.get(blockHash),
    async stop() {
      stopped = true;
      await running;
    },
  };
}

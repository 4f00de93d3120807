/** Tells when each block of a local chain could first be had from its node, to measure from. */
import { createPublicClient, http } from "viem";

export type BlockClock = {
  /** @returns when the block was first seen, by `performance.now()`; undefined if it never was */
  seenAt(blockHash: string): number | undefined;
  stop(): Promise<void>;
};

/** Looks for new blocks every few ms until stopped. */
export function watchBlocks(rpcUrl: string, periodMs = 5): BlockClock {
  const client = createPublicClient({ transport: http(rpcUrl, { retryCount: 0 }), cacheTime: 0 });
  const seen = new Map<string, number>();
  let stopped = false;
  let newest: bigint | undefined;

  async function look(): Promise<void> {
    const head = await client.getBlock();
    const at = performance.now();
    for (let number = newest === undefined ? head.number : newest + 1n; number <= head.number; number += 1n) {
      const { hash } = number === head.number ? head : await client.getBlock({ blockNumber: number });
      seen.set(hash, at);
    }
    newest = head.number;
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

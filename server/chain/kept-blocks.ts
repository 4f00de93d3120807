/**
 * Blocks that were fetched and checked before a step failed, so that the next one goes on where it was: a long branch through nodes
 * that often fail would otherwise never be there as a whole.
 */
import type { BlockBundle, Hex } from "../matching/wire.ts";

/** The blocks of one chain. */
export type KeptBlocks = {
  /** @returns the block of that hash, with its traces where they are wanted */
  get(hash: Hex, wanted: { traces: boolean }): BlockBundle | undefined;
  keep(bundle: BlockBundle): void;
  /** Once they are recorded, or turn out not to fit together. */
  clear(): void;
  readonly size: number;
};

/** @param most how many are kept; the oldest make room */
export function createKeptBlocks(most: number): KeptBlocks {
  const kept = new Map<Hex, BlockBundle>();
  return {
    get(hash, { traces }) {
      const bundle = kept.get(hash);
      return bundle && (bundle.traces || !traces) ? bundle : undefined;
    },
    keep(bundle) {
      kept.set(bundle.block.hash, bundle);
      for (const hash of kept.keys()) {
        if (kept.size <= most) return;
        kept.delete(hash);
      }
    },
    clear: () => kept.clear(),
    get size() {
      return kept.size;
    },
  };
}

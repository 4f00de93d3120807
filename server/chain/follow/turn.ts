/** The source of a lane's next step, and what the result of the step means for the source. */

import type { ChainConfig } from "../../settings/chains.ts";
import type { BlockId } from "../../store/chains/cursor.ts";
import { isDatabaseUnavailable } from "../../store/database-errors.ts";
import { type Node, NodeError, UntrustedNodeError } from "../nodes/node.ts";
import type { BlockReader } from "../read/reader.ts";
import { StreamAwayError } from "../stream/block-stream.ts";
import type { StepProgress } from "./advance.ts";
import { type BlockSource, nodeSource } from "./block-source.ts";
import type { FollowedLane } from "./lanes.ts";
import type { NodePool } from "./node-pool.ts";

export type Turn = {
  source: BlockSource;
  /** Before the first step with this source, and after a failure. */
  prepare(): Promise<void>;
  /** @throws if the step got no further because the source lags */
  assertCurrent(progress: StepProgress): Promise<void>;
  /** @returns whether it had failed before */
  succeeded(progress: StepProgress): boolean;
  /** @returns for how many ms the source is set aside; "outage" if blocks could not be recorded, which says nothing about it */
  failed(error: unknown): number | "outage";
  /** Aborts what the failed step still waits for. */
  cancel(): void;
};

export type NodeTurns = {
  /** @returns undefined if every node is set aside */
  next(followed: FollowedLane): Turn | undefined;
  waitMs(): number;
};

/** Turns of the first available node. @param options.verify asserts that a node is of the chain */
export function nodeTurns(options: {
  chain: ChainConfig;
  nodes: NodePool;
  readers: ReadonlyMap<Node, BlockReader>;
  verify: (node: Node) => Promise<void>;
}): NodeTurns {
  const { chain, nodes, readers, verify } = options;
  /** The nodes whose chain was asserted since their last failure. */
  const verified = new Set<Node>();

  return {
    waitMs: nodes.waitMs,
    next({ lag, memory }) {
      const node = nodes.pick();
      const reader = node && readers.get(node);
      if (!reader) return undefined;
      return {
        source: nodeSource(chain, node, { reader, witnesses: nodes.witnesses(node), known: memory.headers }),
        async prepare() {
          if (verified.has(node)) return;
          await verify(node);
          verified.add(node);
        },
        async assertCurrent({ moved, cursor }) {
          if (moved) lag.moved();
          else if (await lag.isBehind(cursor, node, nodes.others(node))) throw lagError(node, cursor);
        },
        succeeded: () => nodes.noteSuccess(node) > 0,
        failed(error) {
          // A throttled node is still the same, and has no call to spare.
          if (!(error instanceof NodeError && error.throttled)) verified.delete(node);
          const isOutage = isDatabaseUnavailable(error) || error instanceof StreamAwayError;
          return isOutage ? "outage" : nodes.setAside(node, error);
        },
        cancel() {
          node.cancel();
          reader.cancel();
        },
      };
    },
  };
}

function lagError({ origin }: Node, { number }: BlockId): NodeError {
  return new UntrustedNodeError(`its head stays at block ${number}, and other nodes are ahead`, {
    method: "eth_getBlockByNumber",
    origin,
  });
}

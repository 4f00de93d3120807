/** The nodes of a chain, each with its reader of blocks, and all that they are asked counted. */
import type { OnInapplicable } from "../check/accept.ts";
import type { ChainConfig } from "../config.ts";
import type { ChainCount } from "../follow/count-chain.ts";
import { type BlockReader, createReader } from "../read/reader.ts";
import { connectNode, type Node } from "./node.ts";
import { tellCalls } from "./node-calls.ts";

/** @param options.signal gives up what is under way, and refuses all that follows @returns them in their order, the preferred one first */
export function connectNodes(
  chain: ChainConfig,
  { signal, count, onInapplicable }: { signal: AbortSignal; count: ChainCount; onInapplicable: OnInapplicable },
): Map<Node, BlockReader> {
  return new Map(
    chain.rpcUrls.map((url) => {
      const node = connectNode(url, { signal });
      const onCall = count.calls(node.origin);
      return [tellCalls(node, onCall), createReader({ url, chain, signal, onCall, onInapplicable })];
    }),
  );
}

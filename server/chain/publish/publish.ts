/** The role `read`: follows a chain as a follower does, with the same checks, and publishes its blocks. It needs no database. */
import type { Logger } from "../../base/log.ts";
import type { Metrics } from "../../base/metrics.ts";
import { createPause } from "../../base/pause.ts";
import { checksOf, profileOf } from "../../settings/chain-profiles.ts";
import type { ChainConfig } from "../../settings/chains.ts";
import { takeSteps } from "../follow/follow.ts";
import { chainMetrics } from "../observe.ts";
import { assertChain } from "../read/fetch.ts";
import { createHeadWakes, watchHeads } from "../sources/heads.ts";
import { checkTracing, connectNodes } from "../sources/node-pool.ts";
import { nodeSources } from "../sources/node-source.ts";
import type { BlocksConnection } from "../stream/connection.ts";
import { PublishedLane, type ReadState } from "./published-lane.ts";

/** @param options.state shows how far it is @param options.signal ends it @returns when it has ended */
export async function publishChain(options: {
  chain: ChainConfig;
  blocks: BlocksConnection;
  log: Logger;
  metrics: Metrics;
  state: ReadState;
  signal: AbortSignal;
}): Promise<void> {
  const { blocks, metrics, state, signal } = options;
  // Where following starts is for each cell to say. Its follower reads older blocks from nodes.
  const { startBlock: _startBlock, ...chain } = options.chain;
  const log = options.log.child({ chainId: chain.chainId, lane: "read" });
  const counted = chainMetrics(metrics, chain.chainId, "read");
  const { nodes, readers } = connectNodes(chain, { signal, purpose: "following", metrics: counted, log });
  counted.showNodes(nodes, signal);
  const pause = createPause(signal);
  const heads = createHeadWakes(pause);
  log.info({ profile: profileOf(chain.chainId).name, checks: checksOf(chain), finality: chain.finality }, "reading");
  await takeSteps({
    ...{ chain, pause, counted, log, signal, announced: heads.take },
    lanes: new PublishedLane(blocks, { chain, state, counted, log, signal, wake: pause.wake }),
    nodes: nodeSources({ ...{ chain, nodes, readers }, verify: (node) => assertChain(node, chain.chainId) }),
    onFirst() {
      if (chain.wsUrl) watchHeads(chain.wsUrl, { wake: heads.wake, signal, log });
      if (chain.traces) void checkTracing({ nodes: [...readers.keys()], log, signal });
    },
  });
}

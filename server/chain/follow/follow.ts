/**
 * Follows the lanes of one kind of a chain while their lease is held: step by step, with the first available node.
 *
 * Room `follow/`: decides which blocks to record, by which node, and when. It is on top: it imports `read/`, `check/` and `nodes/`, and
 * none of them imports it.
 */

import type { Logger } from "../../base/log.ts";
import type { Metrics } from "../../base/metrics.ts";
import type { Tracing } from "../../base/tracing.ts";
import { checksOf, profileOf } from "../../settings/chain-profiles.ts";
import type { ChainConfig } from "../../settings/chains.ts";
import { ensureChain } from "../../store/chains/cursor.ts";
import type { Lease } from "../../store/lease-holder.ts";
import type { BehindAppend } from "../../store/outbox/append.ts";
import { createPause } from "../../store/pause.ts";
import type { Pool } from "../../store/pool.ts";
import { assertChain } from "../read/fetch.ts";
import type { BlocksConnection } from "../stream/connection.ts";
import { createTokenReader } from "../tokens/token-reader.ts";
import { checkTracing } from "./check-tracing.ts";
import { createHeadWakes, watchHeads } from "./heads.ts";
import { type FollowedKind, followedLanes } from "./lanes.ts";
import { connectNodes } from "./node-pool.ts";
import { chainMetrics } from "./observe.ts";
import { streamTurns } from "./stream-turns.ts";
import { takeSteps } from "./take-steps.ts";
import { nodeTurns } from "./turn.ts";

/**
 * @param options.blocks takes blocks from the stream while it can
 * @param options.addressQuota for accounts without their own, if any
 * @param options.behindCommit reads and announces notifications
 * @returns when the lease must be returned or is lost
 */
export async function followLanes(options: {
  pool: Pool;
  chain: ChainConfig;
  kind: FollowedKind;
  lease: Lease;
  log: Logger;
  metrics: Metrics;
  tracing?: Tracing | undefined;
  blocks?: BlocksConnection | undefined;
  addressQuota?: number | undefined;
  behindCommit?: BehindAppend | undefined;
}): Promise<void> {
  const { pool, chain, kind, lease, metrics, blocks } = options;
  const { chainId } = chain;
  const log = options.log.child({ chainId, lane: kind.name });
  const signal = AbortSignal.any([lease.stopping, lease.lost]);
  const counted = chainMetrics(metrics, chainId, kind.name);
  const { nodes, readers } = connectNodes(chain, { signal, metrics: counted, log });
  counted.showNodes(nodes, signal);
  const tokens = createTokenReader({ pool, chain, callsOf: counted.callsOf, log, signal });
  const pause = createPause(signal);
  const heads = createHeadWakes(pause);
  if (kind.name === "traces" && chain.traces && !blocks) void checkTracing({ nodes: [...readers.keys()], log, signal });
  log.info({ profile: profileOf(chainId).name, checks: checksOf(chain), finality: chain.finality }, "following");
  await takeSteps({
    ...{ chain, pause, counted, log, signal, announced: heads.take },
    lanes: followedLanes({ ...options, tokens, log, signal }),
    nodes: nodeTurns({
      ...{ chain, nodes, readers },
      async verify(node) {
        await ensureChain(pool, chainId);
        await assertChain(node, chainId);
      },
    }),
    stream: blocks && streamTurns(blocks, { chain, counted, log, signal, wake: pause.wake }),
    onFirst() {
      // Most chains have lanes of one kind only, and need one socket. The stream announces heads by itself.
      if (chain.wsUrl && !blocks) watchHeads(chain.wsUrl, { wake: heads.wake, signal, log });
    },
  });
}

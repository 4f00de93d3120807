/**
 * Compares what holds up ordered endpoints with the tables now and then. A retry can end without an attempt: its day is dropped by retention.
 * Nothing else would let the endpoint go on.
 */
import { readWaiting } from "../store/delivery/endpoint-states.ts";
import type { FeedContext, OwnedShard } from "./feed-context.ts";

const periodMs = 60_000;

export type OrderChecks = {
  /** Checks if it is time. */
  look(open: readonly OwnedShard[]): Promise<void>;
};

export function createOrderChecks({ pool, shards }: Pick<FeedContext, "pool" | "shards">): OrderChecks {
  let notBefore = performance.now() + periodMs;
  return {
    async look(open) {
      if (performance.now() < notBefore) return;
      const held = new Map(
        open.flatMap(({ endpoints }) =>
          [...endpoints.values()].flatMap((endpoint) =>
            endpoint.isHeld ? [[endpoint.webhookId, { endpoint, mark: endpoint.orderMark }]] : [],
          ),
        ),
      );
      if (held.size > 0) {
        for (const { webhookId, waiting } of await readWaiting(pool, [...held.keys()])) {
          const { endpoint, mark } = held.get(webhookId) ?? {};
          const isOurs = endpoint && shards.get(endpoint.shard.id) === endpoint.shard;
          if (isOurs && mark !== undefined) endpoint.confirmOrder(mark, waiting);
        }
      }
      notBefore = performance.now() + periodMs;
    },
  };
}

/** Delivery is divided by webhook into parts that processes share out among themselves. */

/** How many parts there are. The rows of `leases` and `shard_versions` are made for as many. */
export const SHARDS = 32;

/** The part that a webhook belongs to, for ever: from the last byte of its UUID, which is random. */
export function shardOf(webhookId: string): number {
  return Number.parseInt(webhookId.slice(-2), 16) % SHARDS;
}

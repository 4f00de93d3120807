/** Delivery is divided by webhook into shards, which processes own by lease. */

/** How many shards there are. `leases` and `shard_versions` have a row for each. */
export const SHARDS = 32;

/** The shard a webhook belongs to for ever, from the last byte of its random UUID. */
export function shardOf(webhookId: string): number {
  return Number.parseInt(webhookId.slice(-2), 16) % SHARDS;
}

/**
 * The fence of everything that delivery writes. A statement takes effect only for shards whose lease still has the writer's epoch. It locks the
 * lease's row meanwhile, so that the next owner sees either all or nothing of it.
 */
export type Fence = { owner: string; leases: readonly { key: string; epoch: number }[] };

/**
 * Begins a statement's WITH: the shards that are still the writer's, by `fenceValues`. leases.ts locks in the same order, by key, so that renewing
 * leases and writing under them cannot deadlock.
 */
export const held = `held AS (
  SELECT l.key::smallint AS shard FROM leases l
  JOIN unnest($2::text[], $3::bigint[]) AS mine(key, epoch) ON mine.key = l.key AND mine.epoch = l.epoch
  WHERE l.kind = 'shard' AND l.owner = $1 ORDER BY l.key FOR SHARE OF l)`;

/** A fenced statement's first three values. */
export const fenceValues = ({ owner, leases }: Fence) => [
  owner,
  leases.map(({ key }) => key),
  leases.map(({ epoch }) => epoch),
];

/** Delivery is divided by webhook into shards, which processes own by lease. */

/** The number of shards. `leases` and `shard_versions` have a row for each. */
export const SHARDS = 32;

/** The shard of a webhook, which never changes: the last byte of its random UUID. */
export function shardOf(webhookId: string): number {
  return Number.parseInt(webhookId.slice(-2), 16) % SHARDS;
}

/**
 * The fence of everything that delivery writes. A statement takes effect only for shards whose lease still has the writer's epoch. It locks the
 * lease's row meanwhile, so that the next owner sees either all of it or nothing.
 */
export type Fence = { owner: string; leases: readonly { key: string; epoch: number }[] };

/**
 * Starts a statement's WITH: the shards that the writer still owns, by `fenceValues`. leases.ts locks in the same order, by key, so
 * renewing leases and writing under them cannot deadlock.
 */
export const ownedShards = `owned_shards AS (
  SELECT l.key::smallint AS shard FROM leases l
  JOIN unnest($2::text[], $3::bigint[]) AS mine(key, epoch) ON mine.key = l.key AND mine.epoch = l.epoch
  WHERE l.kind = 'shard' AND l.owner = $1 ORDER BY l.key FOR SHARE OF l)`;

/** The first three values of a fenced statement. */
export const fenceValues = ({ owner, leases }: Fence) => [
  owner,
  leases.map(({ key }) => key),
  leases.map(({ epoch }) => epoch),
];

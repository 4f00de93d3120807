/**
 * The fence of everything that a delivery process writes: a statement takes effect for those shards only whose lease still has
 * the writer's epoch, and holds that lease's row meanwhile, so that a successor sees either all or nothing of it.
 */

/** The leases under which a process writes. */
export type Fence = { owner: string; leases: readonly { key: string; epoch: number }[] };

/**
 * Begins a statement's WITH: the shards that are still the writer's, by the values of `fenceValues`. They are locked in the order
 * of their keys, as leases.ts locks them: so renewing the leases and writing under them cannot deadlock.
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

/** Leases in the database: who may work on what. Only the database's clock counts. */
import { abandonedAfter, type Pool, within } from "./pool.ts";

/** A lease that this process holds. */
export type OwnedLease = { key: string; epoch: number };

/** The result of a round of claiming. */
export type Claim = {
  /** Those of `owned` that were renewed for another term. */
  renewed: OwnedLease[];
  /** Free ones that the owner holds from now on. */
  taken: OwnedLease[];
  /** The owner's fair share: all leases divided by the live processes. It must release the leases above that. */
  part: number;
  /** When another owner's first lease expires unless renewed; null without one. */
  nextEndInMs: number | null;
  /** The database's clock, in ms since the epoch. */
  databaseTimeMs: number;
};

/** Creates the leases that do not exist yet. */
export async function ensureLeases(pool: Pool, kind: string, keys: readonly string[]): Promise<void> {
  await pool.query("INSERT INTO leases (kind, key) SELECT $1, unnest($2::text[]) ON CONFLICT DO NOTHING", [kind, keys]);
}

/**
 * Renews the owner's leases, and claims free ones up to its fair share. A lease in its name that is not in `owned` is one that it
 * gave up. It gets a new epoch, so that late writes under the old one stay fenced off.
 *
 * @param claim.seconds how long a lease lasts without being renewed
 * @param claim.take whether to claim free ones and count as a live process; false for an owner that is leaving
 * @param timeoutMs how long to wait for the database
 */
export async function claimLeases(
  pool: Pool,
  claim: {
    kind: string;
    keys: readonly string[];
    owned: readonly OwnedLease[];
    owner: string;
    seconds: number;
    take: boolean;
  },
  timeoutMs: number,
): Promise<Claim> {
  const { kind, keys, owned, owner, seconds, take } = claim;
  const { rows } = await pool.query<Claim>(
    abandonedAfter(timeoutMs, {
      name: "claim-leases",
      // Rows are locked in the order of their keys, as in the fence of delivery/shards.ts, so that the two cannot deadlock.
      text: `
        WITH term AS (SELECT clock_timestamp() + make_interval(secs => $3) AS expires_at),
        joined AS (
          INSERT INTO lease_members (kind, owner, expires_at) SELECT $1, $2, expires_at FROM term WHERE $4
          ON CONFLICT (kind, owner) DO UPDATE SET expires_at = EXCLUDED.expires_at),
        departed AS (
          DELETE FROM lease_members WHERE kind = $1 AND CASE owner WHEN $2 THEN NOT $4 ELSE expires_at < clock_timestamp() END),
        share AS (
          SELECT ceil(cardinality($5::text[]) / (1.0 + count(*)))::int AS part FROM lease_members
          WHERE kind = $1 AND owner <> $2 AND expires_at >= clock_timestamp()),
        owned AS (SELECT * FROM unnest($6::text[], $7::bigint[]) AS h(key, epoch)),
        mine AS (
          SELECT l.key FROM leases l JOIN owned h ON h.key = l.key AND h.epoch = l.epoch
          WHERE l.kind = $1 AND l.owner = $2 ORDER BY l.key FOR NO KEY UPDATE OF l),
        free AS (
          SELECT l.key FROM leases l
          WHERE $4 AND l.kind = $1 AND l.key = ANY($5) AND (l.owner IS NULL OR l.owner = $2 OR l.expires_at < clock_timestamp())
            AND NOT EXISTS (SELECT FROM owned h WHERE h.key = l.key AND h.epoch = l.epoch)
          ORDER BY l.key LIMIT (SELECT greatest(0, part - (SELECT count(*) FROM mine)) FROM share)
          FOR NO KEY UPDATE OF l SKIP LOCKED),
        renewed AS (
          UPDATE leases l SET expires_at = term.expires_at FROM term, mine WHERE l.kind = $1 AND l.key = mine.key
          RETURNING l.key, l.epoch),
        taken AS (
          UPDATE leases l SET owner = $2, epoch = l.epoch + 1, expires_at = term.expires_at FROM term, free
          WHERE l.kind = $1 AND l.key = free.key RETURNING l.key, l.epoch)
        SELECT part, extract(epoch FROM clock_timestamp())::float8 * 1000 AS "databaseTimeMs",
          (SELECT extract(epoch FROM min(expires_at) - clock_timestamp())::float8 * 1000 FROM leases
           WHERE kind = $1 AND key = ANY($5) AND owner <> $2 AND expires_at > clock_timestamp()) AS "nextEndInMs",
          COALESCE((SELECT json_agg(renewed) FROM renewed), '[]') AS renewed,
          COALESCE((SELECT json_agg(taken) FROM taken), '[]') AS taken
        FROM share`,
      values: [kind, owner, seconds, take, keys, owned.map(({ key }) => key), owned.map(({ epoch }) => epoch)],
    }),
  );
  if (!rows[0]) throw new Error("claiming leases returned nothing");
  return rows[0];
}

/** Releasing is optional, and so not worth a long wait. */
const courtesyMs = 2_000;

/** Releases a lease, so that another process can claim it before it expires. */
export async function releaseLease(pool: Pool, kind: string, owner: string, { key, epoch }: OwnedLease): Promise<void> {
  await pool.query(
    within(courtesyMs, {
      text: "UPDATE leases SET owner = NULL, expires_at = now() WHERE kind = $1 AND key = $2 AND owner = $3 AND epoch = $4",
      values: [kind, key, owner, epoch],
    }),
  );
}

/** Releases every lease of the owner, and stops counting it as a live process. */
export async function leaveLeases(pool: Pool, kind: string, owner: string): Promise<void> {
  await pool.query(
    within(courtesyMs, {
      text: `WITH departed AS (DELETE FROM lease_members WHERE kind = $1 AND owner = $2)
             UPDATE leases SET owner = NULL, expires_at = now() WHERE kind = $1 AND owner = $2`,
      values: [kind, owner],
    }),
  );
}

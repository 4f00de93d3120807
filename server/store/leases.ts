/** Leases in the database: who may work on what, by the database's clock only. */
import { inTransaction, type Pool } from "./pool.ts";

/** A lease that this process holds. */
export type HeldLease = { key: string; epoch: number };

/** What one round of claiming found. `surplus` leases should be handed back, so that other processes get their part. */
export type Claim = { held: HeldLease[]; surplus: number; databaseTimeMs: number };

/**
 * Renews what the owner holds and takes free leases up to its fair part: all of them divided by the live processes.
 *
 * @param claim.keys the leases of this kind that the owner can work on; missing ones are made
 * @param claim.seconds how long a lease lasts without being renewed
 * @param claim.take whether to take free ones, or only to renew
 */
export async function claimLeases(
  pool: Pool,
  claim: { kind: string; keys: readonly string[]; owner: string; seconds: number; take: boolean },
): Promise<Claim> {
  const { kind, keys, owner, seconds } = claim;
  return inTransaction(pool, async (db) => {
    await db.query(
      `INSERT INTO lease_members (kind, owner, expires_at) VALUES ($1, $2, clock_timestamp() + make_interval(secs => $3))
       ON CONFLICT (kind, owner) DO UPDATE SET expires_at = EXCLUDED.expires_at`,
      [kind, owner, seconds],
    );
    await db.query("DELETE FROM lease_members WHERE kind = $1 AND expires_at < clock_timestamp()", [kind]);
    const renewed = await db.query<HeldLease>(
      `UPDATE leases SET expires_at = clock_timestamp() + make_interval(secs => $3) WHERE kind = $1 AND owner = $2 RETURNING key, epoch`,
      [kind, owner, seconds],
    );
    const { rows } = await db.query<{ members: number; now: number }>(
      "SELECT count(*)::int AS members, extract(epoch FROM clock_timestamp())::float8 * 1000 AS now FROM lease_members WHERE kind = $1",
      [kind],
    );
    const part = Math.ceil(keys.length / Math.max(1, rows[0]?.members ?? 1));
    const wanted = part - renewed.rows.length;
    const taken = claim.take && wanted > 0 ? await takeFree(db, claim, wanted) : [];
    return {
      held: [...renewed.rows, ...taken],
      surplus: Math.max(0, -wanted),
      databaseTimeMs: rows[0]?.now ?? Date.now(),
    };
  });
}

async function takeFree(
  db: Pick<Pool, "query">,
  { kind, keys, owner, seconds }: { kind: string; keys: readonly string[]; owner: string; seconds: number },
  count: number,
): Promise<HeldLease[]> {
  await db.query("INSERT INTO leases (kind, key) SELECT $1, unnest($2::text[]) ON CONFLICT DO NOTHING", [kind, keys]);
  const { rows } = await db.query<HeldLease>(
    `UPDATE leases SET owner = $3, epoch = epoch + 1, expires_at = clock_timestamp() + make_interval(secs => $4)
     WHERE kind = $1 AND key IN (
       SELECT key FROM leases WHERE kind = $1 AND key = ANY($2) AND (owner IS NULL OR expires_at < clock_timestamp())
       ORDER BY key LIMIT $5 FOR UPDATE SKIP LOCKED)
     RETURNING key, epoch`,
    [kind, keys, owner, seconds, count],
  );
  return rows;
}

/** Gives a lease back, so that another process need not wait for it to expire. */
export async function releaseLease(pool: Pool, kind: string, owner: string, { key, epoch }: HeldLease): Promise<void> {
  await pool.query(
    "UPDATE leases SET owner = NULL, expires_at = now() WHERE kind = $1 AND key = $2 AND owner = $3 AND epoch = $4",
    [kind, key, owner, epoch],
  );
}

/** Leaves the round of those who share the leases of a kind. */
export async function leaveLeases(pool: Pool, kind: string, owner: string): Promise<void> {
  await pool.query("DELETE FROM lease_members WHERE kind = $1 AND owner = $2", [kind, owner]);
}

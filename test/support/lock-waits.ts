/** Who waits for locks. Other tests wait on the same server, for tables that have the same OIDs in every copy of the template. */
import type { Queryable } from "../../server/store/pool.ts";

/** The connections to this database that wait for a lock. @param table only those that wait for this table */
export async function lockWaits(db: Queryable, table?: string): Promise<number[]> {
  const { rows } = await db.query<{ pid: number }>(
    `SELECT DISTINCT pid FROM pg_locks JOIN pg_stat_activity USING (pid)
     WHERE NOT granted AND datname = current_database() AND ($1::text IS NULL OR relation = $1::regclass)`,
    [table],
  );
  return rows.map(({ pid }) => pid);
}

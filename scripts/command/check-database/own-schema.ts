/**
 * A schema of the check's own, with the service's tables. Its name holds the time after which any later check may remove it, so that what a
 * killed one left is found. Every statement sets the path in its transaction: behind a pooler a session's settings are anybody's.
 */
import { randomBytes } from "node:crypto";
import { applyMissing } from "../../../server/store/migrate.ts";
import { inTransaction, type Pool, type Queryable } from "../../../server/store/pool.ts";

const prefix = "chain_webhooks_check_";

/** Work on the check's tables, in one transaction. */
export type InSchema = <T>(work: (db: Queryable) => Promise<T>) => Promise<T>;

export type OwnSchema = { inSchema: InSchema; drop(): Promise<void> };

/** @param seconds after which a later check may remove the schema */
export async function createOwnSchema(pool: Pool, seconds: number): Promise<OwnSchema> {
  const { rows } = await pool.query<{ expiry: number }>(
    "SELECT ceil(extract(epoch FROM clock_timestamp()) + $1::int)::bigint AS expiry",
    [seconds],
  );
  const name = `${prefix}${rows[0]?.expiry}_${randomBytes(4).toString("hex")}`;
  const inSchema: InSchema = (work) =>
    inTransaction(pool, async (db) => {
      await db.query(`SET LOCAL search_path TO ${name}`);
      return work(db);
    });
  await inTransaction(pool, async (db) => {
    await db.query(`CREATE SCHEMA ${name}`);
    await db.query(`SET LOCAL search_path TO ${name}`);
    await applyMissing(db);
  });
  return { inSchema, drop: () => dropSchema(pool, name) };
}

/** Removes what checks left that were killed. @returns how many */
export async function dropLeftovers(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ name: string }>(
    `SELECT nspname AS name FROM pg_namespace
     WHERE nspname ~ $1 AND split_part(nspname, '_', 4)::bigint < extract(epoch FROM clock_timestamp())
       AND pg_has_role(nspowner, 'USAGE')`,
    [`^${prefix}[0-9]{1,12}_[0-9a-f]{8}$`],
  );
  for (const { name } of rows) await dropSchema(pool, name);
  return rows.length;
}

async function dropSchema(pool: Pool, name: string): Promise<void> {
  await pool.query(`DROP SCHEMA IF EXISTS ${name} CASCADE`);
}

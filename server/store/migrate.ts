/** Migrates the database: applies the numbered files in migrations/, each once, in order. */
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import Postgrator from "postgrator";
import type { Pool } from "./pool.ts";

const folder = join(dirname(fileURLToPath(import.meta.url)), "migrations");

/**
 * Applies the missing migrations, in one transaction under a lock, so that several processes can start at the same time.
 *
 * @returns the names of the applied migrations
 */
export async function migrate(pool: Pool): Promise<string[]> {
  const client = await pool.connect();
  try {
    await client.query("BEGIN");
    await client.query("SELECT pg_advisory_xact_lock(hashtext('chain-webhooks migrations'))");
    const postgrator = new Postgrator({
      migrationPattern: join(folder, "*.sql").replaceAll("\\", "/"),
      driver: "pg",
      schemaTable: "schema_migrations",
      execQuery: (sql) => client.query(sql),
      execSqlScript: async (sql) => void (await client.query(sql)),
    });
    const applied = await postgrator.migrate();
    await client.query("COMMIT");
    return applied.map(({ filename }) => filename.split("/").pop() ?? filename);
  } catch (error) {
    await client.query("ROLLBACK").catch(() => undefined);
    throw error;
  } finally {
    client.release();
  }
}

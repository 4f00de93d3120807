/** A database as an older version left it. */
import { readdir, readFile } from "node:fs/promises";
import type { Pool } from "../../server/store/pool.ts";

const folder = new URL("../../server/store/migrations/", import.meta.url);

/** Applies the migrations up to this one, and records them. */
export async function migrateUpTo(pool: Pool, last: number): Promise<void> {
  await pool.query(
    "CREATE TABLE schema_migrations (version bigint PRIMARY KEY, name text, md5 text, run_at timestamptz)",
  );
  for (const file of (await readdir(folder)).sort()) {
    const version = Number.parseInt(file, 10);
    if (version > last) continue;
    await pool.query(await readFile(new URL(file, folder), "utf8"));
    await pool.query("INSERT INTO schema_migrations (version) VALUES ($1)", [version]);
  }
}

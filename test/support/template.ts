/** The migrated database that the databases of tests are copies of. It is apart from them, since vitest's global setup cannot import vitest. */
import { migrate } from "../../server/store/migrate.ts";
import { createPool } from "../../server/store/pool.ts";

export const templateName = "migrated";

/** Brings a database to the newest schema. */
export async function migrateAt(url: string): Promise<void> {
  const pool = createPool(url);
  await migrate(pool).finally(() => pool.end());
}

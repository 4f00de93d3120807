/** Commands that work on a service's database, which they open as the service does. */
import { databaseUrl, dataDir } from "../../server/config.ts";
import { settings } from "../../server/settings.ts";
import { assertSameCell, readCell } from "../../server/store/cell.ts";
import { openDatabase } from "../../server/store/open.ts";
import type { Pool } from "../../server/store/pool.ts";

/**
 * Works on the database of DATABASE_URL, or else on the embedded one of DATA_DIR. Where CELL is set, it must be the database's.
 *
 * @throws {ServiceError}
 */
export async function withDatabase<T>(
  name: string,
  action: (pool: Pool) => Promise<T>,
  { connections = 1 } = {},
): Promise<T> {
  const cell = settings.cell.read(process.env);
  const place = { databaseUrl: databaseUrl(process.env), dataDir: dataDir(process.env) };
  const database = await openDatabase({ ...place, name: `chain-webhooks ${name}`, max: connections });
  try {
    if (cell !== undefined) assertSameCell(cell, await readCell(database.pool));
    return await action(database.pool);
  } finally {
    await database.close();
  }
}

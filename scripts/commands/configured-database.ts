/** Opens the service's database for a command: that of DATABASE_URL, or the embedded one of DATA_DIR. */
import { ConfigError, databaseUrl, dataDir } from "../../server/config.ts";
import { DatabaseAwayError, StoreError } from "../../server/store/errors.ts";
import { openDatabase } from "../../server/store/open.ts";
import type { Pool } from "../../server/store/pool.ts";
import { CommandError } from "./command-line.ts";

/**
 * Runs `action` with one connection, and closes the database.
 *
 * @param command what the connection is called in PostgreSQL's own lists
 * @throws CommandError when the database cannot be opened, or refuses
 */
export async function openConfiguredDatabase(command: string, action: (pool: Pool) => Promise<void>): Promise<void> {
  try {
    const place = { databaseUrl: databaseUrl(process.env), dataDir: dataDir(process.env) };
    const database = await openDatabase({ ...place, name: `chain-webhooks ${command}`, max: 1 });
    try {
      await action(database.pool);
    } finally {
      await database.close();
    }
  } catch (error) {
    const told = [ConfigError, DatabaseAwayError, StoreError].some((kind) => error instanceof kind);
    throw told ? new CommandError((error as Error).message, { cause: error }) : error;
  }
}

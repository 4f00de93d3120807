/** Commands that work on a service's database: opens it as the service does, and tells in a sentence why it cannot. */
import { ConfigError, databaseUrl, dataDir } from "../../server/config.ts";
import { DatabaseAwayError, StoreError } from "../../server/store/errors.ts";
import { openDatabase } from "../../server/store/open.ts";
import type { Pool } from "../../server/store/pool.ts";
import { SecretKeyError } from "../../server/store/webhooks/secret-keys.ts";
import { CommandError } from "./command-line.ts";

/** What an operator can mend is told without a stack trace. */
const told = [ConfigError, DatabaseAwayError, SecretKeyError, StoreError];

/** Works on the database of DATABASE_URL, or else on the embedded one of DATA_DIR. @throws CommandError */
export async function withDatabase<T>(name: string, action: (pool: Pool) => Promise<T>): Promise<T> {
  try {
    const place = { databaseUrl: databaseUrl(process.env), dataDir: dataDir(process.env) };
    const database = await openDatabase({ ...place, name: `chain-webhooks ${name}`, max: 1 });
    try {
      return await action(database.pool);
    } finally {
      await database.close();
    }
  } catch (error) {
    throw told.some((kind) => error instanceof kind)
      ? new CommandError((error as Error).message, { cause: error })
      : error;
  }
}

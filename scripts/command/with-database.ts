/** Commands that work on a service's database. They say which, since that depends on the environment. */

import { ServiceError } from "../../server/base/errors.ts";
import { databaseUrl, dataDir } from "../../server/settings/config.ts";
import { settings } from "../../server/settings/settings.ts";
import { assertSameCell, readCell } from "../../server/store/cell.ts";
import { isDenied, isOfOtherVersion } from "../../server/store/database-errors.ts";
import { openDatabase, type Purpose, placeOfDatabase } from "../../server/store/open.ts";
import type { Pool } from "../../server/store/pool.ts";
import { CommandError } from "./command-line.ts";

/** Where the database is that the environment names. Also says so, on standard error. */
export function databasePlace(): { databaseUrl: string | undefined; dataDir: string } {
  const place = { databaseUrl: databaseUrl(process.env), dataDir: dataDir(process.env) };
  console.error(`Using ${placeOfDatabase(place)}.`);
  return place;
}

/**
 * Works on the database of DATABASE_URL, or else on the embedded one of DATA_DIR. Where CELL is set, it must be the database's.
 *
 * @param options.purpose whether the database may be created; without it the database must exist
 * @throws {ServiceError}
 */
export async function withDatabase<T>(
  name: string,
  action: (pool: Pool) => Promise<T>,
  { connections = 1, purpose = "change" }: { connections?: number; purpose?: Purpose } = {},
): Promise<T> {
  const cell = settings.cell.read(process.env);
  const place = databasePlace();
  try {
    const database = await openDatabase({ ...place, name: `chain-webhooks ${name}`, max: connections }, purpose);
    try {
      if (cell !== undefined) assertSameCell(cell, await readCell(database.pool));
      return await action(database.pool);
    } finally {
      await database.close();
    }
  } catch (error) {
    throw explained(error, placeOfDatabase(place));
  }
}

function explained(error: unknown, place: string): unknown {
  if (isDenied(error)) {
    const reason = `The database's user lacks a right: ${error.message}. Use the user that the service's processes have.`;
    return new CommandError(reason, { cause: error });
  }
  if (!isOfOtherVersion(error)) return error;
  const reason = `The tables in ${place} are of another version; start a service of this version, which migrates them.`;
  return new ServiceError("database_unavailable", reason, { cause: error });
}

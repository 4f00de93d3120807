/** Opens the configured database, or an embedded one, and migrates it. */
import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { isServiceError, ServiceError } from "../base/errors.ts";
import type { Logger } from "../base/log.ts";
import { clusterFolder } from "../embedded-postgres/cluster.ts";
import type { ServerWatch } from "../embedded-postgres/index.ts";
import { nameOfDatabase } from "../settings/database-url.ts";
import { isDatabaseUnavailable, isRefusal, isTlsFailure } from "./database-errors.ts";
import { migrate } from "./migrate.ts";
import { createPool, type Pool } from "./pool.ts";

/** A database, which may be unavailable. */
export type Database = {
  pool: Pool;
  url: string;
  /** Ends the pool, and the embedded server unless another process uses it. */
  close(): Promise<void>;
};

/** A migrated database. */
export type OpenDatabase = Database & {
  /** The names of the migrations applied by this call. */
  migrated: string[];
};

/** How to reach a database. */
type DatabaseOptions = {
  databaseUrl?: string | undefined;
  dataDir: string;
  /** The connections' `application_name`. */
  name?: string;
  max?: number;
  /** Receives errors of idle connections, which the pool replaces by itself. */
  onError?: (error: Error) => void;
  /** Starts the embedded server again when it dies. */
  watch?: ServerWatch;
};

/**
 * Creates a pool for the database at `databaseUrl`. Without one it starts, or shares, the embedded PostgreSQL of `dataDir`.
 *
 * @throws {ServiceError} `database_unavailable`, when the embedded one cannot be started
 */
export async function connectDatabase(options: DatabaseOptions): Promise<Database> {
  const embedded = options.databaseUrl ? undefined : await startEmbedded(options);
  const url = options.databaseUrl || (embedded?.url ?? "");
  const { dataDir: _, databaseUrl: __, watch: ___, ...poolOptions } = options;
  const pool = createPool(url, poolOptions);
  const close = async () => {
    await pool.end();
    await embedded?.stop();
  };
  return { pool, url, close };
}

/**
 * What a database is opened for. Only `create` creates one, or its tables. `change` migrates those of an older version, and `read` leaves them
 * as they are.
 */
export type Purpose = "read" | "change" | "create";

/** Opens the database. @throws {ServiceError} `database_unavailable`, when it cannot be reached or started, or does not exist */
export async function openDatabase(options: DatabaseOptions, purpose: Purpose = "create"): Promise<OpenDatabase> {
  if (purpose !== "create") await assertExists(options);
  const database = await connectDatabase(options);
  try {
    if (purpose !== "create") await assertHasTables(database.pool, placeOfDatabase(options));
    return { ...database, migrated: purpose === "read" ? [] : await migrate(database.pool) };
  } catch (error) {
    await database.close();
    throw isDatabaseUnavailable(error)
      ? new ServiceError("database_unavailable", unavailableReason(error), { cause: error })
      : error;
  }
}

/** Names the database for people, and the setting that chose it. */
export function placeOfDatabase({ databaseUrl, dataDir }: Pick<DatabaseOptions, "databaseUrl" | "dataDir">): string {
  return databaseUrl
    ? `the database ${nameOfDatabase(databaseUrl)} (DATABASE_URL)`
    : `the embedded database in ${resolve(dataDir)} (DATA_DIR)`;
}

/** @throws {ServiceError} `database_unavailable`, unless DATABASE_URL is set or the embedded database was created before */
export async function assertExists({ databaseUrl, dataDir }: DatabaseOptions): Promise<void> {
  if (databaseUrl) return;
  const found = await stat(clusterFolder(dataDir)).catch((error: NodeJS.ErrnoException) => error.code === "EACCES");
  if (found) return;
  throw new ServiceError(
    "database_unavailable",
    `There is no database in ${resolve(dataDir)} (DATA_DIR), and none was created. Set DATA_DIR or DATABASE_URL as the service has it.`,
  );
}

async function assertHasTables(pool: Pool, place: string): Promise<void> {
  const { rows } = await pool.query<{ made: boolean }>("SELECT to_regclass('schema_migrations') IS NOT NULL AS made");
  if (rows[0]?.made) return;
  throw new ServiceError(
    "database_unavailable",
    `There are no tables of the service in ${place}, and none were created. Set DATABASE_URL or DATA_DIR as the service has it.`,
  );
}

const shortestPauseMs = 250;
const longestPauseMs = 5_000;

/**
 * Migrates the database, and waits while it is unavailable: it may start after us.
 *
 * @param signal ends the wait
 * @throws {ServiceError} `database_unavailable`, when it denies access, or has no such database
 */
export async function migrateWhenUp(pool: Pool, log: Logger, signal?: AbortSignal): Promise<string[]> {
  for (let pauseMs = shortestPauseMs; ; pauseMs = Math.min(longestPauseMs, 2 * pauseMs)) {
    signal?.throwIfAborted();
    try {
      return await migrate(pool, signal);
    } catch (error) {
      signal?.throwIfAborted();
      if (!isDatabaseUnavailable(error)) throw error;
      if (isRefusal(error)) throw new ServiceError("database_unavailable", unavailableReason(error), { cause: error });
      log.warn({ reason: unavailableReason(error), pauseMs }, "the database is unavailable; waiting for it");
      await sleep(pauseMs, undefined, { signal });
    }
  }
}

// Loaded only when needed: a service with a DATABASE_URL does not install it.
async function startEmbedded({ dataDir, watch }: DatabaseOptions) {
  const { startEmbeddedPostgres } = await import("../embedded-postgres/index.ts");
  try {
    return await startEmbeddedPostgres({ dataDir, ...(watch && { watch }) });
  } catch (cause) {
    if (isServiceError(cause, "package_missing")) throw cause;
    throw new ServiceError("database_unavailable", (cause as Error).message, { cause });
  }
}

/** If a name has several addresses and none answers, pg's error has an empty message. */
function unavailableReason(error: unknown): string {
  const { message, code } = error as { message: string; code?: string };
  if (error instanceof Error && isTlsFailure(error))
    return `The database of DATABASE_URL cannot be opened by TLS (${code ?? "unsupported"}): ${message}. See docs/tls.md.`;
  return `The database of DATABASE_URL cannot be opened: ${message || code}.`;
}

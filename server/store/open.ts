/** Opens the configured database, or an embedded one, and migrates it. */
import { setTimeout as sleep } from "node:timers/promises";
import { isServiceError, ServiceError } from "../errors.ts";
import type { Logger } from "../log.ts";
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
export type DatabaseOptions = {
  databaseUrl?: string | undefined;
  dataDir: string;
  /** The connections' `application_name`. */
  name?: string;
  max?: number;
  /** Receives errors of idle connections, which the pool replaces by itself. */
  onError?: (error: Error) => void;
};

/**
 * Creates a pool for the database at `databaseUrl`. Without one it starts, or shares, the embedded PostgreSQL of `dataDir`.
 *
 * @throws {ServiceError} `database_unavailable`, when the embedded one cannot be started
 */
export async function connectDatabase(options: DatabaseOptions): Promise<Database> {
  const embedded = options.databaseUrl ? undefined : await startEmbedded(options.dataDir);
  const url = options.databaseUrl || (embedded?.url ?? "");
  const { dataDir: _, databaseUrl: __, ...poolOptions } = options;
  const pool = createPool(url, poolOptions);
  const close = async () => {
    await pool.end();
    await embedded?.stop();
  };
  return { pool, url, close };
}

/** Opens the database. @throws {ServiceError} `database_unavailable`, when it cannot be reached or started */
export async function openDatabase(options: DatabaseOptions): Promise<OpenDatabase> {
  const database = await connectDatabase(options);
  try {
    return { ...database, migrated: await migrate(database.pool) };
  } catch (error) {
    await database.close();
    throw isDatabaseUnavailable(error)
      ? new ServiceError("database_unavailable", unavailableReason(error), { cause: error })
      : error;
  }
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
      return await migrate(pool);
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error;
      if (isRefusal(error)) throw new ServiceError("database_unavailable", unavailableReason(error), { cause: error });
      log.warn({ reason: unavailableReason(error), pauseMs }, "the database is unavailable; waiting for it");
      await sleep(pauseMs, undefined, { signal });
    }
  }
}

// Loaded only when needed: a service with a DATABASE_URL does not install it.
async function startEmbedded(dataDir: string) {
  const { startEmbeddedPostgres } = await import("../embedded-postgres/index.ts");
  try {
    return await startEmbeddedPostgres({ dataDir });
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

/** Opens the database that is configured, or else one of our own, and brings it to the newest schema. */
import { DatabaseAwayError, isDatabaseAway } from "./errors.ts";
import { migrate } from "./migrate.ts";
import { createPool, type Pool } from "./pool.ts";

/** An open database. */
export type OpenDatabase = {
  pool: Pool;
  url: string;
  /** The names of the migrations that were applied now. */
  migrated: string[];
  /** Ends the pool, and the embedded server unless another process uses it. */
  close(): Promise<void>;
};

/**
 * Opens the database at `databaseUrl`; without one starts, or shares, the embedded PostgreSQL of `dataDir`.
 *
 * @param options.name what the connections are called in PostgreSQL's own lists
 * @param options.onError told of errors of idle connections, which the pool replaces by itself
 * @throws DatabaseAwayError when it cannot be reached or started
 */
export async function openDatabase(options: {
  databaseUrl?: string | undefined;
  dataDir: string;
  name?: string;
  max?: number;
  onError?: (error: Error) => void;
}): Promise<OpenDatabase> {
  const embedded = options.databaseUrl ? undefined : await startEmbedded(options.dataDir);
  const url = options.databaseUrl || (embedded?.url ?? "");
  const { dataDir: _, databaseUrl: __, ...poolOptions } = options;
  const pool = createPool(url, poolOptions);
  const close = async () => {
    await pool.end();
    await embedded?.stop();
  };
  try {
    return { pool, url, migrated: await migrate(pool), close };
  } catch (error) {
    await close();
    throw isDatabaseAway(error) ? new DatabaseAwayError(whyAway(error), { cause: error }) : error;
  }
}

// Loaded only when needed, since a service with a DATABASE_URL does not install it.
async function startEmbedded(dataDir: string) {
  const { startEmbeddedPostgres } = await import("./embedded/index.ts");
  try {
    return await startEmbeddedPostgres({ dataDir });
  } catch (cause) {
    throw new DatabaseAwayError((cause as Error).message, { cause });
  }
}

/** Where a name has several addresses, and none of them answers, the error itself says nothing. */
function whyAway(error: unknown): string {
  const { message, code } = error as { message: string; code?: string };
  return `The database of DATABASE_URL cannot be opened: ${message || code}.`;
}

/** Connections to PostgreSQL, with time-outs so that a silent database is an error and never a wait without end. */
import pg from "pg";

export type Pool = pg.Pool;
/** Whatever a query can be sent to: a pool, or a client inside a transaction. */
export type Queryable = Pick<pg.ClientBase, "query">;

// All our bigint columns are counts and block numbers, far below 2^53. Dates are days, compared as text.
const types: pg.CustomTypesConfig = {
  getTypeParser(oid, format) {
    if (oid === pg.types.builtins.INT8) return Number;
    if (oid === pg.types.builtins.DATE) return String;
    return pg.types.getTypeParser(oid, format);
  },
};

/**
 * Makes a pool. No connection is opened yet.
 *
 * @param url `postgres://…`
 * @param options.max at most so many connections
 * @param options.onError told of errors of idle connections, which the pool replaces by itself
 */
export function createPool(
  url: string,
  options: { max?: number; name?: string; onError?: (error: Error) => void } = {},
): Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: options.max ?? 10,
    application_name: options.name ?? "chain-webhooks",
    connectionTimeoutMillis: 5_000,
    query_timeout: 30_000,
    statement_timeout: 25_000,
    idle_in_transaction_session_timeout: 15_000,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    types,
  });
  pool.on("error", (error) => options.onError?.(error));
  return pool;
}

/** Runs `work` in one transaction: all of it, or, when it throws, nothing. */
export async function inTransaction<T>(pool: Pool, work: (db: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query("BEGIN");
    const result = await work(client);
    await client.query("COMMIT");
    return result;
  } catch (error) {
    await client.query("ROLLBACK").catch((failure: Error) => {
      broken = failure;
    });
    throw error;
  } finally {
    client.release(broken);
  }
}

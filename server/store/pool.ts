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
 * @param options.patienceMs for one query; the server gives it up a sixth of that earlier
 * @param options.onError told of errors of idle connections, which the pool replaces by itself
 */
export function createPool(
  url: string,
  options: { max?: number; name?: string; patienceMs?: number; onError?: (error: Error) => void } = {},
): Pool {
  const { patienceMs = 30_000 } = options;
  const pool = new pg.Pool({
    connectionString: url,
    max: options.max ?? 10,
    application_name: options.name ?? "chain-webhooks",
    connectionTimeoutMillis: 5_000,
    query_timeout: patienceMs,
    statement_timeout: Math.round((patienceMs * 5) / 6),
    idle_in_transaction_session_timeout: 15_000,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    types,
  });
  pool.on("error", (error) => {
    // The pool hangs the whole connection on it, which is nothing for a log.
    Reflect.deleteProperty(error, "client");
    options.onError?.(error);
  });
  return pool;
}

/**
 * Takes the rows out of a result, for queries that give many and often. The timer that pg has for each query leads to its result even
 * when it is over, and from one query to the next: V8 would take all these rows for alive until it collects the whole heap.
 */
export function takeRows<Row extends pg.QueryResultRow>({ rows }: pg.QueryResult<Row>): Row[] {
  return rows.splice(0);
}

/** A query with a time limit of its own, in ms. When it is over the query fails; what it did may nevertheless have happened. */
export function within(timeoutMs: number, query: pg.QueryConfig): pg.QueryConfig {
  const limited: pg.QueryConfig & { query_timeout: number } = { ...query, query_timeout: timeoutMs };
  return limited;
}

/** Runs `work` in one transaction: all of it, or, when it throws, nothing. */
export async function inTransaction<T>(pool: Pool, work: (db: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  // The pool listens only to clients that are idle; nobody listening, a broken connection would end the process.
  const onError = (error: Error) => {
    broken = error;
  };
  client.on("error", onError);
  try {
    await client.query("BEGIN");
    const result = await work(client);
    await client.query("COMMIT");
    return result;
  } catch (error) {
    // Where even this is not answered soon, closing the connection does the same.
    await client.query(within(2_000, { text: "ROLLBACK" })).catch(onError);
    throw error;
  } finally {
    client.off("error", onError);
    client.release(broken);
  }
}

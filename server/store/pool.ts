/**
 * Connections to PostgreSQL, with time-outs: a database that does not answer is an error, never an endless wait. Connections to one that refuses
 * writes are not kept, since after a failover the next may lead to the new primary.
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import pg from "pg";
import { isAfterFailure, isUnexplained } from "./database-errors.ts";
import { openSession, within } from "./session.ts";

export { abandonedAfter, within } from "./session.ts";

export type Pool = pg.Pool;
/** A pool, or a client inside a transaction. */
export type Queryable = Pick<pg.ClientBase, "query">;

// All our bigint columns are counts and block numbers, far below 2^53. Dates are days, compared as text.
const types: pg.CustomTypesConfig = {
  getTypeParser(oid, format) {
    if (oid === pg.types.builtins.INT8) return Number;
    if (oid === pg.types.builtins.DATE) return String;
    const parse = pg.types.getTypeParser(oid, format);
    return oid === textArray && format !== "binary" ? splitsTexts(parse) : parse;
  },
};

/** The type `text[]`, which pg's types lack. */
const textArray: number = 1009;

/**
 * Splits a `text[]` in which nothing is quoted or null, and leaves others to pg. A thousand addresses take 0.1 ms instead of 1 ms.
 */
const splitsTexts =
  (parse: (text: string) => unknown) =>
  (text: string): unknown =>
    /^\{[^{}"\\]+\}$/.test(text) && !/null/i.test(text) ? text.slice(1, -1).split(",") : parse(text);

/** How long a connection to a read-only database is kept: each request would open one otherwise, for as long as that lasts. */
const readOnlyKeptMs = 1_000;

/** Opens a connection apart from the pool's. */
type Connector = (prepare: (client: pg.Client) => void) => Promise<void>;
const connectors = new WeakMap<Pool, Connector>();

/**
 * Opens a connection like the pool's, but apart from them, for what belongs to a session, such as LISTEN. It ends when the database is found to
 * refuse writes.
 *
 * @param prepare receives it before it connects
 */
export async function connectApart(pool: Pool, prepare: (client: pg.Client) => void): Promise<void> {
  const connect = connectors.get(pool);
  if (!connect) throw new Error("createPool makes the pools that this works with");
  await connect(prepare);
}

/**
 * Creates a pool. It opens no connection yet.
 *
 * @param url `postgres://…`
 * @param options.max the most connections
 * @param options.patienceMs time limit of a query; the database cancels it a sixth earlier
 * @param options.onError receives errors of idle connections, which the pool replaces by itself
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
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    // A connection sends statements one behind the other at once, instead of each after the one before it ended: see together().
    pipeline: true,
    types,
    onConnect: (client) => {
      openedAt.set(client, performance.now());
      return openSession(client, patienceMs, () => leave(client));
    },
  });
  const openedAt = new WeakMap<pg.ClientBase, number>();
  const readOnly = new WeakSet<pg.ClientBase>();
  const apart = new Set<pg.Client>();
  let leftAt = Number.NEGATIVE_INFINITY;
  const leave = (client: pg.ClientBase) => {
    readOnly.add(client);
    if (performance.now() - leftAt < readOnlyKeptMs) return;
    leftAt = performance.now();
    for (const other of apart) void other.end().catch(() => undefined);
    for (let idle = pool.idleCount; idle > 0; idle -= 1)
      void pool.connect().then(
        (other) => other.release(true),
        () => undefined,
      );
  };
  pool.on("release", (_, client) => {
    const age = performance.now() - (openedAt.get(client) ?? 0);
    // The pool removes a client that ends.
    if (readOnly.has(client) && age > readOnlyKeptMs) void client.end().catch(() => undefined);
  });
  connectors.set(pool, async (prepare) => {
    const client = new pg.Client(pool.options);
    client.on("error", () => undefined);
    client.once("end", () => apart.delete(client));
    prepare(client);
    await client.connect();
    apart.add(client);
    await openSession(client, patienceMs, () => leave(client));
  });
  pool.on("error", (error) => {
    // The pool attaches the whole connection to the error, which does not belong in a log.
    Reflect.deleteProperty(error, "client");
    options.onError?.(error);
  });
  // The pool listens only to idle clients. Without a listener a broken connection would end the process. The next statement fails anyway, and
  // the pool drops the client.
  pool.on("connect", (client) => client.on("error", () => undefined));
  return pool;
}

/**
 * Takes the rows out of a result. Use it for frequent queries with many rows. pg's timer for a query refers to the query's result
 * even when it is over, and to the next query's timer. V8 would keep all these rows alive until it collects the whole heap.
 */
export function takeRows<Row extends pg.QueryResultRow>({ rows }: pg.QueryResult<Row>): Row[] {
  return rows.splice(0);
}

/** Runs `work` in one transaction. If it throws, the transaction is rolled back. */
export function inTransaction<T>(pool: Pool, work: (db: pg.PoolClient) => Promise<T>): Promise<T> {
  return openTransaction(
    pool,
    async () => undefined,
    async (db) => ({ result: await work(db) }),
  );
}

/** How a transaction ends. */
export type Ending<T> = {
  result: T;
  /** Sends the last statements, which share COMMIT's round trip, and returns the promise of each. If one fails, nothing is committed. */
  sendLast?: () => readonly unknown[];
};

/**
 * Runs `work` in one transaction, after statements that are sent right behind BEGIN and share its round trip.
 *
 * @param opening sends them. They must change nothing, since they run outside of any transaction if BEGIN fails
 * @param work receives their results
 */
export function openTransaction<O, T>(
  pool: Pool,
  opening: (db: pg.PoolClient) => Promise<O>,
  work: (db: pg.PoolClient, opened: O) => Promise<Ending<T>>,
): Promise<T> {
  return onConnection(pool, async (client, onBroken) => {
    try {
      const [, opened] = await together([client.query("BEGIN"), opening(client)]);
      const { result, sendLast = () => [] } = await work(client, opened);
      const last = sendLast();
      await untilSent(last);
      await together([...last, client.query("COMMIT").then(assertCommitted)]);
      return result;
    } catch (error) {
      // If the server does not answer this soon, closing the connection does the same.
      await client.query(within(2_000, { text: "ROLLBACK" })).catch(onBroken);
      if (isUnexplained(error)) onBroken(error);
      throw error;
    }
  });
}

/**
 * COMMIT will not wait for the disk, so a lock is held a fraction of the time. For what only says how far work has come: if PostgreSQL crashes
 * within a second, it may be lost, and the work is done again. So nobody may remember it, or tell others. What is committed later is never kept
 * without it.
 */
export async function commitSoon(db: Queryable): Promise<void> {
  await db.query("SET LOCAL synchronous_commit TO off");
}

/** The server knows nothing of a statement that fails before it is sent, and would commit the others. Such a failure shows in this turn. */
async function untilSent(statements: readonly unknown[]): Promise<void> {
  if (statements.length > 0) await Promise.race([Promise.all(statements), nextTurn()]);
}

/** The server answers COMMIT in a failed transaction by rolling back. */
function assertCommitted({ command }: pg.QueryResult): void {
  if (command !== "COMMIT") throw new Error("the transaction had failed before it was to be committed");
}

/** Sends statements at the same time on one connection. Each sees at least what the one before it saw. */
export function readTogether<T extends readonly unknown[] | []>(pool: Pool, statements: (db: Queryable) => T) {
  return onConnection(pool, (client, onBroken) =>
    together(statements(client)).catch((error: Error) => {
      // One may still be running.
      onBroken(error);
      throw error;
    }),
  );
}

/** @param work receives a function that says that the connection cannot be used again */
async function onConnection<T>(
  pool: Pool,
  work: (client: pg.PoolClient, onBroken: (error: Error) => void) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    return await work(client, (error) => {
      broken = error;
    });
  } finally {
    client.release(broken);
  }
}

/**
 * Waits for statements of one connection that do not need each other's results. They take effect in the order in which they are given,
 * and share a round trip, of which a new block would wait for each.
 *
 * @throws what one of them failed with, after all have ended: none may follow the transaction's end. That others failed after it, with the
 *   transaction, says nothing.
 */
export async function together<T extends readonly unknown[] | []>(
  work: T,
): Promise<{ -readonly [P in keyof T]: Awaited<T[P]> }> {
  const errors = (await Promise.allSettled(work)).flatMap((each) => (each.status === "rejected" ? [each.reason] : []));
  const cause: unknown = errors.find((error) => !isAfterFailure(error));
  if (cause !== undefined) throw cause;
  return Promise.all(work);
}

/**
 * What the service asks of each connection's session: time limits that the database itself keeps, no JIT, and a database that takes writes.
 * All of it is set by statements. Poolers such as PgBouncer refuse the same as startup parameters, or drop them in silence.
 */
import type { EventEmitter } from "node:events";
import type pg from "pg";
import { ServiceError } from "../base/errors.ts";

/** How often a running statement looks whether its client is still there. Without this it runs on for a process that was killed. */
const lookForClientMs = 2_000;
const idleInTransactionMs = 15_000;
const patienceToOpenMs = 5_000;

/** The limit in the database for a limit in Node. It is a sixth shorter, so that the database cancels what nobody waits for any more. */
const inDatabaseMs = (patienceMs: number) => Math.max(1, Math.round((patienceMs * 5) / 6));

/** A query with its own time limit in ms, in the database and in Node. After that it fails. If the database did not answer, it may have taken effect. */
export function within(timeoutMs: number, query: pg.QueryConfig): pg.QueryConfig {
  const limited: pg.QueryConfig & { query_timeout: number } = { ...query, query_timeout: timeoutMs };
  return limited;
}

/**
 * A query of a pool that is given up after a time. Its connection is closed then, and the database ends the statement within two seconds, since it
 * finds its client gone. For what is asked every second: `within` sends two settings with each, a seventh of an idle process's processor time.
 */
export function abandonedAfter(timeoutMs: number, query: pg.QueryConfig): pg.QueryConfig {
  const config = within(timeoutMs, query);
  withSessionLimit.add(config);
  return config;
}

/** Queries that the database limits as it limits all of the session's. */
const withSessionLimit = new WeakSet<object>();

/**
 * Prepares a new connection.
 *
 * @param patienceMs time limit of its statements, in Node
 * @param onReadOnly called once the database refuses writes: it is a standby, or has become read-only. It may be called again
 * @throws when the database does not answer
 */
export async function openSession(client: pg.ClientBase, patienceMs: number, onReadOnly: () => void): Promise<void> {
  // The types lack it.
  const { connection } = client as pg.ClientBase & { connection: EventEmitter };
  connection.on("errorMessage", ({ code }: { code?: string }) => {
    if (code === "25006") onReadOnly();
  });
  // PostgreSQL reports both when they change, behind the next statement.
  connection.on("parameterStatus", (status: { parameterName: string; parameterValue: string }) => {
    if (/^(in_hot_standby|default_transaction_read_only)$/.test(status.parameterName) && status.parameterValue === "on")
      onReadOnly();
  });
  // Not every system that PostgreSQL runs on can look for its client.
  const looking = client.query(`SET client_connection_check_interval = ${lookForClientMs}`).catch(() => undefined);
  const setting = client.query<{ readOnly: boolean }>(
    // PostgreSQL's default is on, and it compiles where estimates are high. Of the figures' query on an empty database, with Debian's
    // PostgreSQL 15 and default settings, it makes 1.5 s of processor; without, the query takes 5 ms.
    within(patienceToOpenMs, {
      text: `SELECT set_config('jit', 'off', false), set_config('statement_timeout', $1, false),
               set_config('idle_in_transaction_session_timeout', $2, false),
               current_setting('transaction_read_only')::boolean AS "readOnly"`,
      values: [String(inDatabaseMs(patienceMs)), String(idleInTransactionMs)],
    }),
  );
  const [{ rows }] = await Promise.all([setting, looking]);
  limitInDatabase(client, patienceMs);
  if (rows[0]?.readOnly) onReadOnly();
}

/**
 * Makes the database keep the limit of each query that has its own. The settings share the query's round trip. In a transaction that is rolled
 * back they are undone with it.
 */
function limitInDatabase(client: pg.ClientBase, patienceMs: number): void {
  // Read from the prototype at each call: what wraps it later, as tracing libraries do, sees these queries, too.
  const prototype: { query: unknown } = Object.getPrototypeOf(client);
  const query = (...args: unknown[]) => Reflect.apply(prototype.query as () => unknown, client, args);
  const limit = (ms: number, own: number) => {
    // The second waits behind the query.
    const set = query(
      within(own + patienceMs, { text: `SET statement_timeout = ${inDatabaseMs(ms)}` }),
    ) as Promise<unknown>;
    // In a failed transaction it is refused. On a broken connection the query fails, too.
    set.catch(() => undefined);
  };
  client.query = ((...args: unknown[]) => {
    const own = ownLimit(args[0]);
    if (own === undefined || own === patienceMs) return query(...args);
    limit(own, own);
    try {
      return query(...args);
    } finally {
      limit(patienceMs, own);
    }
  }) as typeof client.query;
}

/**
 * Asks whether the database takes writes. One that does not answers reads all the same.
 *
 * @param timeoutMs for the answer
 * @throws {ServiceError} `database_unavailable`, with the reason
 */
export async function assertTakesWrites(db: Pick<pg.ClientBase, "query">, timeoutMs: number): Promise<void> {
  const { rows } = await db.query<{ isStandby: boolean; readOnly: boolean }>(
    within(timeoutMs, {
      text: `SELECT pg_is_in_recovery() AS "isStandby", current_setting('transaction_read_only')::boolean AS "readOnly"`,
    }),
  );
  const { isStandby, readOnly } = rows[0] ?? {};
  const why = isStandby ? "it is a standby" : readOnly ? "default_transaction_read_only is on" : undefined;
  if (why) throw new ServiceError("database_unavailable", `The database is read-only: ${why}`);
}

function ownLimit(config: unknown): number | undefined {
  const has =
    typeof config === "object" && config !== null && "query_timeout" in config && !withSessionLimit.has(config);
  return has && typeof config.query_timeout === "number" ? config.query_timeout : undefined;
}

/**
 * A store in PostgreSQL. The effect of a handler and the position are one transaction, in which the webhook's row is locked and its holder checked.
 * So a process that believes to be the holder and is not commits nothing. The lease is in the row, not an advisory lock: it outlives a
 * fail-over, works behind a pooler, and ends by the database's clock when its process has vanished without closing the connection.
 */
import type { ConsumerStore, SkippedRange } from "./store.ts";

/** What a handler gets: a connection in the transaction. To have it as a `PoolClient` of `pg`, write `postgresStore<PoolClient>(pool)`. */
export type PostgresTransaction = {
  query(
    text: string,
    values?: unknown[],
  ): Promise<{ rows: Record<string, unknown>[]; rowCount: number | null; command?: string }>;
};

/** What is used of a pool; that of `pg` has it. */
export type PostgresPool<Transaction> = {
  connect(): Promise<Transaction & PostgresConnection>;
  on?(event: "error", listener: (error: Error) => void): unknown;
};

type PostgresConnection = {
  release(destroy?: boolean): void;
  on?(event: "error", listener: (error: Error) => void): unknown;
  off?(event: "error", listener: (error: Error) => void): unknown;
};

/** How a store in PostgreSQL behaves. */
export type PostgresStoreOptions = {
  /**
   * How long a handler may leave its transaction idle, in milliseconds; 60,000 unless given. Then PostgreSQL ends it, so that a process which has
   * vanished from the network does not lock the webhook for ever.
   */
  idleMs?: number;
};

type Row = { position: string | null; holder: string | null; xact: string; name: string };

const table = "chain_webhooks_consumers";
const definition = `CREATE TABLE IF NOT EXISTS ${table} (
  webhook_id text PRIMARY KEY,
  position bigint,
  skipped jsonb NOT NULL DEFAULT '[]',
  holder text,
  held_until timestamptz
)`;
const insert = `INSERT INTO ${table} (webhook_id) VALUES ($1) ON CONFLICT DO NOTHING`;
/** Two processes that create the same table at the same time: one of them gets an error, although the table is there. */
const createdMeanwhile: readonly unknown[] = ["23505", "42P07", "42710"];

const ignore = () => {};
/** Pools that are listened to. */
const withListener = new WeakSet<object>();

/**
 * Keeps positions in PostgreSQL, in the table `chain_webhooks_consumers`, which it creates if it is not there. A handler's `transaction` is the
 * connection: what it writes there is committed together with the position. It must not end the transaction itself.
 *
 * It listens to the pool's `error` events, so that a connection that breaks while nobody uses it ends no process.
 * @example
 * const store = postgresStore(new pg.Pool({ connectionString: process.env.DATABASE_URL }));
 */
export function postgresStore<Transaction extends PostgresTransaction = PostgresTransaction>(
  pool: PostgresPool<Transaction>,
  { idleMs = 60_000 }: PostgresStoreOptions = {},
): ConsumerStore<Transaction> {
  if (!(Number.isInteger(idleMs) && idleMs >= 1 && idleMs < 2 ** 31))
    throw new TypeError("idleMs must be a whole number of milliseconds from 1 to 2,147,483,647.");
  if (!withListener.has(pool)) pool.on?.("error", ignore);
  withListener.add(pool);

  /** On a connection that is closed if it fails: after a fail-over it may lead to a server that takes no writes any more. */
  const run = async (text: string, values: unknown[]) => {
    const connection = await pool.connect();
    connection.on?.("error", ignore);
    let isUsable = false;
    try {
      const result = await connection.query(text, values);
      isUsable = true;
      return result;
    } finally {
      connection.off?.("error", ignore);
      connection.release(!isUsable);
    }
  };

  let whenCreated: Promise<void> | undefined;
  const create = async () => {
    // IF NOT EXISTS alone needs the right to create, even where the table is there.
    const { rows } = await run("SELECT to_regclass($1) AS oid", [table]);
    if (rows[0]?.oid != null) return;
    await run(definition, []).catch((error: unknown) => {
      if (!createdMeanwhile.includes((error as { code?: unknown }).code)) throw error;
    });
  };
  const created = () => {
    whenCreated ??= create().catch((error: unknown) => {
      whenCreated = undefined;
      throw error;
    });
    return whenCreated;
  };

  const lock = async (db: PostgresTransaction, webhookId: string): Promise<Row> => {
    // With its schema, since a handler may set another search_path.
    const read = `SELECT position, holder, txid_current()::text AS xact, (SELECT format('%I.%I', nspname, relname)
        FROM pg_class JOIN pg_namespace AS schemas ON schemas.oid = relnamespace WHERE pg_class.oid = kept.tableoid) AS name
      FROM ${table} AS kept WHERE webhook_id = $1 FOR UPDATE OF kept`;
    const found = await db.query(read, [webhookId]);
    if (found.rows[0]) return found.rows[0] as unknown as Row;
    await db.query(insert, [webhookId]);
    return (await db.query(read, [webhookId])).rows[0] as unknown as Row;
  };

  return {
    async read(webhookId) {
      await created();
      const { rows } = await run(`SELECT position, skipped FROM ${table} WHERE webhook_id = $1`, [webhookId]);
      const row = rows[0] as unknown as { position: string | null; skipped: SkippedRange[] } | undefined;
      return { position: toNumber(row?.position), skipped: row?.skipped ?? [] };
    },

    async hold(webhookId, holder, leaseMs) {
      await created();
      // A row that is locked is in use, whatever its lease says. Who is not the holder does not wait for it.
      const take = `UPDATE ${table} SET holder = $2, held_until = clock_timestamp() + $3 * interval '1 ms'
        WHERE webhook_id = $1 AND (holder = $2 OR webhook_id IN (
          SELECT webhook_id FROM ${table}
          WHERE webhook_id = $1 AND (holder IS NULL OR held_until < clock_timestamp())
          FOR UPDATE SKIP LOCKED))`;
      if ((await run(take, [webhookId, holder, leaseMs])).rowCount === 1) return true;
      const { rowCount } = await run(insert, [webhookId]);
      return rowCount === 1 && (await run(take, [webhookId, holder, leaseMs])).rowCount === 1;
    },

    async release(webhookId, holder) {
      await created();
      await run(`UPDATE ${table} SET holder = NULL WHERE webhook_id = $1 AND holder = $2`, [webhookId, holder]);
    },

    async advance(webhookId, holder, work) {
      await created();
      const connection = await pool.connect();
      connection.on?.("error", ignore);
      let isUsable = false;
      try {
        await connection.query("BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE");
        const end = async (how: "COMMIT" | "ROLLBACK") => {
          const { command } = await connection.query(how);
          isUsable = true;
          // PostgreSQL answers so where a statement has failed, and says no error.
          if (how === "COMMIT" && command === "ROLLBACK")
            throw new Error("A statement of the handler failed after it had returned; it must await each of them.");
        };
        try {
          await connection.query(`SET LOCAL idle_in_transaction_session_timeout = ${idleMs}`);
          const row = await lock(connection, webhookId);
          if (holder !== undefined && row.holder !== holder) {
            await end("ROLLBACK");
            return false;
          }
          const step = await work(connection, toNumber(row.position));
          if (!step) {
            await end("ROLLBACK");
            return true;
          }
          const { rowCount } = await connection.query(
            `UPDATE ${row.name} SET position = $2, skipped = skipped || $3::jsonb
             WHERE webhook_id = $1 AND txid_current() = $4::bigint`,
            [webhookId, step.position, JSON.stringify(step.skipped ? [step.skipped] : []), row.xact],
          );
          if (rowCount !== 1)
            throw new Error("The handler ended the transaction that it was given; it must leave that to the store.");
          await end("COMMIT");
          return true;
        } catch (error) {
          await end("ROLLBACK").catch(ignore);
          throw error;
        }
      } finally {
        connection.off?.("error", ignore);
        connection.release(!isUsable);
      }
    },
  };
}

/** `pg` returns a bigint as text, unless its parser is replaced. */
function toNumber(position: string | null | undefined): number | undefined {
  return position == null ? undefined : Number(position);
}

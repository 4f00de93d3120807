/** A store in SQLite. The effect of a handler and the position are one transaction, which locks the whole database for writers. */
import { type ConsumerStore, createQueue, type Queue, type SkippedRange } from "./store.ts";

/** What is used of a database; `DatabaseSync` of `node:sqlite` has it, and so has that of `better-sqlite3`. */
export type SqliteDatabase = {
  exec(sql: string): unknown;
  prepare(sql: string): SqliteStatement;
};

type SqliteStatement = {
  get(...values: (string | number | null)[]): unknown;
  run(...values: (string | number | null)[]): { changes: number | bigint };
};

/** What is stored as a row; its numbers may be `bigint`, by the database's options. */
type SqliteRow = { position: number | bigint | null; skipped: string; holder: string | null };

const sqliteTable = "chain_webhooks_consumers";
const sqliteDefinition = `CREATE TABLE IF NOT EXISTS ${sqliteTable} (
  webhook_id TEXT PRIMARY KEY,
  position INTEGER,
  skipped TEXT NOT NULL DEFAULT '[]',
  holder TEXT,
  held_until INTEGER NOT NULL DEFAULT 0
)`;

/** How long to wait for another process that writes to the same file, and how often to look. */
const busyMs = { longest: 10_000, between: 20 };

/** A connection has one transaction at a time, whichever store it is used by. @property isMoving while it sees a position that is not yet committed */
type Connection = { inTurn: Queue; isMoving: boolean };
const connections = new WeakMap<SqliteDatabase, Connection>();

/**
 * Keeps positions in SQLite, in the table `chain_webhooks_consumers`, which it creates if it is not there. A handler's `transaction` is the
 * database: what it writes there is committed together with the position. It must not end the transaction itself.
 *
 * Give it a connection of its own. While an asynchronous handler waits, whatever else uses that connection would be in its transaction.
 * @example
 * const store = sqliteStore(new DatabaseSync("ledger.db"));
 */
export function sqliteStore<Database extends SqliteDatabase>(database: Database): ConsumerStore<Database> {
  const connection = connections.get(database) ?? { inTurn: createQueue(), isMoving: false };
  connections.set(database, connection);
  const { inTurn } = connection;
  let isCreated = false;

  const transact = <T>(
    work: () => Promise<{ result: T; commits: boolean }>,
    waitMs: number = busyMs.longest,
  ): Promise<T> =>
    inTurn(async () => {
      await whenFree(() => database.exec("BEGIN IMMEDIATE"), waitMs);
      try {
        if (!isCreated) database.exec(sqliteDefinition);
        database.exec("SAVEPOINT chain_webhooks");
        const { result, commits } = await work();
        await whenFree(() => database.exec(commits ? "COMMIT" : "ROLLBACK"));
        isCreated ||= commits;
        return result;
      } catch (error) {
        try {
          database.exec("ROLLBACK");
        } catch {
          // SQLite has ended it already.
        }
        throw error;
      } finally {
        connection.isMoving = false;
      }
    });

  const select = `SELECT position, skipped, holder FROM ${sqliteTable} WHERE webhook_id = ?`;
  const rowOf = (webhookId: string): SqliteRow => {
    database.prepare(`INSERT INTO ${sqliteTable} (webhook_id) VALUES (?) ON CONFLICT DO NOTHING`).run(webhookId);
    return database.prepare(select).get(webhookId) as SqliteRow;
  };
  const get = (webhookId: string): SqliteRow | undefined => {
    database.exec("SAVEPOINT chain_webhooks_look");
    try {
      // It waits for whoever commits. If a prepared statement did, libsql would keep a lock that nobody can commit beside.
      database.exec("SELECT 1 FROM sqlite_master");
      const isThere = database.prepare("SELECT 1 FROM sqlite_master WHERE name = ?").get(sqliteTable) !== undefined;
      return isThere ? (database.prepare(select).get(webhookId) as SqliteRow | undefined) : undefined;
    } finally {
      database.exec("RELEASE chain_webhooks_look");
    }
  };
  /** Without the lock, which the handler of another process may have for long, and in no turn, so that a handler may ask for the state. */
  const look = (webhookId: string): Promise<SqliteRow | undefined> =>
    whenFree(() => (connection.isMoving ? inTurn(async () => get(webhookId)) : get(webhookId)));
  const isAnothers = async (webhookId: string, holder: string): Promise<boolean> => {
    const found = (await look(webhookId))?.holder ?? holder;
    return found !== holder;
  };
  const numberOf = ({ position }: SqliteRow) => (position === null ? undefined : Number(position));

  return {
    async read(webhookId) {
      const row = await look(webhookId);
      return row ? { position: numberOf(row), skipped: JSON.parse(row.skipped) } : { position: undefined, skipped: [] };
    },

    async hold(webhookId, holder, leaseMs) {
      const take = async () => {
        rowOf(webhookId);
        // All processes of a file are on one machine, and have one clock.
        const now = Date.now();
        const { changes } = database
          .prepare(
            `UPDATE ${sqliteTable} SET holder = ?, held_until = ?
             WHERE webhook_id = ? AND (holder = ? OR holder IS NULL OR held_until < ?)`,
          )
          .run(holder, now + leaseMs, webhookId, holder, now);
        return { result: Number(changes) === 1, commits: true };
      };
      if (!(await isAnothers(webhookId, holder))) return transact(take);
      // A file that is locked is in use, whatever the lease says. Who is not the holder does not wait for it.
      return transact(take, 0).catch((error: unknown) => {
        if (isBusy(error)) return false;
        throw error;
      });
    },

    async release(webhookId, holder) {
      if (await isAnothers(webhookId, holder)) return;
      await transact(async () => {
        rowOf(webhookId);
        const end = `UPDATE ${sqliteTable} SET holder = NULL WHERE webhook_id = ? AND holder = ?`;
        database.prepare(end).run(webhookId, holder);
        return { result: undefined, commits: true };
      });
    },

    advance: (webhookId, holder, work) =>
      transact(async () => {
        const row = rowOf(webhookId);
        if (holder !== undefined && row.holder !== holder) return { result: false, commits: false };
        const step = await work(database, numberOf(row));
        if (!step) return { result: true, commits: false };
        try {
          database.exec("RELEASE chain_webhooks");
        } catch (cause) {
          const message = "The handler ended the transaction that it was given; it must leave that to the store.";
          throw new Error(message, { cause });
        }
        connection.isMoving = true;
        const skipped: SkippedRange[] = [...JSON.parse(row.skipped), ...(step.skipped ? [step.skipped] : [])];
        database
          .prepare(`UPDATE ${sqliteTable} SET position = ?, skipped = ? WHERE webhook_id = ?`)
          .run(step.position, JSON.stringify(skipped), webhookId);
        return { result: true, commits: true };
      }),
  };
}

/** Tries again while another process has the lock. By default `node:sqlite` does not wait for it, and `better-sqlite3` blocks the process. */
async function whenFree<T>(work: () => T | Promise<T>, waitMs: number = busyMs.longest): Promise<T> {
  for (const until = Date.now() + waitMs; ; ) {
    try {
      return await work();
    } catch (error) {
      if (!isBusy(error) || Date.now() >= until) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, busyMs.between));
  }
}

function isBusy(error: unknown): boolean {
  const { code, errcode } = error as { code?: unknown; errcode?: unknown };
  return String(code).startsWith("SQLITE_BUSY") || (Number(errcode) & 0xff) === 5;
}

/** Migrates the database: runs each numbered file of migrations/ once, in order. */
import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import type { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { inTransaction, type Pool, type Queryable, within } from "./pool.ts";

const folder = new URL("./migrations/", import.meta.url);

/** For example `003.do.webhooks.sql`. */
const fileName = /^(\d+)\.do\.(.+)\.sql$/;

/** The time limit of a migration. It may build an index of a table that has filled a disk. */
const patienceMs = 6 * 60 * 60 * 1_000;
/** How often to look whether another process has migrated. */
const lookAgainMs = 200;

/**
 * Applies the missing migrations, in one transaction under a lock, so that several processes may start at the same time: the others wait.
 * A newer schema stays as it is.
 *
 * @param signal ends the wait, or the migration, which is then undone
 * @returns the names of the applied files
 * @throws when a file was changed after it was applied
 */
export async function migrate(pool: Pool, signal?: AbortSignal): Promise<string[]> {
  for (;;) {
    signal?.throwIfAborted();
    const added = await inTransaction(pool, async (db) => {
      const lock = "SELECT pg_try_advisory_xact_lock(hashtext('chain-webhooks migrations')) AS mine";
      const { rows } = await db.query<{ mine: boolean }>(lock);
      if (!rows[0]?.mine) return undefined;
      // The database cancels what nobody is connected for. To end the client would wait for the migration. The types lack the socket.
      const { connection } = db as typeof db & { connection: { stream: Socket } };
      const abort = () => void connection.stream.destroy();
      signal?.addEventListener("abort", abort);
      try {
        return await applyMissing(db);
      } finally {
        signal?.removeEventListener("abort", abort);
      }
    });
    if (added) return added;
    await sleep(lookAgainMs, undefined, { signal });
  }
}

/** Applies the missing migrations to the current schema, inside the caller's transaction. */
export async function applyMissing(db: Queryable): Promise<string[]> {
  const { rows } = await db.query<{ made: boolean }>("SELECT to_regclass('schema_migrations') IS NOT NULL AS made");
  if (!rows[0]?.made)
    await db.query(
      "CREATE TABLE schema_migrations (version bigint PRIMARY KEY, name text, md5 text, run_at timestamptz)",
    );
  return applyNew(db);
}

async function applyNew(db: Queryable): Promise<string[]> {
  const { rows } = await db.query<{ version: number; md5: string | null }>(
    "SELECT version, md5 FROM schema_migrations",
  );
  const applied = new Map(rows.map(({ version, md5 }) => [version, md5]));
  const newest = Math.max(0, ...applied.keys());
  const added: string[] = [];
  for (const file of (await readdir(folder)).sort()) {
    const [, number, name] = fileName.exec(file) ?? [];
    if (number === undefined) continue;
    const version = Number(number);
    const sql = await readFile(new URL(file, folder), "utf8");
    const md5 = createHash("md5").update(sql).digest("hex");
    if (version > newest) {
      await db.query(within(patienceMs, { text: sql }));
      await db.query("INSERT INTO schema_migrations (version, name, md5, run_at) VALUES ($1, $2, $3, now())", [
        version,
        name,
        md5,
      ]);
      added.push(file);
    } else if ((applied.get(version) ?? md5) !== md5) {
      throw new Error(`${file} was changed after this database applied it; add a new migration instead`);
    }
  }
  return added;
}

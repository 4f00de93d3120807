/**
 * A disk without space left, for some tables: their files are /dev/full, so that the kernel itself refuses every block that
 * PostgreSQL would add, with the error that a full disk gives (ENOSPC), and without rights that a test may not have. The tables must
 * be empty: what lies in a file that is put aside would be missing. A full disk under the write-ahead log ends the server; what
 * comes of that is what comes of a crash.
 */
import { rename, symlink, unlink } from "node:fs/promises";
import { join } from "node:path";
import { Client } from "pg";

/**
 * @param url of the database, as superuser
 * @param tables names; of a partitioned table every partition
 * @returns what makes space again
 */
export async function fillDisk(url: string, tables: readonly string[]): Promise<() => Promise<void>> {
  const rows = await askOnce<{ file: string; bytes: string; folder: string }>(
    url,
    `SELECT pg_relation_filepath(c.oid) AS file, pg_relation_size(c.oid) AS bytes, current_setting('data_directory') AS folder
     FROM pg_class c LEFT JOIN pg_inherits i ON i.inhrelid = c.oid
     WHERE c.relkind = 'r' AND coalesce(i.inhparent, c.oid) = ANY($1::text[]::regclass[])`,
    tables,
  );
  const files = rows.map(({ folder, file }) => join(folder, file));
  if (rows.length === 0 || rows.some(({ bytes }) => Number(bytes) > 0))
    throw new Error(`not all of ${tables} are empty`);
  for (const file of files) {
    await rename(file, `${file}.aside`);
    await symlink("/dev/full", file);
  }
  // Those that are connected may have the files open.
  await reconnectAll(url);
  return async () => {
    for (const file of files) {
      await unlink(file);
      await rename(`${file}.aside`, file);
    }
    await reconnectAll(url);
  };
}

async function reconnectAll(url: string): Promise<void> {
  const others = "datname = current_database() AND pid <> pg_backend_pid()";
  await askOnce(url, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${others}`);
  // For those at the other end to notice.
  await new Promise((resolve) => setTimeout(resolve, 200));
}

/** On a connection of its own, so that none of the test's keeps a file open. */
async function askOnce<Row extends object>(url: string, text: string, tables?: readonly string[]): Promise<Row[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(text, tables && [tables])).rows;
  } finally {
    await client.end();
  }
}

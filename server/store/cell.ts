/** The database remembers the cell that it belongs to, so that a process with the wrong DATABASE_URL or CELL does not start. */
import { ServiceError } from "../base/errors.ts";
import type { Queryable } from "./pool.ts";

/** What a database knows of its cell: the name, null for the one unnamed, and the version of the process that started last. */
type Cell = { name: string | null; version: string };

/**
 * Names the database's cell, unless it has a name, and records this process's version.
 *
 * @param name as CELL says
 * @throws {ServiceError} `config_invalid`, when the database is another cell's
 */
export async function claimCell(db: Queryable, name: string | undefined, version: string): Promise<void> {
  // One statement: of two processes that start with different names on a new database, the second finds the first one's.
  const { rowCount } = await db.query(
    `INSERT INTO cell (name, version) VALUES ($1, $2)
     ON CONFLICT (only_one) DO UPDATE SET name = excluded.name, version = excluded.version
       WHERE cell.name IS NULL OR cell.name = excluded.name`,
    [name ?? null, version],
  );
  if (!rowCount) assertSameCell(name, await readCell(db));
}

/** @returns undefined for a database without a process so far */
export async function readCell(db: Queryable): Promise<Cell | undefined> {
  const { rows } = await db.query<Cell>("SELECT name, version FROM cell");
  return rows[0];
}

/** @throws {ServiceError} `config_invalid`, when the database belongs to another cell than CELL says */
export function assertSameCell(name: string | undefined, cell: Cell | undefined): void {
  if (!cell || cell.name === (name ?? null)) return;
  const own = cell.name === null ? "has no name" : `is the cell ${cell.name}'s`;
  const given = name === undefined ? "it is not set" : `it is ${name}`;
  throw new ServiceError("config_invalid", `CELL must name the cell of DATABASE_URL, which ${own}; ${given}.`);
}

/** Reads the databases of all cells side by side. One that is away does not hold up the others, and is no error. */

import { ServiceError } from "../../../server/base/errors.ts";
import type { CellPlace } from "../../../server/settings/cells.ts";
import { readCell } from "../../../server/store/cell.ts";
import { isDatabaseUnavailable, isDenied } from "../../../server/store/database-errors.ts";
import { createPool, type Queryable } from "../../../server/store/pool.ts";

/** What was read of a cell, or why nothing was: its database is away, or is not that cell's. */
export type CellReading<T> = { name: string } & ({ found: T } | { away: string } | { wrong: string });

const patienceMs = 30_000;

/** @param read gets a connection to the cell's database, which it must not change */
export function eachCell<T>(
  places: readonly CellPlace[],
  read: (db: Queryable) => Promise<T>,
): Promise<CellReading<T>[]> {
  return Promise.all(places.map((place) => readOne(place, read)));
}

async function readOne<T>(
  { name, databaseUrl }: CellPlace,
  read: (db: Queryable) => Promise<T>,
): Promise<CellReading<T>> {
  const pool = createPool(databaseUrl, { max: 1, name: "chain-webhooks cells", patienceMs });
  try {
    const cell = await readCell(pool);
    if (cell?.name !== name) return { name, wrong: nameFault(name, cell?.name) };
    return { name, found: await read(pool) };
  } catch (error) {
    const { message, code } = error as { message: string; code?: string };
    if (isDatabaseUnavailable(error)) return { name, away: message || (code ?? "no answer") };
    if (isDenied(error)) return { name, wrong: `its user lacks a right: ${message}` };
    if (code === "42P01" || code === "42703")
      return { name, wrong: `its database is not one of this version: ${message}` };
    throw new ServiceError("request_failed", `The database of the cell ${name} cannot be read.`, { cause: error });
  } finally {
    await pool.end();
  }
}

function nameFault(name: string, found: string | null | undefined): string {
  if (found == null) return `its database has no name yet; start its processes with CELL=${name}`;
  return `its database is the cell ${found}'s`;
}

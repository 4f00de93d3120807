/**
 * Copies rows between cells, all columns of them. Both databases have the same schema, so no column is named here and none is forgotten
 * when a table gets another one.
 */
import type { Queryable } from "../pool.ts";

/** A row as JSON: bytes as `\\x…`, times in ISO 8601 to the microsecond. */
export type CopiedRow = Readonly<Record<string, unknown>>;

const rowsARead = 200;

/** Reads rows in parts through a cursor, so a large table takes little memory. The caller's transaction sees one snapshot. */
export async function* readRows(
  db: Queryable,
  select: string,
  values: readonly unknown[],
): AsyncGenerator<CopiedRow[]> {
  await db.query(`DECLARE moved_rows NO SCROLL CURSOR FOR SELECT row_to_json(t) AS row FROM (${select}) t`, [
    ...values,
  ]);
  for (;;) {
    const { rows } = await db.query<{ row: CopiedRow }>(`FETCH ${rowsARead} FROM moved_rows`);
    if (rows.length > 0) yield rows.map(({ row }) => row);
    if (rows.length < rowsARead) break;
  }
  await db.query("CLOSE moved_rows");
}

/**
 * Writes rows as they are.
 *
 * @param options.without columns that get their default
 * @param options.onConflict what to do with a row that exists, as `(id) DO NOTHING`. SET means all columns that are written
 * @param options.kept columns of a row that exists which SET leaves as they are
 * @returns how many rows were written
 */
export async function writeRows(
  db: Queryable,
  table: string,
  rows: readonly CopiedRow[],
  {
    without = [],
    onConflict = "",
    kept = [],
  }: { without?: readonly string[]; onConflict?: string; kept?: readonly string[] } = {},
): Promise<number> {
  const [first] = rows;
  if (!first) return 0;
  const columns = Object.keys(first).filter((column) => !without.includes(column));
  const changed = columns.filter((column) => !kept.includes(column));
  const all = changed.map((column) => `${column} = excluded.${column}`).join(", ");
  const { rowCount } = await db.query(
    `INSERT INTO ${table} (${columns.join(", ")}) OVERRIDING SYSTEM VALUE SELECT ${columns.join(", ")} FROM json_populate_recordset(NULL::${table}, $1)
     ${onConflict && `ON CONFLICT ${onConflict.replace("SET", `SET ${all}`)}`}`,
    [JSON.stringify(rows)],
  );
  return rowCount ?? 0;
}

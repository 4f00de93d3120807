/** Each migration is applied once, however many processes start, and a changed one is noticed. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { migrate } from "../../server/store/migrate.ts";
import { createPool, type Pool } from "../../server/store/pool.ts";
import { createEmptyDatabase, type TestDatabase } from "../support/database.ts";

let database: TestDatabase;
let pool: Pool;
beforeAll(async () => {
  database = await createEmptyDatabase();
  pool = createPool(database.url);
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

test("of several that start at the same time, one applies all files, in order", async () => {
  const applied = await Promise.all(Array.from({ length: 4 }, () => migrate(pool)));
  const [files = [], ...others] = applied.sort((a, b) => b.length - a.length);
  expect(others).toEqual([[], [], []]);
  expect(files[0]).toMatch(/^001\.do\.[a-z-]+\.sql$/);
  expect(files).toEqual([...files].sort());
  const { rows } = await pool.query<{ version: number; name: string }>(
    "SELECT * FROM schema_migrations ORDER BY version",
  );
  expect(rows.map(({ version, name }) => `${String(version).padStart(3, "0")}.do.${name}.sql`)).toEqual(files);
});

test("a newer schema stays as it is", async () => {
  await pool.query("INSERT INTO schema_migrations (version, name) VALUES (999, 'later')");
  expect(await migrate(pool)).toEqual([]);
});

test("a file that was changed after it was applied is an error that names it", async () => {
  await pool.query("UPDATE schema_migrations SET md5 = 'other' WHERE version = 1");
  await expect(migrate(pool)).rejects.toThrow(/^001\.do\.[a-z-]+\.sql was changed after this database applied it/);
});

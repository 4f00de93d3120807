/** Each migration is applied once, however many processes start, and a changed one is noticed. */
import pg from "pg";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { migrate } from "../../server/store/migrate.ts";
import { createPool, type Pool } from "../../server/store/pool.ts";
import { createEmptyDatabase, query, type TestDatabase } from "../support/database.ts";

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

/** An empty database, and a pool whose statements have half a second. */
async function impatient() {
  const empty = await createEmptyDatabase();
  const pool = createPool(empty.url, { patienceMs: 500 });
  onTestFinished(async () => {
    await pool.end();
    await empty.drop();
  });
  return { url: empty.url, pool };
}

/** Makes the first migration take a while. */
const slowly = (seconds: number) => `
  CREATE FUNCTION slowly() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN
    IF to_regclass('schema_migrations') IS NOT NULL AND current_setting('test.slept', true) IS NULL THEN
      PERFORM set_config('test.slept', '1', false), pg_sleep(${seconds}); END IF; END $$;
  CREATE EVENT TRIGGER slowly ON ddl_command_start WHEN TAG IN ('CREATE TABLE') EXECUTE FUNCTION slowly()`;

test("a migration may take longer than other statements", async () => {
  const { url, pool } = await impatient();
  await query(url, slowly(1.5));
  expect((await migrate(pool)).length).toBeGreaterThan(5);
});

test("who waits for another's migration does not fail, and does not wait for one that was called off", async () => {
  const { url, pool } = await impatient();
  const other = new pg.Client({ connectionString: url });
  await other.connect();
  await other.query("SELECT pg_advisory_lock(hashtext('chain-webhooks migrations'))");
  const calledOff = new AbortController();
  const [waiting, leaving] = [migrate(pool), migrate(pool, calledOff.signal)];
  await other.query("SELECT pg_sleep(1)");
  calledOff.abort();
  await expect(leaving).rejects.toThrow("aborted");
  await other.end();
  expect((await waiting).length).toBeGreaterThan(5);
});

test("a process that is stopped does not wait for its migration, which is undone", async () => {
  const { url, pool } = await impatient();
  await query(url, slowly(600));
  const controller = new AbortController();
  const migrating = migrate(pool, controller.signal);
  migrating.catch(() => undefined);
  const sleeping =
    "SELECT count(*)::int AS count FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND datname = current_database()";
  await expect.poll(async () => (await query(url, sleeping))[0]?.count).toBe(1);
  controller.abort();
  await expect(migrating).rejects.toThrow();
  await expect.poll(async () => (await query(url, sleeping))[0]?.count).toBe(0);
  expect(await query(url, "SELECT to_regclass('webhooks') AS made")).toEqual([{ made: null }]);
});

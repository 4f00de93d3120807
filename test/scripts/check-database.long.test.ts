/** `check-database` passes on PostgreSQL, leaves nothing, and fails where a position is visible before its notifications. */

import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, onTestFinished, test, vi } from "vitest";
import { run } from "../../scripts/command/commands/check-database.ts";
import { startTemporaryPostgres } from "../../scripts/local/postgres.ts";
import { createPool, type Pool } from "../../server/store/pool.ts";
import { createEmptyDatabase } from "../support/database.ts";
import { eventually } from "../support/eventually.ts";

/** @param durable on a server of the test's own, since the shared one has fsync off, which is a failure */
async function openEmpty({ durable } = { durable: false }): Promise<Pool> {
  const database = durable ? await openDurable() : await createEmptyDatabase();
  const pool = createPool(database.url);
  vi.stubEnv("DATABASE_URL", database.url);
  onTestFinished(async () => {
    vi.unstubAllEnvs();
    await pool.end();
    await database.drop();
  });
  return pool;
}

async function openDurable(): Promise<{ url: string; drop(): Promise<void> }> {
  const { url, stop } = await startTemporaryPostgres({ durable: true });
  return { url, drop: stop };
}

const schemas = async (pool: Pool) =>
  (
    await pool.query<{ name: string }>(
      "SELECT nspname AS name FROM pg_namespace WHERE nspname ~ '^chain_webhooks_check_'",
    )
  ).rows.map(({ name }) => name);

async function check(...args: string[]): Promise<{ code: number; lines: string[] }> {
  const lines: string[] = [];
  const log = vi.spyOn(console, "log").mockImplementation((line: string) => void lines.push(line));
  const error = vi.spyOn(console, "error").mockImplementation((line: string) => {
    if (!line.startsWith("Using the database ")) lines.push(line);
  });
  try {
    return { code: await run(args), lines };
  } finally {
    log.mockRestore();
    error.mockRestore();
  }
}

test("PostgreSQL passes; nothing is left, also of a check that was killed, and a running one stays", async () => {
  const pool = await openEmpty({ durable: true });
  await pool.query("CREATE SCHEMA chain_webhooks_check_1700000000_0123abcd");
  await pool.query("CREATE SCHEMA chain_webhooks_check_99999999999_0123abcd");
  const { code, lines } = await check("--seconds", "1");
  expect(lines.filter((line) => !line.startsWith("holds"))).toEqual(["Removed 1 schemas that killed checks left."]);
  expect(lines).toHaveLength(10);
  expect(code).toBe(0);
  expect(await schemas(pool)).toEqual(["chain_webhooks_check_99999999999_0123abcd"]);
  const { rows } = await pool.query("SELECT FROM pg_tables WHERE schemaname = 'public'");
  expect(rows).toEqual([]);
  await pool.query(
    "DO $$BEGIN EXECUTE format('ALTER DATABASE %I SET synchronous_commit = off', current_database()); END$$",
  );
  expect((await check("--seconds", "1")).lines).toContain(
    "fails  settings             synchronous_commit is off: a crash of the server loses what it confirmed",
  );
});

test("the check ends in time, however often memory is collected meanwhile", async () => {
  await openEmpty();
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  // A process that has run other tests has a large heap: what it takes to collect it must not be all that happens.
  let collecting: NodeJS.Timeout;
  const collectAgain = () => {
    const startedAt = performance.now();
    collect();
    collecting = setTimeout(collectAgain, Math.max(100, performance.now() - startedAt));
  };
  collectAgain();
  onTestFinished(() => clearTimeout(collecting));
  const startedAt = performance.now();
  await check("--seconds", "2");
  expect(performance.now() - startedAt).toBeLessThan(60_000);
});

test("a server that shows a position before its rows, as a two-phase commit does, is caught", async () => {
  const pool = await openEmpty();
  const checking = check("--seconds", "20");
  const schema = await eventually(async () => {
    const [found] = await schemas(pool);
    expect(found).toBeDefined();
    return found;
  });
  // Each notification becomes visible only when it is moved, after the commit that showed its position.
  await pool.query(`
    CREATE TABLE ${schema}.later (LIKE ${schema}.notifications);
    CREATE FUNCTION ${schema}.delay() RETURNS trigger LANGUAGE plpgsql AS
      $$BEGIN INSERT INTO ${schema}.later SELECT NEW.*; RETURN NULL; END$$;
    CREATE TRIGGER delay BEFORE INSERT ON ${schema}.notifications FOR EACH ROW EXECUTE FUNCTION ${schema}.delay()`);
  const { code, lines } = await checking;
  expect(code).toBe(1);
  expect(lines.find((line) => /positions/.test(line))).toMatch(
    /^fails {2}positions +position \d+ was read, and notification \d+ was not there$/,
  );
  expect(lines.at(-1)).toMatch(/^\d of 9 checks failed\. Do not run the service on this database\.$/);
  expect(await schemas(pool)).toEqual([]);
});

test("a database with what the service cannot use fails its own check, and an absent one is a sentence", async () => {
  const pool = await openEmpty();
  await pool.query(
    "DO $$BEGIN EXECUTE format('ALTER DATABASE %I SET default_transaction_isolation = ''serializable''', current_database()); END$$",
  );
  const { code, lines } = await check("--seconds", "1");
  expect(code).toBe(1);
  expect(lines).toContain(
    "fails  settings             default_transaction_isolation is serializable; it must be read committed",
  );
  vi.stubEnv("DATABASE_URL", "postgres://nobody@127.0.0.1:9/none");
  const absent = await check();
  expect(absent.code).toBe(1);
  expect(absent.lines).toEqual([expect.stringMatching(/^The database cannot be opened: .*127\.0\.0\.1:9\.$/)]);
  expect((await check("--seconds", "0")).code).toBe(2);
});

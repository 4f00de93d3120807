/** `npm run cli keys`, as an operator runs it. */
import { execFile } from "node:child_process";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { run } from "../../scripts/command/run.ts";
import { newKey } from "../../server/settings/keyring.ts";
import { findCaller } from "../../server/store/accounts/keys.ts";
import { createPool, type Pool } from "../../server/store/pool.ts";
import { runHere } from "../support/command.ts";
import { createEmptyDatabase, createTestDatabase, query, type TestDatabase } from "../support/database.ts";

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

function keys(args: string[], databaseUrl = database.url): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    const env = { ...process.env, DATABASE_URL: databaseUrl };
    execFile(
      process.execPath,
      ["--import", "tsx", "scripts/command/cli.ts", "keys", ...args],
      { env },
      (error, stdout, stderr) => resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    );
  });
}

test("a key is created, printed once on its own line, listed by its prefix, and revoked", async () => {
  const made = await keys(["create", "--account", "acme", "--scopes", "read,write", "--expires", "30"]);
  expect(made.code).toBe(0);
  const key = made.stdout.trim();
  expect(await findCaller(pool, key)).toMatchObject({ scopes: ["read", "write"] });

  const listed = await keys(["list", "--account", "acme"]);
  expect(listed.stdout).toContain(key.slice(0, 25));
  expect(listed.stdout).not.toContain(key.slice(25));

  const revoked = await keys(["revoke", key.slice(0, 25)]);
  expect(revoked).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(new RegExp(`\\nKey ${key.slice(0, 25)} is revoked\\.\n$`)),
  });
  expect(await findCaller(pool, key)).toBeUndefined();
});

test.each([
  [[], "The command must be create, list or revoke."],
  [["create", "--scopes", "read"], "create needs --account NAME."],
  [["create", "--account", "a"], "--scopes must be read, write or read,write."],
  [["create", "--account", "a", "--scopes", "admin"], "--scopes must be read, write or read,write."],
  [
    ["create", "--account", "a", "--scopes", "read", "--expires", "soon"],
    "--expires must be a number of days, from 1.",
  ],
  [["list", "--scopes", "read"], "list does not take --scopes."],
  [["revoke"], "revoke needs one key"],
  [["list", "--colour"], "Unknown option --colour."],
])("keys %j is refused in a sentence, with exit code 2", async (args, message) => {
  const { code, stderr } = await runHere(run, ["keys", ...args]);
  expect(code).toBe(2);
  expect(stderr).toContain(message);
  expect(stderr).toMatch(/^[^\n]+ See --help\.\n$/);
});

const others = [
  ["keys", "list"],
  ["keys", "revoke", "1"],
  ["accounts", "list"],
  ["accounts", "quota", "acme", "--webhooks", "1"],
  ["accounts", "move", "acme", "--to", "postgres://127.0.0.1:1/x", "--dry-run"],
  ["secrets", "list"],
  ["secrets", "replace-lost"],
  ["check-database"],
];
test.each(others)(
  "%s %s creates no database where there is none, and says which one it looked for",
  async (...args) => {
    const folder = await mkdtemp(join(tmpdir(), "chain-webhooks-keys-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    const dataDir = join(folder, "wrong");
    vi.stubEnv("DATABASE_URL", "").stubEnv("DATA_DIR", dataDir).stubEnv("SECRET_KEY", newKey());
    onTestFinished(() => void vi.unstubAllEnvs());
    const { code, stdout, stderr } = await runHere(run, args);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toBe(
      `Using the embedded database in ${dataDir} (DATA_DIR).\nThere is no database in ${dataDir} (DATA_DIR), and none was created. ` +
        "Set DATA_DIR or DATABASE_URL as the service has it.\n",
    );
    expect(await readdir(folder)).toEqual([]);
  },
);

test.each(others.slice(0, 7))(
  "%s %s creates no tables in another database, and prints no password",
  async (...args) => {
    const other = await createEmptyDatabase();
    onTestFinished(() => other.drop());
    vi.stubEnv("DATABASE_URL", other.url).stubEnv("SECRET_KEY", newKey());
    onTestFinished(() => void vi.unstubAllEnvs());
    const { code, stdout, stderr } = await runHere(run, args);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    const { host, pathname, password } = new URL(other.url);
    expect(stderr).toContain(
      `There are no tables of the service in the database ${host}${pathname} (DATABASE_URL), and none`,
    );
    expect(password !== "" && stderr.includes(password)).toBe(false);
    expect(await query(other.url, "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace")).toEqual(
      [],
    );
  },
);

test("a list of an older version's tables leaves them as they are", async () => {
  const older = await createTestDatabase();
  onTestFinished(() => older.drop());
  await query(older.url, "DELETE FROM schema_migrations WHERE version > 5");
  vi.stubEnv("DATABASE_URL", older.url);
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(await runHere(run, ["keys", "list"])).toMatchObject({
    code: 0,
    stderr: expect.stringContaining("There are no keys."),
  });
  expect(await query(older.url, "SELECT max(version)::int AS version FROM schema_migrations")).toEqual([
    { version: 5 },
  ]);
  await query(older.url, "ALTER TABLE api_keys RENAME TO elsewhere");
  const { code, stderr } = await runHere(run, ["keys", "list"]);
  expect([code, stderr]).toEqual([
    1,
    expect.stringContaining("are of another version; start a service of this version"),
  ]);
});

test("a failure is reported in one sentence", async () => {
  expect(await keys(["revoke", "nothing"])).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^Using the database [^\n]+ \(DATABASE_URL\)\.\nThere is no active key nothing\.\n$/),
  });
  const away = await keys(["list"], "postgres://postgres@127.0.0.1:1/none");
  expect(away.code).toBe(1);
  expect(away.stderr.trim()).toMatch(/^Using the database [^\n]*\n[^\n]*ECONNREFUSED[^\n]*$/);
});

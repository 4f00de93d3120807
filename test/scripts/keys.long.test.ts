/** `npm run keys`, as an operator runs it. */
import { execFile } from "node:child_process";
import { afterAll, beforeAll, expect, test } from "vitest";
import { run } from "../../scripts/command/run.ts";
import { findCaller } from "../../server/store/accounts/keys.ts";
import { createPool, type Pool } from "../../server/store/pool.ts";
import { runHere } from "../support/command.ts";
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
  expect(revoked).toMatchObject({ code: 0, stderr: `Key ${key.slice(0, 25)} is revoked.\n` });
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

test("a failure is reported in one sentence", async () => {
  expect(await keys(["revoke", "nothing"])).toMatchObject({
    code: 1,
    stderr: "There is no active key nothing.\n",
  });
  const away = await keys(["list"], "postgres://postgres@127.0.0.1:1/none");
  expect(away.code).toBe(1);
  expect(away.stderr.trim()).toMatch(/^[^\n]*ECONNREFUSED[^\n]*$/);
});

/** `npm run cli accounts`, as an operator runs it. */
import { execFile } from "node:child_process";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { run } from "../../scripts/command/run.ts";
import { createKey } from "../../server/store/accounts/keys.ts";
import { createPool } from "../../server/store/pool.ts";
import { runHere } from "../support/command.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  const pool = createPool(database.url);
  await createKey(pool, { account: "acme", scopes: ["read"] });
  await pool.end();
});
afterAll(() => database.drop());

function accounts(args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    const env = { ...process.env, DATABASE_URL: database.url, NO_COLOR: "1" };
    execFile(
      process.execPath,
      ["--import", "tsx", "scripts/command/cli.ts", "accounts", ...args],
      { env },
      (error, stdout, stderr) => resolve({ code: typeof error?.code === "number" ? error.code : 0, stdout, stderr }),
    );
  });
}

test("a quota is set, listed, and reset", async () => {
  const set = await accounts(["quota", "acme", "--webhooks", "7", "--addresses", "1000"]);
  expect(set).toMatchObject({
    code: 0,
    stderr: expect.stringContaining("The account acme may have 7 webhooks and 1000 addresses.\n"),
  });
  expect((await accounts(["list"])).stdout).toMatch(/acme.*0.*7.*0.*1000/);
  await accounts(["quota", "acme", "--webhooks", "default"]);
  expect((await accounts(["list"])).stdout).toMatch(/acme.*0.*default.*0.*1000/);
});

test.each([
  [["quota", "nobody", "--webhooks", "1"], 1, "There is no account nobody."],
  [["quota", "acme"], 2, "quota needs --webhooks, --addresses, --any-address or --history-blocks."],
  [["quota", "--webhooks", "1"], 2, "quota takes the name of one account."],
  [["quota", "acme", "--webhooks", "many"], 2, "--webhooks must be a whole number"],
  [["lst"], 2, "The command must be list, quota or move, not lst; did you mean list?"],
  [["list", "--webhooks", "1"], 2, "list does not take --webhooks."],
])("%j is refused in a sentence", async (args, code, sentence) => {
  vi.stubEnv("DATABASE_URL", database.url);
  const refused = await runHere(run, ["accounts", ...args]);
  expect(refused.code).toBe(code);
  expect(refused.stderr).toContain(sentence);
});

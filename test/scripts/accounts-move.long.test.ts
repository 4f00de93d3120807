/** `npm run cli accounts -- move`: what it takes, what it refuses and why, and what it prints. */
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { run } from "../../scripts/command/run.ts";
import { type Keyring, newKey, noKeys, parseKeyring } from "../../server/settings/keyring.ts";
import { createKey, findCaller } from "../../server/store/accounts/keys.ts";
import { setQuotas } from "../../server/store/accounts/quotas.ts";
import { createPool, inTransaction, type Pool } from "../../server/store/pool.ts";
import { addAddresses } from "../../server/store/webhooks/addresses.ts";
import { createWebhook } from "../../server/store/webhooks/creation.ts";
import { claimKeys } from "../../server/store/webhooks/secret-keys.ts";
import { getSecret } from "../../server/store/webhooks/secrets.ts";
import { runHere } from "../support/command.ts";
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from "../support/database.ts";
import { chainAt } from "../support/move-cursor.ts";

let databases: TestDatabase[];
let here: Pool;
let there: Pool;
beforeAll(async () => {
  databases = await Promise.all([createTestDatabase(), createTestDatabase()]);
  const [from, to] = databases.map(({ url }) => createPool(url));
  if (!from || !to) throw new Error("two databases are needed");
  [here, there] = [from, to];
  for (const pool of [here, there]) await chainAt(pool, "1", 100);
  await chainAt(here, "10", 100);
});
afterAll(async () => {
  await Promise.all([here.end(), there.end()]);
  await Promise.all(databases.map((database) => database.drop()));
});
beforeEach(() => {
  vi.stubEnv("DATABASE_URL", databases[0]?.url ?? "");
  vi.stubEnv("NEW_CELL", databases[1]?.url ?? "");
  vi.stubEnv("SECRET_KEY", "");
});

const accounts = (...args: string[]) => runHere(run, ["accounts", ...args]);
const move = (account: string, ...options: string[]) => accounts("move", account, "--to", "env:NEW_CELL", ...options);

/** An account with a key and a webhook. */
async function account(name: string, { pool = here, chainId = "1", keyring = noKeys as Keyring } = {}) {
  const { key } = await createKey(pool, { account: name, scopes: ["read", "write"] });
  const accountId = (await findCaller(pool, key))?.accountId ?? 0;
  const wanted = { ...plain, chainId, addresses: [`0x${"01".repeat(20)}`] };
  const { id } = await inTransaction(pool, (db) => createWebhook(db, accountId, wanted, keyring));
  return { key, accountId, id };
}

const plain = {
  url: "https://example.com/hook",
  eventType: "address_activity" as const,
  name: "",
  description: "",
  includeInternalTxs: false,
  includeLogs: false,
  eventSignatures: [],
};

test.each([
  [["move"], "move takes the name of one account."],
  [["move", "acme"], "move needs --to, the database of the new cell."],
  [["move", "acme", "--to", "elsewhere"], "--to must be a postgres:// URL, or env:NAME for a variable that holds one."],
  [["move", "acme", "--to", "env:NOT_SET"], "--to names the variable NOT_SET, which must be set."],
  [["move", "acme", "--to", "postgres://u:hidden@db/x"], "--to must hold no password"],
  [["move", "acme", "--to", "postgres://db/x?sslmode=maybe"], "--to must have an sslmode of"],
  [["move", "acme", "--to", "env:NEW_CELL", "--dry-run", "--abort"], "--dry-run and --abort exclude each other."],
  [["move", "acme", "--webhooks", "1"], "move does not take --webhooks."],
  [["quota", "acme", "--abort"], "quota does not take --abort."],
])("%j is refused before any database is opened", async (args, sentence) => {
  vi.stubEnv("DATABASE_URL", "postgres://127.0.0.1:1/nowhere");
  const refused = await accounts(...args);
  expect(refused.stderr).toContain(sentence);
  expect(refused.stderr).not.toContain("hidden");
  expect(refused.code).toBe(2);
});

async function expectRefusal(name: string, sentence: string): Promise<void> {
  for (const options of [["--dry-run"], []]) {
    const refused = await move(name, ...options);
    expect(refused.stderr).toContain(sentence);
    expect(refused.code).toBe(1);
  }
  const { rows } = await there.query("SELECT FROM moves WHERE account = $1", [name]);
  expect(rows).toEqual([]);
}

test("what cannot move is refused, and nothing has changed", async () => {
  await expectRefusal("nobody", "There is no account nobody.");
  await account("twice");
  await account("twice", { pool: there });
  await expectRefusal("twice", "already has an account twice.");
  await account("optimist", { chainId: "10" });
  await expectRefusal("optimist", "must also follow the chain 10.");
  await account("stopped");
  await there.query("UPDATE chain_lanes SET stopped = 'Its nodes are away.', stopped_kind = 'nodes'");
  await expectRefusal("stopped", "does not follow chain 1 at present: Its nodes are away.");
  await there.query("UPDATE chain_lanes SET stopped = NULL");
  await there.query("INSERT INTO chain_blocks VALUES ('1', 0, 99, '')");
  await expectRefusal("stopped", "it began at block 100 of chain 1, which can still be replaced.");
  await there.query("DELETE FROM chain_blocks WHERE hash = ''");
  for (const [pool, hash] of [
    [here, "\\x01"],
    [there, "\\x02"],
  ] as const)
    await pool.query("INSERT INTO chain_blocks VALUES ('1', 0, 99, $1)", [hash]);
  await expectRefusal("stopped", "The cells have different blocks 99 of chain 1");
  for (const pool of [here, there]) await pool.query("DELETE FROM chain_blocks");
});

test("a database with another schema, without one, or away is named", async () => {
  await account("waiting");
  const empty = await createEmptyDatabase();
  vi.stubEnv("NEW_CELL", empty.url);
  expect((await move("waiting")).stderr).toMatch(
    /is at version 0, and this cell's at [1-9]\d*\. Upgrade the older cell first\./,
  );
  await empty.drop();
  expect((await move("waiting")).stderr).toMatch(/The database of --to, .*, cannot be opened: /);
  vi.stubEnv("NEW_CELL", databases[0]?.url ?? "");
  expect((await move("waiting")).stderr).toContain("already has an account waiting.");
  await there.query("UPDATE schema_migrations SET md5 = 'changed' WHERE version = 7");
  vi.stubEnv("NEW_CELL", databases[1]?.url ?? "");
  expect((await move("waiting")).stderr).toMatch(/differs from this cell's, though both are at version \d+\./);
  await there.query("UPDATE schema_migrations m SET md5 = $1 WHERE version = 7", [
    (await here.query("SELECT md5 FROM schema_migrations WHERE version = 7")).rows[0]?.md5,
  ]);
});

test("a user of the new database who lacks a right is named in a sentence, and so is one of the command's own", async () => {
  await account("denied");
  const powerless = (url = "") => `${url}?options=-c%20role%3Dpg_read_all_settings`;
  vi.stubEnv("NEW_CELL", powerless(databases[1]?.url));
  expect(await move("denied")).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(
      /^Using .*\nThe user of --to, \S+, lacks a right: permission denied for table accounts\.\n$/,
    ),
  });
  vi.stubEnv("DATABASE_URL", powerless(databases[0]?.url));
  expect(await accounts("list")).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^Using .*\nThe database's user lacks a right: permission denied for .*\n$/),
  });
});

test("an account arrives with its key, quotas and addresses, and the old cell neither answers nor changes it", async () => {
  const { key, accountId, id } = await account("whole");
  await setQuotas(here, "whole", { webhooks: 7, addresses: null });
  const many = Array.from({ length: 25_000 }, (_, index) => `0x5${index.toString(16).padStart(39, "0")}`);
  for (let from = 0; from < many.length; from += 10_000)
    await inTransaction(here, (db) => addAddresses(db, accountId, id, many.slice(from, from + 10_000)));
  const moved = await move("whole");
  expect(moved.stderr).toContain("25001 addresses are copied.");
  expect(moved.stderr).toContain("whole is in ");
  expect(moved.code).toBe(0);
  const { rows } = await there.query(
    "SELECT webhook_quota, webhooks, addresses, (SELECT count(*) FROM webhook_addresses WHERE webhook_id = $1) AS copied FROM accounts WHERE name = 'whole'",
    [id],
  );
  expect(rows).toEqual([{ webhook_quota: 7, webhooks: 1, addresses: 25_001, copied: 25_001 }]);
  expect(await findCaller(there, key)).toMatchObject({ scopes: ["read", "write"] });
  await expect(findCaller(here, key)).rejects.toMatchObject({ code: "account_elsewhere" });
  expect((await accounts("quota", "whole", "--webhooks", "9")).stderr).toContain("has moved to another cell");
  const refused = {
    code: 1,
    stdout: "",
    stderr: expect.stringContaining("The account has moved to another cell; change it there.\n"),
  };
  expect(await runHere(run, ["keys", "create", "--account", "whole", "--scopes", "read"])).toEqual(refused);
  expect((await move("whole")).stderr).toContain("whole had moved.");
  expect((await move("whole", "--dry-run")).stderr).toContain("The account whole has moved away from this cell.");
  expect(await move("whole", "--abort")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("No move of whole is in progress.\n"),
  });
});

test("a move is undone while the new cell's database is away, or was created again, and what it says leads to the rest", async () => {
  const { accountId } = await account("undone");
  const freeze = async () => {
    await here.query(
      "INSERT INTO moves (id, account, direction, state, other_cell, run) VALUES (gen_random_uuid(), 'undone', 'out', 'frozen', 'db.example/b', gen_random_uuid())",
    );
    await here.query("UPDATE accounts SET move_state = 'leaving' WHERE id = $1", [accountId]);
  };
  const empty = await createEmptyDatabase();
  for (const url of ["postgres://127.0.0.1:1/gone", empty.url, databases[1]?.url ?? ""]) {
    await freeze();
    vi.stubEnv("NEW_CELL", url);
    const { code, stderr } = await move("undone", "--abort");
    expect(stderr).toContain("The move is undone. undone is in ");
    expect(stderr).toContain("Copies of undone may still be in db.example/b, without effect.");
    expect(stderr.includes("cannot be opened: ")).toBe(url.includes("gone"));
    expect(code).toBe(0);
    expect((await accounts("quota", "undone", "--webhooks", "9")).code).toBe(0);
  }
  await empty.drop();
  expect(await move("undone", "--abort")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("No move of undone is in progress.\n"),
  });
  expect((await move("undone")).code).toBe(0);
});

test("secrets are encrypted again for a new cell with another key, and the command says which key it lacks", async () => {
  const [older, newer] = [newKey(), newKey()];
  const [ours, theirs] = [parseKeyring(older), parseKeyring(newer)];
  await claimKeys(here, ours);
  const { accountId, id } = await account("sealed", { keyring: ours });
  const { secret } = await getSecret(here, accountId, id, ours);
  const refused = await move("sealed");
  expect(refused.stderr).toContain("The new cell does not encrypt signing secrets, and this one does.");
  await claimKeys(there, theirs);
  vi.stubEnv("SECRET_KEY", older);
  const lacking = await move("sealed");
  expect(lacking.stderr).toContain(`SECRET_KEY must hold the keys ${theirs.keyIds[0]} and ${ours.keyIds[0]}`);
  expect(lacking.stderr).not.toContain(older);
  vi.stubEnv("SECRET_KEY", `${older},${newer}`);
  expect((await move("sealed")).code).toBe(0);
  const { rows } = await there.query<{ id: number }>("SELECT id FROM accounts WHERE name = 'sealed'");
  expect((await getSecret(there, rows[0]?.id ?? 0, id, theirs)).secret).toEqual(secret);
});

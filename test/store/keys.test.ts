/** API keys: what is kept of them, and who is found by one. */
import { createHash } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { isMistyped, prefixOf } from "../../server/store/accounts/key-form.ts";
import { createKey, findCaller, listKeys, noteKeyUse, revokeKey } from "../../server/store/accounts/keys.ts";
import { createPool, type Pool } from "../../server/store/pool.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";

let database: TestDatabase;
let pool: Pool;
beforeAll(async () => {
  database = await createTestDatabase();
  pool = createPool(database.url);
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

test("a key is found by its full text; only its hash and first characters are stored", async () => {
  const { id, key, prefix } = await createKey(pool, { account: "a", scopes: ["read"] });
  expect(key).toMatch(/^cwk_[0-9a-f]{12}_[0-9a-f]{72}$/);
  expect(await findCaller(pool, key)).toMatchObject({ keyId: id, scopes: ["read"] });
  expect(await findCaller(pool, prefix)).toBeUndefined();
  expect(await findCaller(pool, `${key.slice(0, -1)}x`)).toBeUndefined();
  const { rows } = await pool.query("SELECT k::text AS row, hash, prefix FROM api_keys k WHERE id = $1", [id]);
  expect(rows[0].row).not.toContain(key.slice(prefix.length));
  expect(rows[0].hash).toEqual(createHash("sha256").update(key).digest());
  expect(rows[0].prefix).toBe(key.slice(0, 25));
});

test("the keys of an account have its tag, and no other account's", async () => {
  const keys = await Promise.all(
    ["tag", "tag", "other tag"].map(async (account) => (await createKey(pool, { account, scopes: ["read"] })).key),
  );
  const tags = keys.map((key) => key.split("_")[1]);
  expect(tags[0]).toBe(tags[1]);
  expect(tags[2]).not.toBe(tags[0]);
  const { rows } = await pool.query("SELECT name FROM accounts WHERE tag = $1", [tags[0]]);
  expect(rows).toEqual([{ name: "tag" }]);
});

test("a key that was made before there were tags is still found", async () => {
  const { id } = await createKey(pool, { account: "old", scopes: ["read"] });
  const old = `cwk_${"0123456789abcdef".repeat(4)}`;
  await pool.query("UPDATE api_keys SET hash = $2, prefix = $3 WHERE id = $1", [
    id,
    createHash("sha256").update(old).digest(),
    prefixOf(old),
  ]);
  expect(isMistyped(old)).toBe(false);
  expect(await findCaller(pool, old)).toMatchObject({ keyId: id });
});

test("each wrong character, and each two that changed places, makes a mistyped key", async () => {
  const { key } = await createKey(pool, { account: "typing", scopes: ["read"] });
  expect(isMistyped(key)).toBe(false);
  const instead = (text: string, at: number, by: string) => text.slice(0, at) + by + text.slice(at + by.length);
  for (let at = "cwk_".length; at < key.length; at += 1) {
    const [one = "", two = ""] = key.slice(at, at + 2);
    for (const wrong of "0123456789abcdef_lO ")
      if (wrong !== one) expect(isMistyped(instead(key, at, wrong))).toBe(true);
    if (one !== two && two) expect(isMistyped(instead(key, at, two + one))).toBe(true);
  }
  for (const text of [key.toUpperCase(), key.slice(0, -1), `${key}0`, "cwk_", prefixOf(key)])
    expect(isMistyped(text)).toBe(true);
  for (const text of ["", "Bearer", "cw"]) expect(isMistyped(text)).toBe(false);
});

test("keys of one account name share an account", async () => {
  const [one, two, other] = await Promise.all(
    ["b", "b", "c"].map(async (account) =>
      findCaller(pool, (await createKey(pool, { account, scopes: ["write"] })).key),
    ),
  );
  expect(one?.accountId).toBe(two?.accountId);
  expect(other?.accountId).not.toBe(one?.accountId);
  expect((await listKeys(pool, "b")).map(({ account }) => account)).toEqual(["b", "b"]);
  expect((await listKeys(pool)).length).toBeGreaterThan(2);
});

test("an expired key is not found", async () => {
  const soon = await createKey(pool, { account: "d", scopes: ["read"], expiresAt: new Date(Date.now() + 60_000) });
  const past = await createKey(pool, { account: "d", scopes: ["read"], expiresAt: new Date(Date.now() - 1) });
  expect(await findCaller(pool, soon.key)).toBeDefined();
  expect(await findCaller(pool, past.key)).toBeUndefined();
});

test("a key is revoked by id or prefix, once", async () => {
  const one = await createKey(pool, { account: "e", scopes: ["read"] });
  const two = await createKey(pool, { account: "e", scopes: ["read"] });
  await revokeKey(pool, String(one.id));
  await revokeKey(pool, two.prefix);
  for (const { key } of [one, two]) expect(await findCaller(pool, key)).toBeUndefined();
  await expect(revokeKey(pool, two.prefix)).rejects.toMatchObject({ code: "api_key_not_found" });
  await expect(revokeKey(pool, "nothing")).rejects.toThrow("There is no active key nothing.");
});

test("the use of a key is recorded at most once a minute", async () => {
  const { id } = await createKey(pool, { account: "f", scopes: ["read"] });
  const lastUsed = async () => (await listKeys(pool, "f"))[0]?.lastUsedAt?.getTime();
  await noteKeyUse(pool, id);
  const first = await lastUsed();
  expect(first).toBeDefined();
  await noteKeyUse(pool, id);
  expect(await lastUsed()).toBe(first);
  await pool.query("UPDATE api_keys SET last_used_at = now() - interval '61 seconds' WHERE id = $1", [id]);
  await noteKeyUse(pool, id);
  expect(await lastUsed()).toBeGreaterThanOrEqual(first ?? 0);
});

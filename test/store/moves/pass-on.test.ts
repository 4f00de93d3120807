/** An account that has moved on from its second cell: only the cell that it is in now says what the others know of it. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { WebhookHeader } from "../../../server/matching/new-webhook.ts";
import { type Keyring, newKey, noKeys, parseKeyring } from "../../../server/settings/keyring.ts";
import { createKey, findCaller } from "../../../server/store/accounts/keys.ts";
import { readEndpoints } from "../../../server/store/delivery/endpoint-states.ts";
import { moveAccount } from "../../../server/store/moves/move-account.ts";
import { passOn } from "../../../server/store/moves/pass-on.ts";
import { countPending } from "../../../server/store/moves/plan.ts";
import { createPool, inTransaction, type Pool } from "../../../server/store/pool.ts";
import { changeInParts } from "../../../server/store/webhooks/addresses.ts";
import { updateWebhook } from "../../../server/store/webhooks/changes.ts";
import { createWebhook } from "../../../server/store/webhooks/creation.ts";
import { claimKeys } from "../../../server/store/webhooks/secret-keys.ts";
import { getSharedSecret, rotateSharedSecret, sealHeaders } from "../../../server/store/webhooks/secrets.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";
import { lockWaits } from "../../support/lock-waits.ts";
import { chainAt } from "../../support/move-cursor.ts";

const names = ["a", "b", "c"] as const;
type Name = (typeof names)[number];
let databases: TestDatabase[];
const pools = new Map<Name, Pool>();
beforeAll(async () => {
  databases = await Promise.all(names.map(() => createTestDatabase()));
  for (const [index, name] of names.entries()) {
    const pool = createPool(databases[index]?.url ?? "");
    await chainAt(pool, "1", 100);
    pools.set(name, pool);
  }
});
afterAll(async () => {
  await Promise.all([...pools.values()].map((pool) => pool.end()));
  await Promise.all(databases.map((database) => database.drop()));
});

function poolOf(name: Name): Pool {
  const pool = pools.get(name);
  if (!pool) throw new Error(name);
  return pool;
}
const cell = (name: Name) => ({ pool: poolOf(name), name: `cell ${name}` });
const move = (account: string, from: Name, to: Name) =>
  moveAccount({ from: cell(from), to: cell(to) }, account, { keyring: noKeys });

/** An account in cell a. @returns how to change its webhook, and to read it, where it is */
async function account(name: string) {
  const { key } = await createKey(poolOf("a"), { account: name, scopes: ["read", "write"] });
  const idIn = async (where: Name) => (await findCaller(poolOf(where), key))?.accountId ?? 0;
  const accountId = await idIn("a");
  const { id } = await inTransaction(poolOf("a"), (db) => createWebhook(db, accountId, wanted, noKeys));
  return {
    id,
    async change(where: Name, change: { url: string } | { maxPerSecond: number }) {
      const owner = await idIn(where);
      await inTransaction(poolOf(where), (db) => updateWebhook(db, owner, id, change));
    },
    async urlIn(where: Name) {
      const { rows } = await poolOf(where).query<{ url: string }>("SELECT url FROM webhooks WHERE id = $1", [id]);
      return rows[0]?.url;
    },
  };
}

const wanted = {
  ...{ url: "https://example.com/first", chainId: "1", eventType: "address_activity" as const, name: "" },
  ...{ description: "", includeInternalTxs: false, includeLogs: false, eventSignatures: [] },
  addresses: [`0x${"01".repeat(20)}`],
};

test("what a cell remembers that the account has left is never passed on; what the account is now is, to each cell", async () => {
  const { change, urlIn } = await account("traveller");
  expect(await move("traveller", "a", "b")).toBe(true);
  await change("b", { url: "https://example.com/second" });
  expect(await move("traveller", "b", "c")).toBe(true);
  await change("c", { url: "https://example.com/third" });
  await expect(move("traveller", "a", "b")).rejects.toMatchObject({
    code: "move_refused",
    message:
      "cell b no longer answers for traveller, which has moved on to cell c. Give --to the cell that answers for it now.",
  });
  await expect(passOn({ from: cell("a"), to: cell("b") }, "traveller", noKeys)).rejects.toMatchObject({
    code: "account_elsewhere",
  });
  expect(await urlIn("a")).toBe("https://example.com/first");
  for (const from of ["a", "b"] as const) {
    expect(await move("traveller", from, "c")).toBe(false);
    await passOn({ from: cell(from), to: cell("c") }, "traveller", noKeys);
    expect(await urlIn(from)).toBe("https://example.com/third");
  }
});

test("a limit of its rate is passed on, and that there is none any longer", async () => {
  const { id, change } = await account("limited");
  expect(await move("limited", "a", "b")).toBe(true);
  const rateInA = async () => (await readEndpoints(poolOf("a"), [id], noKeys))[0]?.maxPerSecond;
  for (const [wanted, known] of [
    [5, 5],
    [0, undefined],
  ]) {
    await change("b", { maxPerSecond: wanted ?? 0 });
    await passOn({ from: cell("a"), to: cell("b") }, "limited", noKeys);
    expect(await rateInA()).toBe(known);
  }
});

test("webhooks that the second cell has forgotten stay in the first, which still has to send their notifications", async () => {
  const { urlIn } = await account("forgotten");
  expect(await move("forgotten", "a", "b")).toBe(true);
  expect(await move("forgotten", "b", "c")).toBe(true);
  await poolOf("b").query("DELETE FROM webhooks w USING accounts a WHERE a.id = w.account_id AND a.name = 'forgotten'");
  await expect(move("forgotten", "a", "b")).rejects.toMatchObject({ code: "move_refused" });
  expect(await urlIn("a")).toBe(wanted.url);
});

test("an account of the same name in a cell that it never was in is another one", async () => {
  await account("namesake");
  expect(await move("namesake", "a", "b")).toBe(true);
  await createKey(poolOf("c"), { account: "namesake", scopes: ["read"] });
  await expect(move("namesake", "a", "c")).rejects.toMatchObject({
    code: "move_refused",
    message: "The account namesake has moved to cell b. Move it from there.",
  });
});

test("what the other cell recorded during an earlier stay there is not pending in this one", async () => {
  const { id } = await account("returned");
  const here = poolOf("a");
  await here.query(
    "INSERT INTO endpoint_states (shard, webhook_id, backlog_from) SELECT shard, id, 1 FROM webhooks WHERE id = $1",
    [id],
  );
  await here.query("UPDATE webhook_sequences SET last_sequence = 40 WHERE webhook_id = $1", [id]);
  const { rows } = await here.query<{ id: number }>("SELECT id FROM accounts WHERE name = 'returned'");
  expect(await countPending(here, rows[0]?.id ?? 0)).toBe(0);
});

test("a change of addresses in parts has ended when its account comes back on the same day", async () => {
  const { id } = await account("staged");
  const changeId = "00000000-0000-4000-8000-000000000001";
  const send = (part: { add: string[] }) =>
    inTransaction(poolOf("a"), async (db) => {
      const { rows } = await db.query<{ id: number }>("SELECT id FROM accounts WHERE name = 'staged'");
      return changeInParts(db, rows[0]?.id ?? 0, { id, changeId }, { ...part, remove: [] });
    });
  expect(await send({ add: [`0x${"02".repeat(20)}`] })).toMatchObject({ toAdd: 1 });
  await move("staged", "a", "b");
  await move("staged", "b", "a");
  expect(await send({ add: [] })).toMatchObject({ toAdd: 0 });
});

test("a move reports after each transaction how many addresses of all are copied", async () => {
  await account("counted");
  const figures: [done: number, total: number][] = [];
  const onCopied = (...figure: [number, number]) => void figures.push(figure);
  await moveAccount({ from: cell("a"), to: cell("b") }, "counted", { keyring: noKeys, onCopied });
  expect(figures).toEqual([[1, 1]]);
});

test("headers that are set or removed while they are passed on arrive with their names, or not at all", async () => {
  const { id } = await account("changing headers");
  expect(await move("changing headers", "a", "b")).toBe(true);
  const { rows } = await poolOf("b").query<{ id: number }>("SELECT id FROM accounts WHERE name = 'changing headers'");
  const set = (headers: WebhookHeader[]) =>
    inTransaction(poolOf("b"), (db) =>
      updateWebhook(db, rows[0]?.id ?? 0, id, { headers: sealHeaders(id, headers, noKeys) }),
    );
  const headersInA = async () => (await readEndpoints(poolOf("a"), [id], noKeys))[0]?.headers;
  const pass = () => passOn({ from: cell("a"), to: cell("b") }, "changing headers", noKeys);
  const some: WebhookHeader[] = [["X-Key", "value"]];
  for (const [before, after] of [
    [some, []],
    [[], some],
  ] as const) {
    await set([...before]);
    await pass();
    let passing: Promise<void> | undefined;
    await inTransaction(poolOf("b"), async (db) => {
      // The statement after the one that reads the names waits for this.
      await db.query("LOCK TABLE webhook_secrets");
      passing = pass();
      await expect.poll(() => lockWaits(poolOf("b"), "webhook_secrets")).toHaveLength(1);
      await set([...after]);
    });
    await passing;
    expect(await headersInA()).toEqual(before);
    await pass();
    expect(await headersInA()).toEqual(after);
  }
});

test("the shared secret moves along with its account, and a rotation is passed on to the cell that still sends", async () => {
  const { id } = await account("sharing");
  const { rows } = await poolOf("a").query<{ id: number }>("SELECT id FROM accounts WHERE name = 'sharing'");
  const here = rows[0]?.id ?? 0;
  await poolOf("a").query(`UPDATE webhooks SET options = '{"compatibility":"glacier"}' WHERE id = $1`, [id]);
  const { secret } = await getSharedSecret(poolOf("a"), here, noKeys);
  const sealing = parseKeyring(newKey());
  await claimKeys(poolOf("b"), sealing);
  expect(await moveAccount({ from: cell("a"), to: cell("b") }, "sharing", { keyring: sealing })).toBe(true);
  const signing = async (where: Name, keyring: Keyring) => {
    const [endpoint] = await readEndpoints(poolOf(where), [id], keyring);
    return endpoint?.sharedSecrets?.map((each) => each.secret);
  };
  expect(await signing("b", sealing)).toEqual([secret]);
  await expect(signing("b", noKeys)).resolves.toEqual([]);
  const there =
    (await poolOf("b").query<{ id: number }>("SELECT id FROM accounts WHERE name = 'sharing'")).rows[0]?.id ?? 0;
  const rotated = await inTransaction(poolOf("b"), (db) => rotateSharedSecret(db, there, sealing));
  const version = async () =>
    (
      await poolOf("a").query(
        "SELECT version FROM shard_versions v JOIN webhooks w ON w.shard = v.shard WHERE w.id = $1",
        [id],
      )
    ).rows[0];
  const before = await version();
  await claimKeys(poolOf("a"), sealing);
  await passOn({ from: cell("a"), to: cell("b") }, "sharing", sealing);
  expect(await signing("a", sealing)).toEqual([rotated.secret, secret]);
  expect(await version()).not.toEqual(before);
  const after = await version();
  await passOn({ from: cell("a"), to: cell("b") }, "sharing", sealing);
  expect(await version()).toEqual(after);
});

test("headers move along, encrypted for the new cell; what is set, changed or removed there is passed on to the cell that still sends", async () => {
  const { id } = await account("with headers");
  const ownerIn = async (where: Name) =>
    (await poolOf(where).query<{ id: number }>("SELECT id FROM accounts WHERE name = 'with headers'")).rows[0]?.id ?? 0;
  const set = async (where: Name, value: string | undefined, keyring: Keyring) => {
    const headers = sealHeaders(id, value === undefined ? [] : [["X-Key", value]], keyring);
    const owner = await ownerIn(where);
    await inTransaction(poolOf(where), (db) => updateWebhook(db, owner, id, { headers }));
  };
  const headersIn = async (where: Name, keyring: Keyring) =>
    (await readEndpoints(poolOf(where), [id], keyring))[0]?.headers;
  await set("a", "first", noKeys);
  // Cell b encrypts since the test before.
  const key = newKey();
  const sealing = parseKeyring(key);
  await poolOf("b").query("DELETE FROM shared_secrets");
  await poolOf("b").query("DELETE FROM webhook_secrets WHERE key_id IS NOT NULL");
  await poolOf("b").query("DELETE FROM secret_keys");
  await claimKeys(poolOf("b"), sealing);
  expect(await moveAccount({ from: cell("a"), to: cell("b") }, "with headers", { keyring: sealing })).toBe(true);
  expect(await headersIn("b", sealing)).toEqual([["X-Key", "first"]]);
  expect(await headersIn("b", noKeys)).toBeUndefined();
  const { rows } = await poolOf("b").query("SELECT secret, sealed FROM webhook_headers WHERE webhook_id = $1", [id]);
  expect(rows).toEqual([{ secret: null, sealed: expect.any(Buffer) }]);

  const version = async () =>
    (
      await poolOf("a").query(
        "SELECT version FROM shard_versions v JOIN webhooks w ON w.shard = v.shard WHERE w.id = $1",
        [id],
      )
    ).rows[0];
  const pass = () => passOn({ from: cell("a"), to: cell("b") }, "with headers", sealing);
  await poolOf("a").query("DELETE FROM shared_secrets WHERE key_id IS NOT NULL");
  await poolOf("a").query("DELETE FROM webhook_secrets WHERE key_id IS NOT NULL");
  await poolOf("a").query("DELETE FROM secret_keys");
  await claimKeys(poolOf("a"), sealing);
  for (const value of ["second", "third", undefined, "fourth"]) {
    await set("b", value, sealing);
    const before = await version();
    await pass();
    expect(await headersIn("a", sealing)).toEqual(value === undefined ? [] : [["X-Key", value]]);
    expect(await version()).not.toEqual(before);
  }
  const after = await version();
  await pass();
  expect(await version()).toEqual(after);

  // Back in the first cell, it has what it had in the second.
  await set("b", "fifth", sealing);
  expect(await moveAccount({ from: cell("b"), to: cell("a") }, "with headers", { keyring: sealing })).toBe(true);
  expect(await headersIn("a", sealing)).toEqual([["X-Key", "fifth"]]);
});

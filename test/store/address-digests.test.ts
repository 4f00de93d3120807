/** The digests of webhooks' addresses are always those of the addresses that they were given, whatever happens to these. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { addressDigest } from "../../client/address-digest.ts";
import { noKeys } from "../../server/settings/keyring.ts";
import type { Quotas } from "../../server/settings/limits.ts";
import { beginAt, ensureChain, plainLane } from "../../server/store/chains/cursor.ts";
import { migrate } from "../../server/store/migrate.ts";
import { maintain } from "../../server/store/outbox/retention.ts";
import { createPool, inTransaction, type Pool, type Queryable } from "../../server/store/pool.ts";
import { addAddresses, changeInParts, listDigests, removeAddresses } from "../../server/store/webhooks/addresses.ts";
import { deleteWebhook } from "../../server/store/webhooks/changes.ts";
import { addCreated, forgetCreatedAbove } from "../../server/store/webhooks/created-addresses.ts";
import { createWebhook } from "../../server/store/webhooks/creation.ts";
import { removePart } from "../../server/store/webhooks/removed-webhooks.ts";
import { getWebhook } from "../../server/store/webhooks/webhooks.ts";
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from "../support/database.ts";
import { runs, searchSeed } from "../support/runs.ts";

let database: TestDatabase;
let pool: Pool;
beforeAll(async () => {
  database = await createTestDatabase();
  pool = createPool(database.url);
  await prepare(pool);
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

const chainId = "7";
const hash = `0x${"01".repeat(32)}`;

async function prepare(of: Pool) {
  await of.query("INSERT INTO accounts (name) VALUES ('test')");
  await ensureChain(of, chainId);
  await beginAt(of, plainLane(chainId), { number: 10, hash });
}

/** Spread over all first bytes, as real addresses are. */
const addressOf = (n: number) => `0x${createHash("sha256").update(String(n)).digest("hex").slice(0, 40)}`;

/** What the contract says, word for word, without a line of ours. */
function digestOf(addresses: Iterable<string>): string {
  const digest = Buffer.alloc(32);
  for (const address of new Set(addresses)) {
    const bytes = Buffer.from(address.slice(2), "hex");
    const own = Buffer.concat([bytes, createHash("sha256").update(bytes).digest().subarray(0, 12)]);
    own.forEach((byte, at) => {
      digest[at] = (digest[at] ?? 0) ^ byte;
    });
  }
  return `0x${digest.toString("hex")}`;
}

function byPrefix(addresses: Iterable<string>, digits: number) {
  const groups = new Map<string, string[]>();
  for (const address of [...addresses].sort()) {
    const prefix = address.slice(0, 2 + digits);
    groups.set(prefix, [...(groups.get(prefix) ?? []), address]);
  }
  return [...groups].map(([prefix, group]) => ({ prefix, count: group.length, digest: digestOf(group) }));
}

const create = (addresses: readonly string[], of = pool, factory = false) =>
  inTransaction(of, (db) =>
    createWebhook(db, 1, { ...plain, chainId, addresses, ...(factory && { options: { createdBy } }) }, noKeys),
  );

test("the client's digest is the contract's", () => {
  for (const count of [0, 1, 2, 1000]) {
    const addresses = Array.from({ length: count }, (_, n) => addressOf(n));
    expect(addressDigest([...addresses, ...addresses.map((one) => one.toUpperCase().replace("X", "x"))])).toBe(
      digestOf(addresses),
    );
  }
});

test("digests are those of the addresses, after thousands of additions, removals, creations and deletions", async () => {
  let seed = searchSeed();
  const random = (below: number) => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (seed >>> 8) % below;
  };
  const some = () => Array.from({ length: 1 + random(random(8) ? 8 : 400) }, () => addressOf(random(600)));
  type Model = { id: string; given: Set<string>; created: Map<string, number> };
  let models: Model[] = [];
  const factory = () => models[random(models.length)];
  const steps: ((model: Model) => Promise<unknown>)[] = [
    async ({ id, given, created }) => {
      const addresses = some();
      await inTransaction(pool, (db) => addAddresses(db, 1, id, addresses));
      for (const address of addresses) {
        given.add(address);
        created.delete(address);
      }
    },
    async ({ id, given, created }) => {
      const addresses = some();
      await inTransaction(pool, (db) => removeAddresses(db, 1, id, addresses));
      for (const address of addresses) for (const set of [given, created]) set.delete(address);
    },
    async ({ id, given, created }) => {
      const addresses = some();
      const number = 11 + random(5);
      const block = { chainId, number, recordedUpTo: number };
      await inTransaction(pool, (db) => addCreated(db, [{ webhookIds: [id], addresses }], block, undefined));
      for (const address of addresses) if (!given.has(address) && !created.has(address)) created.set(address, number);
    },
    async () => {
      const above = 10 + random(6);
      await inTransaction(pool, (db) => forgetCreatedAbove(db, plainLane(chainId), { above }));
      for (const { created } of models)
        for (const [address, number] of created) if (number > above) created.delete(address);
    },
    async (model) => {
      if (random(4)) return;
      await inTransaction(pool, (db) => deleteWebhook(db, 1, model.id));
      models = models.filter((other) => other !== model);
    },
    async () => {
      await removePart(pool);
    },
    async () => {
      if (models.length > 4) return;
      const addresses = [...new Set(some())];
      models.push({ id: (await create(addresses, pool, true)).id, given: new Set(addresses), created: new Map() });
    },
  ];
  const check = async ({ id, given, created }: Model) => {
    const webhook = await getWebhook(pool, 1, id);
    expect(webhook).toMatchObject({ addressDigest: digestOf(given), addressCount: given.size + created.size });
    expect(await listDigests(pool, 1, id, [])).toEqual(byPrefix(given, 2));
  };
  for (let step = 0; step < runs(300, 1_000); step++) {
    const model = factory() ?? { id: (await create([], pool, true)).id, given: new Set(), created: new Map() };
    if (!models.includes(model)) models.push(model);
    await steps[random(steps.length)]?.(model);
    if (models.includes(model)) await check(model);
  }
  for (const model of models) await check(model);
  for (const { id } of models) await inTransaction(pool, (db) => deleteWebhook(db, 1, id));
  while (await removePart(pool));
  expect((await pool.query("SELECT FROM webhook_address_digests")).rowCount).toBe(0);
});

test("prefixes divide the addresses into at most 256 digests, and few into themselves", async () => {
  const addresses = Array.from({ length: 5_000 }, (_, n) => addressOf(n));
  const numbered = Array.from({ length: 1_000 }, (_, n) => `0xee${n.toString(16).padStart(38, "0")}`);
  addresses.push(...numbered);
  const { id } = await create(addresses);
  await create(addresses.slice(0, 2_000));
  const having = (...prefixes: string[]) => addresses.filter((one) => prefixes.some((each) => one.startsWith(each)));
  const ask = (...prefixes: string[]) => listDigests(pool, 1, id, prefixes);

  expect(await ask()).toEqual(byPrefix(addresses, 2));
  const sixteen = [..."0123456789abcdef"].map((digit) => `0x3${digit}`);
  expect(await ask(...sixteen)).toEqual(byPrefix(having("0x3"), 3));
  expect(await ask("0xee")).toEqual(byPrefix(having("0xee"), 4));
  const shared = numbered[0]?.slice(0, 39) ?? "";
  expect(await ask(shared)).toEqual(byPrefix(numbered, 39));
  expect(await ask(shared, "0x12")).toEqual([...byPrefix(having("0x12"), 3), ...byPrefix(numbered, 38)]);
  expect(await ask("0x4f")).toEqual(byPrefix(having("0x4f"), 40));
  expect(await ask("0x4f0", "0x99")).toEqual(byPrefix(having("0x4f0", "0x99"), 40));
  const [first = ""] = addresses;
  expect(await ask(first.slice(0, 41))).toEqual([{ prefix: first, count: 1, digest: digestOf([first]) }]);
  const beside = `${first.slice(0, 40)}${first[40] === "0" ? 1 : 0}`;
  expect(await ask(beside)).toEqual([]);
});

test("webhooks that existed before have digests, whatever is changed while they are made", async () => {
  const empty = await createEmptyDatabase();
  const before = createPool(empty.url);
  onTestFinished(async () => {
    await before.end();
    await empty.drop();
  });
  await migrate(before);
  await prepare(before);
  const sets = [[], [addressOf(1)], Array.from({ length: 3_000 }, (_, n) => addressOf(n))];
  const webhooks = await Promise.all(sets.map((addresses) => create(addresses, before)));
  await before.query("UPDATE webhook_addresses SET created_in = 9 WHERE address = decode($1, 'hex')", [
    addressOf(2_999).slice(2),
  ]);
  // As it was before the migration.
  await before.query(
    `DROP TABLE webhook_address_digests;
     DROP FUNCTION digest_added_addresses, digest_changed_addresses, digest_removed_addresses CASCADE; DROP FUNCTION address_digest;
     DROP TABLE address_change_parts, address_changes`,
  );
  await before.query(
    readFileSync(new URL("../../server/store/migrations/033.do.address-digests.sql", import.meta.url), "utf8"),
  );
  const digests = await Promise.all(webhooks.map(async ({ id }) => (await getWebhook(before, 1, id)).addressDigest));
  expect(digests).toEqual([digestOf([]), digestOf(sets[1] ?? []), digestOf((sets[2] ?? []).slice(0, -1))]);
});

const createdBy = { address: addressOf(-1), eventSignature: hash, argument: "topic1" } as const;
const plain = {
  url: "https://example.com/hook",
  name: "",
  description: "",
  eventType: "address_activity",
  eventSignatures: [],
  includeInternalTxs: false,
  includeLogs: false,
} as const;

const changeId = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`;
type Part = { add?: readonly string[]; remove?: readonly string[]; commit?: boolean; digest?: string; change?: number };
const send = (id: string, { add = [], remove = [], change = 1, ...options }: Part, quotas?: Quotas) =>
  inTransaction(pool, (db) =>
    changeInParts(db, 1, { id, changeId: changeId(change) }, { add, remove }, { ...options, quotas }),
  );
const kept = async () => (await pool.query("SELECT FROM address_change_parts")).rowCount;

test("parts change nothing until the commit, which applies all of them from one block on, once", async () => {
  const all = Array.from({ length: 30 }, (_, n) => addressOf(n));
  const { id, addressDigest: before } = await create(all.slice(0, 10));
  await send(id, { add: all.slice(5, 20) });
  expect(await send(id, { add: all.slice(5, 20) })).toMatchObject({ committed: false, toAdd: 15, toRemove: 0 });
  await send(id, { add: all.slice(20, 30), remove: all.slice(0, 3) });
  expect((await getWebhook(pool, 1, id)).addressDigest).toBe(before);
  const done = await send(id, { commit: true });
  const after = all.slice(3);
  expect(done).toMatchObject({ committed: true, added: 20, removed: 3, addressCount: 27, effectiveFromBlock: "11" });
  expect(done.addressDigest).toBe(digestOf(after));
  expect(await listDigests(pool, 1, id, [])).toEqual(byPrefix(after, 2));
  const { rows } = await pool.query("SELECT DISTINCT addition FROM webhook_addresses WHERE webhook_id = $1", [id]);
  expect(rows).toHaveLength(2);
  expect(await kept()).toBe(0);

  await inTransaction(pool, (db) => removeAddresses(db, 1, id, all));
  expect(await send(id, { add: all, commit: true })).toEqual(done);
  expect(await getWebhook(pool, 1, id)).toMatchObject({ addressCount: 0, addressDigest: digestOf([]) });
});

test("a commit that would lead to another digest changes nothing, and can be sent again once it does not", async () => {
  const { id } = await create([addressOf(1)]);
  await send(id, { add: [addressOf(2)] });
  const digest = digestOf([addressOf(2)]);
  await expect(send(id, { commit: true, digest })).rejects.toThrow(
    `addressDigest must be ${digestOf([addressOf(1), addressOf(2)])}, which the addresses would have after the change`,
  );
  expect((await getWebhook(pool, 1, id)).addressCount).toBe(1);
  await inTransaction(pool, (db) => removeAddresses(db, 1, id, [addressOf(1)]));
  expect(await send(id, { commit: true, digest })).toMatchObject({ added: 1, removed: 0, addressDigest: digest });
});

test("an identifier that was used for another change is refused, if the request says what it should lead to", async () => {
  const { id } = await create([]);
  const digest = digestOf([addressOf(1)]);
  const done = await send(id, { add: [addressOf(1)], commit: true, digest });
  expect(await send(id, { add: [addressOf(1)], commit: true, digest })).toEqual(done);
  const other = { add: [addressOf(2)], commit: true, digest: digestOf([addressOf(1), addressOf(2)]) };
  await expect(send(id, other)).rejects.toMatchObject({ code: "other_addresses" });
});

test("many small parts are applied in few statements: with a factory that is under the chain's lock", async () => {
  const { id } = await create([], pool, true);
  const all = Array.from({ length: 60 }, (_, n) => addressOf(n));
  for (const address of all) await send(id, { add: [address], remove: [addressOf(999)] });
  const statements = await inTransaction(pool, async (db) => {
    let count = 0;
    const query = (...args: Parameters<typeof db.query>) => {
      count += 1;
      return Reflect.apply(db.query, db, args) as unknown;
    };
    await changeInParts(
      { query } as Queryable,
      1,
      { id, changeId: changeId(1) },
      { add: [], remove: [] },
      { commit: true },
    );
    return count;
  });
  expect(statements).toBeLessThan(30);
  expect(await getWebhook(pool, 1, id)).toMatchObject({ addressCount: 60, addressDigest: digestOf(all) });
});

test("of two that commit at the same time both hold, one after the other", async () => {
  const { id } = await create([]);
  const [one, two] = await Promise.all([
    send(id, { change: 1, add: [addressOf(1), addressOf(2)], commit: true }),
    send(id, { change: 2, add: [addressOf(2), addressOf(3)], commit: true }),
  ]);
  expect([one.added, two.added].sort()).toEqual([1, 2]);
  const same = await Promise.all([1, 2, 3].map(() => send(id, { change: 3, remove: [addressOf(1)], commit: true })));
  expect(same.map(({ removed }) => removed)).toEqual([1, 1, 1]);
});

test("a part leaves the account's row free, for which recorders wait under the locks of chains", async () => {
  const { id } = await create([]);
  await inTransaction(pool, async (db) => {
    await changeInParts(db, 1, { id, changeId: changeId(1) }, { add: [addressOf(1)], remove: [] });
    await pool.query("SELECT FROM accounts WHERE id = 1 FOR NO KEY UPDATE NOWAIT");
  });
});

test("a change is bounded, and ends after a day, with its webhook, or without parts", async () => {
  const { id } = await create([addressOf(1)]);
  await expect(send(id, { commit: true })).rejects.toMatchObject({ code: "address_change_not_found" });
  await expect(send(id, { add: [addressOf(2)], commit: true }, { webhooks: 100, addresses: 1 })).rejects.toMatchObject({
    code: "over_quota",
  });

  await send(id, { add: [addressOf(2)] });
  await pool.query("UPDATE address_changes SET created_at = now() - interval '25 hours'");
  expect(await send(id, {})).toMatchObject({ toAdd: 0 });
  await send(id, { add: [addressOf(2)] });
  await pool.query("UPDATE address_changes SET created_at = now() - interval '25 hours'");
  await maintain(pool, 30);
  expect(await kept()).toBe(0);

  await send(id, { add: [addressOf(2)] });
  await pool.query("UPDATE address_change_parts SET to_add = 2000000");
  await expect(send(id, { add: [addressOf(3)], change: 2 })).rejects.toMatchObject({ code: "over_quota" });
  await inTransaction(pool, (db) => deleteWebhook(db, 1, id));
  while (await removePart(pool));
  expect(await kept()).toBe(0);

  const factory = await create([], pool, true);
  await send(factory.id, { add: [addressOf(4)] });
  await pool.query("UPDATE address_change_parts SET to_add = 10001");
  await expect(send(factory.id, { commit: true })).rejects.toMatchObject({ code: "too_many_addresses" });
  await pool.query("UPDATE accounts SET move_state = 'leaving'");
  await expect(send(factory.id, { add: [addressOf(5)] })).rejects.toMatchObject({ code: "account_elsewhere" });
  await pool.query("UPDATE accounts SET move_state = NULL");
});

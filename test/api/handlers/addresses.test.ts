/** Adding and removing addresses. */

import { getAddress } from "viem";
import { afterAll, beforeAll, expect, test } from "vitest";
import { addressDigest } from "../../../client/address-digest.ts";
import { inTransaction, type Queryable } from "../../../server/store/pool.ts";
import { listAddresses } from "../../../server/store/webhooks/addresses.ts";
import { getWebhook } from "../../../server/store/webhooks/webhooks.ts";
import { type Api, address, newWebhook, startApi } from "../../support/api.ts";
import { assertError } from "../../support/contract-check.ts";
import { lockWaits } from "../../support/lock-waits.ts";
import { moveCursor } from "../../support/move-cursor.ts";

let api: Api;
let id: string;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const change = (method: "PATCH" | "DELETE", addresses: string[]) =>
  api.call(method, `/v1/webhooks/${id}/addresses`, { body: { addresses } });
const create = async (addresses: string[]) => {
  id = (await api.call("POST", "/v1/webhooks", { body: newWebhook({ metadata: { addresses } }) })).body.id;
};
const rows = async () => {
  const found = await api.pool.query(
    `SELECT '0x' || encode(address, 'hex') AS address, effective_from_block AS block
     FROM webhook_addresses w JOIN address_additions a ON a.id = w.addition WHERE webhook_id = $1 ORDER BY 1`,
    [id],
  );
  return found.rows.map(({ address, block }) => [address, block]);
};

test("added addresses are watched from the next block on; already watched ones do not change", async () => {
  await create([address(1)]);
  await moveCursor(api.pool, "43114", 110);
  const reply = await change("PATCH", [address(1), address(2), address(2)]);
  expect(reply).toMatchObject({ status: 200, body: { changed: 1, totalAddresses: 2, effectiveFromBlock: "111" } });
  expect(await rows()).toEqual([
    [address(1), 101],
    [address(2), 111],
  ]);
  expect((await api.call("GET", `/v1/webhooks/${id}`)).body).toMatchObject({
    addressCount: 2,
    effectiveFromBlock: "101",
  });
});

const digests = (query: string, of = id) => api.call("GET", `/v1/webhooks/${of}/addresses/digests${query}`);
const inParts = (body: object, of = id) =>
  api.call("PATCH", `/v1/webhooks/${of}/addresses/changes/3c6c2a4e-7d0b-4f0a-9a64-0d3f5a1b8e21`, { body });

test("two lists that drifted apart are compared by digests, and made equal by one change", async () => {
  const [shared, missing, extra] = [address(1), address(2), address(3)];
  await create([shared, extra]);
  const record = (await api.call("GET", `/v1/webhooks/${id}`)).body;
  expect(record.addressDigest).toBe(addressDigest([shared, extra]));
  const all = { prefix: "0x00", count: 2, digest: addressDigest([shared, extra]) };
  expect(await digests("")).toMatchObject({ status: 200, body: { digests: [all] } });
  const each = [shared, extra].sort().map((one) => ({ prefix: one, count: 1, digest: addressDigest([one]) }));
  expect((await digests("?prefix=0x00,0x0000,0xff")).body).toEqual({ digests: each });
  for (const wrong of [
    "0x",
    "0xG0",
    "0x00,",
    "0xAA",
    "0",
    "",
    "%00",
    `0x${"0".repeat(40)}`,
    Array(17).fill("0x00").join(),
  ])
    assertError(await digests(`?prefix=${wrong}`), 400, /^prefix\b/);
  assertError(await digests("?prefix=0x00&prefix=0x01"), 400, /^prefix\b/);

  await moveCursor(api.pool, "43114", 125);
  const wanted = addressDigest([shared, missing]);
  expect(await inParts({ add: [missing] })).toMatchObject({ status: 200, body: { committed: false, toAdd: 1 } });
  assertError(await inParts({ commit: true, addressDigest: wanted }), 409, /^addressDigest\b/);
  const done = await inParts({ remove: [extra.toUpperCase().replace("X", "x")], commit: true, addressDigest: wanted });
  const answer = { committed: true, added: 1, removed: 1, addressDigest: wanted, effectiveFromBlock: "126" };
  expect(done).toMatchObject({ status: 200, body: answer });
  expect((await inParts({ commit: true })).body).toEqual(done.body);
  expect((await rows()).map(([watched]) => watched)).toEqual([shared, missing].sort());

  assertError(await inParts({ add: ["0x01"] }), 400, /^add\b/);
  assertError(await inParts({ remove: ["0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD"] }), 400, /^remove\b/);
  assertError(await inParts({ add: Array(10_001).fill(address(1)) }), 400, /^add\b/);
  await create([shared]);
  assertError(await inParts({ commit: true }), 404, /no change/);
});

test("digests below a prefix are read for an account one after the other, and others do not wait", async () => {
  await create([address(1)]);
  const key = api.keys.stranger;
  const metadata = { addresses: [address(1)] };
  const theirs = (await api.call("POST", "/v1/webhooks", { key, body: newWebhook({ metadata }) })).body.id;
  const db = await api.pool.connect();
  await db.query("BEGIN; LOCK TABLE webhook_addresses IN ACCESS EXCLUSIVE MODE");
  const asked = Array.from({ length: 4 }, () => digests("?prefix=0x00"));
  const path = `/v1/webhooks/${theirs}/addresses/digests?prefix=0x00`;
  const waits = async () => (await lockWaits(api.pool, "webhook_addresses")).length;
  await expect.poll(waits).toBe(1);
  asked.push(api.call("GET", path, { key }));
  await expect.poll(waits).toBe(2);
  expect(await waits()).toBe(2);
  await db.query("ROLLBACK");
  db.release();
  expect((await Promise.all(asked)).map(({ status }) => status)).toEqual(Array(5).fill(200));
});

test("removed addresses are no longer watched; unwatched ones are ignored", async () => {
  await create([address(1), address(2)]);
  await moveCursor(api.pool, "43114", 120);
  const reply = await change("DELETE", [address(2), address(3)]);
  expect(reply).toMatchObject({ status: 200, body: { changed: 1, totalAddresses: 1, effectiveFromBlock: "121" } });
  expect((await rows()).map(([watched]) => watched)).toEqual([address(1)]);
  expect((await change("DELETE", [address(1)])).body.totalAddresses).toBe(0);
});

test("both changes return the record as it is then, with the block of the change", async () => {
  await create([address(2)]);
  await moveCursor(api.pool, "43114", 130);
  for (const [method, block] of [
    ["PATCH", "131"],
    ["DELETE", "131"],
  ] as const) {
    const { body } = await change(method, [address(1)]);
    const { body: record } = await api.call("GET", `/v1/webhooks/${id}`);
    const { changed, totalAddresses, ...webhook } = body;
    expect(webhook).toEqual({ ...record, effectiveFromBlock: block });
    expect([changed, totalAddresses]).toEqual([1, record.addressCount]);
  }
});

test("addresses are checked as at creation", async () => {
  await create([address(1)]);
  const wrong = "0x5425890298aed601595a70Ab815c96711a31bC65";
  assertError(await change("PATCH", [wrong]), 400, /^addresses\.0 must have a right checksum/);
  assertError(await change("DELETE", []), 400, "addresses must have at least 1 item.");
  assertError(await change("PATCH", ["0x1"]), 400, /^addresses\.0 must be an address/);
});

test("one request accepts 10,000 addresses with checksums, and a page shows a thousand of them", async () => {
  const addresses = Array.from({ length: 10_000 }, (_, n) =>
    getAddress(`0x${"abcdef".repeat(5)}${address(n).slice(32)}`),
  );
  await create([address(1)]);
  const reply = await change("PATCH", addresses);
  expect(reply.body).toMatchObject({ changed: 10_000, totalAddresses: 10_001 });
  const { body } = await api.call("GET", `/v1/webhooks/${id}`);
  expect(body.metadata.addresses).toHaveLength(1_000);
  expect(body.metadata.addresses).toEqual([address(1), ...addresses.slice(0, 999).map((one) => one.toLowerCase())]);
  assertError(await change("PATCH", [...addresses, address(2)]), 400, "addresses must have at most 10000 items.");
  expect((await change("DELETE", addresses)).body).toMatchObject({ changed: 10_000, totalAddresses: 1 });
});

test("the record and a page read no more addresses than they show, whatever the planner knows", async () => {
  const readBy = (read: (db: Queryable) => Promise<unknown>) =>
    inTransaction(api.pool, async (db) => {
      const sum = "SELECT seq_tup_read + idx_tup_fetch AS read FROM pg_stat_xact_user_tables WHERE relname = $1";
      const soFar = async () => Number((await db.query<{ read: number }>(sum, ["webhook_addresses"])).rows[0]?.read);
      const before = await soFar();
      await read(db);
      return (await soFar()) - before;
    });
  const add = (from: number, count = 30_000) =>
    api.pool.query(
      `INSERT INTO webhook_addresses (chain_id, address, webhook_id, addition)
       SELECT w.chain_id, decode(lpad(to_hex(n), 40, '0'), 'hex'), w.id, 1
       FROM webhooks w, generate_series($2::int, $2::int + $3::int - 1) n WHERE w.id = $1`,
      [id, from, count],
    );
  const addAndAnalyze = (from: number) => add(from).then(() => api.pool.query("ANALYZE webhook_addresses"));
  const addFewer = (from: number) => add(from, 5_000);
  await api.pool.query("TRUNCATE webhook_addresses");
  for (const prepare of [addFewer, addFewer, add, addAndAnalyze, add]) {
    await create([address(1)]);
    await prepare(100);
    const accountId = (await api.pool.query("SELECT account_id FROM webhooks WHERE id = $1", [id])).rows[0].account_id;
    expect(await readBy((db) => getWebhook(db, accountId, id))).toBe(1_000);
    expect(await readBy((db) => listAddresses(db, accountId, id, { limit: 201 }))).toBe(201);
    await create([address(1)]);
    expect(await readBy((db) => getWebhook(db, accountId, id))).toBe(1);
  }
});

test("a webhook has at most 1,000,000 addresses", async () => {
  await create([address(1)]);
  await api.pool.query("UPDATE webhooks SET address_count = 999999 WHERE id = $1", [id]);
  assertError(
    await change("PATCH", [address(2), address(3)]),
    400,
    /^addresses must .* at most 1,000,000 addresses\.$/,
  );
  expect(await rows()).toHaveLength(1);
  expect((await change("PATCH", [address(2)])).status).toBe(200);
});

test("changes of one webhook at the same time are counted right", async () => {
  await create([address(1)]);
  const batches = Array.from({ length: 8 }, (_, n) => Array.from({ length: 20 }, (_, m) => address(n * 10 + m)));
  const replies = await Promise.all(batches.map((batch) => change("PATCH", batch)));
  expect(replies.every((reply) => reply.status === 200)).toBe(true);
  const { body } = await api.call("GET", `/v1/webhooks/${id}`);
  expect(body.addressCount).toBe(90);
  expect(await rows()).toHaveLength(90);
});

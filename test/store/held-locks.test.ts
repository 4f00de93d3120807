/** What one account changes on a busy chain: the recorder, and the other accounts behind it, wait for one change of it at most. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { noKeys } from "../../server/settings/keyring.ts";
import { lockChainExclusively } from "../../server/store/chains/lock.ts";
import { inTransaction, type Queryable } from "../../server/store/pool.ts";
import { addAddresses, removeAddresses } from "../../server/store/webhooks/addresses.ts";
import { deleteWebhook } from "../../server/store/webhooks/changes.ts";
import { createWebhook } from "../../server/store/webhooks/creation.ts";
import { removePart } from "../../server/store/webhooks/removed-webhooks.ts";
import { type Api, address, startApi } from "../support/api.ts";
import { lockWaits } from "../support/lock-waits.ts";
import { moveCursor } from "../support/move-cursor.ts";

let api: Api;
let ours: number;
let theirs: number;
beforeAll(async () => {
  api = await startApi();
  const { rows } = await api.pool.query<{ id: number }>("SELECT id FROM accounts ORDER BY name");
  [ours = 0, theirs = 0] = rows.map(({ id }) => id);
});
afterAll(() => api.close());

const wanted = {
  url: "https://example.com/hook",
  chainId: "43114",
  eventType: "address_activity",
  name: "",
  description: "",
  includeInternalTxs: false,
  includeLogs: false,
  addresses: [address(1)],
  eventSignatures: [],
} as const;

const made = (db: Queryable, accountId: number) => createWebhook(db, accountId, wanted, noKeys);
const create = async (accountId: number) => (await inTransaction(api.pool, (db) => made(db, accountId))).id;

/** Begins changes that are not ended before `end` is called. */
function begin(changes: readonly ((db: Queryable) => Promise<unknown>)[]) {
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const running = changes.map((change) =>
    inTransaction(api.pool, async (db) => {
      await change(db);
      await ended;
    }),
  );
  return {
    async end() {
      end();
      await Promise.all(running);
    },
  };
}

/** How many transactions keep blocks from being recorded, and how many changes wait for their turn. */
async function locks(): Promise<{ held: number; waiting: number }> {
  const { rows } = await api.pool.query(
    `SELECT count(DISTINCT pid) FILTER (WHERE granted AND mode = 'ShareLock')::int AS held, count(*) FILTER (WHERE NOT granted)::int AS waiting
     FROM pg_locks WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
  );
  return rows[0];
}

test("concurrent changes of an account delay recording one at a time", async () => {
  const ids = await Promise.all([ours, ours, ours, ours].map(create));
  const other = await create(theirs);
  const changes = begin([
    ...ids.map((id) => (db: Queryable) => addAddresses(db, ours, id, [address(2)])),
    (db: Queryable) => addAddresses(db, theirs, other, [address(2)]),
  ]);
  await expect.poll(locks).toEqual({ held: 2, waiting: 3 });
  await changes.end();
});

test("while addresses are written or removed, however many, blocks are recorded; the change holds from the block behind them on", async () => {
  const [added, removed] = await Promise.all([ours, theirs].map(create));
  const next = async () =>
    (await api.pool.query("SELECT max(cursor_number) + 1 AS next FROM chain_lanes WHERE chain_id = '43114'")).rows[0]
      .next;
  const changes: readonly ((db: Queryable) => Promise<number>)[] = [
    async (db) => (await addAddresses(db, ours, added ?? "", [address(2)])).firstBlock,
    async (db) => (await removeAddresses(db, theirs, removed ?? "", [address(1)])).firstBlock,
    async (db) => Number((await made(db, ours)).effectiveFromBlock),
  ];
  for (const change of changes) {
    const before = await next();
    const beside = await api.pool.connect();
    // Whoever writes to the table waits for it, as if it had that much to write.
    await beside.query("BEGIN; LOCK TABLE webhook_addresses IN SHARE ROW EXCLUSIVE MODE");
    const changing = inTransaction(api.pool, change);
    const writing = async () => (await lockWaits(api.pool, "webhook_addresses")).length;
    await expect.poll(writing).toBe(1);
    await inTransaction(api.pool, async (db) => {
      await db.query("SET LOCAL lock_timeout = '5s'");
      await lockChainExclusively(db, "43114");
      await moveCursor(db, "43114", before + 6);
    }).finally(async () => {
      await beside.query("COMMIT");
      beside.release();
    });
    expect(await changing).toBe(before + 7);
  }
  const dated = await api.pool.query(
    "SELECT effective_from_block AS block FROM webhook_addresses w JOIN address_additions a ON a.id = w.addition WHERE webhook_id = $1 ORDER BY 1",
    [added],
  );
  expect(dated.rows.map(({ block }) => block)).toEqual([101, 108]);
});

test("a deletion delays recording only for the webhook's row; the rest is removed later, in parts", async () => {
  const many = 20_000;
  const id = await create(ours);
  const left = async (db: Queryable) =>
    (await db.query("SELECT count(*) FROM webhook_addresses WHERE webhook_id = $1", [id])).rows[0].count;
  await api.pool.query(
    `INSERT INTO webhook_addresses (chain_id, address, webhook_id, addition)
     SELECT '43114', decode(lpad(to_hex(n), 40, '0'), 'hex'), $1, 0 FROM generate_series(100, 99 + $2::int) n`,
    [id, many],
  );
  await inTransaction(api.pool, async (db) => {
    await deleteWebhook(db, ours, id);
    expect(await left(db)).toBe(many + 1);
  });
  expect(await removePart(api.pool)).toBe(true);
  expect(await left(api.pool)).toBeGreaterThan(many / 2);
  while (await removePart(api.pool));
  expect(await left(api.pool)).toBe(0);
  expect((await api.pool.query("SELECT FROM removed_webhooks")).rowCount).toBe(0);
});

/** What another cell notified before the account moved, and this one has sent again by a replay: one truth for every operation. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { historyBlocksUsed } from "../../../server/store/accounts/quotas.ts";
import { findNotifications } from "../../../server/store/outbox/notification-list.ts";
import { readNotification, readNotifications } from "../../../server/store/outbox/notifications.ts";
import { requestResends } from "../../../server/store/outbox/resends.ts";
import { inTransaction } from "../../../server/store/pool.ts";
import { addAddresses } from "../../../server/store/webhooks/addresses.ts";
import { openCells } from "./cells.ts";
import { MoveWorld } from "./move-world.ts";

let cells: Awaited<ReturnType<typeof openCells>>;
beforeAll(async () => {
  cells = await openCells();
});
afterAll(() => cells.close());

test("it is listed in its status, and read by its messageId; what was not sent again is neither", async () => {
  const world = await MoveWorld.start(cells.pools, "replayed");
  world.chain.mine(3);
  while (await world.step(0, "plain"));
  expect(await world.move({ to: 1 })).toBe("done");
  const [, there] = cells.pools;
  const { rows: copies } = await there.query<Copy>(
    `SELECT webhook_id AS "webhookId", n.shard, sequence, recorded_on AS "recordedOn", message_id AS "messageId"
     FROM notifications n WHERE chain_id = $1 AND position < 0 ORDER BY sequence`,
    [world.chain.chainId],
  );
  const [first, other] = copies;
  if (!first || !other) throw new Error("copies were expected");
  const listed = async (status?: "pending" | "delivered" | "failed") => {
    const { places } = await findNotifications(there, first.webhookId, { status, after: 0, limit: 10 });
    const records = await readNotifications(there, first.webhookId, places);
    return records.filter(({ sequence }) => copies.some((copy) => copy.sequence === sequence));
  };
  const read = ({ messageId }: Copy) => readNotification(there, first.webhookId, messageId);
  expect(await listed()).toEqual([]);
  await expect(read(first)).rejects.toMatchObject({ code: "notification_not_found" });

  await requestResends(there, { id: first.webhookId, shard: first.shard }, "replay", [first]);
  for (const status of [undefined, "pending"] as const)
    expect(await listed(status)).toMatchObject([{ messageId: first.messageId, status: "pending" }]);
  expect((await read(first)).record).toMatchObject({ status: "pending", sequence: first.sequence });

  await there.query(
    `INSERT INTO attempts (recorded_on, shard, webhook_id, sequence, number, sent_at, duration_ms, response_status, trigger)
     VALUES ($1, $2, $3, $4, 2, now(), 5, 204, 'replay')`,
    [first.recordedOn, first.shard, first.webhookId, first.sequence],
  );
  await there.query("DELETE FROM retries WHERE webhook_id = $1", [first.webhookId]);
  for (const status of [undefined, "delivered"] as const)
    expect(await listed(status)).toMatchObject([{ messageId: first.messageId, status: "delivered" }]);
  expect(await read(first)).toMatchObject({ record: { status: "delivered" }, attempts: [{ trigger: "replay" }] });
  await expect(read(other)).rejects.toMatchObject({ code: "notification_not_found" });
});

test("a replay goes on in the new cell from where it was, as fast as it was, within the account's quota", async () => {
  const world = await MoveWorld.start(cells.pools, "replaying");
  world.chain.mine(3);
  while (await world.step(0, "plain"));
  const [here, there] = cells.pools;
  await here.query("UPDATE accounts SET history_quota = 1000 WHERE name = $1", [world.account]);
  await here.query(
    `INSERT INTO replays (id, account_id, webhook_id, chain_id, from_block, to_block, next_block, status, paced_at, paced_from, blocks_per_second)
     SELECT gen_random_uuid(), w.account_id, w.id, w.chain_id, 0, 400, 120, 'running', now(), 100, 12.5
     FROM webhooks w JOIN accounts a ON a.id = w.account_id WHERE a.name = $1 LIMIT 1`,
    [world.account],
  );
  const read = async (pool: typeof here) => {
    const { rows } = await pool.query(
      `SELECT r.webhook_id, r.next_block, r.status, r.paced_at, r.paced_from, r.blocks_per_second, a.history_quota
       FROM replays r JOIN accounts a ON a.id = r.account_id WHERE a.name = $1`,
      [world.account],
    );
    return rows;
  };
  const before = await read(here);
  expect(before).toMatchObject([{ next_block: 120, blocks_per_second: 12.5, history_quota: 1000 }]);
  expect(await world.move({ to: 1 })).toBe("done");
  expect(await read(there)).toEqual(before);
  expect(await read(here)).toEqual([]);
});

test("what an account has used of its quota moves with it, and counts once when it comes back", async () => {
  const world = await MoveWorld.start(cells.pools, "used");
  world.chain.mine(3);
  while (await world.step(0, "plain"));
  const [here, there] = cells.pools;
  const idIn = async (pool: typeof here) =>
    (await pool.query<{ id: number }>("SELECT id FROM accounts WHERE name = $1", [world.account])).rows[0]?.id ?? 0;
  const used = async (pool: typeof here) =>
    (await historyBlocksUsed(pool, await idIn(pool))).reduce((sum, { blocks }) => sum + blocks, 0);
  // A history, a replay that is done, and one that goes on.
  await here.query("INSERT INTO history_used VALUES ($1, now(), 1000)", [await idIn(here)]);
  for (const [status, next] of [
    ["done", 101],
    ["running", 7],
  ])
    await here.query(
      `INSERT INTO replays (id, account_id, webhook_id, chain_id, from_block, to_block, next_block, status, finished_at)
       SELECT gen_random_uuid(), account_id, id, chain_id, 1, 100, $2, $3, CASE $3 WHEN 'done' THEN now() END
       FROM webhooks WHERE account_id = $1 LIMIT 1`,
      [await idIn(here), next, status],
    );
  expect(await used(here)).toBe(1200);
  expect(await world.move({ to: 1 })).toBe("done");
  expect(await used(there)).toBe(1200);
  expect(await world.move({ to: 0 })).toBe("done");
  expect(await used(here)).toBe(1200);
});

test("addresses whose past has not come yet name their replay in the new cell, too", async () => {
  const world = await MoveWorld.start(cells.pools, "added");
  world.chain.mine(3);
  while (await world.step(0, "plain"));
  const [here, there] = cells.pools;
  const { rows } = await here.query<{ id: string; account: number }>(
    "SELECT w.id, account_id AS account FROM webhooks w JOIN accounts a ON a.id = w.account_id WHERE a.name = $1 LIMIT 1",
    [world.account],
  );
  const { id = "", account = 0 } = rows[0] ?? {};
  const added = `0x${"c7".repeat(20)}`;
  const { replayId } = await inTransaction(here, (db) => addAddresses(db, account, id, [added], { from: 1 }));
  expect(replayId).toBeDefined();
  const named = async (pool: typeof here) =>
    (
      await pool.query(
        `SELECT encode(w.address, 'hex') AS address, r.id, r.of_added, r.resends FROM webhook_addresses w
         JOIN replays r ON r.id = w.replay WHERE w.webhook_id = $1`,
        [id],
      )
    ).rows;
  const before = await named(here);
  expect(before).toEqual([{ address: added.slice(2), id: replayId, of_added: true, resends: false }]);
  expect(await world.move({ to: 1 })).toBe("done");
  expect(await named(there)).toEqual(before);
});

type Copy = { webhookId: string; shard: number; sequence: number; recordedOn: string; messageId: string };

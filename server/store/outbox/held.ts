/**
 * Notifications that wait until their block is deep enough, for webhooks with a finality. They are written, released and dropped in the
 * transactions that record blocks, under the chain's lock. A chain without any costs no statement: `readCursor` says whether it has some.
 */
import type { LaneId } from "../chains/cursor.ts";
import { firstWebhook } from "../chains/leaving.ts";
import { type Queryable, takeRows, together } from "../pool.ts";
import { type NewEvent, type NewNotification, partsOf } from "./append.ts";
import { hasWebhooks } from "./held-state.ts";

/** A notification that is held. Its event says nothing of finality yet. */
export type HeldNotification = Omit<NewNotification, "messageId"> & {
  /** Due when its lane has recorded this block; null: when its own block is final. */
  dueAt: number | null;
};

/** How far a lane is: its newest recorded block, and the newest final one. */
export type Reach = { cursor: number; final: number };

const bytes = (hex: string) => Buffer.from(hex.slice(2), "hex");
const hex = (buffer: Buffer) => `0x${buffer.toString("hex")}`;

/** What a transaction releases at most, and what of an account by each kind of finality: the chain's next block waits meanwhile. */
const inAll = { accounts: 500, notifications: 1_000, bytes: 4 * 2 ** 20 };
const ofAccount = { notifications: 200, bytes: 2 * 2 ** 20 };
/** How many of an account's, in all lanes, are looked at first. */
const looked = 500;
/** How many webhooks are looked up one by one in a transaction, and as how many an account counts at least. */
const lookedByWebhook = 1_000;
const leastLooked = 50;

/**
 * A part in one statement, as in `append`: the chain's next block waits for each round trip. The texts are one buffer, and events are looked up by
 * their place.
 */
const hold = `
  WITH new_events AS MATERIALIZED (
    SELECT nextval(pg_get_serial_sequence('held_events', 'id')) AS id, e.*, (sum(length) OVER (ORDER BY place))::int AS stop
    FROM unnest($2::bigint[], $3::bytea[], $4::bytea[], $5::int[], $6::int[]) WITH ORDINALITY
      AS e(number, hash, transaction_hash, transaction_index, length, place)),
  stored AS (
    INSERT INTO held_events (id, chain_id, block_number, block_hash, transaction_hash, transaction_index, body)
    SELECT id, $1, number, hash, transaction_hash, transaction_index, convert_from(substr($7::bytea, stop - length + 1, length), 'UTF8')
    FROM new_events),
  reserved AS MATERIALIZED (SELECT ARRAY(SELECT id FROM new_events ORDER BY place) AS ids)
  INSERT INTO held_notifications (chain_id, webhook_id, block_number, transaction_index, occurrence, due_at, event_id, account_id)
  SELECT $1, h.webhook_id, ($2::bigint[])[h.event], ($5::int[])[h.event], h.occurrence, h.due_at, r.ids[h.event], w.account_id
  FROM unnest($8::uuid[], $9::smallint[], $10::bigint[], $11::int[]) AS h(webhook_id, occurrence, due_at, event)
  JOIN webhooks w ON w.id = h.webhook_id, reserved r`;

/** Holds notifications, inside the caller's transaction. All its statements are sent when it returns, so that others can be sent behind them. */
export function holdNotifications(db: Queryable, chainId: string, held: readonly HeldNotification[]): Promise<void> {
  // An event in two parts is stored twice.
  const places = new Map([...new Set(held.map(({ event }) => event))].map((event, place) => [event, place]));
  const byEvent = held.toSorted((a, b) => (places.get(a.event) ?? 0) - (places.get(b.event) ?? 0));
  return together([...partsOf(byEvent)].map((part) => holdPart(db, chainId, part))).then(() => undefined);
}

async function holdPart(db: Queryable, chainId: string, part: readonly HeldNotification[]): Promise<void> {
  const events = [...new Set(part.map(({ event }) => event))];
  const placeOf = new Map(events.map((event, index) => [event, index + 1]));
  const bodies = events.map(({ body }) => Buffer.from(body));
  await db.query({
    name: "hold-notifications",
    text: hold,
    values: [
      chainId,
      events.map(({ blockNumber }) => blockNumber),
      events.map(({ blockHash }) => bytes(blockHash)),
      events.map(({ transactionHash }) => bytes(transactionHash)),
      events.map(({ transactionIndex }) => transactionIndex),
      bodies.map(({ length }) => length),
      Buffer.concat(bodies),
      part.map(({ webhookId }) => webhookId),
      part.map(({ occurrence }) => occurrence),
      part.map(({ dueAt }) => dueAt),
      part.map(({ event }) => placeOf.get(event)),
    ],
  });
}

type DueRow = {
  accountId: number;
  /** Null of an account of which nothing was found. */
  webhookId: string | null;
  shard: number;
  number: number;
  index: number;
  occurrence: number;
  eventId: number;
  dueAt: number | null;
  size: number;
};
type FoundRow = DueRow & { webhookId: string };

const dueColumns = `h.webhook_id AS "webhookId", w.shard, h.block_number AS number, h.transaction_index AS index, h.occurrence,
  h.event_id AS "eventId", h.due_at AS "dueAt", octet_length(e.body) AS size`;

// Each half reads the account's part of the index in its order. Of what waits in other lanes it reads only so much.
const half = (isFinal: boolean) => `
  (SELECT ${dueColumns} FROM (
     SELECT * FROM held_notifications
     WHERE chain_id = $1 AND account_id = t.account_id AND ${isFinal ? "due_at IS NULL AND block_number <= $4" : "due_at <= $3"}
     ORDER BY ${isFinal ? "" : "due_at, "}block_number, transaction_index LIMIT ${looked}) h
   JOIN webhooks w ON w.id = h.webhook_id AND w.lane = $2 JOIN held_events e ON e.id = h.event_id
   ORDER BY ${isFinal ? "" : "h.due_at, "}h.block_number, h.transaction_index LIMIT ${ofAccount.notifications + 1})`;

/**
 * Takes what is due for the lane's webhooks, active or not, as much as a transaction may release. Accounts take turns, and each gets its share.
 *
 * @returns them in the order of the chain, and whether more may be due
 */
export async function takeDue(
  db: Queryable,
  lane: LaneId,
  reach: Reach,
): Promise<{ due: HeldNotification[]; more: boolean }> {
  const { chainId } = lane;
  const found = await db.query<DueRow>({
    name: "find-due",
    // Accounts are looked at one by one, until there is enough.
    text: `WITH turns AS MATERIALIZED (
             SELECT a.account_id FROM held_accounts a
             WHERE a.chain_id = $1 AND (a.due_at <= $3 OR a.final_at <= $4) AND ${hasWebhooks("a", "$2")}
             ORDER BY a.released_at NULLS FIRST, a.account_id LIMIT ${inAll.accounts + 1})
           SELECT t.account_id AS "accountId", due.* FROM turns t
           LEFT JOIN LATERAL (${half(false)} UNION ALL ${half(true)}) due ON true LIMIT ${inAll.notifications + 1}`,
    values: [chainId, lane.lane, reach.cursor, reach.final],
  });
  const rows = takeRows(found);
  if (rows.length === 0) return { due: [], more: false };
  const isCut = rows.length > inAll.notifications;
  const without = rows.flatMap(({ accountId, webhookId }) => (webhookId === null ? accountId : []));
  const notLooked = new Set(without);
  for (let left = lookedByWebhook; left > 0 && notLooked.size > 0; left -= leastLooked) {
    const [accountId = 0] = notLooked;
    const { due, webhooks } = await findByWebhook(db, lane, { accountId, reach, most: left });
    rows.push(...due);
    notLooked.delete(accountId);
    left -= webhooks;
  }
  const accounts = new Set(rows.flatMap(({ accountId }) => (notLooked.has(accountId) ? [] : accountId)));
  const accountIds = [...accounts].slice(0, inAll.accounts);
  const possible = rows.filter((row): row is FoundRow => row.webhookId !== null && accountIds.includes(row.accountId));
  const taken = fitting(possible);
  const isLeft = await remove(db, chainId, { taken, accountIds, reach });
  const eventOf = await takeEvents(db, [...new Set(taken.map(({ eventId }) => eventId))]);
  const inOrder = taken.sort(
    (a, b) => a.number - b.number || a.index - b.index || (a.webhookId < b.webhookId ? -1 : 1),
  );
  const due = inOrder.map(({ webhookId, shard, occurrence, eventId, dueAt }) => ({
    ...{ webhookId, shard, occurrence, dueAt },
    event: eventOf(eventId),
  }));
  const isBehind = isCut || notLooked.size > 0 || accounts.size > accountIds.length;
  return { due, more: isLeft || isBehind || taken.length < rows.length - without.length };
}

/**
 * Where what an account's other lanes still wait for comes first, its webhooks in the lane are looked up one by one, from where the last turn ended:
 * 7,500 took 100 ms, at each step.
 */
async function findByWebhook(
  db: Queryable,
  { chainId, lane }: LaneId,
  { accountId, reach, most }: { accountId: number; reach: Reach; most: number },
): Promise<{ due: DueRow[]; webhooks: number }> {
  const isDue = (of: string) => `(${of}.due_at <= $3 OR (${of}.due_at IS NULL AND ${of}.block_number <= $4))`;
  const ofWebhook = "SELECT * FROM held_notifications WHERE webhook_id = w.id ORDER BY block_number, transaction_index";
  const result = await db.query<Omit<DueRow, "accountId"> & { last: string; webhooks: number }>({
    name: "find-due-by-webhook",
    text: `WITH looked AS MATERIALIZED (
             SELECT id, shard FROM webhooks WHERE chain_id = $1 AND lane = $2 AND account_id = $5 AND options -> 'finality' IS NOT NULL
               AND id > COALESCE((SELECT webhook_id FROM held_places WHERE chain_id = $1 AND lane = $2 AND account_id = $5), $7)
             ORDER BY id LIMIT $6),
           -- What waits longest of a webhook is due first.
           possible AS MATERIALIZED (SELECT w.* FROM looked w CROSS JOIN LATERAL (${ofWebhook} LIMIT 1) first WHERE ${isDue("first")})
           SELECT due.*, place.* FROM (SELECT (SELECT id FROM looked ORDER BY id DESC LIMIT 1) AS last, (SELECT count(*) FROM looked) AS webhooks) place
           LEFT JOIN LATERAL (
             SELECT ${dueColumns} FROM possible w CROSS JOIN LATERAL (${ofWebhook} LIMIT ${ofAccount.notifications}) h
             JOIN held_events e ON e.id = h.event_id WHERE ${isDue("h")} LIMIT ${ofAccount.notifications}) due ON true`,
    values: [chainId, lane, reach.cursor, reach.final, accountId, most, firstWebhook],
  });
  const rows = takeRows(result);
  const due = rows.flatMap(({ last: _, webhooks: __, ...row }) =>
    row.webhookId === null ? [] : { ...row, accountId },
  );
  const { last, webhooks = 0 } = rows[0] ?? {};
  // What was found is looked at again, until there is nothing.
  if (due.length === 0)
    await db.query({
      name: "note-held-place",
      text: `WITH ended AS (DELETE FROM held_places WHERE chain_id = $1 AND lane = $2 AND account_id = $3 AND $4::uuid IS NULL)
             INSERT INTO held_places (chain_id, lane, account_id, webhook_id) SELECT $1, $2, $3, $4::uuid WHERE $4::uuid IS NOT NULL
             ON CONFLICT (chain_id, lane, account_id) DO UPDATE SET webhook_id = excluded.webhook_id`,
      values: [chainId, lane, accountId, webhooks < most ? null : last],
    });
  return { due, webhooks };
}

/** Of each account the first, so that a webhook's stay in their order. One text may be longer than the limit. */
function fitting(rows: readonly FoundRow[]): FoundRow[] {
  const counted = new Set<number>();
  const taken: FoundRow[] = [];
  const full = new Set<string>();
  const used = new Map<string, { notifications: number; bytes: number }>();
  const all = { notifications: 0, bytes: 0 };
  for (const row of rows) {
    // What waits for a depth and what waits for finality each stay in their order.
    const group = `${row.accountId} ${row.dueAt === null}`;
    if (full.has(group)) continue;
    const own = used.get(group) ?? { notifications: 0, bytes: 0 };
    const more = counted.has(row.eventId) ? 0 : row.size;
    const isOver = (of: typeof own, limit: { notifications: number; bytes: number }) =>
      of.notifications >= limit.notifications || (of.notifications > 0 && of.bytes + more > limit.bytes);
    if (isOver(own, ofAccount) || isOver(all, inAll)) {
      full.add(group);
      continue;
    }
    counted.add(row.eventId);
    for (const of of [own, all]) {
      of.notifications += 1;
      of.bytes += more;
    }
    used.set(group, own);
    taken.push(row);
  }
  return taken;
}

/** Removes what is taken, and ends the turn of accounts. @returns whether more of theirs is due, if only for webhooks in other lanes */
async function remove(
  db: Queryable,
  chainId: string,
  { taken, accountIds, reach }: { taken: readonly FoundRow[]; accountIds: readonly number[]; reach: Reach },
): Promise<boolean> {
  await db.query({
    name: "take-due",
    text: `DELETE FROM held_notifications h USING unnest($1::uuid[], $2::bigint[], $3::int[]) AS d(id, number, index)
           WHERE h.webhook_id = d.id AND h.block_number = d.number AND h.transaction_index = d.index`,
    values: [
      taken.map(({ webhookId }) => webhookId),
      taken.map(({ number }) => number),
      taken.map(({ index }) => index),
    ],
  });
  const of = "FROM held_notifications h WHERE h.chain_id = $1 AND h.account_id = a.account_id";
  const { rows } = await db.query<{ isLeft: boolean | null }>({
    name: "end-turns",
    text: `UPDATE held_accounts a SET released_at = clock_timestamp(),
             due_at = (SELECT min(due_at) ${of} AND due_at IS NOT NULL), final_at = (SELECT min(block_number) ${of} AND due_at IS NULL)
           WHERE chain_id = $1 AND account_id = ANY($2::bigint[]) RETURNING due_at <= $3 OR final_at <= $4 AS "isLeft"`,
    values: [chainId, accountIds, reach.cursor, reach.final],
  });
  await db.query({
    name: "forget-turns",
    text: "DELETE FROM held_accounts WHERE chain_id = $1 AND account_id = ANY($2::bigint[]) AND due_at IS NULL AND final_at IS NULL",
    values: [chainId, accountIds],
  });
  return rows.some(({ isLeft }) => isLeft === true);
}

async function takeEvents(db: Queryable, ids: readonly number[]): Promise<(id: number) => NewEvent> {
  const result = await db.query<{
    id: number;
    number: number;
    hash: Buffer;
    transactionHash: Buffer;
    index: number;
    body: string;
  }>({
    name: "read-held-events",
    text: `SELECT id, block_number AS number, block_hash AS hash, transaction_hash AS "transactionHash", transaction_index AS index, body
           FROM held_events WHERE id = ANY($1::bigint[])`,
    values: [ids],
  });
  await dropUnused(db, ids);
  const events = new Map<number, NewEvent>();
  for (const { id, number, hash, transactionHash, index, body } of takeRows(result))
    events.set(id, {
      ...{ blockNumber: number, blockHash: hex(hash), transactionHash: hex(transactionHash), transactionIndex: index },
      ...{ removed: false, body },
    });
  return (id) => {
    const event = events.get(id);
    if (!event) throw new Error(`the held event ${id} is missing`);
    return event;
  };
}

async function dropUnused(db: Queryable, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await db.query({
    name: "drop-held-events",
    text: `DELETE FROM held_events e WHERE id = ANY($1::bigint[])
             AND NOT EXISTS (SELECT FROM held_notifications h WHERE h.event_id = e.id)`,
    values: [ids],
  });
}

// Two indexes, since one of what waits for a depth is by the block in which it is due.
const heldAbove = (account: string, columns: string, limit = "") => `(
  SELECT ${columns} FROM held_notifications WHERE chain_id = $1 AND account_id = ${account} AND due_at IS NOT NULL AND block_number > $3 ${limit})
  UNION ALL (
  SELECT ${columns} FROM held_notifications WHERE chain_id = $1 AND account_id = ${account} AND due_at IS NULL AND block_number > $3 ${limit})`;

/** @returns the accounts with webhooks in the lane for which more than so much is held of blocks above a number, in whichever lanes */
export async function accountsHoldingMany(
  db: Queryable,
  { chainId, lane }: LaneId,
  { above, most }: { above: number; most: number },
): Promise<number[]> {
  const { rows } = await db.query<{ account: number }>(
    `SELECT a.account_id AS account FROM held_accounts a WHERE a.chain_id = $1 AND ${hasWebhooks("a", "$2")}
       AND (SELECT count(*) FROM (${heldAbove("a.account_id", "1", "LIMIT $4 + 1")}) held) > $4`,
    [chainId, lane, above, most],
  );
  return rows.map(({ account }) => account);
}

/** Drops what the lane's webhooks have waiting of blocks above `number`, which leave the chain. Nobody was notified of it. */
export async function dropHeldAbove(db: Queryable, { chainId, lane }: LaneId, number: number): Promise<void> {
  // Of accounts that have webhooks in the lane: others may have millions waiting.
  const { rows } = await db.query<{ id: number }>(
    `WITH left_chain AS MATERIALIZED (
       SELECT f.* FROM held_accounts a CROSS JOIN LATERAL (${heldAbove("a.account_id", "webhook_id, block_number, transaction_index")}) f
       WHERE a.chain_id = $1 AND ${hasWebhooks("a", "$2")} AND EXISTS (SELECT FROM webhooks w WHERE w.id = f.webhook_id AND w.lane = $2)),
     dropped AS (
       DELETE FROM held_notifications h USING left_chain f
       WHERE h.webhook_id = f.webhook_id AND h.block_number = f.block_number AND h.transaction_index = f.transaction_index RETURNING h.event_id)
     SELECT DISTINCT event_id AS id FROM dropped`,
    [chainId, lane, number],
  );
  await dropUnused(
    db,
    rows.map(({ id }) => id),
  );
}

/**
 * Drops what webhooks of a lane that is set apart have waiting of a block, not more than so many. They are looked up one by one: others may have
 * millions waiting.
 *
 * @returns how many
 */
export async function dropSomeHeld(
  db: Queryable,
  { chainId, lane }: LaneId,
  { number, most }: { number: number; most: number },
): Promise<number> {
  const { rows } = await db.query<{ id: number }>({
    name: "drop-some-held",
    text: `DELETE FROM held_notifications h USING (
             SELECT f.* FROM (SELECT id FROM webhooks WHERE chain_id = $1 AND lane = $2 AND options -> 'finality' IS NOT NULL OFFSET 0) w
             CROSS JOIN LATERAL (SELECT webhook_id, block_number, transaction_index FROM held_notifications
               WHERE webhook_id = w.id AND block_number = $3 OFFSET 0) f LIMIT $4) d
           WHERE h.webhook_id = d.webhook_id AND h.block_number = d.block_number AND h.transaction_index = d.transaction_index
           RETURNING h.event_id AS id`,
    values: [chainId, lane, number, most],
  });
  await dropUnused(db, [...new Set(rows.map(({ id }) => id))]);
  return rows.length;
}

/** Removes texts that nothing waits for any more, since their webhooks were deleted. */
export async function forgetHeldEvents(db: Queryable): Promise<void> {
  await db.query(
    "DELETE FROM held_events e WHERE NOT EXISTS (SELECT FROM held_notifications h WHERE h.event_id = e.id)",
  );
}

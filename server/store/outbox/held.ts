/**
 * Notifications that wait until their block is deep enough, for webhooks with a finality. They are written, released and dropped in the
 * transactions that record blocks, under the chain's lock. A chain without any costs no statement: `readCursor` says whether it has some.
 */
import type { LaneId } from "../chains/cursor.ts";
import { type Queryable, takeRows } from "../pool.ts";
import type { NewEvent, NewNotification } from "./append.ts";

/** A notification that is held. Its event says nothing of finality yet. */
export type HeldNotification = Omit<NewNotification, "messageId"> & {
  /** Due when its lane has recorded this block; null: when its own block is final. */
  dueAt: number | null;
};

/** How far a lane is: its newest recorded block, and the newest final one. */
export type Reach = { cursor: number; final: number };

const bytes = (hex: string) => Buffer.from(hex.slice(2), "hex");
const hex = (buffer: Buffer) => `0x${buffer.toString("hex")}`;

const rowsPerStatement = 10_000;
const eventsPerStatement = 500;

/** How many rows of each kind a transaction releases, and how many bytes of text: the chain's next block waits meanwhile. */
const mostDue = 5_000;
const mostDueBytes = 32 * 2 ** 20;

/** Holds notifications, inside the caller's transaction. */
export async function holdNotifications(
  db: Queryable,
  chainId: string,
  held: readonly HeldNotification[],
): Promise<void> {
  if (held.length === 0) return;
  const eventIds = await insertHeldEvents(db, chainId, [...new Set(held.map(({ event }) => event))]);
  for (let at = 0; at < held.length; at += rowsPerStatement) {
    const part = held.slice(at, at + rowsPerStatement);
    await db.query({
      name: "hold-notifications",
      text: `INSERT INTO held_notifications (chain_id, webhook_id, block_number, transaction_index, occurrence, due_at, event_id)
             SELECT $1, h.* FROM unnest($2::uuid[], $3::bigint[], $4::int[], $5::smallint[], $6::bigint[], $7::bigint[]) h`,
      values: [
        chainId,
        part.map(({ webhookId }) => webhookId),
        part.map(({ event }) => event.blockNumber),
        part.map(({ event }) => event.transactionIndex),
        part.map(({ occurrence }) => occurrence),
        part.map(({ dueAt }) => dueAt),
        part.map(({ event }) => eventIds.get(event)),
      ],
    });
  }
}

async function insertHeldEvents(
  db: Queryable,
  chainId: string,
  events: readonly NewEvent[],
): Promise<Map<NewEvent, number | undefined>> {
  const { rows } = await db.query<{ id: number }>(
    "SELECT nextval(pg_get_serial_sequence('held_events', 'id')) AS id FROM generate_series(1, $1)",
    [events.length],
  );
  const ids = new Map(events.map((event, index) => [event, rows[index]?.id]));
  for (let at = 0; at < events.length; at += eventsPerStatement) {
    const part = events.slice(at, at + eventsPerStatement);
    await db.query({
      name: "hold-events",
      text: `INSERT INTO held_events (id, chain_id, block_number, block_hash, transaction_hash, transaction_index, body)
             SELECT e.id, $1, e.number, e.hash, e.transaction_hash, e.transaction_index, e.body
             FROM unnest($2::bigint[], $3::bigint[], $4::bytea[], $5::bytea[], $6::int[], $7::text[])
               AS e(id, number, hash, transaction_hash, transaction_index, body)`,
      values: [
        chainId,
        part.map((event) => ids.get(event)),
        part.map(({ blockNumber }) => blockNumber),
        part.map(({ blockHash }) => bytes(blockHash)),
        part.map(({ transactionHash }) => bytes(transactionHash)),
        part.map(({ transactionIndex }) => transactionIndex),
        part.map(({ body }) => body),
      ],
    });
  }
  return ids;
}

type DueRow = {
  webhookId: string;
  shard: number;
  number: number;
  index: number;
  occurrence: number;
  eventId: number;
  dueAt: number | null;
  size: number;
};

// Each half reads the index in its order, and stops at the limit: with a million due, a sort of all would take longer than their release.
const half = (isFinal: boolean) => `
  (SELECT h.webhook_id AS "webhookId", w.shard, h.block_number AS number, h.transaction_index AS index, h.occurrence,
     h.event_id AS "eventId", h.due_at AS "dueAt", octet_length(e.body) AS size
   FROM held_notifications h JOIN webhooks w ON w.id = h.webhook_id AND w.lane = $2 JOIN held_events e ON e.id = h.event_id
   WHERE h.chain_id = $1 AND ${isFinal ? "h.due_at IS NULL AND h.block_number <= $4" : "h.due_at <= $3"}
   ORDER BY h.due_at, h.block_number, h.transaction_index LIMIT ${mostDue + 1})`;

/**
 * Takes what is due for the lane's webhooks, active or not: at most 10,000 notifications and 64 MiB.
 *
 * @returns them in the order of the chain, and whether more are due
 */
export async function takeDue(
  db: Queryable,
  { chainId, lane }: LaneId,
  { cursor, final }: Reach,
): Promise<{ due: HeldNotification[]; more: boolean }> {
  const found = await db.query<DueRow>({
    name: "find-due",
    text: `${half(false)} UNION ALL ${half(true)}`,
    values: [chainId, lane, cursor, final],
  });
  const rows = takeRows(found);
  const taken = [
    ...fitting(rows.filter(({ dueAt }) => dueAt !== null)),
    ...fitting(rows.filter(({ dueAt }) => dueAt === null)),
  ];
  if (taken.length === 0) return { due: [], more: false };
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
  const eventOf = await takeEvents(db, [...new Set(taken.map(({ eventId }) => eventId))]);
  const inOrder = taken.sort(
    (a, b) => a.number - b.number || a.index - b.index || (a.webhookId < b.webhookId ? -1 : 1),
  );
  const due = inOrder.map(({ webhookId, shard, occurrence, eventId, dueAt }) => ({
    ...{ webhookId, shard, occurrence, dueAt },
    event: eventOf(eventId),
  }));
  return { due, more: taken.length < rows.length };
}

/** The first of them, so that a webhook's stay in their order. */
function fitting(rows: readonly DueRow[]): DueRow[] {
  const counted = new Set<number>();
  let left = mostDueBytes;
  const end = rows.findIndex(({ eventId, size }, index) => {
    if (!counted.has(eventId)) left -= size;
    counted.add(eventId);
    return index >= mostDue || (index > 0 && left < 0);
  });
  return end < 0 ? [...rows] : rows.slice(0, end);
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

/** Drops what the lane's webhooks have waiting of blocks above `number`, which leave the chain. Nobody was notified of it. */
export async function dropHeldAbove(db: Queryable, { chainId, lane }: LaneId, number: number): Promise<void> {
  const dropping = (condition: string) =>
    `DELETE FROM held_notifications h USING webhooks w
     WHERE h.chain_id = $1 AND w.id = h.webhook_id AND w.lane = $2 AND h.block_number > $3 AND ${condition} RETURNING h.event_id`;
  const { rows } = await db.query<{ id: number }>(
    `WITH by_depth AS (${dropping("h.due_at > $3")}), by_finality AS (${dropping("h.due_at IS NULL")})
     SELECT event_id AS id FROM by_depth UNION SELECT event_id FROM by_finality`,
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
             SELECT f.* FROM (SELECT id FROM webhooks WHERE chain_id = $1 AND lane = $2 AND lane <> 0 OFFSET 0) w
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

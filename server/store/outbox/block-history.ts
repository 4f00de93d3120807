/** The recorded notifications of a block: needed when the block is reorged out, and when it returns. */
import type { BlockId, LaneId } from "../chains/cursor.ts";
import type { Queryable } from "../pool.ts";

/** The newest notification of a webhook for one transaction of a block. */
export type RecordedNotification = {
  webhookId: string;
  shard: number;
  transactionHash: string;
  transactionIndex: number;
  occurrence: number;
  removed: boolean;
  eventId: number;
  /** The event's day. */
  recordedOn: string;
};

/** How many notifications of webhooks that are not set apart are looked at, to find who has too many. */
const sampled = 500_000;

/** Selects an event's notifications, by the event. A plan for many events would read all of a day's. */
const ofEvent = (event: string) =>
  `SELECT * FROM notifications WHERE event_id = ${event}.id AND recorded_on = ${event}.recorded_on OFFSET 0`;

/**
 * Selects the accounts that were set apart when they were notified of a block, one by one: each may have millions of events. Only those that have
 * webhooks in the lane now.
 */
const apartIn = (chainId: string, lane: string, number: string) => `
  (WITH RECURSIVE found(id) AS (
     SELECT min(apart_account) FROM events WHERE chain_id = ${chainId} AND block_number = ${number} AND apart_account > 0
     UNION ALL SELECT (SELECT min(apart_account) FROM events
       WHERE chain_id = ${chainId} AND block_number = ${number} AND apart_account > found.id) FROM found WHERE id IS NOT NULL)
   SELECT id FROM found WHERE EXISTS (
     SELECT FROM webhooks w WHERE w.account_id = found.id AND w.chain_id = ${chainId} AND w.lane = ${lane}))`;

/** How many notifications, and how many bytes of their events. */
type Many = { notifications: number; bytes: number };

/**
 * Reads whom it would take long to retract for. Call it without a lock: of 50,000 notifications it takes a quarter of a second.
 *
 * @returns the accounts that have more than so much in the lane's blocks above a number: those that were set apart then, and of the others those
 *   that are found
 */
export async function accountsWithMany(
  db: Queryable,
  { chainId, lane }: LaneId,
  { above, most }: { above: number; most: Many },
): Promise<number[]> {
  const ofBlocks = (account: string) => `
    blocks b CROSS JOIN LATERAL (
      SELECT id, recorded_on, octet_length(body) AS size FROM events
      WHERE chain_id = $1 AND block_number = b.number AND apart_account = ${account} OFFSET 0) e
    CROSS JOIN LATERAL (${ofEvent("e")}) n`;
  const { rows } = await db.query<{ account: number }>(
    `WITH blocks AS MATERIALIZED (SELECT number FROM chain_blocks WHERE chain_id = $1 AND lane = $2 AND number > $3)
     SELECT account_id AS account FROM (
       SELECT w.account_id, n.id, n.size, count(*) AS count FROM (SELECT n.webhook_id, e.id, e.size FROM ${ofBlocks("0")} LIMIT $4) n
       JOIN webhooks w ON w.id = n.webhook_id AND w.chain_id = $1 AND w.lane = $2 GROUP BY 1, 2, 3) of_events
     GROUP BY 1 HAVING sum(count) > $5 OR sum(size) > $6
     UNION
     SELECT a.id FROM (SELECT DISTINCT f.id FROM blocks b CROSS JOIN LATERAL ${apartIn("$1", "$2", "b.number")} f) a
     CROSS JOIN LATERAL (
       SELECT sum(count) AS count, sum(size) AS size FROM (
         SELECT n.size, count(*) AS count FROM (SELECT e.id, e.size FROM ${ofBlocks("a.id")} LIMIT $5 + 1) n GROUP BY n.id, n.size) of_events) its
     WHERE its.count > $5 OR its.size > $6
     ORDER BY 1`,
    [chainId, lane, above, sampled, most.notifications, most.bytes],
  );
  return rows.map(({ account }) => account);
}

/** @returns for each webhook of the lane and transaction of the block the newest notification, in each webhook's order of recording */
export async function recordedNotifications(
  db: Queryable,
  { chainId, lane }: LaneId,
  block: BlockId,
): Promise<RecordedNotification[]> {
  const { rows } = await db.query<RecordedNotification>(
    `SELECT * FROM (
       SELECT DISTINCT ON (n.webhook_id, e.transaction_index)
         n.webhook_id AS "webhookId", n.shard, '0x' || encode(e.transaction_hash, 'hex') AS "transactionHash",
         e.transaction_index AS "transactionIndex", n.occurrence, e.removed, e.id AS "eventId", e.recorded_on AS "recordedOn",
         n.sequence
       FROM events e CROSS JOIN LATERAL (${ofEvent("e")}) n
       WHERE e.chain_id = $1 AND e.block_number = $2 AND e.block_hash = decode(substr($3, 3), 'hex')
         AND e.apart_account = ANY(ARRAY(SELECT 0 UNION ALL SELECT id FROM ${apartIn("$1", "$4", "$2")} a))
       ORDER BY n.webhook_id, e.transaction_index, n.occurrence DESC) newest
     WHERE EXISTS (SELECT FROM webhooks w WHERE w.id = newest."webhookId" AND w.lane = $4)
     ORDER BY newest.sequence`,
    [chainId, block.number, block.hash, lane],
  );
  return rows;
}

/** Whether anything of the block was ever retracted. Otherwise no webhook was notified of it before, in a lane that has not recorded it. */
export async function wasRetracted(db: Queryable, chainId: string, block: BlockId): Promise<boolean> {
  const { rows } = await db.query<{ any: boolean }>({
    name: "was-retracted",
    text: `SELECT EXISTS (SELECT FROM retracted_blocks WHERE chain_id = $1 AND number = $2 AND hash = decode(substr($3, 3), 'hex')) AS any`,
    values: [chainId, block.number, block.hash],
  });
  return rows[0]?.any ?? false;
}

/** How far the notifications of a block were looked through: those of events below `event`, and of this one those of webhooks up to `webhookId`. */
export type BlockPlace = { event: number; webhookId: string };

const eventsAtOnce = 200;
const notificationsAtOnce = 2_000;
export const lastWebhook = "ffffffff-ffff-ffff-ffff-ffffffffffff";

/** Whose webhooks alone a lane has. */
type ApartLane = LaneId & { apartAccount: number };

/** A notification of a block that may have to be retracted, and how long its event's text is. */
export type BlockNotification = RecordedNotification & { size: number };

/**
 * Reads a part of a block's notifications for the webhooks of a lane that is set apart, in each webhook's order of recording: ids of a chain's events
 * grow with the positions of their notifications. Call it without a lock. There may be millions.
 *
 * @returns some of them, and how far these are; `isLast` if there were no more when it began
 */
export async function blockNotifications(
  db: Queryable,
  { chainId, lane, apartAccount }: ApartLane,
  block: BlockId,
  after: BlockPlace,
): Promise<{ notifications: BlockNotification[]; place: BlockPlace; isLast: boolean }> {
  const newest = await db.query<{ id: number | null }>({
    name: "newest-event-of-block",
    text: `SELECT max(id) AS id FROM unnest(ARRAY[0, $3::bigint]) account CROSS JOIN LATERAL (
             SELECT id FROM events WHERE chain_id = $1 AND block_number = $2 AND apart_account = account ORDER BY id DESC LIMIT 1) e`,
    values: [chainId, block.number, apartAccount],
  });
  const upTo = newest.rows[0]?.id ?? 0;
  const some = (account: string) =>
    `(SELECT id, recorded_on FROM events WHERE chain_id = $1 AND block_number = $2 AND apart_account = ${account} AND id >= $4 AND id <= $5
       AND NOT removed AND block_hash = decode(substr($6, 3), 'hex') ORDER BY id LIMIT ${eventsAtOnce})`;
  const events = await db.query<{ id: number; day: string }>({
    name: "events-of-block",
    text: `SELECT id, recorded_on AS day FROM (${some("0")} UNION ALL ${some("$3")}) e ORDER BY id LIMIT ${eventsAtOnce}`,
    values: [chainId, block.number, apartAccount, after.event, upTo, block.hash],
  });
  const { rows: notifications } = await db.query<BlockNotification>({
    name: "notifications-of-events",
    text: `SELECT n.webhook_id AS "webhookId", n.shard, '0x' || encode(e.transaction_hash, 'hex') AS "transactionHash",
             e.transaction_index AS "transactionIndex", n.occurrence, false AS removed, e.id AS "eventId", e.recorded_on AS "recordedOn",
             octet_length(e.body) AS size
           FROM unnest($2::bigint[], $3::date[]) WITH ORDINALITY AS asked(id, recorded_on, place)
           CROSS JOIN LATERAL (SELECT * FROM events WHERE id = asked.id AND recorded_on = asked.recorded_on OFFSET 0) e
           CROSS JOIN LATERAL (${ofEvent("e")}) n
           CROSS JOIN LATERAL (SELECT FROM webhooks WHERE id = n.webhook_id AND lane = $1 OFFSET 0) w
           WHERE (e.id, n.webhook_id) > ($4, $5::uuid) ORDER BY asked.place, n.webhook_id LIMIT ${notificationsAtOnce}`,
    values: [
      ...[lane, events.rows.map(({ id }) => id), events.rows.map(({ day }) => day), after.event],
      after.webhookId,
    ],
  });
  const last = notifications.at(-1);
  if (last && notifications.length === notificationsAtOnce)
    return { notifications, place: { event: last.eventId, webhookId: last.webhookId }, isLast: false };
  const isLast = events.rows.length < eventsAtOnce;
  const reached = isLast ? upTo : (events.rows.at(-1)?.id ?? upTo);
  return { notifications, place: { event: Math.max(after.event, reached), webhookId: lastWebhook }, isLast };
}

/** Whether a lane that is set apart may have been notified of more of a block since `blockNotifications` looked. */
export async function hasNewEvents(
  db: Queryable,
  { chainId, apartAccount }: ApartLane,
  block: BlockId,
  { event }: BlockPlace,
): Promise<boolean> {
  const { rows } = await db.query<{ any: boolean }>({
    name: "new-events-of-block",
    text: `SELECT EXISTS (SELECT FROM events WHERE chain_id = $1 AND block_number = $2 AND apart_account IN (0, $3) AND id > $4
             AND NOT removed AND block_hash = decode(substr($5, 3), 'hex')) AS any`,
    values: [chainId, block.number, apartAccount, event, block.hash],
  });
  return rows[0]?.any ?? false;
}

const messagesPerStatement = 10_000;

/** @param since no notification was recorded on an earlier day, if that is known @returns which of the messages are on record */
export async function recordedMessages(
  db: Queryable,
  messageIds: readonly string[],
  since = "-infinity",
): Promise<Set<string>> {
  const found = new Set<string>();
  for (let at = 0; at < messageIds.length; at += messagesPerStatement) {
    const { rows } = await db.query<{ id: string }>({
      name: "recorded-messages",
      text: `SELECT n.message_id AS id FROM unnest($1::uuid[]) asked CROSS JOIN LATERAL (
               SELECT message_id FROM notifications WHERE message_id = asked AND recorded_on >= $2::date OFFSET 0) n`,
      values: [messageIds.slice(at, at + messagesPerStatement), since],
    });
    for (const { id } of rows) found.add(id);
  }
  return found;
}

/** Notes that notifications of blocks are retracted. */
export async function noteRetracted(db: Queryable, chainId: string, blocks: readonly BlockId[]): Promise<void> {
  if (blocks.length === 0) return;
  await db.query(
    `INSERT INTO retracted_blocks (chain_id, number, hash)
     SELECT $1, number, decode(substr(hash, 3), 'hex') FROM unnest($2::bigint[], $3::text[]) b(number, hash) ON CONFLICT DO NOTHING`,
    [chainId, blocks.map(({ number }) => number), blocks.map(({ hash }) => hash)],
  );
}

/** @returns the texts of the notifications' events, by the event's id; thousands may share one */
export async function recordedEvents(
  db: Queryable,
  notifications: readonly Pick<RecordedNotification, "eventId" | "recordedOn">[],
): Promise<Map<number, string>> {
  const days = [...new Set(notifications.map(({ recordedOn }) => recordedOn))];
  const ids = [...new Set(notifications.map(({ eventId }) => eventId))];
  if (ids.length === 0) return new Map();
  const { rows } = await db.query<{ id: number; body: string }>(
    "SELECT id, body FROM events WHERE recorded_on = ANY($1::date[]) AND id = ANY($2::bigint[])",
    [days, ids],
  );
  return new Map(rows.map(({ id, body }) => [id, body]));
}

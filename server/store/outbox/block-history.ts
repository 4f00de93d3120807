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

/** How many notifications are looked at, to find who has too many. */
const sampled = 50_000;

/** @returns the accounts that have more than so many notifications, in the lane's blocks above a number, among the first that are found */
export async function accountsWithMany(
  db: Queryable,
  { chainId, lane }: LaneId,
  { above, most }: { above: number; most: number },
): Promise<number[]> {
  const { rows } = await db.query<{ account: number }>(
    `SELECT account_id AS account FROM (
       SELECT n.webhook_id FROM events e JOIN notifications n ON n.event_id = e.id AND n.recorded_on = e.recorded_on
       WHERE e.chain_id = $1 AND e.block_number > $3 LIMIT $4) n
     JOIN webhooks w ON w.id = n.webhook_id AND w.chain_id = $1 AND w.lane = $2 GROUP BY 1 HAVING count(*) > $5 ORDER BY 1`,
    [chainId, lane, above, sampled, most],
  );
  return rows.map(({ account }) => account);
}

/**
 * @param among only these webhooks; by default all of the lane
 * @returns for each webhook of the lane and transaction of the block the newest notification, in each webhook's order of recording
 */
export async function recordedNotifications(
  db: Queryable,
  { chainId, lane }: LaneId,
  block: BlockId,
  among?: readonly string[],
): Promise<RecordedNotification[]> {
  const { rows } = await db.query<RecordedNotification>(
    `SELECT * FROM (
       SELECT DISTINCT ON (n.webhook_id, e.transaction_index)
         n.webhook_id AS "webhookId", n.shard, '0x' || encode(e.transaction_hash, 'hex') AS "transactionHash",
         e.transaction_index AS "transactionIndex", n.occurrence, e.removed, e.id AS "eventId", e.recorded_on AS "recordedOn",
         n.sequence
       FROM events e JOIN notifications n ON n.event_id = e.id AND n.recorded_on = e.recorded_on
       WHERE e.chain_id = $1 AND e.block_number = $2 AND e.block_hash = decode(substr($3, 3), 'hex')
         ${among ? "AND n.webhook_id = ANY($5::uuid[])" : ""}
       ORDER BY n.webhook_id, e.transaction_index, n.occurrence DESC) newest
     WHERE EXISTS (SELECT FROM webhooks w WHERE w.id = newest."webhookId" AND w.lane = $4)
     ORDER BY newest.sequence`,
    [chainId, block.number, block.hash, lane, ...(among ? [among] : [])],
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

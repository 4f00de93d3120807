/**
 * Copies the notifications whose blocks can still leave the chain, so that the new cell can retract them, and knows which messageIds a
 * block has used when it comes back. Positions are committed in their order, so what was copied up to one is complete.
 */
import { SHARDS } from "../delivery/shards.ts";
import { noteRetracted } from "../outbox/block-history.ts";
import { inTransaction, type Queryable } from "../pool.ts";
import { accountIdOf, type Cells, holdMove, type Run, reserveId } from "./record.ts";

type Notification = {
  shard: number;
  position: number;
  webhookId: string;
  sequence: number;
  messageId: string;
  occurrence: number;
  recordedAt: Date;
  eventId: number;
  blockNumber: number;
  blockHash: Buffer;
  transactionHash: Buffer;
  transactionIndex: number;
  removed: boolean;
  body: string;
};

/** How many notifications are copied in one transaction, and how many positions are searched at once. */
const part = 200;
const searched = 100_000;

/** Copies what was recorded on all of the account's chains until now. @returns how many notifications */
export async function copyRecords(cells: Cells, move: Run): Promise<number> {
  const { from } = cells;
  const accountId = await accountIdOf(from.pool, move.account);
  const { rows } = await from.pool.query<{ chainId: string; upTo: number; oldest: number }>(
    `SELECT c.chain_id AS "chainId", c.last_position AS "upTo", ${oldestOf("c.chain_id", "$2")} AS oldest
     FROM chains c WHERE EXISTS (SELECT FROM webhooks w WHERE w.chain_id = c.chain_id AND w.account_id = $1)`,
    [accountId, move.id],
  );
  let copied = 0;
  for (const chain of rows) copied += await copyChain(cells, move, { ...chain, accountId });
  return copied;
}

/** The oldest block that can still be replaced. After the release it is that of the released lanes, since the others move on. */
const oldestOf = (chainId: string, moveId: string) => `COALESCE(
  (SELECT min(number) FROM move_lanes l, unnest(l.block_numbers) number WHERE l.move_id = ${moveId} AND l.chain_id = ${chainId}),
  (SELECT min(number) FROM chain_blocks b WHERE b.chain_id = ${chainId}), 0)`;

type Chain = { chainId: string; upTo: number; oldest: number; accountId: number };

async function copyChain({ from, to }: Cells, move: Run, chain: Chain): Promise<number> {
  const reached = await readPosition(to.pool, move, chain);
  // What this cell recorded has positions above 0, and all of what came from a third cell is copied by then.
  const spans =
    reached !== undefined && reached > 0 ? [{ after: reached, upTo: chain.upTo }] : await findSpans(from.pool, chain);
  let copied = 0;
  for (const { after, upTo } of spans)
    for (let position = Math.max(after, reached ?? after); position < upTo; ) {
      const end = Math.min(upTo, position + searched);
      const notifications = await readNotifications(from.pool, chain, { after: position, upTo: end });
      position = notifications.length === part ? (notifications.at(-1)?.position ?? end) : end;
      copied += notifications.length;
      const done = position;
      await inTransaction(to.pool, async (db) => {
        await holdMove(db, move);
        await writeNotifications(db, { chainId: chain.chainId, accountId: await reserveId(db, move) }, notifications);
        await db.query(
          `INSERT INTO move_records (move_id, chain_id, position) VALUES ($1, $2, $3)
           ON CONFLICT (move_id, chain_id) DO UPDATE SET position = excluded.position`,
          [move.id, chain.chainId, done],
        );
      });
    }
  return copied;
}

async function readPosition(db: Queryable, { id }: Run, { chainId }: Chain): Promise<number | undefined> {
  const { rows } = await db.query<{ position: number }>(
    "SELECT position FROM move_records WHERE move_id = $1 AND chain_id = $2",
    [id, chainId],
  );
  return rows[0]?.position;
}

/** Positions of notifications: those above `after`, up to `upTo`. */
type Span = { after: number; upTo: number };

/**
 * Finds where notifications are that may have to be retracted. What came from a third cell has positions below 0, and what was recorded here
 * may begin at a billion. Nothing between the two is searched.
 */
async function findSpans(db: Queryable, { chainId, oldest, accountId, upTo }: Chain): Promise<Span[]> {
  const { rows } = await db.query<{ first: number; last: number }>(
    `SELECT min(n.position) AS first, max(n.position) AS last
     FROM events e JOIN notifications n ON n.event_id = e.id AND n.recorded_on = e.recorded_on
     WHERE e.chain_id = $1 AND e.block_number >= $2 AND n.webhook_id IN (SELECT id FROM webhooks WHERE account_id = $3)
     GROUP BY n.position > 0 ORDER BY first`,
    [chainId, oldest, accountId],
  );
  return rows.map(({ first, last }) => ({ after: first - 1, upTo: last > 0 ? upTo : last }));
}

async function readNotifications(
  db: Queryable,
  { chainId, oldest, accountId }: Chain,
  { after, upTo }: { after: number; upTo: number },
): Promise<Notification[]> {
  const { rows } = await db.query<Notification>(
    `SELECT n.shard, n.position, n.webhook_id AS "webhookId", n.sequence, n.message_id AS "messageId", n.occurrence,
       n.recorded_at AS "recordedAt", e.id AS "eventId", e.block_number AS "blockNumber", e.block_hash AS "blockHash",
       e.transaction_hash AS "transactionHash", e.transaction_index AS "transactionIndex", e.removed, e.body
     FROM notifications n JOIN events e ON e.id = n.event_id AND e.recorded_on = n.recorded_on
     WHERE n.shard = ANY($1::smallint[]) AND n.chain_id = $2 AND n.position > $3 AND n.position <= $4 AND e.block_number >= $5
       AND n.webhook_id IN (SELECT id FROM webhooks WHERE account_id = $6)
     ORDER BY n.position LIMIT $7`,
    [Array.from({ length: SHARDS }, (_, shard) => shard), chainId, after, upTo, oldest, accountId, part],
  );
  return rows;
}

/** Writes notifications where delivery never reads. One that is there, since the account has been here before, stays. */
async function writeNotifications(
  db: Queryable,
  { chainId, accountId }: { chainId: string; accountId: number },
  rows: readonly Notification[],
): Promise<void> {
  if (rows.length === 0) return;
  const events = [...new Map(rows.map((row) => [row.eventId, row])).values()];
  const today = "(clock_timestamp() AT TIME ZONE 'utc')::date";
  const { rows: made } = await db.query<{ id: number; recorded_on: string }>(
    `SELECT nextval(pg_get_serial_sequence('events', 'id')) AS id, ${today} AS recorded_on FROM generate_series(1, $1)`,
    [events.length],
  );
  const recordedOn = made[0]?.recorded_on;
  const idOf = new Map(events.map(({ eventId }, index) => [eventId, made[index]?.id]));
  await db.query(
    `INSERT INTO events (recorded_on, chain_id, id, block_number, block_hash, transaction_hash, transaction_index, removed, body, apart_account)
     SELECT $1, $2, e.*, $10
     FROM unnest($3::bigint[], $4::bigint[], $5::bytea[], $6::bytea[], $7::int[], $8::boolean[], $9::text[]) e`,
    [
      ...[recordedOn, chainId, events.map(({ eventId }) => idOf.get(eventId))],
      events.map(({ blockNumber }) => blockNumber),
      events.map(({ blockHash }) => blockHash),
      events.map(({ transactionHash }) => transactionHash),
      events.map(({ transactionIndex }) => transactionIndex),
      events.map(({ removed }) => removed),
      events.map(({ body }) => body),
      accountId,
    ],
  );
  const hashOf = ({ blockHash }: Notification) => `0x${blockHash.toString("hex")}`;
  const retracted = new Map(events.filter(({ removed }) => removed).map((event) => [hashOf(event), event.blockNumber]));
  await noteRetracted(
    db,
    chainId,
    [...retracted].map(([hash, number]) => ({ hash, number })),
  );
  // Of a move that was undone a copy may be there, under the id that the account was to have then.
  await db.query(
    `UPDATE events e SET apart_account = $3 FROM unnest($1::uuid[], $2::bigint[]) AS n(webhook_id, sequence)
     JOIN notifications o ON o.webhook_id = n.webhook_id AND o.sequence = n.sequence
     WHERE e.recorded_on = o.recorded_on AND e.id = o.event_id AND e.apart_account NOT IN (0, $3)`,
    [rows.map(({ webhookId }) => webhookId), rows.map(({ sequence }) => sequence), accountId],
  );
  await db.query(
    `INSERT INTO notifications (recorded_on, chain_id, position, shard, webhook_id, sequence, message_id, occurrence, event_id, recorded_at)
     SELECT $1, $2, nextval('moved_positions'), n.*
     FROM unnest($3::smallint[], $4::uuid[], $5::bigint[], $6::uuid[], $7::smallint[], $8::bigint[], $9::timestamptz[])
       AS n(shard, webhook_id, sequence, message_id, occurrence, event_id, recorded_at)
     WHERE NOT EXISTS (SELECT FROM notifications o WHERE o.webhook_id = n.webhook_id AND o.sequence = n.sequence)`,
    [
      ...[recordedOn, chainId, rows.map(({ shard }) => shard), rows.map(({ webhookId }) => webhookId)],
      rows.map(({ sequence }) => sequence),
      rows.map(({ messageId }) => messageId),
      rows.map(({ occurrence }) => occurrence),
      rows.map(({ eventId }) => idOf.get(eventId)),
      rows.map(({ recordedAt }) => recordedAt),
    ],
  );
}

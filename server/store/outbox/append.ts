/**
 * Appends notifications to the outbox. Each gets the webhook's next sequence and the chain's next position. The
 * caller holds the chain's lock alone, so positions are committed in their order.
 */
import { type Queryable, together } from "../pool.ts";

/** The event of one transaction, as the text that is sent. */
export type NewEvent = {
  blockNumber: number;
  blockHash: string;
  transactionHash: string;
  transactionIndex: number;
  removed: boolean;
  body: string;
};

/** A notification to record; those that share a text share the event object. */
export type NewNotification = {
  webhookId: string;
  shard: number;
  messageId: string;
  occurrence: number;
  event: NewEvent;
};

const bytes = (hex: string) => Buffer.from(hex.slice(2), "hex");

// A popular contract's block can match a million times; statements of this size stay far below the pool's time-out.
const rowsPerStatement = 10_000;
const eventsPerStatement = 500;

/** Notifications, with the position before their first one, each webhook's next sequence, and the events' ids. */
type ReservedNotifications = {
  notifications: readonly NewNotification[];
  position: number;
  sequences: Map<string, number>;
  eventIds: ReadonlyMap<NewEvent, string | undefined>;
};

/** Records notifications in the order given, inside the caller's transaction. */
export async function appendNotifications(
  db: Queryable,
  chainId: string,
  notifications: readonly NewNotification[],
): Promise<void> {
  if (notifications.length === 0) return;
  const events = [...new Set(notifications.map(({ event }) => event))];
  const [{ recordedOn, position, eventIds: ids }, sequences] = await together([
    reservePositions(db, chainId, notifications.length, events.length),
    reserveSequences(db, notifications),
  ]);
  const eventIds = new Map(events.map((event, index) => [event, ids[index]]));
  const day = { chainId, recordedOn };
  await together([
    insertEvents(db, day, eventIds),
    insertNotifications(db, day, { notifications, position, sequences, eventIds }),
  ]);
}

async function insertNotifications(
  db: Queryable,
  { chainId, recordedOn }: { chainId: string; recordedOn: string },
  { notifications, position, sequences, eventIds }: ReservedNotifications,
): Promise<void> {
  for (let at = 0; at < notifications.length; at += rowsPerStatement) {
    const part = notifications.slice(at, at + rowsPerStatement);
    await db.query({
      name: "insert-notifications",
      text: `INSERT INTO notifications (recorded_on, chain_id, position, shard, webhook_id, sequence, message_id, occurrence, event_id, recorded_at)
             SELECT $1, $2, n.*, clock_timestamp()
             FROM unnest($3::bigint[], $4::smallint[], $5::uuid[], $6::bigint[], $7::uuid[], $8::smallint[], $9::bigint[]) n`,
      values: [
        recordedOn,
        chainId,
        part.map((_, index) => position + at + index + 1),
        part.map(({ shard }) => shard),
        part.map(({ webhookId }) => webhookId),
        part.map(({ webhookId }) => nextOf(sequences, webhookId)),
        part.map(({ messageId }) => messageId),
        part.map(({ occurrence }) => occurrence),
        part.map(({ event }) => eventIds.get(event)),
      ],
    });
  }
}

// The day is read after the lock is taken, so that it grows with the position.
async function reservePositions(db: Queryable, chainId: string, notifications: number, events: number) {
  const { rows } = await db.query<{ position: number; recorded_on: string; event_ids: string[] }>({
    name: "reserve-positions",
    text: `UPDATE chains SET last_position = last_position + $2 WHERE chain_id = $1
           RETURNING last_position - $2 AS position, (clock_timestamp() AT TIME ZONE 'utc')::date AS recorded_on,
             ARRAY(SELECT nextval(pg_get_serial_sequence('events', 'id')) FROM generate_series(1, $3)) AS event_ids`,
    values: [chainId, notifications, events],
  });
  if (!rows[0]) throw new Error(`chain ${chainId} has no row`);
  return { position: rows[0].position, recordedOn: rows[0].recorded_on, eventIds: rows[0].event_ids };
}

async function reserveSequences(
  db: Queryable,
  notifications: readonly NewNotification[],
): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const { webhookId } of notifications) counts.set(webhookId, (counts.get(webhookId) ?? 0) + 1);
  const { rows } = await db.query<{ webhook_id: string; first: number }>({
    name: "reserve-sequences",
    text: `UPDATE webhook_sequences s SET last_sequence = s.last_sequence + c.count
           FROM unnest($1::uuid[], $2::int[]) AS c(webhook_id, count)
           WHERE s.webhook_id = c.webhook_id RETURNING s.webhook_id, s.last_sequence - c.count + 1 AS first`,
    values: [[...counts.keys()], [...counts.values()]],
  });
  return new Map(rows.map((row) => [row.webhook_id, row.first]));
}

function nextOf(sequences: Map<string, number>, webhookId: string): number {
  const next = sequences.get(webhookId);
  if (next === undefined) throw new Error(`webhook ${webhookId} has no sequence`);
  sequences.set(webhookId, next + 1);
  return next;
}

async function insertEvents(
  db: Queryable,
  { chainId, recordedOn }: { chainId: string; recordedOn: string },
  ids: ReadonlyMap<NewEvent, string | undefined>,
): Promise<void> {
  const events = [...ids.keys()];
  for (let at = 0; at < events.length; at += eventsPerStatement) {
    const part = events.slice(at, at + eventsPerStatement);
    // All bodies as one buffer, ordered by id. Quoted in an array of texts, the bodies of a block took 8 ms instead of 6.
    const bodies = part.map(({ body }) => Buffer.from(body));
    await db.query({
      name: "insert-events",
      text: `INSERT INTO events (recorded_on, chain_id, id, block_number, block_hash, transaction_hash, transaction_index, removed, body)
             SELECT $1, $2, e.id, e.number, e.hash, e.transaction_hash, e.transaction_index, e.removed,
               convert_from(substr($10::bytea, e.stop - e.length + 1, e.length), 'UTF8')
             FROM (SELECT *, (sum(length) OVER (ORDER BY id))::int AS stop
                   FROM unnest($3::bigint[], $4::bigint[], $5::bytea[], $6::bytea[], $7::int[], $8::boolean[], $9::int[])
                     AS u(id, number, hash, transaction_hash, transaction_index, removed, length)) e`,
      values: [
        recordedOn,
        chainId,
        part.map((event) => ids.get(event)),
        part.map(({ blockNumber }) => blockNumber),
        part.map(({ blockHash }) => bytes(blockHash)),
        part.map(({ transactionHash }) => bytes(transactionHash)),
        part.map(({ transactionIndex }) => transactionIndex),
        part.map(({ removed }) => removed),
        bodies.map(({ length }) => length),
        Buffer.concat(bodies),
      ],
    });
  }
}

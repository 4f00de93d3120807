/**
 * Appends notifications to the outbox. Each gets the webhook's next sequence and the chain's next position. The
 * caller holds the chain's lock alone, so positions are committed in their order.
 */
import type { Queryable } from "../pool.ts";

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
const eventsPerStatement = 2_500;
/** In characters. PostgreSQL takes no message above 1 GB. One event may be longer. */
const textPerStatement = 32_000_000;

type AppendOptions = {
  /** The account whose webhooks alone are notified, if it is set apart: nobody else reads its events. */
  apartAccount?: number | undefined;
};

/** Records notifications in the order given, inside the caller's transaction. */
export async function appendNotifications(
  db: Queryable,
  chainId: string,
  notifications: readonly NewNotification[],
  options?: AppendOptions,
): Promise<void> {
  const appendLast = await appendAllButLast(db, chainId, notifications, options);
  await appendLast();
}

/**
 * Records notifications in the order given, inside the caller's transaction, except for those of the last statement. Most have one only.
 *
 * @returns sends that statement, so that it can share COMMIT's round trip
 */
export async function appendAllButLast(
  db: Queryable,
  chainId: string,
  notifications: readonly NewNotification[],
  { apartAccount = 0 }: AppendOptions = {},
): Promise<() => Promise<void>> {
  const eventIds = new Map<NewEvent, number>();
  let recordedOn: string | undefined;
  const append = async (part: readonly NewNotification[]) => {
    const events = [...new Set(part.map(({ event }) => event))].filter((event) => !eventIds.has(event));
    const stored = await appendPart(db, { chainId, recordedOn, apartAccount }, part, { events, eventIds });
    for (const [index, event] of events.entries()) eventIds.set(event, stored.eventIds[index] as number);
    // All on one day, since those of a later part may share an event of an earlier one.
    recordedOn = stored.recordedOn;
  };
  const parts = [...partsOf(notifications)];
  const last = parts.pop();
  for (const part of parts) await append(part);
  return async () => {
    if (last) await append(last);
  };
}

/** Parts in order, each small enough for a statement. */
export function* partsOf<N extends { event: NewEvent }>(notifications: readonly N[]): Generator<N[]> {
  let part: N[] = [];
  let events = new Set<NewEvent>();
  let text = 0;
  for (const notification of notifications) {
    const { event } = notification;
    const more = events.has(event) ? 0 : event.body.length;
    const isFull =
      part.length === rowsPerStatement ||
      (more > 0 && (events.size === eventsPerStatement || text + more > textPerStatement));
    if (isFull && part.length > 0) {
      yield part;
      part = [];
      events = new Set();
      text = 0;
    }
    if (!events.has(event)) text += event.body.length;
    events.add(event);
    part.push(notification);
  }
  if (part.length > 0) yield part;
}

/**
 * Everything in one statement, since a new block waits for each round trip. Sequences and events are looked up by their place in an array:
 * PostgreSQL cannot know how many there are, and could join them row by row. A missing sequence is null, which its column refuses.
 */
const append = `
  WITH outbox AS (
    UPDATE chains SET last_position = last_position + $3 WHERE chain_id = $1
    -- The day is read under the lock, so that it grows with the position.
    RETURNING last_position - $3 AS before, COALESCE($2::date, (clock_timestamp() AT TIME ZONE 'utc')::date) AS day),
  taken AS (
    UPDATE webhook_sequences s SET last_sequence = s.last_sequence + c.count
    FROM unnest($4::uuid[], $5::int[]) WITH ORDINALITY AS c(webhook_id, count, place)
    WHERE s.webhook_id = c.webhook_id RETURNING c.place, s.last_sequence - c.count AS before),
  new_events AS MATERIALIZED (
    SELECT nextval(pg_get_serial_sequence('events', 'id')) AS id, e.*, (sum(length) OVER (ORDER BY place))::int AS stop
    FROM unnest($6::bigint[], $7::bytea[], $8::bytea[], $9::int[], $10::boolean[], $11::int[]) WITH ORDINALITY
      AS e(number, hash, transaction_hash, transaction_index, removed, length, place)),
  stored AS (
    INSERT INTO events (recorded_on, chain_id, id, block_number, block_hash, transaction_hash, transaction_index, removed, apart_account, body)
    SELECT o.day, $1, e.id, e.number, e.hash, e.transaction_hash, e.transaction_index, e.removed, $20::bigint,
      convert_from(substr($12::bytea, e.stop - e.length + 1, e.length), 'UTF8')
    FROM new_events e, outbox o),
  reserved AS MATERIALIZED (
    SELECT ARRAY(SELECT id FROM new_events ORDER BY place) AS ids,
      (SELECT array_agg(before ORDER BY place) FROM taken HAVING count(*) = cardinality($4::uuid[])) AS sequences),
  added AS (
    INSERT INTO notifications (recorded_on, chain_id, position, shard, webhook_id, sequence, message_id, occurrence, event_id, recorded_at)
    SELECT o.day, $1, o.before + n.place, n.shard, ($4::uuid[])[n.webhook], r.sequences[n.webhook] + n.ordinal, n.message_id, n.occurrence,
      COALESCE(n.event_id, r.ids[n.event]), clock_timestamp()
    FROM unnest($13::smallint[], $14::int[], $15::int[], $16::uuid[], $17::smallint[], $18::bigint[], $19::int[]) WITH ORDINALITY
      AS n(shard, webhook, ordinal, message_id, occurrence, event_id, event, place), outbox o, reserved r)
  SELECT r.ids, o.day FROM reserved r, outbox o`;

/**
 * @param of.events those that are not stored yet, in order
 * @param of.eventIds the ids of the others
 * @returns the day, and the ids of the new events in order
 */
async function appendPart(
  db: Queryable,
  { chainId, recordedOn, apartAccount }: { chainId: string; recordedOn: string | undefined; apartAccount: number },
  part: readonly NewNotification[],
  of: { events: readonly NewEvent[]; eventIds: ReadonlyMap<NewEvent, number> },
): Promise<{ recordedOn: string; eventIds: number[] }> {
  // All bodies as one buffer. Quoted in an array of texts, the bodies of a block took 8 ms instead of 6.
  const bodies = of.events.map(({ body }) => Buffer.from(body));
  const placeOf = new Map(of.events.map((event, index) => [event, index + 1]));
  const webhooks = countByWebhook(part);
  const { rows } = await db.query<{ ids: string[]; day: string }>({
    name: "append-notifications",
    text: append,
    values: [
      ...[chainId, recordedOn, part.length, webhooks.ids, webhooks.counts],
      of.events.map(({ blockNumber }) => blockNumber),
      of.events.map(({ blockHash }) => bytes(blockHash)),
      of.events.map(({ transactionHash }) => bytes(transactionHash)),
      of.events.map(({ transactionIndex }) => transactionIndex),
      of.events.map(({ removed }) => removed),
      bodies.map(({ length }) => length),
      Buffer.concat(bodies),
      part.map(({ shard }) => shard),
      ...[webhooks.places, webhooks.ordinals],
      part.map(({ messageId }) => messageId),
      part.map(({ occurrence }) => occurrence),
      part.map(({ event }) => of.eventIds.get(event)),
      part.map(({ event }) => placeOf.get(event)),
      apartAccount,
    ],
  });
  if (!rows[0]) throw new Error(`chain ${chainId} has no row`);
  return { recordedOn: rows[0].day, eventIds: rows[0].ids.map(Number) };
}

/** The webhooks and how often each occurs; for each notification its webhook's place, and its number among that webhook's, both from 1. */
function countByWebhook(part: readonly NewNotification[]) {
  const ids: string[] = [];
  const counts: number[] = [];
  const places: number[] = [];
  const ordinals: number[] = [];
  const known = new Map<string, number>();
  for (const { webhookId } of part) {
    const place = known.get(webhookId) ?? ids.push(webhookId);
    known.set(webhookId, place);
    counts[place - 1] = (counts[place - 1] ?? 0) + 1;
    places.push(place);
    ordinals.push(counts[place - 1] as number);
  }
  return { ids, counts, places, ordinals };
}

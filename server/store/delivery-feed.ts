/** What a delivery process reads: what is new in its shards, what waits for an endpoint, and what is due again. */
import type { Attempt } from "./attempts.ts";
import type { Queryable } from "./pool.ts";

/** A notification to attempt. */
export type FeedRow = {
  recordedOn: string;
  shard: number;
  webhookId: string;
  sequence: number;
  messageId: string;
  eventId: number;
};

const columns = `n.recorded_on AS "recordedOn", n.shard, n.webhook_id AS "webhookId", n.sequence, n.message_id AS "messageId", n.event_id AS "eventId"`;
const notAttempted = `NOT EXISTS (SELECT FROM attempts a WHERE a.recorded_on = n.recorded_on AND a.webhook_id = n.webhook_id AND a.sequence = n.sequence)`;

/** @returns each chain's newest position */
export async function readPositions(db: Queryable): Promise<Map<string, number>> {
  const { rows } = await db.query<{ chain_id: string; last_position: number }>({
    name: "read-positions",
    text: "SELECT chain_id, last_position FROM chains",
  });
  return new Map(rows.map((row) => [row.chain_id, row.last_position]));
}

/** @returns each shard's version, which grows when what is held of its webhooks may have become stale */
export async function readVersions(db: Queryable, shards: readonly number[]): Promise<Map<number, number>> {
  const { rows } = await db.query<{ shard: number; version: number }>({
    name: "read-versions",
    text: "SELECT shard, version FROM shard_versions WHERE shard = ANY($1::smallint[])",
    values: [shards],
  });
  return new Map(rows.map((row) => [row.shard, row.version]));
}

export type StreamCursor = { chainId: string; position: number; recordedOn: string };

/** @returns how far the shard's notifications have been attempted, by chain */
export async function readStreamCursors(db: Queryable, shard: number): Promise<StreamCursor[]> {
  const { rows } = await db.query<StreamCursor>(
    `SELECT chain_id AS "chainId", position, recorded_on AS "recordedOn" FROM delivery_cursors WHERE shard = $1`,
    [shard],
  );
  return rows;
}

/**
 * Reads on in a chain's stream, for several shards at once.
 *
 * @param from for each shard the position read last
 * @param upTo the chain's newest position, read before: everything up to it is committed
 * @param since no row wanted was recorded before this day
 * @param recovering leaves out what has been attempted, which only who takes over from another needs
 */
export async function readStream(
  db: Queryable,
  chainId: string,
  from: readonly { shard: number; position: number }[],
  { upTo, since, limit, recovering }: { upTo: number; since: string; limit: number; recovering: boolean },
): Promise<(FeedRow & { position: number; attempted: boolean })[]> {
  const { rows } = await db.query<FeedRow & { position: number; attempted: boolean }>({
    name: recovering ? "read-stream-recovering" : "read-stream",
    text: `SELECT ${columns}, n.position, ${recovering ? `NOT (${notAttempted})` : "false"} AS attempted
           FROM unnest($2::smallint[], $3::bigint[]) AS c(shard, position)
           CROSS JOIN LATERAL (
             SELECT * FROM notifications
             WHERE shard = c.shard AND chain_id = $1 AND position > c.position AND position <= $4 AND recorded_on >= $5::date - 1
             ORDER BY position LIMIT $6) n
           ORDER BY n.position`,
    values: [chainId, from.map(({ shard }) => shard), from.map(({ position }) => position), upTo, since, limit],
  });
  return rows;
}

/** A page of a webhook's backlog: first attempts from a sequence on. */
export type BacklogPage = { rows: FeedRow[]; lastSequence: number };

/** @returns what has not been attempted among `count` sequences from `from` on, and the webhook's newest sequence */
export async function readBacklog(db: Queryable, webhookId: string, from: number, count: number): Promise<BacklogPage> {
  const { rows } = await db.query<Partial<FeedRow> & { last: number }>({
    name: "read-backlog",
    text: `SELECT s.last_sequence AS last, ${columns}
           FROM webhook_sequences s
           LEFT JOIN notifications n ON n.webhook_id = $1 AND n.sequence >= $2 AND n.sequence < $2 + $3 AND ${notAttempted}
           WHERE s.webhook_id = $1 ORDER BY n.sequence`,
    values: [webhookId, from, count],
  });
  return {
    rows: rows.filter((row): row is FeedRow & { last: number } => typeof row.sequence === "number"),
    lastSequence: rows[0]?.last ?? 0,
  };
}

/** @returns the active webhooks of the shards that have a backlog */
export async function readBackloggedWebhooks(
  db: Queryable,
  shards: readonly number[],
): Promise<{ shard: number; webhookId: string }[]> {
  const { rows } = await db.query<{ shard: number; webhookId: string }>({
    name: "read-backlogged-webhooks",
    text: `SELECT s.shard, s.webhook_id AS "webhookId" FROM endpoint_states s JOIN webhooks w ON w.id = s.webhook_id
           WHERE s.shard = ANY($1::smallint[]) AND s.backlog_from IS NOT NULL AND w.status = 'active'`,
    values: [shards],
  });
  return rows;
}

/** What was made of a notification before the attempt that is due, and what makes that one. */
export type AttemptsBefore = { attempts: number; step: number; trigger: Attempt["trigger"] };

/**
 * Reads what is due again, a few of each webhook, however many one of them has: webhooks are found by skipping from one to
 * the next in the index.
 */
export async function readDueRetries(
  db: Queryable,
  shards: readonly number[],
  perWebhook: number,
): Promise<(FeedRow & AttemptsBefore)[]> {
  const { rows } = await db.query<FeedRow & AttemptsBefore>({
    name: "read-due-retries",
    text: `WITH RECURSIVE endpoint AS (
             SELECT first.* FROM unnest($1::smallint[]) AS s(shard) CROSS JOIN LATERAL (
               SELECT shard, webhook_id FROM retries WHERE shard = s.shard AND due_at IS NOT NULL ORDER BY webhook_id LIMIT 1) first
             UNION ALL
             SELECT next.* FROM endpoint e CROSS JOIN LATERAL (
               SELECT shard, webhook_id FROM retries WHERE shard = e.shard AND webhook_id > e.webhook_id AND due_at IS NOT NULL
               ORDER BY webhook_id LIMIT 1) next)
           SELECT ${columns}, r.attempts, r.step, COALESCE(r.extra, 'schedule') AS trigger
           FROM endpoint e JOIN webhooks w ON w.id = e.webhook_id AND w.status = 'active'
           CROSS JOIN LATERAL (
             SELECT * FROM retries WHERE shard = e.shard AND webhook_id = e.webhook_id AND due_at <= clock_timestamp()
             ORDER BY due_at LIMIT $2) r
           JOIN notifications n ON n.recorded_on = r.recorded_on AND n.webhook_id = r.webhook_id AND n.sequence = r.sequence
           ORDER BY r.due_at`,
    values: [shards, perWebhook],
  });
  return rows;
}

/** @returns the events' texts by id */
export async function readEventTexts(
  db: Queryable,
  events: readonly { recordedOn: string; eventId: number }[],
): Promise<Map<number, string>> {
  const { rows } = await db.query<{ id: number; body: string }>({
    name: "read-event-texts",
    text: "SELECT id, body FROM events WHERE recorded_on = ANY($1::date[]) AND id = ANY($2::bigint[])",
    values: [[...new Set(events.map(({ recordedOn }) => recordedOn))], events.map(({ eventId }) => eventId)],
  });
  return new Map(rows.map((row) => [row.id, row.body]));
}

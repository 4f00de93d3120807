/** The outbox as delivery reads it: each shard has a stream of notifications for each chain. */
import { type Queryable, takeRows, together } from "../pool.ts";

/** A notification to deliver. Its event is stored once for many of them. */
export type NotificationRow = {
  recordedOn: string;
  shard: number;
  webhookId: string;
  sequence: number;
  messageId: string;
  eventId: number;
  /** When it was recorded, in ms since the epoch by the database's clock. */
  recordedAtMs: number;
};

/** A notification in the order of its chain. */
export type OutboxRow = NotificationRow & { position: number; attempted: boolean };

/** The columns of a `NotificationRow`. */
export const notificationColumns = `n.recorded_on AS "recordedOn", n.shard, n.webhook_id AS "webhookId", n.sequence, n.message_id AS "messageId", n.event_id AS "eventId",
  extract(epoch FROM n.recorded_at)::float8 * 1000 AS "recordedAtMs"`;

/** Whether each `n` has attempts. Lateral, because otherwise the planner may read all attempts there are. */
const attemptedLateral = `LEFT JOIN LATERAL (
  SELECT true AS attempted FROM attempts a
  WHERE a.recorded_on = n.recorded_on AND a.webhook_id = n.webhook_id AND a.sequence = n.sequence LIMIT 1) a ON true`;

/** The newest positions of the outbox, and the versions of the shards' settings. */
export type OutboxHeads = {
  /** Each chain's newest position; everything up to it is committed. */
  positions: Map<string, number>;
  /** Each shard's version, which grows with each change of its webhooks. */
  versions: Map<number, number>;
  /** The current day. Only a transaction that is still open can have recorded something of an earlier day above the positions. */
  today: string;
};

/** Reads chains and shards in one round trip, since every poll asks for both. */
export async function readHeads(db: Queryable, shards: readonly number[]): Promise<OutboxHeads> {
  const { rows } = await db.query<{ chain: string | null; shard: number; value: number; today: string }>({
    name: "read-heads",
    text: `SELECT chain_id AS chain, NULL::smallint AS shard, last_position AS value, (clock_timestamp() AT TIME ZONE 'utc')::date AS today
           FROM chains
           UNION ALL SELECT NULL, shard, version, NULL FROM shard_versions WHERE shard = ANY($1::smallint[])`,
    values: [shards],
  });
  const heads: OutboxHeads = { positions: new Map(), versions: new Map(), today: "1970-01-01" };
  for (const { chain, shard, value, today } of rows) {
    if (chain === null) heads.versions.set(shard, value);
    else {
      heads.positions.set(chain, value);
      heads.today = today;
    }
  }
  return heads;
}

/** How far a chain's streams were read, and a day before which nothing behind that was recorded, except by open transactions. */
type OutboxPlace = { chainId: string; position: number; since: string };

/** A notification with its event's text; null if that is long or does not exist. */
export type NewestRow = OutboxRow & { chainId: string; text: string | null };

/** Which notifications to read with the heads. */
type NewestOf = {
  places: readonly OutboxPlace[];
  /** Webhooks to leave out. */
  without: readonly string[];
  /** How many rows of each chain, at most, and among how many positions. */
  count: number;
  among: number;
  /** The most bytes of a text. */
  longest: number;
};

/**
 * Reads the heads and, in the same round trip, what follows on some places of streams that were read to their end.
 *
 * @param db a single connection
 * @returns the rows by position, which may be above the heads
 */
export async function readNewest(
  db: Queryable,
  shards: readonly number[],
  of: NewestOf,
): Promise<{ heads: OutboxHeads; rows: NewestRow[] }> {
  const [heads, rows] = await together([readHeads(db, shards), readRows(db, shards, of)]);
  return { heads, rows };
}

async function readRows(
  db: Queryable,
  shards: readonly number[],
  { places, without, count, among, longest }: NewestOf,
): Promise<NewestRow[]> {
  const result = await db.query<NewestRow>({
    name: "read-newest",
    // A new block waits for this: 0.3 ms for 32 shards, 0.65 with each shard looked at by itself. An array of places instead of JSON would
    // have PostgreSQL plan it each time, in another 0.7 ms. Each chain has its own day: with the earliest of all, a quiet chain would have
    // every day's partition read.
    text: `SELECT ${notificationColumns}, n.chain_id AS "chainId", n.position, false AS attempted, e.body AS text
           FROM json_to_recordset($1) AS c("chainId" text, position bigint, since date)
           JOIN chains ON chains.chain_id = c."chainId" AND chains.last_position > c.position
           CROSS JOIN LATERAL (
             SELECT * FROM notifications
             WHERE shard = ANY($2::smallint[]) AND chain_id = c."chainId" AND position > c.position AND position <= c.position + $4
               AND recorded_on >= c.since - 1 AND webhook_id NOT IN (SELECT unnest($6::uuid[]))
             ORDER BY position LIMIT $3) n
           LEFT JOIN LATERAL (
             SELECT body FROM events WHERE recorded_on = n.recorded_on AND id = n.event_id AND octet_length(body) <= $5 LIMIT 1) e ON true
           ORDER BY n.position`,
    values: [JSON.stringify(places), shards, count, among, longest, `{${without.join()}}`],
  });
  return takeRows(result);
}

/** @returns whether any account but these has an active webhook */
export async function haveOthersWebhooks(db: Queryable, accountIds: readonly number[]): Promise<boolean> {
  const { rows } = await db.query<{ others: boolean }>({
    name: "have-others-webhooks",
    text: `SELECT EXISTS (SELECT FROM accounts a WHERE a.id <> ALL($1::bigint[])
             AND EXISTS (SELECT FROM webhooks WHERE account_id = a.id AND status = 'active')) AS others`,
    values: [accountIds],
  });
  return rows[0]?.others ?? false;
}

type ShardCursor = { chainId: string; position: number; recordedOn: string };

/** @returns the shard's recorded cursors, one for each chain */
export async function readShardCursors(db: Queryable, shard: number): Promise<ShardCursor[]> {
  const { rows } = await db.query<ShardCursor>(
    `SELECT chain_id AS "chainId", position, recorded_on AS "recordedOn" FROM delivery_cursors WHERE shard = $1`,
    [shard],
  );
  return rows;
}

/** Whose notifications to read: one account's, or everybody's except some accounts'. */
export type AccountFilter = { only?: number; but?: readonly number[] };

/** `IS TRUE` and `NOT IN` make the planner hash the webhooks' ids once. A join could read every notification of a webhook. */
function conditionOf({ only, but = [] }: AccountFilter): { name: string; text: string; values: (readonly number[])[] } {
  const isTheirs = "webhook_id IN (SELECT id FROM webhooks WHERE account_id = ANY($8::bigint[]))";
  if (only !== undefined) return { name: "-only", text: `AND (${isTheirs}) IS TRUE`, values: [[only]] };
  if (but.length > 0) return { name: "-but", text: `AND NOT (${isTheirs})`, values: [but] };
  return { name: "", text: "", values: [] };
}

/**
 * Continues a chain's stream, for several shards in one query.
 *
 * @param from for each shard: the last position read, the last one to read, and the maximum number of rows
 * @param options.since no wanted row was recorded before this day, except by transactions that were open then
 * @param options.recovering also reads notifications with attempts, which only the next owner of a shard needs
 * @param options.without webhooks to leave out
 * @param options.accounts all accounts by default
 * @returns the rows by position
 */
export async function readOutbox(
  db: Queryable,
  chainId: string,
  from: readonly { shard: number; position: number; upTo: number; limit: number }[],
  options: { since: string; recovering: boolean; without?: readonly string[]; accounts?: AccountFilter },
): Promise<OutboxRow[]> {
  const { since, recovering, without = [] } = options;
  const condition = conditionOf(options.accounts ?? {});
  const result = await db.query<OutboxRow>({
    name: `read-stream${recovering ? "-recovering" : ""}${condition.name}`,
    text: `SELECT ${notificationColumns}, n.position, ${recovering ? "a.attempted IS NOT NULL" : "false"} AS attempted
           FROM unnest($2::smallint[], $3::bigint[], $4::bigint[], $5::int[]) AS c(shard, position, up_to, count)
           CROSS JOIN LATERAL (
             SELECT * FROM notifications
             WHERE shard = c.shard AND chain_id = $1 AND position > c.position AND position <= c.up_to
               AND recorded_on >= $6::date - 1 AND webhook_id NOT IN (SELECT unnest($7::uuid[])) ${condition.text}
             ORDER BY position LIMIT c.count) n
           ${recovering ? attemptedLateral : ""}
           ORDER BY n.position`,
    values: [
      chainId,
      from.map(({ shard }) => shard),
      from.map(({ position }) => position),
      from.map(({ upTo }) => upTo),
      from.map(({ limit }) => limit),
      since,
      `{${without.join()}}`,
      ...condition.values,
    ],
  });
  return takeRows(result);
}

/** A page of a backlog. */
type BacklogQuery = {
  webhookId: string;
  /** The first sequence to read. */
  from: number;
  /** Up to this position of the webhook's chain. */
  upTo: number;
  /** The maximum number of rows. */
  count: number;
};

type BacklogRow = NotificationRow & { attempted: boolean };

/** @returns the pages' notifications by webhook, ordered by sequence. A page that is not full is the last one */
export async function readBacklogs(db: Queryable, pages: readonly BacklogQuery[]): Promise<Map<string, BacklogRow[]>> {
  const { rows } = await db.query<BacklogRow>({
    name: "read-backlogs",
    text: `SELECT ${notificationColumns}, a.attempted IS NOT NULL AS attempted
           FROM unnest($1::uuid[], $2::bigint[], $3::bigint[], $4::int[]) AS p(webhook_id, first, up_to, count)
           CROSS JOIN LATERAL (
             SELECT * FROM notifications
             -- What another cell sends has a position below 0. A backlog from an earlier stay can begin before it.
             WHERE webhook_id = p.webhook_id AND sequence >= p.first AND position > 0 AND position <= p.up_to
             ORDER BY sequence LIMIT p.count) n
           ${attemptedLateral}
           ORDER BY n.webhook_id, n.sequence`,
    values: [
      pages.map(({ webhookId }) => webhookId),
      pages.map(({ from }) => from),
      pages.map(({ upTo }) => upTo),
      pages.map(({ count }) => count),
    ],
  });
  const found = new Map<string, BacklogRow[]>(pages.map(({ webhookId }) => [webhookId, []]));
  for (const row of rows) found.get(row.webhookId)?.push(row);
  return found;
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

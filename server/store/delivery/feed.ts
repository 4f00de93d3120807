/** What a delivery process reads on in: the streams of its shards. */
import { type Queryable, takeRows } from "../pool.ts";

/** A notification to attempt. */
export type FeedRow = {
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
export type StreamRow = FeedRow & { position: number; attempted: boolean };

/** The columns of a `FeedRow`. */
export const feedColumns = `n.recorded_on AS "recordedOn", n.shard, n.webhook_id AS "webhookId", n.sequence, n.message_id AS "messageId", n.event_id AS "eventId",
  extract(epoch FROM n.recorded_at)::float8 * 1000 AS "recordedAtMs"`;

/** For each `n` whether it has attempts. Asked row by row: left to choose, the planner may read all attempts there are. */
export const attemptedLateral = `LEFT JOIN LATERAL (
  SELECT true AS attempted FROM attempts a
  WHERE a.recorded_on = n.recorded_on AND a.webhook_id = n.webhook_id AND a.sequence = n.sequence LIMIT 1) a ON true`;

/** Where everything stands. */
export type Heads = {
  /** Each chain's newest position; everything up to it is committed. */
  positions: Map<string, number>;
  /** Each shard's version, which grows when what is held of its webhooks may have become stale. */
  versions: Map<number, number>;
  /** The day; nothing behind the positions was recorded on an earlier one, but for a transaction that was under way. */
  today: string;
};

/** Reads chains and shards in one round trip, since it is asked with every poll. */
export async function readHeads(db: Queryable, shards: readonly number[]): Promise<Heads> {
  const { rows } = await db.query<{ chain: string | null; shard: number; value: number; today: string }>({
    name: "read-heads",
    text: `SELECT chain_id AS chain, NULL::smallint AS shard, last_position AS value, (clock_timestamp() AT TIME ZONE 'utc')::date AS today
           FROM chains
           UNION ALL SELECT NULL, shard, version, NULL FROM shard_versions WHERE shard = ANY($1::smallint[])`,
    values: [shards],
  });
  const heads: Heads = { positions: new Map(), versions: new Map(), today: "1970-01-01" };
  for (const { chain, shard, value, today } of rows) {
    if (chain === null) heads.versions.set(shard, value);
    else {
      heads.positions.set(chain, value);
      heads.today = today;
    }
  }
  return heads;
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

export type StreamCursor = { chainId: string; position: number; recordedOn: string };

/** @returns how far the shard's notifications have been attempted, by chain */
export async function readStreamCursors(db: Queryable, shard: number): Promise<StreamCursor[]> {
  const { rows } = await db.query<StreamCursor>(
    `SELECT chain_id AS "chainId", position, recorded_on AS "recordedOn" FROM delivery_cursors WHERE shard = $1`,
    [shard],
  );
  return rows;
}

/** Whose notifications are wanted: one account's, or everybody's but some accounts'. */
export type Accounts = { only?: number; but?: readonly number[] };

/** The webhooks' ids are hashed once: `IS TRUE` and `NOT IN` keep the planner from joining, which could read all that a webhook ever had. */
function conditionOf({ only, but = [] }: Accounts): { name: string; text: string; values: (readonly number[])[] } {
  const isTheirs = "webhook_id IN (SELECT id FROM webhooks WHERE account_id = ANY($8::bigint[]))";
  if (only !== undefined) return { name: "-only", text: `AND (${isTheirs}) IS TRUE`, values: [[only]] };
  if (but.length > 0) return { name: "-but", text: `AND NOT (${isTheirs})`, values: [but] };
  return { name: "", text: "", values: [] };
}

/**
 * Reads on in a chain's stream, for several shards at once.
 *
 * @param from for each shard the position read last, up to which one to read, and how many at most
 * @param options.since no row wanted was recorded before this day, but for transactions that were under way then
 * @param options.recovering tells what has been attempted, which only who takes over from another needs to know
 * @param options.without webhooks whose notifications are not wanted
 * @param options.accounts all of them, unless this says otherwise
 * @returns them by position
 */
export async function readStream(
  db: Queryable,
  chainId: string,
  from: readonly { shard: number; position: number; upTo: number; limit: number }[],
  options: { since: string; recovering: boolean; without?: readonly string[]; accounts?: Accounts },
): Promise<StreamRow[]> {
  const { since, recovering, without = [] } = options;
  const condition = conditionOf(options.accounts ?? {});
  const result = await db.query<StreamRow>({
    name: `read-stream${recovering ? "-recovering" : ""}${condition.name}`,
    text: `SELECT ${feedColumns}, n.position, ${recovering ? "a.attempted IS NOT NULL" : "false"} AS attempted
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

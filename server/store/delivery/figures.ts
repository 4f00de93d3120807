/**
 * How much waits for delivery and for how long, for the metrics of any process. The query's cost does not grow with what waits. Positions have
 * no gaps, so the number above a shard's cursor is a difference, and so is that of a backlog. What must be counted row by row is counted up
 * to a limit. With a million unattempted notifications over 34 days and as many retries it took 120 to 200 ms on a busy machine.
 */
import { type Queryable, within } from "../pool.ts";

/** What a notification waits for. */
export const waits = ["first_attempt", "endpoint", "activation", "retry"] as const;

/** How many wait, and for how many seconds the oldest has waited; undefined if none waits or it was not searched for. */
export type DeliveryFigures = Record<(typeof waits)[number], { count: number; oldestSeconds: number | undefined }>;

/** Limits of counting: rows of a shard and chain, retries, and endpoints. */
const countedAtMost = { ofShard: 10_000, retries: 100_000, endpoints: 200 };
const patienceMs = 5_000;

/**
 * Reads the figures. Everything above a cursor counts as waiting, so `first_attempt` is too high. It includes what was attempted since
 * cursors were written, at most half a second ago. While an account is read separately, it also includes what others were sent meanwhile.
 * An exact count would look up every row's attempts. The oldest's age is exact up to the time between two notifications of that
 * account.
 *
 * `retry` is 100,000 if there are more. The oldest is searched for at the 200 endpoints that have failed longest.
 */
export async function readDeliveryFigures(db: Queryable): Promise<DeliveryFigures> {
  const { rows } = await db.query<{ wait: (typeof waits)[number]; count: number; oldest: number | null }>(
    within(patienceMs, {
      name: "delivery-figures",
      text: `
        WITH cursors AS (
          SELECT s.shard, c.chain_id, c.last_position, COALESCE(d.position, 0) AS position,
            COALESCE(d.recorded_on, '1970-01-02') AS recorded_on,
            max(COALESCE(d.position, 0)) OVER (PARTITION BY c.chain_id) AS furthest
          FROM chains c CROSS JOIN shard_versions s LEFT JOIN delivery_cursors d ON d.shard = s.shard AND d.chain_id = c.chain_id),
        unread AS (
          SELECT (SELECT COALESCE(sum(last_position - furthest), 0) FROM (SELECT DISTINCT chain_id, last_position, furthest FROM cursors) c)
              + COALESCE(sum(n.count), 0) AS count,
            max(n.oldest) AS oldest
          FROM cursors c CROSS JOIN LATERAL (
            SELECT (
                SELECT count(*) FROM (
                  SELECT FROM notifications WHERE shard = c.shard AND chain_id = c.chain_id
                    AND position > c.position AND position <= c.furthest AND recorded_on >= c.recorded_on - 1
                  LIMIT $1) behind) AS count,
              (SELECT extract(epoch FROM clock_timestamp() - recorded_at)::float8 FROM notifications
                WHERE shard = c.shard AND chain_id = c.chain_id AND position > c.position AND recorded_on >= c.recorded_on - 1
                ORDER BY position LIMIT 1) AS oldest) n
          WHERE c.position < c.last_position),
        backlogs AS (
          SELECT CASE w.status WHEN 'active' THEN 'endpoint' ELSE 'activation' END AS wait, e.webhook_id, e.backlog_from,
            s.last_sequence - e.backlog_from + 1 AS count,
            row_number() OVER (PARTITION BY w.status ORDER BY e.failing_since NULLS LAST) AS place
          FROM endpoint_states e JOIN webhooks w ON w.id = e.webhook_id JOIN webhook_sequences s ON s.webhook_id = e.webhook_id
          WHERE e.backlog_from <= s.last_sequence)
        SELECT 'first_attempt' AS wait, count::float8, oldest FROM unread
        UNION ALL
        SELECT wait, sum(count)::float8, max(
          (SELECT extract(epoch FROM clock_timestamp() - recorded_at)::float8 FROM notifications
            WHERE webhook_id = b.webhook_id AND sequence = b.backlog_from AND b.place <= $3 LIMIT 1))
        FROM backlogs b GROUP BY wait
        UNION ALL
        SELECT 'retry', count(*)::float8, NULL FROM (
          SELECT FROM retries WHERE due_at IS NOT NULL AND NOT delivered LIMIT $2) retry`,
      values: [countedAtMost.ofShard, countedAtMost.retries, countedAtMost.endpoints],
    }),
  );
  const figureOf = (wait: (typeof waits)[number]) => {
    const { count = 0, oldest } = rows.find((row) => row.wait === wait) ?? {};
    return { count, oldestSeconds: oldest ?? undefined };
  };
  return {
    first_attempt: figureOf("first_attempt"),
    endpoint: figureOf("endpoint"),
    activation: figureOf("activation"),
    retry: figureOf("retry"),
  };
}

/** How many leases of a kind exist, and how many of them a process holds. */
export type LeaseFigures = { kind: string; owned: number; free: number };

/** @param chains the chains to report. Nobody holds the leases of a chain that is no longer configured */
export async function readLeaseFigures(db: Queryable, chains: readonly string[]): Promise<LeaseFigures[]> {
  const { rows } = await db.query<LeaseFigures>(
    within(patienceMs, {
      name: "lease-figures",
      text: `SELECT kind, (count(*) FILTER (WHERE owner IS NOT NULL AND expires_at >= clock_timestamp()))::int AS owned,
               (count(*) FILTER (WHERE owner IS NULL OR expires_at < clock_timestamp()))::int AS free
             FROM leases WHERE kind = 'shard' OR split_part(key, '/', 1) = ANY($1) GROUP BY kind`,
      values: [chains],
    }),
  );
  return rows;
}

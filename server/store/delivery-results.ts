/**
 * What a delivery process writes, in batches. Every statement is fenced: it takes effect for those shards only whose lease
 * still has the writer's epoch, and holds that lease's row meanwhile, so that a successor sees either all or nothing of it.
 */
import pg from "pg";
import type { Attempt } from "./attempts.ts";
import type { Queryable } from "./pool.ts";

/** The leases under which a process writes. */
export type Fence = { owner: string; leases: readonly { key: string; epoch: number }[] };

// In the order of their keys, as leases.ts locks them: so renewing the leases and writing under them cannot deadlock.
const held = `held AS (
  SELECT l.key::smallint AS shard FROM leases l
  JOIN unnest($2::text[], $3::bigint[]) AS mine(key, epoch) ON mine.key = l.key AND mine.epoch = l.epoch
  WHERE l.kind = 'shard' AND l.owner = $1 ORDER BY l.key FOR SHARE OF l)`;

const fenceValues = ({ owner, leases }: Fence) => [
  owner,
  leases.map(({ key }) => key),
  leases.map(({ epoch }) => epoch),
];

/** Whether the database will never take what it was given, however often: values out of bounds, or a day without a partition. */
export function isBadInput(error: unknown): boolean {
  // The classes of SQLSTATE: cardinality violation, data exception, integrity constraint violation.
  return error instanceof pg.DatabaseError && /^2[123]/.test(error.code ?? "");
}

/** How one attempt went. Times are ages and delays, so that only the database's clock counts. */
export type AttemptResult = {
  recordedOn: string;
  shard: number;
  webhookId: string;
  sequence: number;
  number: number;
  trigger: Attempt["trigger"];
  /** How many attempts by schedule there are then, this one included. */
  step: number;
  /** How long ago it was sent. */
  ageMs: number;
  durationMs: number;
  responseStatus: number | null;
  responseBody: string | null;
  /** Null for a success. */
  errorClass: string | null;
  /** When the schedule tries again; null when it is delivered, was the last attempt, or none by schedule. */
  retryInMs: number | null;
};

/**
 * Records attempts, and when to try again. An attempt beside the schedule that failed leaves things as they were before it; one
 * that was asked for while an attempt by schedule was under way is still to be made. A result that is on record already has no
 * effect, however late a copy of it arrives: its writer may have given up on a connection and gone on over another one.
 *
 * @returns the shards for which it took effect
 */
export async function writeResults(
  db: Queryable,
  fence: Fence,
  results: readonly AttemptResult[],
): Promise<Set<number>> {
  const column = <K extends keyof AttemptResult>(key: K) => results.map((result) => result[key]);
  const { rows } = await db.query<{ shard: number }>({
    name: "write-results",
    text: `WITH ${held},
      result AS MATERIALIZED (
        SELECT r.* FROM unnest($4::date[], $5::smallint[], $6::uuid[], $7::bigint[], $8::smallint[], $9::float8[], $10::int[], $11::smallint[],
          $12::text[], $13::text[], $14::float8[], $15::text[], $16::smallint[])
          AS r(recorded_on, shard, webhook_id, sequence, number, age_ms, duration_ms, response_status, response_body, error_class, retry_in_ms,
            trigger, step)
        JOIN held USING (shard)),
      attempt AS (
        INSERT INTO attempts
          (recorded_on, shard, webhook_id, sequence, number, sent_at, duration_ms, response_status, response_body, error_class, trigger)
        SELECT recorded_on, shard, webhook_id, sequence, number, now() - make_interval(secs => age_ms / 1000), duration_ms,
          response_status, response_body, error_class, trigger
        FROM result ON CONFLICT DO NOTHING RETURNING webhook_id, sequence, number),
      fresh AS (SELECT result.* FROM result JOIN attempt USING (webhook_id, sequence, number)),
      ended AS (
        DELETE FROM retries t USING fresh r
        WHERE r.number > 1 AND t.webhook_id = r.webhook_id AND t.sequence = r.sequence
          AND CASE r.trigger WHEN 'schedule' THEN r.error_class IS NULL AND t.extra IS NULL ELSE r.error_class IS NULL OR t.delivered END),
      delivered AS (
        UPDATE retries t SET attempts = r.number, delivered = true, resume_at = NULL FROM fresh r
        WHERE r.number > 1 AND t.webhook_id = r.webhook_id AND t.sequence = r.sequence
          AND r.trigger = 'schedule' AND r.error_class IS NULL AND t.extra IS NOT NULL),
      resumed AS (
        UPDATE retries t SET attempts = r.number, due_at = t.resume_at, resume_at = NULL, extra = NULL FROM fresh r
        WHERE r.number > 1 AND t.webhook_id = r.webhook_id AND t.sequence = r.sequence
          AND r.trigger <> 'schedule' AND r.error_class IS NOT NULL AND t.extra IS NOT NULL AND NOT t.delivered),
      failed AS (
        INSERT INTO retries (shard, webhook_id, sequence, recorded_on, attempts, step, due_at)
        SELECT shard, webhook_id, sequence, recorded_on, number, step, now() + make_interval(secs => retry_in_ms / 1000)
        FROM fresh WHERE error_class IS NOT NULL AND trigger = 'schedule'
        ON CONFLICT (webhook_id, sequence) DO UPDATE SET attempts = EXCLUDED.attempts, step = EXCLUDED.step,
          due_at = CASE WHEN retries.extra IS NULL THEN EXCLUDED.due_at ELSE retries.due_at END,
          resume_at = CASE WHEN retries.extra IS NOT NULL THEN EXCLUDED.due_at END)
      SELECT shard FROM held`,
    values: [
      ...fenceValues(fence),
      column("recordedOn"),
      column("shard"),
      column("webhookId"),
      column("sequence"),
      column("number"),
      column("ageMs"),
      column("durationMs"),
      column("responseStatus"),
      column("responseBody"),
      column("errorClass"),
      column("retryInMs"),
      column("trigger"),
      column("step"),
    ],
  });
  return new Set(rows.map(({ shard }) => shard));
}

/** What is out of the ordinary about an endpoint from now on. */
export type StateChange = { shard: number; webhookId: string; backlogFrom: number | null; failing: boolean };

/** Notes endpoints' states. The time since when an endpoint fails stays what it was while it goes on failing. */
export async function writeEndpointStates(db: Queryable, fence: Fence, changes: readonly StateChange[]): Promise<void> {
  await db.query({
    name: "write-states",
    text: `WITH ${held}, change AS MATERIALIZED (
        SELECT c.* FROM unnest($4::smallint[], $5::uuid[], $6::bigint[], $7::boolean[]) AS c(shard, webhook_id, backlog_from, failing)
        JOIN held USING (shard)),
      ordinary AS (
        DELETE FROM endpoint_states s USING change c WHERE s.webhook_id = c.webhook_id AND c.backlog_from IS NULL AND NOT c.failing)
      INSERT INTO endpoint_states (shard, webhook_id, backlog_from, failing_since)
      SELECT shard, webhook_id, backlog_from, CASE WHEN failing THEN clock_timestamp() END
      FROM change WHERE backlog_from IS NOT NULL OR failing
      ON CONFLICT (webhook_id) DO UPDATE SET backlog_from = EXCLUDED.backlog_from,
        failing_since = CASE WHEN EXCLUDED.failing_since IS NULL THEN NULL ELSE COALESCE(endpoint_states.failing_since, EXCLUDED.failing_since) END`,
    values: [
      ...fenceValues(fence),
      changes.map(({ shard }) => shard),
      changes.map(({ webhookId }) => webhookId),
      changes.map(({ backlogFrom }) => backlogFrom),
      changes.map(({ failing }) => failing),
    ],
  });
}

/** Notes how far streams have been attempted. */
export async function writeStreamCursors(
  db: Queryable,
  fence: Fence,
  cursors: readonly { shard: number; chainId: string; position: number; recordedOn: string }[],
): Promise<void> {
  await db.query({
    name: "write-stream-cursors",
    text: `WITH ${held}
      INSERT INTO delivery_cursors (shard, chain_id, position, recorded_on)
      SELECT c.* FROM unnest($4::smallint[], $5::text[], $6::bigint[], $7::date[]) AS c(shard, chain_id, position, recorded_on)
      JOIN held USING (shard)
      ON CONFLICT (shard, chain_id) DO UPDATE SET position = EXCLUDED.position, recorded_on = EXCLUDED.recorded_on`,
    values: [
      ...fenceValues(fence),
      cursors.map(({ shard }) => shard),
      cursors.map(({ chainId }) => chainId),
      cursors.map(({ position }) => position),
      cursors.map(({ recordedOn }) => recordedOn),
    ],
  });
}

/** Webhooks that may have to become inactive. */
export type Deactivation = {
  /** Those whose endpoint is gone; one whose url is another by now stays as it is. */
  gone: readonly { webhookId: string; url: string }[];
  /** Those that have failed of late, and become inactive if they have for longer than `failingLimitMs`. */
  failing: readonly string[];
  failingLimitMs: number;
};

/** Makes webhooks inactive because of their endpoints. @returns which */
export async function deactivate(
  db: Queryable,
  fence: Fence,
  { gone, failing, failingLimitMs }: Deactivation,
): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>({
    name: "deactivate",
    text: `WITH ${held}, target AS (
        SELECT id, url, 'endpoint_gone' AS reason FROM unnest($4::uuid[], $5::text[]) AS gone(id, url)
        UNION ALL
        SELECT webhook_id, NULL, 'endpoint_failing' FROM endpoint_states
        WHERE webhook_id = ANY($6::uuid[]) AND failing_since < clock_timestamp() - make_interval(secs => $7::float8 / 1000))
      UPDATE webhooks w SET status = 'inactive', status_reason = target.reason, status_since = clock_timestamp()
      FROM target, held
      WHERE w.id = target.id AND w.url = COALESCE(target.url, w.url) AND w.shard = held.shard AND w.status = 'active'
      RETURNING w.id`,
    values: [
      ...fenceValues(fence),
      gone.map(({ webhookId }) => webhookId),
      gone.map(({ url }) => url),
      failing,
      failingLimitMs,
    ],
  });
  return rows.map(({ id }) => id);
}

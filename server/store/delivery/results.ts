/** Records attempts in batches, under the leases of their shards, and reads them as the API shows them. */
import pg from "pg";
import type { components } from "../../../generated/types.ts";
import type { Queryable } from "../pool.ts";
import { type Fence, fenceValues, ownedShards } from "./shards.ts";

/** Whether the database will always refuse these values: they are out of bounds, or their day has no partition. */
export function isBadInput(error: unknown): boolean {
  // The classes of SQLSTATE: cardinality violation, data exception, integrity constraint violation.
  return error instanceof pg.DatabaseError && /^2[123]/.test(error.code ?? "");
}

/** An attempt to record. Its times are converted to the database's clock, the only one that counts. */
export type NewAttempt = {
  recordedOn: string;
  shard: number;
  webhookId: string;
  sequence: number;
  number: number;
  trigger: Attempt["trigger"];
  /** How many attempts the schedule has made, including this one. */
  step: number;
  /** By `performance.now()`. */
  sentAt: number;
  durationMs: number;
  responseStatus: number | null;
  responseBody: string | null;
  /** Null for a success. */
  errorClass: string | null;
  /** When the schedule retries; null after a success, after the last attempt, and if the schedule did not make it. */
  retryInMs: number | null;
  /** Whether the webhook's notifications wait for one another. */
  isOrdered?: boolean;
};

/**
 * Records attempts, and when to retry. A failed resend leaves the schedule as it was. A resend requested while a scheduled
 * attempt is in flight is still made. An attempt already on record has no effect, however late a copy arrives: its writer may have given up
 * on a connection and repeated it on another.
 *
 * Of an ordered webhook, a notification that failed at every attempt is counted as passed over. One that fails again holds back the retries
 * behind it, so a lower sequence is never due after a higher one.
 *
 * @returns the shards for which it took effect. If it throws, it may have taken effect for some attempts and not for others
 */
export async function writeAttempts(
  db: Queryable,
  fence: Fence,
  attempts: readonly NewAttempt[],
): Promise<Set<number>> {
  const plain = attempts.filter(isPlain);
  const others = attempts.filter((attempt) => !isPlain(attempt));
  const effective: Set<number>[] = [];
  if (plain.length > 0) effective.push(await writePlain(db, fence, plain));
  if (others.length > 0) effective.push(await writeOthers(db, fence, others));
  const shards = fence.leases.map(({ key }) => Number(key));
  return new Set(shards.filter((shard) => effective.every((each) => each.has(shard))));
}

/** Records first attempts that succeeded, as almost all do. They change nothing else. */
const isPlain = ({ number, errorClass, trigger }: NewAttempt) =>
  number === 1 && errorClass === null && trigger === "schedule";

async function writePlain(db: Queryable, fence: Fence, attempts: readonly NewAttempt[]): Promise<Set<number>> {
  const insert = {
    name: "write-results",
    text: `WITH ${ownedShards}, attempt AS (
        INSERT INTO attempts (recorded_on, shard, webhook_id, sequence, number, sent_at, duration_ms, response_status, response_body)
        SELECT recorded_on, shard, webhook_id, sequence, 1, now() - make_interval(secs => age_ms / 1000), duration_ms, response_status, response_body
        FROM unnest($4::date[], $5::smallint[], $6::uuid[], $7::bigint[], $8::float8[], $9::int[], $10::smallint[], $11::text[])
          AS r(recorded_on, shard, webhook_id, sequence, age_ms, duration_ms, response_status, response_body)
        WHERE shard = ANY(ARRAY(SELECT shard FROM owned_shards)))
      SELECT shard FROM owned_shards`,
    values: [
      ...fenceValues(fence),
      list(attempts, "recordedOn"),
      list(attempts, "shard"),
      list(attempts, "webhookId"),
      list(attempts, "sequence"),
      `{${agesMs(attempts).join()}}`,
      list(attempts, "durationMs"),
      list(attempts, "responseStatus"),
      attempts.map(({ responseBody }) => responseBody),
    ],
  };
  try {
    const { rows } = await db.query<{ shard: number }>(insert);
    return new Set(rows.map(({ shard }) => shard));
  } catch (error) {
    // Some are already on record. `writeOthers` checks each, which costs a third more.
    if (error instanceof pg.DatabaseError && error.code === uniqueViolation) return writeOthers(db, fence, attempts);
    throw error;
  }
}

const uniqueViolation = "23505";

/** How long ago each attempt was sent. */
function agesMs(attempts: readonly NewAttempt[]): number[] {
  const now = performance.now();
  return attempts.map(({ sentAt }) => Math.round(now - sentAt));
}

/** A column of values without quotes, as an array literal. pg would check each value for quotes. */
function list(attempts: readonly NewAttempt[], key: Exclude<keyof NewAttempt, "responseBody">): string {
  return `{${attempts.map((attempt) => attempt[key] ?? "NULL").join()}}`;
}

/** What failures of ordered webhooks change besides. `repeated` are rows that `failed` does not write. */
const ordered = `,
      repeated AS (
        SELECT webhook_id, min(sequence) AS first, max(now() + make_interval(secs => retry_in_ms / 1000)) AS due_at FROM fresh
        WHERE ordered AND error_class IS NOT NULL AND trigger = 'schedule' AND retry_in_ms IS NOT NULL GROUP BY webhook_id),
      held_back AS (
        UPDATE retries t SET due_at = CASE WHEN t.extra IS NULL THEN greatest(t.due_at, r.due_at) ELSE t.due_at END,
          resume_at = CASE WHEN t.resume_at IS NOT NULL THEN greatest(t.resume_at, r.due_at) END
        FROM repeated r
        WHERE t.webhook_id = r.webhook_id AND t.sequence > r.first AND t.due_at IS NOT NULL AND (t.extra IS NULL OR t.resume_at IS NOT NULL)
          AND NOT EXISTS (SELECT FROM fresh f WHERE f.webhook_id = t.webhook_id AND f.sequence = t.sequence)),
      passed AS (
        INSERT INTO passed_over (webhook_id, count, last_sequence, at)
        SELECT webhook_id, count(*), max(sequence), now() FROM fresh
        WHERE ordered AND error_class IS NOT NULL AND trigger = 'schedule' AND retry_in_ms IS NULL GROUP BY webhook_id
        ON CONFLICT (webhook_id) DO UPDATE SET count = passed_over.count + EXCLUDED.count,
          last_sequence = greatest(passed_over.last_sequence, EXCLUDED.last_sequence), at = EXCLUDED.at)`;

/** Counts those that have failed at every attempt: for the operational events of their accounts. */
const exhausted = `,
      used_up AS (
        INSERT INTO exhausted (webhook_id, account_id, count, last_sequence)
        SELECT webhook_id, (SELECT account_id FROM webhooks WHERE id = webhook_id), count(*), max(sequence) FROM fresh
        WHERE error_class IS NOT NULL AND trigger = 'schedule' AND retry_in_ms IS NULL GROUP BY webhook_id
        ON CONFLICT (webhook_id) DO UPDATE SET count = exhausted.count + EXCLUDED.count,
          last_sequence = greatest(exhausted.last_sequence, EXCLUDED.last_sequence))`;

const isExhausted = ({ errorClass, trigger, retryInMs }: NewAttempt) =>
  errorClass !== null && trigger === "schedule" && retryInMs === null;

/** Without a name, so that it is planned each time for the number of rows. A generic plan compares every row with every other. */
async function writeOthers(db: Queryable, fence: Fence, attempts: readonly NewAttempt[]): Promise<Set<number>> {
  const column = <K extends keyof NewAttempt>(key: K) => attempts.map((attempt) => attempt[key]);
  const isAnyOrdered = attempts.some(({ isOrdered }) => isOrdered);
  const { rows } = await db.query<{ shard: number }>({
    text: `WITH ${ownedShards},
      result AS MATERIALIZED (
        SELECT r.* FROM unnest($4::date[], $5::smallint[], $6::uuid[], $7::bigint[], $8::smallint[], $9::float8[], $10::int[], $11::smallint[],
          $12::text[], $13::text[], $14::float8[], $15::text[], $16::smallint[], $17::boolean[])
          AS r(recorded_on, shard, webhook_id, sequence, number, age_ms, duration_ms, response_status, response_body, error_class, retry_in_ms,
            trigger, step, ordered)
        JOIN owned_shards USING (shard)),
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
        INSERT INTO retries (shard, account_id, webhook_id, sequence, recorded_on, attempts, step, due_at)
        SELECT shard, (SELECT account_id FROM webhooks WHERE id = webhook_id), webhook_id, sequence, recorded_on, number, step,
          now() + make_interval(secs => retry_in_ms / 1000)
        FROM fresh WHERE error_class IS NOT NULL AND trigger = 'schedule'
        ON CONFLICT (webhook_id, sequence) DO UPDATE SET attempts = EXCLUDED.attempts, step = EXCLUDED.step,
          due_at = CASE WHEN retries.extra IS NULL THEN EXCLUDED.due_at ELSE retries.due_at END,
          resume_at = CASE WHEN retries.extra IS NOT NULL THEN EXCLUDED.due_at END)${isAnyOrdered ? ordered : ""}${attempts.some(isExhausted) ? exhausted : ""}
      SELECT shard FROM owned_shards`,
    values: [
      ...fenceValues(fence),
      column("recordedOn"),
      column("shard"),
      column("webhookId"),
      column("sequence"),
      column("number"),
      agesMs(attempts),
      column("durationMs"),
      column("responseStatus"),
      column("responseBody"),
      column("errorClass"),
      column("retryInMs"),
      column("trigger"),
      column("step"),
      column("isOrdered"),
    ],
  });
  return new Set(rows.map(({ shard }) => shard));
}

export type Attempt = components["schemas"]["Attempt"];

/** The columns that `toAttempt` reads, with `a` for the table `attempts`. */
export const attemptColumns =
  "a.number, a.trigger, a.sent_at, a.duration_ms, a.response_status, a.response_body, a.error_class";

/** The recorded result of an exchange. */
export type ExchangeRow = {
  sent_at: Date;
  duration_ms: number;
  response_status: number | null;
  response_body: string | null;
  error_class: NonNullable<Attempt["errorClass"]> | null;
};

export type AttemptRow = ExchangeRow & { number: number; trigger: Attempt["trigger"] };

export function toAttempt(row: AttemptRow): Attempt {
  return { number: row.number, trigger: row.trigger, ...toExchange(row) };
}

/** The fields that an attempt and a test share. */
export function toExchange(row: ExchangeRow): Omit<Attempt, "number" | "trigger"> {
  return {
    sentAt: row.sent_at.getTime(),
    durationMs: row.duration_ms,
    ...(row.response_status !== null && { responseStatus: row.response_status }),
    ...(row.response_body !== null && { responseBody: row.response_body }),
    ...(row.error_class !== null && { errorClass: row.error_class }),
  };
}

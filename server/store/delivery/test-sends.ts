/** Test notifications: the API requests one, a delivery process sends it once and records the outcome. */
import { randomUUID } from "node:crypto";
import type { components } from "../../../generated/types.ts";
import type { Queryable } from "../pool.ts";
import { type ExchangeRow, toExchange } from "./results.ts";

export type TestResult = components["schemas"]["TestResult"];

/** How long a test waits for a delivery process, in seconds. After that no process claims it. */
export const testPatienceSeconds = 2;

/** A test to send. */
export type RequestedTest = { messageId: string; shard: number; accountId: number; webhookId: string; event: string };

/** Requests a test of a webhook. @returns the test's messageId; undefined if the webhook is gone */
export async function requestTest(db: Queryable, webhookId: string, event: string): Promise<string | undefined> {
  const messageId = randomUUID();
  const { rowCount } = await db.query(
    `INSERT INTO test_sends (message_id, shard, webhook_id, event) SELECT $1, shard, id, $3 FROM webhooks WHERE id = $2`,
    [messageId, webhookId, event],
  );
  return rowCount ? messageId : undefined;
}

/**
 * Claims tests to send; no other process gets them. Accounts take turns. Each gets another only while it has fewer in flight than are free.
 *
 * @param inFlight how many tests are in flight, by account
 * @param limit how many may be in flight in total
 */
export async function takeTests(
  db: Queryable,
  shards: readonly number[],
  inFlight: ReadonlyMap<number, number>,
  limit: number,
): Promise<RequestedTest[]> {
  const counts = [...inFlight.values()];
  const { rows } = await db.query<RequestedTest>({
    name: "take-tests",
    text: `WITH wanted AS (
             SELECT message_id, account_id, requested_at,
               COALESCE(u.count, 0) + row_number() OVER (PARTITION BY account_id ORDER BY requested_at) AS nth
             FROM test_sends t JOIN webhooks w ON w.id = t.webhook_id
             LEFT JOIN unnest($4::bigint[], $5::int[]) AS u(account_id, count) USING (account_id)
             WHERE t.shard = ANY($1::smallint[]) AND taken_at IS NULL AND requested_at > clock_timestamp() - make_interval(secs => $3)),
           turn AS (SELECT *, row_number() OVER (ORDER BY nth, requested_at) AS place FROM wanted)
           UPDATE test_sends t SET taken_at = clock_timestamp() FROM turn
           WHERE t.message_id = turn.message_id AND t.taken_at IS NULL AND turn.nth + turn.place <= $2::int + 1
           RETURNING t.message_id AS "messageId", t.shard, turn.account_id AS "accountId", t.webhook_id AS "webhookId", t.event`,
    values: [shards, limit - counts.reduce((a, b) => a + b, 0), testPatienceSeconds, [...inFlight.keys()], counts],
  });
  return rows;
}

export type TestOutcome = {
  /** How long ago it was sent, in ms. */
  ageMs: number;
  durationMs: number;
  responseStatus: number | null;
  responseBody: string | null;
  errorClass: string | null;
};

/** Records a test's outcome. */
export async function writeTestOutcome(
  db: Queryable,
  { messageId, shard }: RequestedTest,
  { ageMs, durationMs, responseStatus, responseBody, errorClass }: TestOutcome,
): Promise<void> {
  await db.query(
    `UPDATE test_sends SET sent_at = clock_timestamp() - make_interval(secs => $3::float8 / 1000), duration_ms = $4,
       response_status = $5, response_body = $6, error_class = $7
     WHERE message_id = $1 AND shard = $2`,
    [messageId, shard, ageMs, durationMs, responseStatus, responseBody, errorClass],
  );
}

/** A test waits for a process, was claimed by one, or has a result. `gone`: its webhook was deleted. */
export type TestState = "waiting" | "taken" | "gone" | TestResult;

export async function readTest(db: Queryable, messageId: string): Promise<TestState> {
  const { rows } = await db.query<{ taken_at: Date | null } & (ExchangeRow | { duration_ms: null })>({
    name: "read-test",
    text: "SELECT taken_at, sent_at, duration_ms, response_status, response_body, error_class FROM test_sends WHERE message_id = $1",
    values: [messageId],
  });
  const [row] = rows;
  if (!row) return "gone";
  if (row.duration_ms === null) return row.taken_at === null ? "waiting" : "taken";
  return { messageId, delivered: row.error_class === null, ...toExchange(row) };
}

/** Deletes a test. @returns whether it was still waiting; if so it never was and never will be sent */
export async function forgetTest(db: Queryable, messageId: string): Promise<boolean> {
  const { rows } = await db.query<{ waiting: boolean }>(
    "DELETE FROM test_sends WHERE message_id = $1 RETURNING taken_at IS NULL AS waiting",
    [messageId],
  );
  return rows[0]?.waiting ?? false;
}

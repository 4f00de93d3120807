/**
 * Creates the days' partitions in advance, and drops what is past retention. Neither takes a lock that recording, sending or reading waits
 * for, however long another transaction stays open. What waits in a day that ends is counted first, so that nothing is deleted silently.
 */

import type pg from "pg";
import type { Logger } from "../../base/log.ts";
import type { Metrics } from "../../base/metrics.ts";
import type { Periods } from "../../settings/periods.ts";
import { dropFullBuckets } from "../accounts/rate-limits.ts";
import { forgetOldQuestions } from "../chains/questions.ts";
import type { waits } from "../delivery/figures.ts";
import { forgetLeft } from "../moves/record.ts";
import { type Pool, type Queryable, within } from "../pool.ts";
import { forgetAdditions } from "../webhooks/addresses.ts";
import { forgetHeldEvents } from "./held.ts";

const daysAhead = 3;
const periodMs = 60 * 60 * 1000;
/** Buckets need this often: clients without a key create one for each address, maybe thousands a second. Answers to questions are long. */
const bucketPeriodMs = 60 * 1000;

/**
 * Creates the partitions of the coming days and drops everything past retention, including rows that were written for a webhook while
 * it was deleted.
 *
 * @param retentionDays as this process is configured; another process may have reported a longer one
 * @param onUndelivered called with what still waited when retention ended
 * @returns how many days are kept
 */
export async function maintain(
  pool: Pool,
  retentionDays: number,
  onUndelivered: (undelivered: Undelivered) => void = () => undefined,
): Promise<number> {
  const keptDays = await agreeOnKeptDays(pool, retentionDays);
  // First, since nothing can be recorded without the next day's partition.
  await shiftPartitions(pool, { daysAhead, keptDays, onUndelivered });
  const remove = (text: string, values: unknown[] = []) => pool.query(within(cleaningMs, { text, values }));
  await remove("DELETE FROM retries WHERE recorded_on < (now() AT TIME ZONE 'utc')::date - $1::int", [keptDays]);
  for (const table of ["retries", "endpoint_states", "passed_over", "exhausted"]) {
    await remove(`DELETE FROM ${table} t WHERE NOT EXISTS (SELECT FROM webhooks w WHERE w.id = t.webhook_id)`);
  }
  await remove("DELETE FROM replays WHERE finished_at < now() - make_interval(days => $1)", [keptDays]);
  await remove("DELETE FROM history_used WHERE created_at < now() - interval '1 day'");
  await remove("DELETE FROM test_sends WHERE requested_at < now() - interval '1 hour'");
  for (const table of ["idempotency_keys", "address_changes"])
    await remove(`DELETE FROM ${table} WHERE created_at < now() - interval '24 hours'`);
  await forgetAdditions(pool);
  await forgetHeldEvents(pool);
  await forgetLeft(pool, keptDays);
  return keptDays;
}

/** Maintains the tables now and every hour, and rate limits every minute, until stopped. Several processes may do so. */
export function startMaintenance(
  pool: Pool,
  log: Logger,
  { delivery }: Metrics,
  { retentionDays }: Pick<Periods, "retentionDays">,
): { stop(): void } {
  const onUndelivered = ({ waitingFor, notifications, ...rest }: Undelivered) => {
    delivery.expired.inc({ waiting_for: waitingFor }, notifications);
    log.warn({ waitingFor, notifications, ...rest }, "notifications were deleted undelivered, at the end of retention");
  };
  const attempt = (work: (pool: Pool) => Promise<void>) =>
    void work(pool).catch((err: unknown) =>
      log.warn({ err }, "the tables could not be maintained; it will be retried"),
    );
  let reportedDays = retentionDays;
  const maintainAll = async (of: Pool) => {
    const keptDays = await maintain(of, retentionDays, onUndelivered);
    delivery.retention.set(keptDays * 86_400);
    if (keptDays === reportedDays) return;
    reportedDays = keptDays;
    log.info({ retentionDays, keptDays }, "days are kept as long as another process wants, until a day after it ended");
  };
  attempt(maintainAll);
  const timers = [
    setInterval(attempt, periodMs, maintainAll),
    setInterval(attempt, bucketPeriodMs, dropFullBuckets),
    setInterval(attempt, bucketPeriodMs, forgetOldQuestions),
  ];
  return {
    stop() {
      for (const timer of timers) clearInterval(timer);
    },
  };
}

/** How long a retention holds after the last process with it was seen. Each reports itself every hour. */
const holdsForHours = 24;

/**
 * Agrees with the other processes on how long to keep. The longest retention that any process had within a day holds. So a process with a
 * longer one loses nothing while others restart with another, and a value set too low by mistake can be corrected for a day.
 * Reports this process's retention.
 *
 * @param retentionDays as this process is configured
 * @returns how many days to keep
 */
async function agreeOnKeptDays(db: Queryable, retentionDays: number): Promise<number> {
  const { rows } = await db.query<{ days: number }>(
    `WITH mine AS (
       INSERT INTO retentions (days, seen_at) VALUES ($1, clock_timestamp())
       ON CONFLICT (days) DO UPDATE SET seen_at = EXCLUDED.seen_at)
     SELECT greatest($1, max(days))::int AS days FROM retentions WHERE seen_at > clock_timestamp() - make_interval(hours => $2)`,
    [retentionDays, holdsForHours],
  );
  return rows[0]?.days ?? retentionDays;
}

/** Notifications of one day that no attempt has delivered, though one was still to be made. */
type Undelivered = {
  /** As in `20261123`. */
  day: string;
  waitingFor: (typeof waits)[number];
  notifications: number;
  webhooks: number;
};

/** @param partition of the table notifications, quoted. What has failed for good is not counted, since its webhook's owner can see that. */
async function countUndelivered(db: pg.ClientBase, partition: string, timeoutMs: number): Promise<Undelivered[]> {
  const { rows } = await db.query<Undelivered>(
    within(timeoutMs, {
      text: `SELECT $1 AS day, wait AS "waitingFor", count(*)::float8 AS notifications, count(DISTINCT webhook_id)::float8 AS webhooks
     FROM (
       SELECT n.webhook_id, CASE
         WHEN r.due_at IS NOT NULL AND NOT r.delivered THEN 'retry'
         WHEN n.sequence >= e.backlog_from THEN CASE w.status WHEN 'active' THEN 'endpoint' ELSE 'activation' END
         WHEN n.position > COALESCE(c.position, 0) AND r.webhook_id IS NULL THEN 'first_attempt'
       END AS wait
       FROM ${partition} n JOIN webhooks w ON w.id = n.webhook_id AND w.url IS NOT NULL
       LEFT JOIN endpoint_states e ON e.webhook_id = n.webhook_id
       LEFT JOIN retries r ON r.webhook_id = n.webhook_id AND r.sequence = n.sequence
       LEFT JOIN delivery_cursors c ON c.shard = n.shard AND c.chain_id = n.chain_id) pending
     WHERE wait IS NOT NULL GROUP BY wait`,
      values: [partition.slice(-8)],
    }),
  );
  return rows;
}

/**
 * The time limit of what goes through a large table and keeps nobody waiting. With that of other statements, a day with more than was counted
 * in it would never be removed.
 */
const cleaningMs = 15 * 60 * 1_000;

type OldPartition = { parent: string; name: string; attached: boolean; pending: boolean };

/**
 * Creates the partitions up to `daysAhead` days from now and drops those older than `keptDays`. Does nothing while another process
 * does the same.
 *
 * @param options.onUndelivered called with what still waited in a day that is dropped, if anything did
 * @throws when an open transaction prevents dropping an old day for too long; the next call continues
 */
async function shiftPartitions(
  pool: Pool,
  options: { daysAhead: number; keptDays: number; onUndelivered: (undelivered: Undelivered) => void },
): Promise<void> {
  const { daysAhead, keptDays, onUndelivered } = options;
  const client = await pool.connect();
  let broken: Error | boolean = true;
  const onError = () => undefined;
  client.on("error", onError);
  try {
    const { rows } = await client.query<{ mine: boolean }>(
      "SELECT pg_try_advisory_lock(hashtext('chain-webhooks shifting partitions')) AS mine",
    );
    if (rows[0]?.mine) {
      await client.query("SELECT ensure_partitions($1)", [daysAhead]);
      for (const partition of await findOld(client, keptDays)) await drop(client, partition, onUndelivered);
      await client.query("SELECT pg_advisory_unlock_all()");
    }
    broken = false;
  } finally {
    client.off("error", onError);
    // The lock ends with its connection.
    client.release(broken);
  }
}

/** Includes partitions that a process detached before it died. Notifications go first, since they refer to the others. */
async function findOld(db: pg.ClientBase, keptDays: number): Promise<OldPartition[]> {
  const { rows } = await db.query<OldPartition>(
    `SELECT parent, quote_ident(c.relname) AS name, i.inhrelid IS NOT NULL AS attached, coalesce(i.inhdetachpending, false) AS pending
     FROM unnest(ARRAY['notifications', 'attempts', 'events']) WITH ORDINALITY AS p(parent, place)
     JOIN pg_class c ON c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace AND c.relname ~ ('^' || parent || '_[0-9]{8}$')
     LEFT JOIN pg_inherits i ON i.inhrelid = c.oid
     WHERE right(c.relname, 8) < to_char((now() AT TIME ZONE 'utc')::date - $1::int, 'YYYYMMDD')
     ORDER BY right(c.relname, 8), place`,
    [keptDays],
  );
  return rows;
}

async function drop(
  db: pg.ClientBase,
  { parent, name, attached, pending }: OldPartition,
  onUndelivered: (undelivered: Undelivered) => void,
): Promise<void> {
  // It waits for open transactions, and a backup's may last for hours: it gives up as any statement does, and is continued the next time.
  if (attached)
    await db.query(`ALTER TABLE ${parent} DETACH PARTITION ${name} ${pending ? "FINALIZE" : "CONCURRENTLY"}`);
  const undelivered = parent === "notifications" ? await countUndelivered(db, name, cleaningMs) : [];
  // Others wait while it waits for locks, so it has the limit of any statement.
  await db.query(`DROP TABLE ${name}`);
  for (const found of undelivered) onUndelivered(found);
}

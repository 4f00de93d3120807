/** Creates the days' partitions in advance, and drops what is past retention. */
import type { Logger } from "../../base/log.ts";
import type { Metrics } from "../../base/metrics.ts";
import type { Periods } from "../../settings/periods.ts";
import { dropFullBuckets } from "../accounts/rate-limits.ts";
import { forgetOldQuestions } from "../chains/questions.ts";
import { forgetLeft } from "../moves/forget-left.ts";
import { type Pool, within } from "../pool.ts";
import { forgetAdditions } from "../webhooks/address-additions.ts";
import { forgetHeldEvents } from "./held.ts";
import { agreeOnKeptDays } from "./kept-days.ts";
import { cleaningMs, shiftPartitions } from "./partitions.ts";
import type { Undelivered } from "./undelivered.ts";

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
  for (const table of ["retries", "endpoint_states", "passed_over"]) {
    await remove(`DELETE FROM ${table} t WHERE NOT EXISTS (SELECT FROM webhooks w WHERE w.id = t.webhook_id)`);
  }
  await remove("DELETE FROM replays WHERE finished_at < now() - make_interval(days => $1)", [keptDays]);
  await remove("DELETE FROM test_sends WHERE requested_at < now() - interval '1 hour'");
  await remove("DELETE FROM idempotency_keys WHERE created_at < now() - interval '24 hours'");
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

/**
 * Agrees with the other processes on how long to keep. The longest retention that any process had within a day holds. So a process with a
 * longer one loses nothing while others restart with another, and a value set too low by mistake can be corrected for a day.
 */
import type { Queryable } from "../pool.ts";

/** How long a retention holds after the last process with it was seen. Each reports itself every hour. */
const holdsForHours = 24;

/**
 * Reports this process's retention.
 *
 * @param retentionDays as this process is configured
 * @returns how many days to keep
 */
export async function agreeOnKeptDays(db: Queryable, retentionDays: number): Promise<number> {
  const { rows } = await db.query<{ days: number }>(
    `WITH mine AS (
       INSERT INTO retentions (days, seen_at) VALUES ($1, clock_timestamp())
       ON CONFLICT (days) DO UPDATE SET seen_at = EXCLUDED.seen_at)
     SELECT greatest($1, max(days))::int AS days FROM retentions WHERE seen_at > clock_timestamp() - make_interval(hours => $2)`,
    [retentionDays, holdsForHours],
  );
  return rows[0]?.days ?? retentionDays;
}

/**
 * The days' partitions: created in advance, dropped after retention. Neither takes a lock that recording, sending or reading waits
 * for, however long another transaction stays open.
 */
import type pg from "pg";
import type { Pool } from "../pool.ts";
import { countUndelivered, type Undelivered } from "./undelivered.ts";

/**
 * The time limit of what goes through a large table and keeps nobody waiting. With that of other statements, a day with more than was counted
 * in it would never be removed.
 */
export const cleaningMs = 15 * 60 * 1_000;

type OldPartition = { parent: string; name: string; attached: boolean; pending: boolean };

/**
 * Creates the partitions up to `daysAhead` days from now and drops those older than `keptDays`. Does nothing while another process
 * does the same.
 *
 * @param options.onUndelivered called with what still waited in a day that is dropped, if anything did
 * @throws when an open transaction prevents dropping an old day for too long; the next call continues
 */
export async function shiftPartitions(
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

/**
 * Moves what is held for an account's webhooks. From the release of its lanes on nothing changes it: the old cell releases and drops only
 * for lanes, and the account's webhooks are in none. The new cell gets it in the transaction in which it takes over.
 */
import type { Queryable } from "../pool.ts";
import { type CopiedRow, readRows, writeRows } from "./rows.ts";

/** @param from inside a transaction @param accountId in the old cell */
export async function copyHeld({ from, to }: { from: Queryable; to: Queryable }, accountId: number): Promise<void> {
  const ofAccount = `h.webhook_id IN (SELECT id FROM webhooks WHERE account_id = ${accountId})`;
  // Nothing is there, unless somebody changed the tables by hand. It would be notified twice.
  const { rows } = await from.query<{ id: string }>(`SELECT id FROM webhooks WHERE account_id = ${accountId}`);
  await removeHeld(
    to,
    rows.map(({ id }) => id),
  );
  const newIds = new Map<number, number>();
  const events = `SELECT * FROM held_events e WHERE EXISTS (SELECT FROM held_notifications h WHERE h.event_id = e.id AND ${ofAccount})`;
  for await (const rows of readRows(from, events, [])) {
    const ids = await reserveIds(to, rows.length);
    for (const [index, row] of rows.entries()) newIds.set(Number(row.id), ids[index] ?? 0);
    await writeRows(
      to,
      "held_events",
      rows.map((row) => ({ ...row, id: newIds.get(Number(row.id)) })),
    );
  }
  for await (const rows of readRows(from, `SELECT * FROM held_notifications h WHERE ${ofAccount}`, []))
    await writeRows(
      to,
      "held_notifications",
      // The account has another id there, which is found by the webhook.
      rows.map((row): CopiedRow => ({ ...row, event_id: newIds.get(Number(row.event_id)), account_id: null })),
    );
}

async function reserveIds(db: Queryable, count: number): Promise<number[]> {
  const { rows } = await db.query<{ id: number }>(
    "SELECT nextval(pg_get_serial_sequence('held_events', 'id')) AS id FROM generate_series(1, $1)",
    [count],
  );
  return rows.map(({ id }) => id);
}

/** Removes what another cell holds by now. Their texts go with what else is unused (outbox/held.ts). */
export async function removeHeld(db: Queryable, webhookIds: readonly string[]): Promise<void> {
  await db.query("DELETE FROM held_notifications WHERE webhook_id = ANY($1::uuid[])", [webhookIds]);
}

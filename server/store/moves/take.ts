/** The moment in which the new cell takes over: one transaction of it, after the old one has left the account to it. */
import { inTransaction, type Queryable } from "../pool.ts";
import { assertGrown, continueLanes, readReleased } from "./lanes.ts";
import { accountIdOf, type Cells, holdMove, type Run, setState } from "./record.ts";
import { type CopiedRow, readRows, writeRows } from "./rows.ts";

/** The old cell has left the account, so what is read of it no longer changes. */
export async function takeOver({ from, to }: Cells, move: Run): Promise<void> {
  const accountId = await accountIdOf(from.pool, move.account);
  const released = await readReleased(from.pool, move.id);
  const sequences = await readSequences(from.pool, accountId);
  await inTransaction(from.pool, async (source) => {
    await source.query("SET TRANSACTION READ ONLY");
    await inTransaction(to.pool, async (db) => {
      if ((await holdMove(db, move)) !== "arrived") return;
      await assertGrown(db, [...new Set(released.map(({ chainId }) => chainId))]);
      const arrivedId = await accountIdOf(db, move.account);
      // In this order: what is deleted of replays counts as used, and the old cell has counted all of it.
      for (const table of ["replays", "history_used"]) {
        await db.query(`DELETE FROM ${table} WHERE account_id = $1`, [arrivedId]);
        for await (const rows of readRows(source, `SELECT * FROM ${table} WHERE account_id = ${accountId}`, []))
          await writeRows(
            db,
            table,
            rows.map((row) => ({ ...row, account_id: arrivedId })),
          );
      }
      await writeSequences(db, sequences);
      await copySaid({ from: source, to: db }, { accountId, arrivedId });
      await copyHeld({ from: source, to: db }, accountId);
      await continueLanes(db, released);
      await setState(db, move, "taken");
    });
  });
}

/** What was said is not said again. What was counted and not said yet is said here, once for both cells. */
async function copySaid(
  { from, to }: { from: Queryable; to: Queryable },
  { accountId, arrivedId }: { accountId: number; arrivedId: number },
): Promise<void> {
  const own = "webhook_id IN (SELECT id FROM webhooks WHERE account_id =";
  for (const table of ["operational_said", "exhausted"]) {
    await to.query(`DELETE FROM ${table} WHERE ${own} $1)`, [arrivedId]);
    for await (const rows of readRows(from, `SELECT * FROM ${table} WHERE ${own} ${accountId})`, []))
      await writeRows(to, table, table === "exhausted" ? rows.map((row) => ({ ...row, account_id: arrivedId })) : rows);
  }
}

type Sequence = { webhookId: string; last: number };

async function readSequences(db: Queryable, accountId: number): Promise<Sequence[]> {
  const { rows } = await db.query<Sequence>(
    `SELECT s.webhook_id AS "webhookId", s.last_sequence AS last FROM webhook_sequences s
     JOIN webhooks w ON w.id = s.webhook_id WHERE w.account_id = $1`,
    [accountId],
  );
  return rows;
}

async function writeSequences(db: Queryable, sequences: readonly Sequence[]): Promise<void> {
  await db.query(
    `UPDATE webhook_sequences s SET last_sequence = n.last FROM unnest($1::uuid[], $2::bigint[]) AS n(webhook_id, last)
     WHERE s.webhook_id = n.webhook_id`,
    [sequences.map(({ webhookId }) => webhookId), sequences.map(({ last }) => last)],
  );
}

/**
 * From the release of its lanes on nothing changes what is held: the old cell releases and drops only for lanes, and the account's webhooks
 * are in none. The new cell gets it in the transaction in which it takes over.
 *
 * @param from inside a transaction @param accountId in the old cell
 */
async function copyHeld({ from, to }: { from: Queryable; to: Queryable }, accountId: number): Promise<void> {
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

/** The moment in which the new cell takes over: one transaction of it, after the old one has left the account to it. */
import { inTransaction, type Queryable } from "../pool.ts";
import { copyHeld } from "./held.ts";
import { assertGrown, continueLanes, readReleased } from "./lanes.ts";
import { accountIdOf, type Cells, holdMove, type Run, setState } from "./record.ts";
import { readRows, writeRows } from "./rows.ts";

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
      await db.query("DELETE FROM replays WHERE account_id = $1", [arrivedId]);
      for await (const rows of readRows(source, `SELECT * FROM replays WHERE account_id = ${accountId}`, []))
        await writeRows(
          db,
          "replays",
          rows.map((row) => ({ ...row, account_id: arrivedId })),
        );
      await writeSequences(db, sequences);
      await copyHeld({ from: source, to: db }, accountId);
      await continueLanes(db, released);
      await setState(db, move, "taken");
    });
  });
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

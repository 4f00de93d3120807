/**
 * Copies the addresses that an account's webhooks watch. There may be millions, so they are copied while the account still changes, and
 * again those of webhooks that changed since. Without their webhooks they have no effect in the new cell.
 */
import { inTransaction, type Pool, type Queryable } from "../pool.ts";
import { removePart } from "../webhooks/removed-webhooks.ts";
import { accountIdOf, type Cells, holdMove, type Run } from "./record.ts";
import type { CopiedRow } from "./rows.ts";

type Source = { id: string; chainId: string; addresses: number; changes: number };
type Copied = {
  webhookId: string;
  chainId: string;
  address: Buffer;
  fromBlock: number | null;
  watchedFrom: number | null;
  createdIn: number | null;
  replay: string | null;
};

/** How many addresses are copied in one transaction. */
const part = 10_000;

/** Called after each batch of webhooks, with how many addresses of all are copied. */
export type OnCopied = (done: number, total: number) => void;

/** @returns how many addresses were copied */
export async function copyAddresses(cells: Cells, move: Run, onCopied: OnCopied = () => undefined): Promise<number> {
  const { from, to } = cells;
  const sources = await readSources(from.pool, await accountIdOf(from.pool, move.account));
  // A webhook that was copied for an aborted move may still be in the middle of being removed.
  while (await areRemoved(to.pool, sources)) while (await removePart(to.pool));
  await forgetOthers(cells, move, sources);
  const { rows } = await to.pool.query<{ id: string; changes: number }>(
    "SELECT webhook_id AS id, address_changes AS changes FROM move_webhooks WHERE move_id = $1 AND address_changes IS NOT NULL",
    [move.id],
  );
  const done = new Map(rows.map(({ id, changes }) => [id, changes]));
  const stale = sources.filter(({ id, changes }) => done.get(id) !== changes);
  const total = stale.reduce((sum, { addresses }) => sum + addresses, 0);
  let copied = 0;
  for (const batch of batches(stale)) {
    copied += await copyBatch(cells, move, batch);
    onCopied(copied, total);
  }
  return copied;
}

async function readSources(db: Queryable, accountId: number): Promise<Source[]> {
  const { rows } = await db.query<Source>(
    `SELECT id, chain_id AS "chainId", address_count AS addresses, address_changes AS changes FROM webhooks
     WHERE account_id = $1 ORDER BY id`,
    [accountId],
  );
  return rows;
}

async function areRemoved(db: Queryable, sources: readonly Source[]): Promise<boolean> {
  const { rowCount } = await db.query("SELECT FROM removed_webhooks WHERE webhook_id = ANY($1::uuid[]) LIMIT 1", [
    sources.map(({ id }) => id),
  ]);
  return rowCount === 1;
}

/** Has the addresses removed of webhooks that were deleted after they had been copied. */
async function forgetOthers({ to }: Cells, move: Run, sources: readonly Source[]): Promise<void> {
  await inTransaction(to.pool, async (db) => {
    await holdMove(db, move);
    await db.query(
      `WITH gone AS (DELETE FROM move_webhooks WHERE move_id = $1 AND webhook_id <> ALL($2::uuid[]) RETURNING webhook_id)
       ${removeCopiedAddresses("gone")}`,
      [move.id, sources.map(({ id }) => id)],
    );
  });
}

/** Has the addresses removed, in small parts. Those of a webhook that is here from an earlier stay are removed with it. */
export const removeCopiedAddresses = (webhooks: string) =>
  `INSERT INTO removed_webhooks (webhook_id) SELECT webhook_id FROM ${webhooks} g
   WHERE NOT EXISTS (SELECT FROM webhooks w WHERE w.id = g.webhook_id) ON CONFLICT DO NOTHING`;

/** Many small webhooks together, a large one alone. */
function* batches(sources: readonly Source[]): Generator<Source[]> {
  let batch: Source[] = [];
  let addresses = 0;
  for (const source of sources) {
    if (batch.length > 0 && addresses + source.addresses > part) {
      yield batch;
      [batch, addresses] = [[], 0];
    }
    batch.push(source);
    addresses += source.addresses;
  }
  if (batch.length > 0) yield batch;
}

async function copyBatch({ from, to }: Cells, move: Run, batch: readonly Source[]): Promise<number> {
  const ids = batch.map(({ id }) => id);
  await inTransaction(to.pool, async (db) => {
    await holdMove(db, move);
    await db.query(
      `INSERT INTO move_webhooks (move_id, webhook_id) SELECT $1, unnest($2::uuid[])
       ON CONFLICT (move_id, webhook_id) DO UPDATE SET address_changes = NULL`,
      [move.id, ids],
    );
  });
  await removeEarlierCopy(to.pool, move, ids);
  let copied = 0;
  for (let after: Copied | undefined; ; ) {
    const rows: Copied[] = await readAddresses(from.pool, ids, after);
    after = rows.at(-1);
    copied += rows.length;
    await inTransaction(to.pool, async (db) => {
      await holdMove(db, move);
      await writeAddresses(db, rows);
      if (rows.length < part) await noteCopied(db, move, batch);
    });
    if (rows.length < part) return copied;
  }
}

/** What an earlier run has copied, or an earlier stay of the account has left. */
async function removeEarlierCopy(pool: Pool, move: Run, ids: readonly string[]): Promise<void> {
  const removed = await inTransaction(pool, async (db) => {
    await holdMove(db, move);
    return db.query(
      "DELETE FROM webhook_addresses WHERE ctid = ANY(ARRAY(SELECT ctid FROM webhook_addresses WHERE webhook_id = ANY($1::uuid[]) LIMIT $2))",
      [ids, part],
    );
  });
  if (removed.rowCount === part) await removeEarlierCopy(pool, move, ids);
}

async function readAddresses(db: Queryable, ids: readonly string[], after: Copied | undefined): Promise<Copied[]> {
  const { rows } = await db.query<Copied>(
    `SELECT w.webhook_id AS "webhookId", w.chain_id AS "chainId", w.address, a.effective_from_block AS "fromBlock", a.watched_from AS "watchedFrom",
       w.created_in AS "createdIn", w.replay
     FROM webhook_addresses w LEFT JOIN address_additions a ON a.id = w.addition
     WHERE w.webhook_id = ANY($1::uuid[]) AND (w.webhook_id, w.address) > ($2, $3)
     ORDER BY w.webhook_id, w.address LIMIT $4`,
    [ids, after?.webhookId ?? "00000000-0000-0000-0000-000000000000", after?.address ?? Buffer.alloc(0), part],
  );
  return rows;
}

/** Addresses that take effect at a block to come get an addition here. The others are given 0, which none ever has: it is forgotten. */
async function writeAddresses(db: Queryable, rows: readonly Copied[]): Promise<void> {
  await db.query(
    `WITH copied AS MATERIALIZED (
       SELECT * FROM unnest($1::uuid[], $2::text[], $3::bytea[], $4::bigint[], $5::bigint[], $6::bigint[], $7::uuid[])
         AS c(webhook_id, chain_id, address, from_block, created_in, watched_from, replay)),
     addition AS (
       INSERT INTO address_additions (chain_id, effective_from_block, watched_from)
       SELECT DISTINCT chain_id, from_block, watched_from FROM copied WHERE from_block IS NOT NULL RETURNING *)
     INSERT INTO webhook_addresses (chain_id, address, webhook_id, addition, created_in, replay)
     SELECT c.chain_id, c.address, c.webhook_id, COALESCE(a.id, 0), c.created_in, c.replay
     FROM copied c LEFT JOIN addition a ON a.chain_id = c.chain_id AND a.effective_from_block = c.from_block
       AND a.watched_from IS NOT DISTINCT FROM c.watched_from`,
    [
      rows.map(({ webhookId }) => webhookId),
      rows.map(({ chainId }) => chainId),
      rows.map(({ address }) => address),
      rows.map(({ fromBlock }) => fromBlock),
      rows.map(({ createdIn }) => createdIn),
      rows.map(({ watchedFrom }) => watchedFrom),
      rows.map(({ replay }) => replay),
    ],
  );
}

async function noteCopied(db: Queryable, { id }: Run, batch: readonly Source[]): Promise<void> {
  await db.query(
    `UPDATE move_webhooks m SET address_changes = c.changes FROM unnest($2::uuid[], $3::bigint[]) AS c(id, changes)
     WHERE m.move_id = $1 AND m.webhook_id = c.id`,
    [id, batch.map(({ id }) => id), batch.map(({ changes }) => changes)],
  );
}

/**
 * Factories create contracts while an account moves: the old cell refuses the account's changes, but records its blocks until it releases
 * them. What it has added to the account's addresses by then is copied after the release. The old cell has released the account, and the new
 * one has its webhooks.
 */
export async function copyCreated(cells: Cells, move: Run): Promise<void> {
  const { from, to } = cells;
  const { rows } = await from.pool.query<{ row: CopiedRow }>(
    `SELECT row_to_json(w) AS row FROM (
       SELECT id, address_count, address_changes, status, status_reason, status_since FROM webhooks
       WHERE account_id = $1 AND options -> 'createdBy' ->> 'address' IS NOT NULL) w`,
    [await accountIdOf(from.pool, move.account)],
  );
  if (rows.length === 0) return;
  await copyAddresses(cells, move);
  await inTransaction(to.pool, async (db) => {
    await holdMove(db, move);
    await db.query(
      `UPDATE webhooks w SET address_count = n.address_count, address_changes = n.address_changes,
         status = n.status, status_reason = n.status_reason, status_since = n.status_since
       FROM json_populate_recordset(NULL::webhooks, $1) n WHERE w.id = n.id AND w.lane IS NULL`,
      [JSON.stringify(rows.map(({ row }) => row))],
    );
  });
}

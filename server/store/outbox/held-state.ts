/** What waits until its block is deep enough: whether some is due, how much there is, and for how long. */
import { type Queryable, within } from "../pool.ts";

/** The condition that an account `account` of held_accounts has webhooks in a lane. */
export const hasWebhooks = (account: string, lane: string) => `EXISTS (
  SELECT FROM webhooks w WHERE w.chain_id = ${account}.chain_id AND w.lane = ${lane} AND w.account_id = ${account}.account_id)`;

/** The condition that something may be due for the webhooks of a lane `lane`, without a further block. */
export const hasDue = (lane: string) => `EXISTS (
  SELECT FROM held_accounts a WHERE a.chain_id = ${lane}.chain_id AND (a.due_at <= ${lane}.cursor_number
    OR a.final_at <= LEAST(${lane}.cursor_number,
      COALESCE((SELECT number FROM final_blocks f WHERE f.chain_id = ${lane}.chain_id AND f.lane = ${lane}.lane), -1)))
    AND ${hasWebhooks("a", `${lane}.lane`)})`;

/** The condition that anything is held on a chain. */
export const hasHeld = (chainId: string) =>
  `(${hasHeldForFinality(chainId)} OR EXISTS (SELECT FROM held_notifications h WHERE h.chain_id = ${chainId} AND h.due_at IS NOT NULL))`;

/** The condition that anything waits for its finality. */
export const hasHeldForFinality = (chainId: string) =>
  `EXISTS (SELECT FROM held_notifications h WHERE h.chain_id = ${chainId} AND h.due_at IS NULL)`;

/** @returns the hashes of the transactions of a block of which the webhook's notification is held */
export async function heldTransactions(db: Queryable, webhookId: string, blockNumber: number): Promise<Set<string>> {
  const { rows } = await db.query<{ hash: string }>(
    `SELECT '0x' || encode(e.transaction_hash, 'hex') AS hash FROM held_notifications h JOIN held_events e ON e.id = h.event_id
     WHERE h.webhook_id = $1 AND h.block_number = $2`,
    [webhookId, blockNumber],
  );
  return new Set(rows.map((row) => row.hash));
}

/**
 * @param txHash in lower case
 * @returns undefined unless the webhook's notification of the transaction in this block is held; then how many blocks are missing until it is
 *   due, if that is known
 */
export async function heldFor(
  db: Queryable,
  webhookId: string,
  { txHash, blockNumber, blockHash }: { txHash: string; blockNumber: number; blockHash: string },
): Promise<{ missingBlocks: number | null } | undefined> {
  const { rows } = await db.query<{ missingBlocks: number | null }>({
    name: "held-for",
    text: `SELECT CASE WHEN h.due_at IS NOT NULL THEN GREATEST(0, h.due_at - l.cursor_number)
             WHEN f.number IS NOT NULL THEN GREATEST(0, h.block_number - LEAST(l.cursor_number, f.number)) END AS "missingBlocks"
           FROM held_notifications h JOIN held_events e ON e.id = h.event_id
           JOIN webhooks w ON w.id = h.webhook_id JOIN chain_lanes l ON l.chain_id = w.chain_id AND l.lane = w.lane
           LEFT JOIN final_blocks f ON f.chain_id = l.chain_id AND f.lane = l.lane
           WHERE h.webhook_id = $1 AND h.block_number = $2
             AND e.block_hash = decode(substr($3, 3), 'hex') AND e.transaction_hash = decode(substr($4, 3), 'hex')`,
    values: [webhookId, blockNumber, blockHash, txHash],
  });
  return rows[0];
}

/** How many are counted: more cost every page of webhooks and every scrape. */
const countedOfWebhook = 1_000;
const countedOfChain = 100_000;
const patienceMs = 5_000;

/** Selects how many notifications of a webhook `w` are held; null if it has no finality. */
export const heldCount = `CASE WHEN w.options -> 'finality' IS NOT NULL THEN
  (SELECT count(*) FROM (SELECT FROM held_notifications h WHERE h.webhook_id = w.id LIMIT ${countedOfWebhook}) held) END`;

/** @returns how many are held on each chain that has any; 100,000 means at least as many */
export async function readHeldCounts(db: Queryable): Promise<Map<string, number>> {
  const { rows } = await db.query<{ chainId: string; count: number }>(
    within(patienceMs, {
      name: "held-counts",
      text: `SELECT chain_id AS "chainId", (SELECT count(*) FROM (
             SELECT FROM held_notifications h WHERE h.chain_id = c.chain_id AND h.due_at IS NULL UNION ALL
             SELECT FROM held_notifications h WHERE h.chain_id = c.chain_id AND h.due_at IS NOT NULL LIMIT ${countedOfChain}) held) AS count FROM chains c`,
    }),
  );
  return new Map(rows.map(({ chainId, count }) => [chainId, count]));
}

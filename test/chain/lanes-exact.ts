/** What a webhook must have been notified of, whatever lanes it was in. */
import { expect } from "vitest";
import type { Pool } from "../../server/store/pool.ts";
import type { Webhook } from "../../server/store/webhooks/record.ts";
import { getWebhook } from "../../server/store/webhooks/webhooks.ts";
import { type Notified, notifiedOf, standing } from "./notified.ts";
import type { Block } from "./one-transaction.ts";

/**
 * It stands notified of every block from its first on, once, and was so in their order. One that was inactive for a while has a later
 * first block, before which it may have missed some; while it is inactive it has none.
 *
 * @param chain as it is in the end
 */
export async function assertNotified(
  pool: Pool,
  chain: readonly Block[],
  { id, wasPaused }: { id: string; wasPaused: boolean },
): Promise<void> {
  assertStands(chain, { notified: await notifiedOf(pool, id), webhook: await getWebhook(pool, 1, id), wasPaused });
}

/** Like `assertNotified`, for what has been read. */
export function assertStands(
  chain: readonly Block[],
  { notified, webhook, wasPaused }: { notified: readonly Notified[]; webhook: Webhook; wasPaused: boolean },
): void {
  const { effectiveFromBlock, status } = webhook;
  const first = status === "active" ? Number(effectiveFromBlock) : chain.length;
  const stands = standing(notified).map(({ blockHash }) => blockHash);
  const before: string[] = chain.slice(0, first).map(({ hash }) => hash);
  const expected: string[] = chain.slice(first).map(({ hash }) => hash);
  const missed = before.filter((hash) => !stands.includes(hash));
  if (!wasPaused) expect(missed).toEqual(before);
  expect(stands).toEqual([...before.filter((hash) => stands.includes(hash)), ...expected]);
  const stack: number[] = [];
  for (const { removed, blockNumber } of notified) {
    if (removed) expect(stack.pop()).toBe(blockNumber);
    else if (wasPaused) expect(stack.at(-1) ?? -1).toBeLessThan(blockNumber);
    else if (stack.length > 0) expect(stack.at(-1)).toBe(blockNumber - 1);
    if (!removed) stack.push(blockNumber);
  }
}

/** How many notifications each webhook has. */
export async function countsOf(pool: Pool, chainId: string): Promise<Map<string, number>> {
  const { rows } = await pool.query<{ id: string; count: number }>(
    "SELECT webhook_id AS id, last_sequence AS count FROM webhook_sequences JOIN webhooks ON id = webhook_id WHERE chain_id = $1",
    [chainId],
  );
  return new Map(rows.map(({ id, count }) => [id, count]));
}

/** What was just recorded is in the variant that each webhook wants now. */
export async function assertVariants(pool: Pool, chainId: string, before: Map<string, number>): Promise<void> {
  const { rows } = await pool.query(
    `SELECT FROM notifications n JOIN webhooks w ON w.id = n.webhook_id JOIN events e ON e.id = n.event_id AND e.recorded_on = n.recorded_on
       JOIN unnest($2::uuid[], $3::bigint[]) AS b(id, sequence) ON b.id = w.id
       WHERE w.chain_id = $1 AND n.sequence > b.sequence AND NOT e.removed
         AND (w.include_internal_txs <> (e.body LIKE '%internalTransactions%') OR w.status <> 'active')`,
    [chainId, [...before.keys()], [...before.values()]],
  );
  expect(rows).toEqual([]);
}

/** What a webhook must have been notified of, whatever lanes it was in. */
import { expect } from "vitest";
import type { Pool } from "../../server/store/pool.ts";
import { getWebhook, type Webhook } from "../../server/store/webhooks/webhooks.ts";
import { type Notified, notifiedOf, standing } from "./notified.ts";
import type { Block } from "./one-transaction.ts";

/**
 * It stands notified of every block from its first on, once, and was so in their order. One that was inactive for a while has a later
 * first block, before which it may have missed some; while it is inactive it has none.
 *
 * @param chain as it is in the end
 * @param of.final the newest final block
 */
export async function assertNotified(
  pool: Pool,
  chain: readonly Block[],
  { id, final, wasPaused }: { id: string; final: number; wasPaused: boolean },
): Promise<void> {
  const [notified, webhook] = [await notifiedOf(pool, id), await getWebhook(pool, 1, id)];
  assertFinality(chain, final, { notified, webhook, wasPaused });
}

/**
 * Like `assertNotified`, for what has been read. A webhook with a finality was notified of nothing earlier than it wants; with `both`, once
 * like any other and once when final.
 *
 * @param final the newest final block
 */
export function assertFinality(
  chain: readonly Block[],
  final: number,
  { notified, ...of }: { notified: readonly Notified[]; webhook: Webhook; wasPaused: boolean },
): void {
  const { finality } = of.webhook;
  const isFinal = ({ event }: Notified) => event.finalized === true;
  const upTo = (number: number) => chain.slice(0, Math.max(0, number + 1));
  for (const { event, removed } of notified)
    expect(event.confirmations === undefined, JSON.stringify(finality)).toBe(finality === undefined || removed);
  if (finality === undefined) assertStands(chain, { notified, ...of });
  else if (finality === "both") {
    assertStands(chain, { notified: notified.filter((one) => !isFinal(one)), ...of });
    assertStands(upTo(final), { notified: notified.filter(isFinal), ...of });
    for (const [at, one] of notified.entries()) {
      if (!isFinal(one)) continue;
      const before = standing(notified.slice(0, at).filter((other) => !isFinal(other)));
      expect(before.map(({ blockHash }) => blockHash)).toContain(one.blockHash);
    }
  } else if (finality === "finalized") {
    for (const one of notified) expect(isFinal(one)).toBe(true);
    assertStands(upTo(final), { notified, ...of });
  } else {
    const { confirmations: wanted } = finality as { confirmations: number };
    for (const { event, removed } of notified) if (!removed) expect(event.confirmations).toBeGreaterThanOrEqual(wanted);
    // A branch that replaced a longer one leaves what was as deep on that.
    const deepest = standing(notified).at(-1)?.blockNumber ?? 0;
    assertStands(upTo(Math.max(deepest, chain.length - 1 - wanted)), { notified, ...of });
  }
}

function assertStands(
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

/**
 * What was just recorded is in the variant that each webhook wants now; of those with a finality, what was held is in an earlier one. What is
 * set apart may still owe its block to a webhook that wants another variant by now: that one holds from the next block on.
 */
export async function assertVariants(pool: Pool, chainId: string, before: Map<string, number>): Promise<void> {
  const { rows } = await pool.query(
    `SELECT FROM notifications n JOIN webhooks w ON w.id = n.webhook_id JOIN events e ON e.id = n.event_id AND e.recorded_on = n.recorded_on
       JOIN chain_lanes l ON l.chain_id = w.chain_id AND l.lane = w.lane
       JOIN unnest($2::uuid[], $3::bigint[]) AS b(id, sequence) ON b.id = w.id
       WHERE w.chain_id = $1 AND n.sequence > b.sequence AND NOT e.removed AND w.options IS NULL
         AND (CASE WHEN l.apart_account IS NULL THEN w.include_internal_txs ELSE l.traces END <> (e.body LIKE '%internalTransactions%') OR w.status <> 'active')`,
    [chainId, [...before.keys()], [...before.values()]],
  );
  expect(rows).toEqual([]);
}

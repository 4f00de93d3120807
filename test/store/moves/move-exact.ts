/** What the webhooks of an account must have been notified of, by one cell or the other. */
import { expect } from "vitest";
import type { Pool } from "../../../server/store/pool.ts";
import { getWebhook } from "../../../server/store/webhooks/webhooks.ts";
import { assertFinality } from "../../chain/lanes-exact.ts";
import { inSequence, recordedOf } from "../../chain/notified.ts";
import type { Block } from "../../chain/one-transaction.ts";

/** 0 is the cell where the account begins. */
export type Side = 0 | 1;

/** @property side the cell of an account that stays; without it the webhook is the moving account's */
export type TestWebhook = { id: string; wasPaused: boolean; side?: Side };

/**
 * Each webhook was notified of what it must be, in gapless sequences under the messageIds that they must have. What a cell got from the
 * other one is what that one recorded.
 *
 * @param world.chain as it is in the end
 */
export async function assertMoved(
  pools: readonly [Pool, Pool],
  world: { chain: readonly Block[]; final: number; webhooks: readonly TestWebhook[]; home: Side },
): Promise<void> {
  for (const { id, wasPaused, side = world.home } of world.webhooks) {
    const own = await Promise.all(pools.map((pool) => recordedOf(pool, id)));
    const notified = inSequence(id, own.flat());
    for (const pool of pools)
      for (const copy of await recordedOf(pool, id, { moved: true }))
        expect(copy).toEqual(notified.find(({ sequence }) => sequence === copy.sequence));
    const { rows } = await pools[side].query<{ accountId: number; last: number }>(
      `SELECT account_id AS "accountId", last_sequence AS last FROM webhooks JOIN webhook_sequences ON webhook_id = id WHERE id = $1`,
      [id],
    );
    expect(rows[0]?.last).toBe(notified.length);
    const webhook = await getWebhook(pools[side], rows[0]?.accountId ?? 0, id);
    assertFinality(world.chain, world.final, { notified, webhook, wasPaused });
  }
}

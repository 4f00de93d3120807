/** Waits until the service has done all its work. */
import { expect } from "vitest";
import { plainLane, readCursor } from "../../server/store/chains/cursor.ts";
import type { Pool } from "../../server/store/pool.ts";
import { soon } from "../chain/chain-world.ts";
import type { LocalChain } from "../chain/local-chain.ts";
import { notifiedRowsOf, standing } from "../chain/notified.ts";
import { testChainId } from "../support/service.ts";

/** Waits until the node's newest block is recorded. */
export async function followed(pool: Pool, chain: LocalChain): Promise<void> {
  await soon(async () => {
    const [{ cursor }, head] = [await readCursor(pool, plainLane(testChainId)), await chain.head()];
    if (cursor?.hash !== head.hash) throw new Error(`followed to ${JSON.stringify(cursor)} of ${JSON.stringify(head)}`);
  }, 120_000);
}

/** Waits until every notification has had its first attempt, or waits behind others of an endpoint that takes none. */
export async function attempted(pool: Pool): Promise<void> {
  await soon(async () => {
    const { rows } = await pool.query<{ shard: number }>(
      `SELECT n.shard FROM notifications n LEFT JOIN delivery_cursors c USING (shard) WHERE n.position > COALESCE(c.position, 0) LIMIT 1`,
    );
    expect(rows).toEqual([]);
  }, 120_000);
}

/** Waits until what is set apart is where the others are, or at least for a while. */
export async function caughtUp(pool: Pool): Promise<void> {
  await soon(async () => {
    const { rows } = await pool.query(
      `SELECT FROM chain_lanes l WHERE apart_account IS NOT NULL
         AND (owed_after IS NOT NULL OR cursor_number < (SELECT cursor_number - 1 FROM chain_lanes WHERE chain_id = l.chain_id AND lane = 0))`,
    );
    expect(rows).toEqual([]);
  }, 120_000).catch(() => undefined);
}

/** A webhook that nobody changes, and the addresses whose transactions it must be notified of since it was created. */
export type Unchanged = { id: string; addresses: readonly string[] };

/**
 * Waits until each stands notified of the transactions that are on the chain and of no others, once, in a sequence without a gap. An account
 * that was set apart may still catch up.
 */
export async function exact(pool: Pool, chain: LocalChain, webhooks: readonly Unchanged[]): Promise<void> {
  const byReceiver = await chain.transactionsByReceiver();
  const { rows } = await pool.query<{ id: string; from: number }>(
    "SELECT id, effective_from_block AS from FROM webhooks WHERE id = ANY($1::uuid[])",
    [webhooks.map(({ id }) => id)],
  );
  const effectiveFrom = new Map(rows.map(({ id, from }) => [id, from]));
  for (const { id, addresses } of webhooks) {
    const from = effectiveFrom.get(id) ?? Number.NaN;
    const expected = addresses
      .flatMap((one) => byReceiver.get(one.toLowerCase()) ?? [])
      .flatMap(({ hash, blockNumber }) => (blockNumber >= from ? [hash] : []));
    await soon(async () => {
      const stands = standing(await notifiedRowsOf(pool, id)).map(({ hash }) => hash);
      expect(stands.toSorted(), id).toEqual(expected.toSorted());
    }, 300_000);
  }
}

/** Waits until the service has done all its work. */
import { expect } from "vitest";
import { plainLane, readCursor } from "../../server/store/chains/cursor.ts";
import type { Pool } from "../../server/store/pool.ts";
import { soon } from "../chain/chain-world.ts";
import type { LocalChain } from "../chain/local-chain.ts";
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

/** Chains that nobody follows, whose cursor a test moves itself. */
import { ensureChain } from "../../server/store/chains/cursor.ts";
import type { Queryable } from "../../server/store/pool.ts";

/** Moves the cursor of all of a chain's lanes, as followers do that record blocks. */
export async function moveCursor(db: Queryable, chainId: string, number: number): Promise<void> {
  await db.query("UPDATE chain_lanes SET cursor_number = $2, cursor_hash = '\\x00' WHERE chain_id = $1", [
    chainId,
    number,
  ]);
}

/** Makes a chain whose newest recorded block is this one. */
export async function chainAt(db: Queryable, chainId: string, number: number): Promise<void> {
  await ensureChain(db, chainId);
  await moveCursor(db, chainId, number);
}

/** How far a chain has been followed, and the recorded blocks that can still be replaced. */
import { inTransaction, type Pool, type Queryable } from "./pool.ts";

/** A block by number and hash. */
export type BlockId = { number: number; hash: string };

/** Stands for any hash. */
const unknownHash = "0x";
const bytes = (hex: string) => Buffer.from(hex.slice(2), "hex");
const hex = (buffer: Buffer) => `0x${buffer.toString("hex")}`;

/** Makes the chain's row where there is none yet. */
export async function ensureChain(db: Queryable, chainId: string): Promise<void> {
  await db.query("INSERT INTO chains (chain_id) VALUES ($1) ON CONFLICT DO NOTHING", [chainId]);
}

/** How far a chain is recorded. */
export type Recorded = {
  /** The newest recorded block, undefined before the first. */
  cursor?: BlockId;
  /** Another with every move of the cursor. */
  mark: string;
  /** The highest number ever recorded. */
  highest: number;
};

export async function readCursor(db: Queryable, chainId: string): Promise<Recorded> {
  const { rows } = await db.query<{
    cursor_number: number | null;
    cursor_hash: Buffer | null;
    mark: string;
    highest: number | null;
  }>("SELECT cursor_number, cursor_hash, cursor_mark AS mark, highest FROM chains WHERE chain_id = $1", [chainId]);
  const row = rows[0];
  const rest = { mark: row?.mark ?? "", highest: row?.highest ?? -1 };
  if (!row || row.cursor_number === null || row.cursor_hash === null) return rest;
  return { cursor: { number: row.cursor_number, hash: hex(row.cursor_hash) }, ...rest };
}

/**
 * Sets where following starts, unless it has started. `block` counts as recorded; following goes on behind it. What comes
 * before is unknown and nobody was notified of it, so that until `block` is final it may be replaced whatever its parent is.
 */
export async function beginAt(pool: Pool, chainId: string, block: BlockId): Promise<void> {
  await inTransaction(pool, async (db) => {
    const { rowCount } = await db.query(
      "UPDATE chains SET cursor_number = $2, cursor_hash = $3, highest = $2 WHERE chain_id = $1 AND cursor_number IS NULL",
      [chainId, block.number, bytes(block.hash)],
    );
    if (rowCount) await insertBlocks(db, chainId, [{ number: block.number - 1, hash: unknownHash }, block]);
  });
}

/** Moves the cursor to the last of `blocks`, and forgets blocks that are below `finalNumber`. @returns the move's mark */
export async function advanceCursor(
  db: Queryable,
  chainId: string,
  blocks: readonly BlockId[],
  finalNumber: number,
): Promise<string | undefined> {
  const last = blocks.at(-1);
  if (!last) return undefined;
  await insertBlocks(db, chainId, blocks);
  await db.query("DELETE FROM chain_blocks WHERE chain_id = $1 AND number < $2", [
    chainId,
    Math.min(finalNumber, last.number),
  ]);
  const { rows } = await db.query<{ cursor_mark: string }>(
    `UPDATE chains SET cursor_number = $2, cursor_hash = $3, highest = GREATEST(highest, $2), stopped = NULL WHERE chain_id = $1
     RETURNING cursor_mark`,
    [chainId, last.number, bytes(last.hash)],
  );
  return rows[0]?.cursor_mark;
}

async function insertBlocks(db: Queryable, chainId: string, blocks: readonly BlockId[]): Promise<void> {
  await db.query(
    "INSERT INTO chain_blocks (chain_id, number, hash) SELECT $1, b.* FROM unnest($2::bigint[], $3::bytea[]) b",
    [chainId, blocks.map(({ number }) => number), blocks.map(({ hash }) => bytes(hash))],
  );
}

/** @returns whether a new block may follow on this one: it is on the record; undefined when its number is not any more */
export async function isRecorded(db: Queryable, chainId: string, block: BlockId): Promise<boolean | undefined> {
  const { rows } = await db.query<{ same: boolean }>(
    "SELECT hash IN ($3, $4) AS same FROM chain_blocks WHERE chain_id = $1 AND number = $2",
    [chainId, block.number, bytes(block.hash), bytes(unknownHash)],
  );
  return rows[0]?.same;
}

/** Takes the blocks above `number` off the record. @returns them, the newest first */
export async function takeBlocksAbove(db: Queryable, chainId: string, number: number): Promise<BlockId[]> {
  const { rows } = await db.query<{ number: number; hash: Buffer }>(
    "DELETE FROM chain_blocks WHERE chain_id = $1 AND number > $2 RETURNING number, hash",
    [chainId, number],
  );
  return rows.map((row) => ({ number: row.number, hash: hex(row.hash) })).sort((a, b) => b.number - a.number);
}

/** Notes the newest block that a node told of. */
export async function noteHead(db: Queryable, chainId: string, number: number): Promise<void> {
  await db.query("UPDATE chains SET head_number = $2, head_seen_at = clock_timestamp() WHERE chain_id = $1", [
    chainId,
    number,
  ]);
}

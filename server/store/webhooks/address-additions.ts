/**
 * From which block on added addresses are watched: one number for all addresses of a change. The number is known only under the chain's
 * lock. The addresses are written before that, since 10,000 take 0.2 s. Until the change commits nobody sees either.
 */
import type { Queryable } from "../pool.ts";

/** Selects the id of an addition that `dateAddition` will date. */
export const nextAddition = "SELECT nextval(pg_get_serial_sequence('address_additions', 'id')) AS addition";

export async function takeAddition(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ addition: number }>(nextAddition);
  if (!rows[0]) throw new Error("the sequence of additions returned nothing");
  return rows[0].addition;
}

/** Records from which block on an addition's addresses are watched. The caller shares the chain's lock. */
export async function dateAddition(
  db: Queryable,
  addition: number,
  { chainId, firstBlock }: { chainId: string; firstBlock: number },
): Promise<void> {
  await db.query("INSERT INTO address_additions (id, chain_id, effective_from_block) VALUES ($1, $2, $3)", [
    addition,
    chainId,
    firstBlock,
  ]);
}

/**
 * Deletes additions whose first block no lane can record again. Their addresses are watched at every future block. A lane goes back at
 * most to its oldest recorded block, and records what follows. An account that arrives, or stays after all, may bring a lane that is
 * further behind.
 */
export async function forgetAdditions(db: Queryable): Promise<void> {
  await db.query(
    `DELETE FROM address_additions a USING (
       SELECT chain_id, min(COALESCE(oldest, -1)) AS oldest FROM (
         SELECT l.chain_id, (SELECT min(number) FROM chain_blocks b WHERE b.chain_id = l.chain_id AND b.lane = l.lane) AS oldest
         FROM chain_lanes l) lanes
       GROUP BY chain_id) recorded
     WHERE a.chain_id = recorded.chain_id AND a.effective_from_block <= recorded.oldest
       AND NOT EXISTS (SELECT FROM moves WHERE finished_at IS NULL)`,
  );
}

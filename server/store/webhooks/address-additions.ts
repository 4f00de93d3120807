/**
 * From which block on added addresses are watched: one number for all addresses of a change. It is known only under the chain's lock, and
 * the addresses are written before it, since 10,000 take 0.2 s. Until the change is committed nobody sees either.
 */
import type { Queryable } from "../pool.ts";

/** Selects the number of an addition that is yet to be dated. */
export const nextAddition = "SELECT nextval(pg_get_serial_sequence('address_additions', 'id')) AS addition";

export async function takeAddition(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ addition: number }>(nextAddition);
  if (!rows[0]) throw new Error("the sequence of additions returned nothing");
  return rows[0].addition;
}

/** Says from which block on its addresses are watched. The caller holds the chain's lock, as one who changes what is watched. */
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
 * Forgets additions from blocks on that no lane can record again. What is watched since one of them is watched at every block
 * that is still to come. A lane goes back to its oldest recorded block at most, and records what comes behind it.
 */
export async function forgetAdditions(db: Queryable): Promise<void> {
  await db.query(
    `DELETE FROM address_additions a USING (
       SELECT chain_id, min(COALESCE(oldest, -1)) AS oldest FROM (
         SELECT l.chain_id, (SELECT min(number) FROM chain_blocks b WHERE b.chain_id = l.chain_id AND b.lane = l.lane) AS oldest
         FROM chain_lanes l) lanes
       GROUP BY chain_id) recorded
     WHERE a.chain_id = recorded.chain_id AND a.effective_from_block <= recorded.oldest`,
  );
}

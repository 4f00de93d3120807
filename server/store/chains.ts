/** How far each chain has been followed, for those who ask from outside. */
import type { Queryable } from "./pool.ts";

/** Where following a chain stands, in block numbers. Null before there was anything to tell. */
export type ChainProgress = { head: number | null; followed: number | null };

/** Reads the progress of all chains. The head is never below what has been followed. @returns it by chainId */
export async function readChainProgress(db: Queryable): Promise<Map<string, ChainProgress>> {
  const { rows } = await db.query<ChainProgress & { chain_id: string }>(
    "SELECT chain_id, GREATEST(head_number, cursor_number) AS head, cursor_number AS followed FROM chains",
  );
  return new Map(rows.map(({ chain_id, ...progress }) => [chain_id, progress]));
}

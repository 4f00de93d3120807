/** Moves that have begun and not ended, as one of their two cells has them on record. */
import { type Queryable, within } from "../pool.ts";
import type { Direction, MoveStage } from "./record.ts";

/** @property seconds for how long it has been in its state */
export type UnfinishedMove = {
  account: string;
  direction: Direction;
  otherCell: string;
  state: MoveStage;
  seconds: number;
};

const patienceMs = 5_000;

/** @returns what has been in its state for longest first */
export async function readUnfinishedMoves(db: Queryable): Promise<UnfinishedMove[]> {
  const { rows } = await db.query<UnfinishedMove>(
    within(patienceMs, {
      name: "unfinished-moves",
      text: `SELECT account, direction, other_cell AS "otherCell", state,
               GREATEST(0, extract(epoch FROM clock_timestamp() - changed_at))::float8 AS seconds
             FROM moves WHERE finished_at IS NULL ORDER BY changed_at`,
      values: [],
    }),
  );
  return rows;
}

/** Finds out that a node lags behind the others, which it does not tell by itself: it looks like a chain on which nothing happens. */
import type { BlockId } from "../../store/chains/cursor.ts";
import type { Node } from "../nodes/node.ts";
import { isAhead } from "./agreement.ts";

/** Watches one node at a time. */
export type LagWatch = {
  /** There was a new block. */
  moved(): void;
  /** There was none. @returns whether others are ahead of the cursor and this node is still not */
  stood(cursor: BlockId, node: Node, others: readonly Node[]): Promise<boolean>;
};

/** So much quiet is usual, in polls and at least in ms; after that the others are asked, ever more rarely. */
const quietPolls = 3;
const quietMs = 1_000;
/**
 * Others that have another block at the cursor are not ahead but of another opinion, and grow whether they are right or wrong.
 * A node that has not moved at all for so long is wrong more likely than they are.
 */
const disputeMs = 60_000;

/** @param now ms, of a clock that never goes back */
export function watchLag(pollMs: number, now: () => number = () => performance.now()): LagWatch {
  const patienceMs = Math.max(quietMs, quietPolls * pollMs);
  let since = now();
  let askAfterMs = patienceMs;
  const moved = () => {
    since = now();
    askAfterMs = patienceMs;
  };
  return {
    moved,
    async stood(cursor, node, others) {
      const quietForMs = now() - since;
      if (others.length === 0 || quietForMs < askAfterMs) return false;
      askAfterMs *= 2;
      const on = quietForMs < disputeMs;
      // In that order: a block that came in between must not be held against the node.
      const lags = (await isAhead(cursor, others, { on })) && !(await isAhead(cursor, [node], { on: false }));
      if (lags) moved();
      return lags;
    },
  };
}

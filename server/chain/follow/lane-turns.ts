/**
 * Whose turn it is among the lanes of one kind. Every second turn goes to the lane furthest back: it meets all others on its way and
 * becomes one with them, so that no block is read twice. The other turns go round, so that each lane gets on: behind a lane whose
 * next block no node can trace any more, or that other accounts keep making anew, another would wait for ever.
 */
import type { Lane } from "../../store/chains/lanes.ts";

export type LaneTurns = {
  /** @param lanes those that there are now, the one furthest back first */
  next(lanes: readonly Lane[]): Lane | undefined;
  /** The lane takes its turn. Without that it stays its turn. */
  taken(lane: Lane): void;
};

export function takeTurns(): LaneTurns {
  let turn = 0;
  /** When each lane had its last turn, and where it was then. */
  const lastOf = new Map<number, { turn: number; at: string | undefined }>();
  const stood = ({ lane, cursor }: Lane) => {
    const last = lastOf.get(lane);
    return last !== undefined && last.at === cursor?.hash;
  };
  const waited = ({ lane }: Lane) => turn - (lastOf.get(lane)?.turn ?? -1);

  return {
    next(lanes) {
      for (const lane of lastOf.keys()) if (!lanes.some((other) => other.lane === lane)) lastOf.delete(lane);
      const furthestBack = turn % 2 === 0 ? lanes.find((lane) => !stood(lane)) : undefined;
      return furthestBack ?? lanes.toSorted((a, b) => waited(b) - waited(a))[0];
    },
    taken({ lane, cursor }) {
      lastOf.set(lane, { turn, at: cursor?.hash });
      turn += 1;
    },
  };
}

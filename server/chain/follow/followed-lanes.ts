/** The lanes of one kind that a process follows, each with what it must remember of its steps, and whose turn it is. */
import type { Logger } from "pino";
import { ensureChain } from "../../store/chains/cursor.ts";
import { hasLane } from "../../store/chains/lane-kinds.ts";
import { type Lane, readLanes, tendLane } from "../../store/chains/lanes.ts";
import type { Pool } from "../../store/pool.ts";
import { createWatchFilter, noFilter } from "../../store/webhooks/watch-filter.ts";
import type { Tracing } from "../../tracing.ts";
import type { ChainConfig } from "../config.ts";
import type { Memory } from "./advance.ts";
import { fetchAhead } from "./ahead.ts";
import { type LagWatch, watchLag } from "./lag.ts";
import { takeTurns } from "./lane-turns.ts";
import type { FollowedKind } from "./lanes.ts";
import { type ChainTeller, tellState } from "./report-state.ts";
import { traceBlocks } from "./trace-blocks.ts";

/** A lane whose turn it is. */
export type FollowedLane = { lane: Lane; memory: Memory; lag: LagWatch; state: ChainTeller };

export type FollowedLanes = {
  /** Looks which lanes there are now, and tends them. @returns undefined where there are none @throws what the database throws */
  next(): Promise<FollowedLane | undefined>;
  /** A step of the lane is taken, so that the next one's turn comes. */
  begun(followed: FollowedLane): void;
  /** Nothing can be known of any of them now. */
  failed(error: unknown): void;
};

/** So often it is looked for lanes where there are none, or no node is fit: webhooks may have to leave or to join them. */
export const lanePeriodMs = ({ pollMs }: ChainConfig) => Math.min(1_000, pollMs);

/** @param options.signal ends what is done beside the steps */
export function keepLanes(options: {
  pool: Pool;
  chain: ChainConfig;
  kind: FollowedKind;
  log: Logger;
  tracing?: Tracing | undefined;
  signal: AbortSignal;
}): FollowedLanes {
  const { pool, chain, kind, log, tracing, signal } = options;
  const known = new Map<number, Omit<FollowedLane, "lane">>();
  let exists = false;
  const turns = takeTurns();
  const freshMs = lanePeriodMs(chain) / 2;

  function remember(lane: Lane): Omit<FollowedLane, "lane"> {
    const found = known.get(lane.lane);
    if (found) return found;
    const memory: Memory = {
      run: 1,
      headers: new Map(),
      ahead: fetchAhead(),
      filter: lane.behind ? noFilter(lane) : createWatchFilter({ pool, lane, log, signal }),
      trace: tracing && traceBlocks(tracing, chain.chainId),
    };
    const made = { memory, lag: watchLag(chain.pollMs), state: tellState({ pool, chain, lane, log }) };
    known.set(lane.lane, made);
    return made;
  }

  return {
    async next() {
      if (!exists) await ensureChain(pool, chain.chainId);
      exists = true;
      if (known.size === 0 && !(await hasLane(pool, chain.chainId, kind, freshMs))) return undefined;
      let lanes = await readLanes(pool, chain.chainId, kind);
      const untended = lanes.filter(({ untended }) => untended);
      for (const lane of untended) await tendLane(pool, lane);
      if (untended.length > 0) lanes = await readLanes(pool, chain.chainId, kind);
      for (const id of known.keys()) {
        if (lanes.some(({ lane }) => lane === id)) continue;
        known.get(id)?.memory.ahead.drop();
        known.delete(id);
      }
      const lane = turns.next(lanes);
      return lane && { lane, ...remember(lane) };
    },
    begun: ({ lane }) => turns.taken(lane),
    failed(error) {
      for (const { state } of known.values()) state.failed(error);
    },
  };
}

/** The kinds of lanes in which each chain is followed: each with a lease, nodes and memory of its own, so that none waits for another. */

import type { Logger } from "pino";
import { ensureChain } from "../../store/chains/cursor.ts";
import { type Lane, type LaneKind, readLanes, tendLane } from "../../store/chains/lanes.ts";
import type { Pool } from "../../store/pool.ts";
import { createWatchFilter, noFilter } from "../../store/webhooks/watch-filter.ts";
import type { Tracing } from "../../tracing.ts";
import type { ChainConfig } from "../config.ts";
import type { Memory } from "./advance.ts";
import { traceBlocks } from "./observe.ts";
import { fetchAhead } from "./read-ahead.ts";
import { type ChainTeller, tellState } from "./standstill.ts";
import { type LagWatch, watchLag } from "./witnesses.ts";

/** A kind of lane. */
export type FollowedKind = LaneKind & {
  /** Names it in metrics and logs. */
  name: "plain" | "traces" | "plain-behind" | "traces-behind";
};

const kinds: readonly FollowedKind[] = [
  { name: "plain", traces: false, behind: false },
  { name: "traces", traces: true, behind: false },
  { name: "plain-behind", traces: false, behind: true },
  { name: "traces-behind", traces: true, behind: true },
];

/** What a lease of the chain is for. The lane without traces has the chainId for a key, as before there were others. */
export function lanesByKey(chainId: string): Map<string, FollowedKind> {
  return new Map(kinds.map((kind) => [kind.name === "plain" ? chainId : `${chainId}/${kind.name}`, kind]));
}

// FROM server/chain/follow/lane-turns.ts: /** * Whose turn it is among the lanes of one kind. Every second turn goes to the lane furthest back: it meets all others on its way and * becomes one with them, so that no block is read twice. The other turns go round, so that each lane gets on: behind a lane whose * next block no node can trace any more, or that other accounts keep making anew, another would wait for ever. */
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

// FROM server/chain/follow/followed-lanes.ts: /** The lanes of one kind that a process follows, each with what it must remember of its steps, and whose turn it is. */
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

/** The lanes of a chain that a process follows: their kinds, what is remembered of each, and whose turn it is. */
import type { Logger } from "../../base/log.ts";
import { Precedence } from "../../base/pause.ts";
import type { Tracing } from "../../base/tracing.ts";
import { hasTrueBlooms } from "../../settings/chain-profiles.ts";
import type { ChainConfig } from "../../settings/chains.ts";
import { ensureChain } from "../../store/chains/cursor.ts";
import {
  type Lane,
  type LaneKind,
  noteWholeUntil,
  readLaneMoves,
  readLanes,
  tendLane,
} from "../../store/chains/lanes.ts";
import { hasLane } from "../../store/chains/work-to-do.ts";
import type { Pool } from "../../store/pool.ts";
import { createWatchFilter, noFilter, type WatchFilter } from "../../store/webhooks/watch-filter.ts";
import { type LaneInterest, readInterest } from "../../store/webhooks/watchers.ts";
import { traceBlocks } from "../observe.ts";
import { farMs } from "../sources/node-pool.ts";
import { type LagWatch, watchLag } from "../sources/witnesses.ts";
import type { TokenReader } from "../tokens/token-reader.ts";
import { emptyMemory, type LaneRecord, type StepMemory } from "./lane-record.ts";
import { StepBounds, type StoredRecord, storedRecord } from "./record.ts";
import { type LaneReporter, reportState } from "./standstill.ts";

/** A kind of lane. Each kind has its own lease, nodes and memory, so none waits for another. */
export type FollowedKind = LaneKind & {
  /** Names it in metrics and logs. */
  name: `${"plain" | "traces"}${"" | "-catch-up" | "-history"}` | "headers-history" | "logs-history";
};

const kinds: readonly FollowedKind[] = [
  { name: "plain", traces: false, catchesUp: false },
  { name: "traces", traces: true, catchesUp: false },
  { name: "plain-catch-up", traces: false, catchesUp: true },
  { name: "traces-catch-up", traces: true, catchesUp: true },
  { name: "plain-history", traces: false, catchesUp: true, isHistory: true },
  { name: "traces-history", traces: true, catchesUp: true, isHistory: true },
  { name: "headers-history", traces: false, catchesUp: true, isHistory: true, mode: "headers" },
  { name: "logs-history", traces: false, catchesUp: true, isHistory: true, mode: "logs" },
];

/** The kinds by the key of their lease. The plain lane's key is the chainId, as it was before there were others. */
export function lanesByKey(chainId: string): Map<string, FollowedKind> {
  return new Map(kinds.map((kind) => [kind.name === "plain" ? chainId : `${chainId}/${kind.name}`, kind]));
}

export type FollowedLane<R extends LaneRecord = LaneRecord> = {
  record: R;
  memory: StepMemory;
  lag: LagWatch;
  state: LaneReporter;
};

export type FollowedLanes<R extends LaneRecord = LaneRecord> = {
  /** Reads which lanes exist, and tends them. @returns the one whose turn it is, if any @throws what the database throws */
  next(): Promise<FollowedLane<R> | undefined>;
  /** The lane that `next` returned last takes its turn. Otherwise `next` returns it again. A single lane takes none. */
  taken?(): void;
  /** An error that concerns all lanes. */
  failed(error: unknown): void;
};

/** After so many whole blocks it is tried again whether it pays to pass over some. */
const wholeAtOnce = 2_048;

/** Of so many histories blocks are read ahead. */
const mostReadAhead = 4;

/** Of so many histories it is remembered what they look for: of each at most 2,000 addresses and 2,000 signatures. */
const mostInterests = 100;

/** How often to look for lanes while there are none, or no node: webhooks may have to leave or to join them. */
export const lanesPollMs = ({ pollMs }: Pick<ChainConfig, "pollMs">) => Math.min(1_000, pollMs);

/**
 * @param options.isLive whether following needs the machine; never by default
 * @param options.signal ends the work between steps
 */
export function followedLanes(options: {
  pool: Pool;
  chain: ChainConfig;
  kind: FollowedKind;
  log: Logger;
  tracing?: Tracing | undefined;
  addressQuota?: number | undefined;
  onRecorded?: (() => void) | undefined;
  following?: Precedence | undefined;
  isLive?: () => Promise<boolean>;
  tokens?: TokenReader | undefined;
  signal: AbortSignal;
}): FollowedLanes<StoredRecord> {
  const { pool, chain, kind, log, tracing, addressQuota, onRecorded, tokens, signal } = options;
  const { following = new Precedence(), isLive = async () => false } = options;
  type Remembered = Omit<FollowedLane, "record"> & {
    filter: WatchFilter;
    bounds: StepBounds;
    interest?: LaneInterest | undefined;
  };
  const known = new Map<number, Remembered>();
  let chainExists = false;
  const turns = createLaneTurns();
  let current: Lane | undefined;

  function remember(lane: Lane): Remembered {
    const remembered = known.get(lane.lane);
    if (remembered) return remembered;
    const created = {
      filter: lane.catchesUp ? noFilter(lane) : createWatchFilter({ pool, lane, log, signal }),
      memory: emptyMemory(tracing && traceBlocks(tracing, chain.chainId)),
      lag: watchLag(chain.pollMs),
      state: reportState({ pool, chain, lane, log }),
      bounds: new StepBounds(),
    };
    known.set(lane.lane, created);
    return created;
  }

  /** What a lane that passes blocks over has besides. */
  function passing(lane: Lane, remembered: Remembered): Pick<StoredRecord, "interestAt" | "readWhole"> {
    const readWhole = (from: number, upTo = from + wholeAtOnce - 1) => noteWholeUntil(pool, lane, upTo + 1);
    const byLogs = lane.mode === "logs";
    return {
      readWhole,
      async interestAt(block, final) {
        const { isApart, wholeUntil = 0, arrivals } = lane;
        if (isApart || block < wholeUntil) return undefined;
        // What can still be replaced must be linked to what was recorded, block by block.
        if (byLogs && block > final) {
          await readWhole(block);
          return undefined;
        }
        const last = remembered.interest;
        if (last && last.arrivals === arrivals && block <= last.upTo) return last;
        const read = byLogs || hasTrueBlooms(chain) ? await readInterest(pool, lane) : undefined;
        const found = read && { ...read, mode: byLogs ? ("logs" as const) : ("headers" as const) };
        remembered.interest = found;
        // Together they would fill the memory. Whichever was read first is read again.
        const others = [...known.values()].filter((other) => other.interest && other !== remembered);
        for (const other of others.slice(0, -mostInterests)) delete other.interest;
        if (!found) await readWhole(block);
        // Above, what is watched may change while the blocks are read.
        return found && block <= found.upTo ? found : undefined;
      },
    };
  }

  return {
    async next() {
      if (!chainExists) await ensureChain(pool, chain.chainId);
      chainExists = true;
      if (known.size === 0 && !(await hasLane(pool, chain.chainId, kind, lanesPollMs(chain) / 2))) return undefined;
      let lanes = await readLanes(pool, chain.chainId, kind);
      const untended = lanes.filter(({ untended }) => untended);
      for (const lane of untended) await tendLane(pool, lane);
      if (untended.length > 0) lanes = await readLanes(pool, chain.chainId, kind);
      for (const id of known.keys()) {
        if (lanes.some(({ lane }) => lane === id)) continue;
        known.get(id)?.memory.readAhead.drop();
        known.delete(id);
      }
      current = turns.next(lanes);
      if (!current) return undefined;
      const remembered = remember(current);
      const { filter, bounds, interest: _, ...ofLane } = remembered;
      // What many histories have read ahead would fill the memory.
      const hasRoom = !kind.isHistory || lanes.length <= mostReadAhead;
      const leavesMachine = kind.isHistory && (await isLive());
      for (const { memory } of known.values()) {
        memory.readsAhead = hasRoom && (!leavesMachine || memory.headMs > farMs);
        if (!hasRoom) memory.readAhead.drop();
      }
      const record = storedRecord(pool, current, filter, { tokens, addressQuota, onRecorded, bounds, log });
      if (!kind.isHistory) return { record, ...ofLane };
      return { record: { ...yielding(record, following), ...(kind.mode && passing(current, remembered)) }, ...ofLane };
    },
    taken() {
      if (current) turns.taken(current);
    },
    failed(error) {
      for (const { state } of known.values()) state.failed(error);
    },
  };
}

/** New blocks wait for the chain's lock behind at most one step of a history. */
function yielding(record: StoredRecord, following: Precedence): StoredRecord {
  return {
    ...record,
    async record(step) {
      await following.free();
      return record.record(step);
    },
  };
}

type LaneTurns = {
  /** @param lanes the existing ones, the furthest back first */
  next(lanes: readonly Lane[]): Lane | undefined;
  /** The lane takes its turn. Otherwise `next` returns it again. */
  taken(lane: Lane): void;
};

/**
 * Every second turn goes to the lane furthest back. It meets all others on its way and joins them, so no block is read twice. The other
 * turns go round. Otherwise a lane would wait forever behind one whose next block no node can trace any more, or behind new lanes that
 * other accounts keep making. An account's histories share one place in that round, where again every second turn goes to the one furthest back.
 */
export function createLaneTurns(): LaneTurns {
  let turn = 0;
  /** Each lane's last turn, and its cursor then. */
  const lastOf = new Map<number, { turn: number; at: string | undefined; place: string }>();
  const stood = ({ lane, cursor }: Lane) => {
    const last = lastOf.get(lane);
    return last !== undefined && last.at === cursor?.hash;
  };
  const waited = ({ lane }: Lane) => turn - (lastOf.get(lane)?.turn ?? -1);
  const placeOf = ({ lane, historyAccount }: Lane) =>
    historyAccount === undefined ? `lane ${lane}` : `account ${historyAccount}`;

  return {
    next(lanes) {
      for (const lane of lastOf.keys()) if (!lanes.some((other) => other.lane === lane)) lastOf.delete(lane);
      const furthestBack = turn % 2 === 0 ? lanes.find((lane) => !stood(lane)) : undefined;
      if (furthestBack) return furthestBack;
      const lastIn = new Map<string, { turn: number; lane: number }>();
      for (const [lane, { place, turn }] of lastOf)
        if (turn > (lastIn.get(place)?.turn ?? -1)) lastIn.set(place, { turn, lane });
      const placeWaited = (lane: Lane) => turn - (lastIn.get(placeOf(lane))?.turn ?? -1);
      const [first] = lanes.toSorted((a, b) => placeWaited(b) - placeWaited(a) || waited(b) - waited(a));
      const backInPlace = first && lanes.find((lane) => placeOf(lane) === placeOf(first) && !stood(lane));
      // The one furthest back had the last turn of its place: now another has one.
      return backInPlace && lastIn.get(placeOf(backInPlace))?.lane !== backInPlace.lane ? backInPlace : first;
    },
    taken(lane) {
      lastOf.set(lane.lane, { turn, at: lane.cursor?.hash, place: placeOf(lane) });
      turn += 1;
    },
  };
}

/** What works on the past rests at most so long. */
export const longestRestMs = 1_000;
/** A chain is live for so long after a block. */
const liveMs = 3_000;
const lookedAtMs = 500;

/** Whether following needs the machine: a lane of the chain lags, or has recorded a block within some seconds. It is looked up twice a second. */
export function livenessOf(pool: Pool, chainId: string): () => Promise<boolean> {
  let before: string | undefined;
  let movedAt = Number.NEGATIVE_INFINITY;
  let looked = { atMs: Number.NEGATIVE_INFINITY, lags: Promise.resolve(false) };
  async function look(): Promise<boolean> {
    const { places, lags } = await readLaneMoves(pool, chainId);
    if (before !== undefined && places !== before) movedAt = performance.now();
    before = places;
    return lags;
  }
  return async () => {
    const now = performance.now();
    if (now - looked.atMs > lookedAtMs) looked = { atMs: now, lags: look() };
    return (await looked.lags) || performance.now() - movedAt < liveMs;
  };
}

/**
 * When a lane takes its blocks from the stream. It does so while somebody publishes. With the stream away it waits for `patienceMs`, since
 * all cells at once would overload the nodes; then it reads from nodes until the stream is back and as far as the lane. For a block that
 * the stream lacks, or that is refused, it reads from nodes immediately.
 */
import type { Logger } from "../../base/log.ts";
import { type ChainConfig, defaultPatienceMs } from "../../settings/chains.ts";
import { isDatabaseUnavailable } from "../../store/database-errors.ts";
import { createUnpacker } from "../read/reader.ts";
import { openBlockStream, StreamAwayError } from "../stream/block-stream.ts";
import type { BlocksConnection } from "../stream/connection.ts";
import { type Announcement, hearAnnouncements } from "../stream/heads.ts";
import { UnknownVersionError } from "../stream/pieces.ts";
import type { FollowedLane } from "./lanes.ts";
import { type ChainMetrics, logSkippedChecks } from "./observe.ts";
import type { StepMemory } from "./step.ts";
import { newestOf, StreamGapError, type StreamSource, streamSource } from "./stream-source.ts";
import type { Turn } from "./turn.ts";

export type StreamTurns = {
  /** @returns undefined if it is a node's turn; "wait" if the stream may be back soon */
  next(followed: FollowedLane): Turn | "wait" | undefined;
};

/** For how many blocks to read from nodes after the stream lacked one; twice as many each time. */
const mostFromNodes = 64;
const shortestAsideMs = 250;
const longestAsideMs = 5_000;

type LaneState = {
  source: StreamSource;
  /** Below this number, blocks come from nodes. */
  nodesBelow: number;
  /** How often in a row the stream lacked a block. */
  gaps: number;
  /** Since when the lane has been ahead of the stream. */
  aheadSince: number | undefined;
  fromNodes: boolean;
};

/** @param options.wake called for each new block */
export function streamTurns(
  connection: BlocksConnection,
  options: { chain: ChainConfig; counted: ChainMetrics; log: Logger; signal: AbortSignal; wake: () => void },
): StreamTurns {
  const { chain, counted, log, signal, wake } = options;
  const patienceMs = chain.patienceMs ?? defaultPatienceMs;
  /** A lane is ahead for a moment while a branch is published that is not as long yet. */
  const aheadMs = Math.max(1_000, 3 * chain.pollMs);
  const stream = openBlockStream(connection, chain.chainId);
  const unpacker = createUnpacker({
    ...{ origin: stream.origin, chain, signal },
    onSkippedCheck: logSkippedChecks(log),
  });
  const lanes = new WeakMap<StepMemory, LaneState>();
  let announced: (Announcement & { at: number }) | undefined;
  /** When the stream was last seen to be well: somebody publishes, and we can read it. */
  let wellAt = performance.now();
  let failures = 0;
  let asideUntil = 0;

  hearAnnouncements(connection, chain.chainId, {
    signal,
    heard(announcement) {
      if (announcement.leaves) return;
      const isNew = announcement.sequence !== announced?.sequence || announcement.stream !== announced.stream;
      announced = { ...announcement, at: performance.now() };
      if (failures === 0) wellAt = announced.at;
      if (isNew) wake();
    },
  });

  async function newest() {
    const isFresh = announced && performance.now() - announced.at < aheadMs && connection.current();
    return isFresh && announced ? announced : newestOf(stream);
  }

  function stateOf(memory: StepMemory): LaneState {
    const known = lanes.get(memory);
    if (known) return known;
    const source = streamSource(stream, { finality: chain.finality, unpacker, newest });
    const created: LaneState = {
      source,
      nodesBelow: Number.NEGATIVE_INFINITY,
      gaps: 0,
      aheadSince: undefined,
      fromNodes: false,
    };
    lanes.set(memory, created);
    return created;
  }

  function isAhead(state: LaneState, number: number): boolean {
    if (!announced || announced.number >= number) state.aheadSince = undefined;
    else state.aheadSince ??= performance.now();
    if (state.aheadSince === undefined) return false;
    return state.fromNodes || performance.now() - state.aheadSince > aheadMs;
  }

  function choose(state: LaneState, number: number): "stream" | "nodes" | "wait" {
    if (number < state.nodesBelow || isAhead(state, number)) return "nodes";
    const isAside = performance.now() < asideUntil;
    const isAway = performance.now() - wellAt > patienceMs;
    // A stream that failed is tried again now and then: announcements alone do not show that it can be read.
    if (isAway && (isAside || failures === 0)) return "nodes";
    return isAside ? "wait" : "stream";
  }

  function noteFailure(state: LaneState, number: number, error: unknown): number {
    if (error instanceof StreamAwayError || error instanceof UnknownVersionError) {
      failures += 1;
      const asideMs = Math.min(longestAsideMs, shortestAsideMs * 2 ** (failures - 1));
      asideUntil = performance.now() + asideMs;
      return asideMs;
    }
    if (!(error instanceof StreamGapError)) counted.blocksRefused();
    state.nodesBelow = number + Math.min(mostFromNodes, 2 ** state.gaps);
    state.gaps += 1;
    return 0;
  }

  function turnOf(state: LaneState, number: number): Turn {
    return {
      source: state.source,
      prepare: async () => undefined,
      assertCurrent: async () => undefined,
      succeeded({ moved }) {
        const hadFailed = failures > 0;
        failures = 0;
        if (moved) {
          state.gaps = 0;
          wellAt = performance.now();
        }
        return hadFailed;
      },
      failed: (error) => (isDatabaseUnavailable(error) ? "outage" : noteFailure(state, number, error)),
      cancel: () => undefined,
    };
  }

  return {
    next({ record: { lane }, memory }) {
      const state = stateOf(memory);
      // Until it has begun, a lane is at no block.
      const number = lane.cursor?.number ?? -1;
      const choice = choose(state, number);
      if (choice === "wait") return "wait";
      if (state.fromNodes !== (choice === "nodes"))
        log.info({ block: number, from: choice }, "blocks come from another source now");
      state.fromNodes = choice === "nodes";
      counted.from(choice, announced && Math.max(0, announced.number - Math.max(0, number)));
      if (choice === "nodes") return undefined;
      state.source.follows(lane.position);
      return turnOf(state, number);
    },
  };
}

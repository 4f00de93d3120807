/** Takes the steps of lanes, one after the other, each with the source whose turn it is. */

import { isServiceError } from "../../base/errors.ts";
import type { Logger } from "../../base/log.ts";
import type { ChainConfig } from "../../settings/chains.ts";
import { type Pause, untilTick } from "../../store/pause.ts";
import type { AnnouncedHead } from "../nodes/announced-head.ts";
import { StreamAwayError } from "../stream/block-stream.ts";
import { advance, type StepProgress } from "./advance.ts";
import { type FollowedLane, type FollowedLanes, lanesPollMs } from "./lanes.ts";
import type { ChainMetrics } from "./observe.ts";
import type { StreamTurns } from "./stream-turns.ts";
import type { NodeTurns, Turn } from "./turn.ts";

const shortestPauseMs = 250;
const longestPauseMs = 10_000;

/**
 * @param options.stream has the first choice; undefined if blocks come from nodes only
 * @param options.announced returns the head that was announced since it was called last, if any
 * @param options.onFirst called once there is a lane
 * @param options.signal ends it after the step
 */
export async function takeSteps(options: {
  chain: ChainConfig;
  lanes: FollowedLanes;
  nodes: NodeTurns;
  stream?: StreamTurns | undefined;
  pause: Pause;
  counted: ChainMetrics;
  log: Logger;
  signal: AbortSignal;
  announced: () => AnnouncedHead | undefined;
  onFirst: () => void;
}): Promise<void> {
  const { chain, lanes, nodes, stream, pause, counted, log, signal } = options;
  let outages = 0;
  let isFirst = true;

  /** @returns undefined if there is no lane, or the database is away */
  async function nextLane(): Promise<FollowedLane | undefined> {
    try {
      return await lanes.next();
    } catch (error) {
      if (signal.aborted) return undefined;
      lanes.failed(error);
      const pauseMs = outagePauseMs(++outages);
      log.warn({ reason: reasonOf(error), pauseMs }, "a step of the chain failed; it will be retried");
      await pause.wait(pauseMs);
      return undefined;
    }
  }

  /** @returns undefined after a wait, if there is no source now */
  async function nextTurn(followed: FollowedLane): Promise<Turn | undefined> {
    const fromStream = stream?.next(followed);
    if (fromStream === "wait") {
      await followed.state.waited();
      await pause.wait(lanesPollMs(chain));
      return undefined;
    }
    const turn = fromStream ?? nodes.next(followed);
    if (turn) return turn;
    await followed.state.check({ noNode: true });
    await pause.wait(Math.min(1_000, nodes.waitMs()));
    return undefined;
  }

  async function step({ record, memory }: FollowedLane, turn: Turn): Promise<StepProgress> {
    await turn.prepare();
    const progress = await advance(chain, { record, source: turn.source, memory, announced: options.announced() });
    await turn.assertCurrent(progress);
    return progress;
  }

  function noteProgress({ source, ...turn }: Turn, progress: StepProgress): void {
    const { cursor, notifications } = progress;
    const hadFailed = turn.succeeded(progress);
    if (hadFailed || outages > 0) log.info({ node: source.origin, block: cursor.number }, "following again");
    outages = 0;
    counted.step(progress);
    if (notifications > 0) log.debug({ block: cursor.number, notifications }, "recorded");
  }

  async function noteFailure({ memory, state }: FollowedLane, turn: Turn, error: unknown): Promise<void> {
    memory.runLength = 1;
    const aside = turn.failed(error);
    const pauseMs = aside === "outage" ? outagePauseMs(++outages) : aside;
    // The nodes have blocks that the stream lacks, so only their failures stop the chain; their patience begins after the stream's.
    if (!turn.source.isSettled || aside === "outage" || error instanceof StreamAwayError) state.failed(error);
    log.warn(
      { node: turn.source.origin, reason: reasonOf(error), pauseMs },
      "a step of the chain failed; it will be retried",
    );
    await state.check({ noNode: false });
    if (aside === "outage") await pause.wait(pauseMs);
  }

  while (!signal.aborted) {
    const followed = await nextLane();
    if (!followed) {
      await pause.wait(untilTick(lanesPollMs(chain)));
      continue;
    }
    if (isFirst) options.onFirst();
    isFirst = false;
    const turn = await nextTurn(followed);
    if (!turn) continue;
    lanes.taken();
    try {
      const progress = await step(followed, turn);
      noteProgress(turn, progress);
      await followed.state.stepped(progress);
      const isAtHead = !progress.moved || progress.cursor.number >= progress.head.number;
      if (isAtHead && !progress.releasing) await pause.wait(chain.pollMs);
    } catch (error) {
      // Nobody needs what the failed step still waits for.
      turn.cancel();
      if (signal.aborted) return;
      if (isServiceError(error, "cursor_moved")) {
        log.debug({ reason: error.message }, "a step came too late");
        await pause.wait(chain.pollMs);
      } else await noteFailure(followed, turn, error);
    }
  }
}

const outagePauseMs = (outages: number) => Math.min(longestPauseMs, shortestPauseMs * 2 ** (outages - 1));

/** The error of a connection that was tried to several addresses has a code and no message. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.message || ("code" in error && String(error.code)) || error.name;
}

/**
 * When a lane is stopped, and how that is reported: in its row, for health and metrics of every process, and once in the log. A lane
 * stops immediately if only its operator or its nodes can help, otherwise after the configured time without a successful step.
 * Nothing changes meanwhile, and the follower retries.
 */

import { ServiceError } from "../../base/errors.ts";
import type { Logger } from "../../base/log.ts";
import { type ChainConfig, defaultPatienceMs } from "../../settings/chains.ts";
import { noteStopped, noteWell, type StandstillKind, type Stopped } from "../../store/chains/chains.ts";
import type { BlockId, LaneId } from "../../store/chains/cursor.ts";
import { isDatabaseUnavailable } from "../../store/database-errors.ts";
import type { Pool } from "../../store/pool.ts";
import { BlockRefusedError } from "../check/accept.ts";
import { NodeError } from "../nodes/node.ts";
import { StreamAwayError } from "../stream/block-stream.ts";

/** A chain cannot be followed further until its operator or its nodes do something. The message names no node. */
export class StandstillError extends ServiceError {
  override readonly name = "StandstillError";
  readonly kind: StandstillKind;

  constructor(message: string, kind: "finality" | "configuration") {
    super("chain_stopped", message);
    this.kind = kind;
  }
}

export type Standstill = Omit<Stopped, "since">;

type FailureKind = "nodes" | "traces" | "failure";

const reasons: Record<FailureKind, string> = {
  nodes: "None of the chain's nodes returns what its next blocks need; the log says what is wrong with each.",
  traces:
    "None of the chain's nodes returns the traces of its next blocks. Only webhooks with includeInternalTxs wait for them.",
  failure: "The service fails at the chain's next blocks; the log says how.",
};

/** Reports how a lane's steps went. */
export type LaneReporter = {
  /** A step was taken. @throws what the database throws */
  stepped(progress: { cursor: BlockId; head: BlockId; moved: boolean; releasing?: boolean }): Promise<void>;
  /** A step failed. */
  failed(error: unknown): void;
  /** The lane waits for the stream to be back, which is no standstill. @throws what the database throws */
  waited(): Promise<void>;
  /** Reports a standstill if there is one. @param options.noNode whether every node is set aside */
  check(options: { noNode: boolean }): Promise<void>;
};

/** How often to note that all is well. */
const wellPeriodMs = 5_000;

/** Keeps a lane's state where others read it. */
export type StateNotes = {
  /** @throws what the database throws */
  well(options: { current: boolean }): Promise<void>;
  stopped(standstill: Standstill): Promise<void>;
};

/** Reports to the lane's row, and to the log. */
export function reportState(of: { pool: Pool; chain: ChainConfig; lane: LaneId; log: Logger }): LaneReporter {
  const { pool, chain, lane, log } = of;
  return reportTo(chain, log, {
    well: (options) => noteWell(pool, lane, options),
    stopped: (standstill) => noteStopped(pool, lane, standstill),
  });
}

/** Reports to `notes`, and to the log. */
export function reportTo(
  { patienceMs }: Pick<ChainConfig, "patienceMs">,
  log: Logger,
  notes: StateNotes,
): LaneReporter {
  const watch = watchStandstill(patienceMs ?? defaultPatienceMs);
  let notedAt = Number.NEGATIVE_INFINITY;
  let reported: (Standstill & { at: number }) | undefined;
  let isNoted = true;

  async function check({ noNode }: { noNode: boolean }): Promise<void> {
    const standstill = watch.current(noNode);
    if (standstill && standstill.reason !== reported?.reason) {
      log.error(standstill, "the chain is stopped");
      reported = { ...standstill, at: reported?.at ?? performance.now() };
      isNoted = false;
    }
    if (!reported || isNoted) return;
    isNoted = await notes.stopped(reported).then(
      () => true,
      () => false,
    );
  }

  async function noteWellNow(current: boolean): Promise<void> {
    watch.restart();
    if (!reported && performance.now() - notedAt < wellPeriodMs) return;
    await notes.well({ current });
    notedAt = performance.now();
    if (reported) log.info({ afterMs: Math.round(notedAt - reported.at) }, "the chain is followed again");
    reported = undefined;
  }

  return {
    check,
    waited: () => noteWellNow(false),
    async stepped({ cursor, head, moved, releasing }) {
      const current = head.hash === cursor.hash;
      if (moved || current || releasing) return noteWellNow(current);
      // The nodes disagree, or are behind what was recorded. We wait for them, but not silently.
      watch.failed("nodes");
      return check({ noNode: false });
    },
    failed(error) {
      // While nothing can be recorded we know nothing about the nodes. Readiness reports the database.
      if (isDatabaseUnavailable(error) || error instanceof StreamAwayError) watch.restart();
      else if (error instanceof StandstillError) watch.failed(error);
      else watch.failed(failureKindOf(error), error instanceof BlockRefusedError ? error.summary : undefined);
    },
  };
}

/** Whether the nodes fail, or only at traces, or we do. */
export function failureKindOf(error: unknown): FailureKind {
  if (error instanceof NodeError) return error.about.method.startsWith("debug_") ? "traces" : "nodes";
  if (error instanceof BlockRefusedError)
    return error.failed.every(({ check }) => check.startsWith("trace")) ? "traces" : "nodes";
  return "failure";
}

type StandstillWatch = {
  /** A step went well, or the database is away: patience starts again. */
  restart(): void;
  /** A step failed, or got no further below the head. @param detail further sentences, which name no node */
  failed(why: StandstillError | FailureKind, detail?: string): void;
  current(noNode: boolean): Standstill | undefined;
};

/** @param patienceMs how long no step may go well @param now a monotonic clock, in ms */
function watchStandstill(patienceMs: number, now: () => number = () => performance.now()): StandstillWatch {
  let wellAt = now();
  let why: StandstillError | FailureKind = "nodes";
  /** The first one stays: nodes that fail differently must not change the reason with each try. */
  let detail: string | undefined;
  return {
    restart() {
      wellAt = now();
      why = "nodes";
      detail = undefined;
    },
    failed(reason, more) {
      detail ??= more;
      // An everyday failure of another node must not hide what only the operator can end.
      if (reason instanceof StandstillError || !(why instanceof StandstillError)) why = reason;
    },
    current(noNode) {
      if (why instanceof StandstillError) return noNode ? { kind: why.kind, reason: why.message } : undefined;
      return now() - wellAt < patienceMs
        ? undefined
        : { kind: why, reason: [reasons[why], detail].filter(Boolean).join(" ") };
    },
  };
}

/**
 * When a chain is said to stand still: at once where nothing but its operator or its nodes can help, and otherwise when nothing
 * has gone well for as long as its configuration allows. Nothing is changed while it does, and it is tried again and again.
 */

import type { Logger } from "pino";
import { noteStopped, noteWell, type StandstillKind, type Stopped } from "../../store/chains/chains.ts";
import type { LaneId } from "../../store/chains/cursor.ts";
import { isDatabaseAway } from "../../store/errors.ts";
import type { Pool } from "../../store/pool.ts";
import { BlockRefusedError } from "../check/accept.ts";
import { type ChainConfig, usualPatienceMs } from "../config.ts";
import { NodeError } from "../nodes/node.ts";
import type { Progress } from "./advance.ts";

/** A chain cannot be followed any further until its operator or its nodes do something. The message names no node. */
export class StandstillError extends Error {
  override readonly name = "StandstillError";
  readonly kind: StandstillKind;

  constructor(message: string, kind: "finality" | "configuration") {
    super(message);
    this.kind = kind;
  }
}

/** Why and whether a chain stands still. */
export type Standstill = Omit<Stopped, "since">;

export type StandstillWatch = {
  /** A step went well, or nothing can be told of the chain since the database is away: patience begins anew. */
  restart(): void;
  /** A step did not bring the chain forward, nor was it at its head. @param detail what else to say of it, in sentences that name no node */
  failed(why: StandstillError | FailureKind, detail?: string): void;
  /** @param nobody whether no node is fit at the moment @returns the standstill, undefined while there is none */
  look(nobody: boolean): Standstill | undefined;
};

type FailureKind = "nodes" | "traces" | "failure";

const reasons: Record<FailureKind, string> = {
  nodes: "None of the chain's nodes gives what its next blocks need; the log tells what is wrong with each.",
  traces:
    "None of the chain's nodes returns the traces of its next blocks. Only webhooks with includeInternalTxs wait for them.",
  failure: "The service fails at the chain's next blocks; the log tells how.",
};

/** @param patienceMs for how long nothing may go well @param now ms, of a clock that never goes back */
export function watchStandstill(patienceMs: number, now: () => number = () => performance.now()): StandstillWatch {
  let wellAt = now();
  let why: StandstillError | FailureKind = "nodes";
  /** The first one stays, so that nodes which fail differently do not change the reason with each try. */
  let detail: string | undefined;
  return {
    restart() {
      wellAt = now();
      why = "nodes";
      detail = undefined;
    },
    failed(reason, more) {
      detail ??= more;
      // What only its operator can end is not forgotten when another node fails in an everyday way.
      if (reason instanceof StandstillError || !(why instanceof StandstillError)) why = reason;
    },
    look(nobody) {
      if (why instanceof StandstillError) return nobody ? { kind: why.kind, reason: why.message } : undefined;
      return now() - wellAt < patienceMs
        ? undefined
        : { kind: why, reason: [reasons[why], detail].filter(Boolean).join(" ") };
    },
  };
}

// FROM server/chain/follow/report-state.ts: /** Tells whether a lane of a chain is followed or stands still: in its row, for health and metrics of every process, and once in the log. */
/** What a follower tells of. */
export type ChainTeller = {
  /** A step was taken. @throws what the database throws */
  stepped(progress: Progress): Promise<void>;
  /** A step failed. */
  failed(error: unknown): void;
  /** Tells of a standstill if there is one. @param nobody whether no node is fit at the moment */
  look(options: { nobody: boolean }): Promise<void>;
};

/** How often to note that all is well, where nothing else is to be told. */
const wellPeriodMs = 5_000;

export function tellState(of: { pool: Pool; chain: ChainConfig; lane: LaneId; log: Logger }): ChainTeller {
  const { pool, chain, lane, log } = of;
  const watch = watchStandstill(chain.patienceMs ?? usualPatienceMs);
  let notedAt = Number.NEGATIVE_INFINITY;
  let told: (Standstill & { at: number }) | undefined;
  let isNoted = true;

  async function look({ nobody }: { nobody: boolean }): Promise<void> {
    const standstill = watch.look(nobody);
    if (standstill && standstill.reason !== told?.reason) {
      log.error(standstill, "the chain stands still");
      told = { ...standstill, at: told?.at ?? performance.now() };
      isNoted = false;
    }
    if (!told || isNoted) return;
    isNoted = await noteStopped(pool, lane, told).then(
      () => true,
      () => false,
    );
  }

  return {
    look,
    async stepped({ cursor, head, moved }) {
      const current = head.hash === cursor.hash;
      if (!moved && !current) {
        // Nodes of two minds, or behind what was recorded, are waited for; but not in silence.
        watch.failed("nodes");
        return look({ nobody: false });
      }
      watch.restart();
      if (!told && performance.now() - notedAt < wellPeriodMs) return;
      await noteWell(pool, lane, { current });
      notedAt = performance.now();
      if (told) log.info({ afterMs: Math.round(notedAt - told.at) }, "the chain is followed again");
      told = undefined;
    },
    failed(error) {
      // Without the database nothing can be told of the nodes, and readiness tells of it.
      if (isDatabaseAway(error)) watch.restart();
      else if (error instanceof StandstillError) watch.failed(error);
      else watch.failed(kindOf(error), error instanceof BlockRefusedError ? error.summary : undefined);
    },
  };
}

function kindOf(error: unknown): "nodes" | "traces" | "failure" {
  if (error instanceof NodeError) return error.about.method.startsWith("debug_") ? "traces" : "nodes";
  if (error instanceof BlockRefusedError)
    return error.failed.every(({ check }) => check.startsWith("trace")) ? "traces" : "nodes";
  return "failure";
}

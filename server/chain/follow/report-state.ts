/** Tells whether a lane of a chain is followed or stands still: in its row, for health and metrics of every process, and once in the log. */
import type { Logger } from "pino";
import { noteStopped, noteWell } from "../../store/chains/chains.ts";
import type { LaneId } from "../../store/chains/cursor.ts";
import { isDatabaseAway } from "../../store/database-errors.ts";
import type { Pool } from "../../store/pool.ts";
import { BlockRefusedError } from "../check/refused.ts";
import { type ChainConfig, usualPatienceMs } from "../config.ts";
import { NodeError } from "../nodes/node.ts";
import type { Progress } from "./advance.ts";
import { type Standstill, StandstillError, watchStandstill } from "./standstill.ts";

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

/**
 * When a chain is said to stand still: at once where nothing but its operator or its nodes can help, and otherwise when nothing
 * has gone well for as long as its configuration allows. Nothing is changed while it does, and it is tried again and again.
 */
import type { StandstillKind, Stopped } from "../../store/chains/chains.ts";

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
  nodes: "None of the chain's nodes returns what its next blocks need; the log says what is wrong with each.",
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

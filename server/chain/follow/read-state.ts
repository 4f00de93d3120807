/** How far this process reads a chain for the stream. It is kept in memory, since a reader has no database. */
import type { ChainState, Stopped } from "../../store/chains/chains.ts";
import type { StepProgress } from "./advance.ts";
import type { Standstill, StateNotes } from "./standstill.ts";

export type ReadState = StateNotes & {
  stepped(progress: Pick<StepProgress, "head" | "cursor">): void;
  /** Another process published this block. */
  heard(number: number): void;
  current(): ChainState;
};

export function createReadState({ traces }: { traces: boolean }): ReadState {
  let head: number | null = null;
  let followed: number | null = null;
  let currentAt = performance.now();
  let stopped: Stopped | undefined;
  return {
    async well({ current }) {
      stopped = undefined;
      if (current) currentAt = performance.now();
    },
    async stopped({ kind, reason }: Standstill) {
      stopped = { kind, reason, since: stopped?.since ?? Date.now() };
    },
    stepped(progress) {
      followed = progress.cursor.number;
      head = Math.max(progress.head.number, followed);
      if (progress.head.number <= followed) currentAt = performance.now();
    },
    heard(number) {
      head = number;
      followed = number;
      stopped = undefined;
      currentAt = performance.now();
    },
    current() {
      const isCurrent = head === null || head === followed;
      const lagSeconds = followed === null ? null : isCurrent ? 0 : (performance.now() - currentAt) / 1_000;
      const state = { head, followed, lagSeconds, blocksFrom: "nodes" as const, ...(stopped && { stopped }) };
      return { ...state, lanes: [{ traces, ...state }] };
    },
  };
}

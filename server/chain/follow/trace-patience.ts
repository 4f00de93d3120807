/** When to publish blocks without their traces: lanes without traces must not wait for nodes that fail to trace. */
import type { ChainConfig } from "../../settings/chains.ts";
import { failureKindOf } from "./standstill.ts";

type TracePatience = {
  /** Whether to read the next blocks with their traces. */
  wanted(): boolean;
  failed(error: unknown): void;
  /** Blocks were read. */
  read(): void;
};

const shortestMs = 1_000;
const longestMs = 60_000;

/** After as many failures in a row as the chain has nodes, blocks go without traces: for a second, then twice as long each time. */
export function createTracePatience(
  { traces, rpcUrls }: Pick<ChainConfig, "traces" | "rpcUrls">,
  now: () => number = () => performance.now(),
): TracePatience {
  let failures = 0;
  let pauseMs = shortestMs;
  let withoutUntil = Number.NEGATIVE_INFINITY;
  const wanted = () => traces && now() >= withoutUntil;
  return {
    wanted,
    failed(error) {
      if (!wanted() || failureKindOf(error) !== "traces") return;
      failures += 1;
      if (failures < rpcUrls.length) return;
      failures = 0;
      withoutUntil = now() + pauseMs;
      pauseMs = Math.min(longestMs, pauseMs * 2);
    },
    read() {
      if (!wanted()) return;
      failures = 0;
      pauseMs = shortestMs;
    },
  };
}

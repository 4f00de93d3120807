/**
 * Health checks. An orchestrator learns whether the process is up and can serve; an operator, whether its chains are followed. A stopped chain
 * does not make a process unready, since neither a restart nor another process would help. The body of /readyz shows it, and /healthz/chains
 * has a status for it.
 */
import { Router } from "express";
import { getOnly } from "../../contract/error-mapper.ts";
import type { SupportedChain } from "../../contract/webhook-input.ts";
import type { ChainState, LaneState, Stopped } from "../../store/chains/chains.ts";
import { refuseWhenStopping } from "../stopping.ts";

export const healthPaths = ["/healthz", "/readyz", "/healthz/chains"];

/** The state of following. Blocks are numbers, times ms since the epoch. */
type LaneHealth = { status: "following" | "starting" | "stopped" } & Partial<{
  headBlock: number;
  followedBlock: number;
  lagBlocks: number;
  lagSeconds: number;
  blocksFrom: "stream" | "nodes";
  stopped: Stopped;
}>;

/** A chain without traces, and each of its lanes. */
type ChainHealth = { chainId: string; name: string } & LaneHealth & { lanes: ({ traces: boolean } & LaneHealth)[] };

export type HealthOptions = {
  readStates: () => Promise<Map<string, ChainState>>;
  chains: readonly Pick<SupportedChain, "chainId" | "name">[];
  /** Its name, if it has one, is in every answer. */
  cell?: string | undefined;
};

/**
 * GET /healthz: the process is up. GET /readyz: its database, if it needs one, answers too and it is not shutting down, else 503; with the state of each
 * chain. GET /healthz/chains: the same state, and 503 while a lane of a chain is stopped.
 */
export function health({ readStates, chains, cell }: HealthOptions): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const own = cell === undefined ? {} : { cell };
  let reading: Promise<ChainHealth[]> | undefined;
  // Nobody needs a key for this, so concurrent requests share one query.
  const readHealth = () => {
    reading ??= readStates()
      .then((states) => chains.map(({ chainId, name }) => healthOf(chainId, name, states.get(chainId))))
      .finally(() => {
        reading = undefined;
      });
    return reading;
  };
  router.get("/healthz", (_request, response) => void response.json({ status: "up", ...own }));
  router.get("/readyz", refuseWhenStopping, async (_request, response) => {
    response.json({ status: "ready", ...own, chains: await readHealth() });
  });
  router.get("/healthz/chains", async (_request, response) => {
    const found = await readHealth();
    const isStopped = found.some(({ lanes }) => lanes.some(({ stopped }) => stopped));
    response.status(isStopped ? 503 : 200).json({ status: isStopped ? "stopped" : "following", ...own, chains: found });
  });
  router.all(healthPaths, getOnly);
  return router;
}

function healthOf(chainId: string, name: string, state?: ChainState): ChainHealth {
  if (!state) return { chainId, name, status: "starting", lanes: [] };
  const lanes = state.lanes.map((lane) => ({ traces: lane.traces, ...laneHealth(lane) }));
  return { chainId, name, ...laneHealth(state), lanes };
}

function laneHealth({ head, followed, lagSeconds, blocksFrom, stopped }: Omit<LaneState, "traces">): LaneHealth {
  return {
    status: stopped ? "stopped" : followed === null ? "starting" : "following",
    ...(head !== null && { headBlock: head }),
    ...(followed !== null && { followedBlock: followed }),
    ...(head !== null && followed !== null && { lagBlocks: head - followed }),
    ...(lagSeconds !== null && { lagSeconds: Math.round(lagSeconds) }),
    ...(followed !== null && { blocksFrom }),
    ...(stopped && { stopped }),
  };
}

/**
 * Tells an orchestrator whether the process is up and whether it can serve, and whoever watches it whether its chains are followed.
 * A chain that stands still does not make a process unready: it serves all the same, and neither a restart nor another process in
 * its place would help. It is told of in the body, and by a status of its own at /healthz/chains.
 */
import { Router } from "express";
import { getOnly } from "../contract/no-such-route.ts";
import type { ServedChain } from "../contract/served-chains.ts";
import { type ChainState, type LaneState, readChainStates, type Stopped } from "../store/chains/chains.ts";
import type { Pool } from "../store/pool.ts";
import { healthPaths } from "./health-paths.ts";
import { refuseWhenStopping } from "./stopping.ts";

/** How following goes. Blocks are numbers, times ms since the epoch. */
type LaneHealth = { status: "following" | "starting" | "stopped" } & Partial<{
  headBlock: number;
  followedBlock: number;
  lagBlocks: number;
  lagSeconds: number;
  stopped: Stopped;
}>;

/** Of a chain: as it goes without traces, and in each of its lanes. */
type ChainHealth = { chainId: string; name: string } & LaneHealth & { lanes: ({ traces: boolean } & LaneHealth)[] };

/**
 * GET /healthz: the process is up. GET /readyz: its database answers too and it is not stopping, else 503; with the state of each
 * chain. GET /healthz/chains: the same, and 503 while a lane of a chain stands still.
 */
export function health(pool: Pool, chains: readonly Pick<ServedChain, "chainId" | "name">[]): Router {
  const router = Router({ caseSensitive: true, strict: true });
  let reading: Promise<ChainHealth[]> | undefined;
  // Nobody needs a key for this, so those who ask at the same time are told the same: the database is asked once.
  const readHealth = () => {
    reading ??= readChainStates(pool)
      .then((states) => chains.map(({ chainId, name }) => healthOf(chainId, name, states.get(chainId))))
      .finally(() => {
        reading = undefined;
      });
    return reading;
  };
  router.get("/healthz", (_request, response) => void response.json({ status: "up" }));
  router.get("/readyz", refuseWhenStopping, async (_request, response) => {
    response.json({ status: "ready", chains: await readHealth() });
  });
  router.get("/healthz/chains", async (_request, response) => {
    const found = await readHealth();
    const isStopped = found.some(({ lanes }) => lanes.some(({ stopped }) => stopped));
    response.status(isStopped ? 503 : 200).json({ status: isStopped ? "stopped" : "following", chains: found });
  });
  router.all(healthPaths, getOnly);
  return router;
}

function healthOf(chainId: string, name: string, state?: ChainState): ChainHealth {
  if (!state) return { chainId, name, status: "starting", lanes: [] };
  const lanes = state.lanes.map((lane) => ({ traces: lane.traces, ...laneHealth(lane) }));
  return { chainId, name, ...laneHealth(state), lanes };
}

function laneHealth({ head, followed, lagSeconds, stopped }: Omit<LaneState, "traces">): LaneHealth {
  return {
    status: stopped ? "stopped" : followed === null ? "starting" : "following",
    ...(head !== null && { headBlock: head }),
    ...(followed !== null && { followedBlock: followed }),
    ...(head !== null && followed !== null && { lagBlocks: head - followed }),
    ...(lagSeconds !== null && { lagSeconds: Math.round(lagSeconds) }),
    ...(stopped && { stopped }),
  };
}

/**
 * Health checks. An orchestrator learns whether the process is up and can serve; an operator, whether its chains are followed. A stopped chain
 * does not make a process unready, since neither a restart nor another process would help. The body of /readyz shows it, and /healthz/chains
 * has a status for it.
 */
import { Router } from "express";
import { getOnly } from "../../contract/error-mapper.ts";
import type { SupportedChain } from "../../contract/webhook-input.ts";
import { type ChainState, type LaneState, readChainStates, type Stopped } from "../../store/chains/chains.ts";
import type { Pool } from "../../store/pool.ts";
import { assertTakesWrites } from "../../store/session.ts";
import { refuseWhenStopping } from "../listening/refuse.ts";

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
  /** Fails with the reason why the process cannot serve. */
  assertReady?: () => Promise<void>;
  chains: readonly Pick<SupportedChain, "chainId" | "name">[];
  /** Its name, if it has one, is in every answer. */
  cell?: string | undefined;
};

/** How long a probe waits for the database. Orchestrators wait for a few seconds. */
const patienceMs = 5_000;

/** What health reads of the tables. */
export function readinessOf(pool: Pool): Pick<HealthOptions, "readStates" | "assertReady"> {
  return { readStates: () => readChainStates(pool), assertReady: () => assertTakesWrites(pool, patienceMs) };
}

/**
 * GET /healthz: the process is up. GET /readyz: its database, if it needs one, answers and takes writes, and it is not shutting down, else 503 with the
 * reason; with the state of each chain. GET /healthz/chains: the same state, and 503 while a lane of a chain is stopped.
 */
export function health({ readStates, assertReady, chains, cell }: HealthOptions): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const own = cell === undefined ? {} : { cell };
  // Nobody needs a key for these, so concurrent requests share one query.
  const readHealth = shared(async () => {
    const states = await readStates();
    return chains.map(({ chainId, name }) => healthOf(chainId, name, states.get(chainId)));
  });
  const checkReady = shared(async () => assertReady?.());
  router.get("/healthz", (_request, response) => void response.json({ status: "up", ...own }));
  router.get("/readyz", refuseWhenStopping, async (_request, response) => {
    const [found] = await Promise.all([readHealth(), checkReady()]);
    response.json({ status: "ready", ...own, chains: found });
  });
  router.get("/healthz/chains", async (_request, response) => {
    const found = await readHealth();
    const isStopped = found.some(({ lanes }) => lanes.some(({ stopped }) => stopped));
    response.status(isStopped ? 503 : 200).json({ status: isStopped ? "stopped" : "following", ...own, chains: found });
  });
  router.all(healthPaths, getOnly);
  return router;
}

/** Lets concurrent callers share the result of one call. */
export function shared<T>(call: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined;
  return () => {
    running ??= call().finally(() => {
      running = undefined;
    });
    return running;
  };
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

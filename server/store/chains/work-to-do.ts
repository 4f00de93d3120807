/**
 * What there is to do on the chains: which kinds of lanes they have, and which have replays or questions. Most chains have one kind of lane
 * and neither, and the workers for the rest only wait. Those of one process share one read: without that, they send half of what an idle
 * process asks the database.
 */
import type { Pool } from "../pool.ts";
import { type HistoryMode, isHistory, type LaneKind } from "./lanes.ts";

type Look = { atMs: number; work: Promise<ReadonlySet<string>> };

const looks = new WeakMap<Pool, Look>();

/** @param freshMs how old the answer may be @returns whether the chain has a lane of this kind */
export async function hasLane(pool: Pool, chainId: string, kind: LaneKind, freshMs: number): Promise<boolean> {
  return (await look(pool, freshMs)).has(laneKey(chainId, kind));
}

/** @param freshMs how old the answer may be @returns whether the chain has unfinished replays, due or not, or some that may go back */
export async function hasReplays(pool: Pool, chainId: string, freshMs: number): Promise<boolean> {
  return (await look(pool, freshMs)).has(replaysKey(chainId));
}

/** @param freshMs how old the answer may be @returns whether one of the chains has questions that wait */
export async function hasQuestions(pool: Pool, chainIds: readonly string[], freshMs: number): Promise<boolean> {
  const work = await look(pool, freshMs);
  return chainIds.some((chainId) => work.has(questionsKey(chainId)));
}

function look(pool: Pool, freshMs: number): Promise<ReadonlySet<string>> {
  const now = performance.now();
  const last = looks.get(pool);
  if (last && now - last.atMs <= freshMs) return last.work;
  const work = readWork(pool);
  looks.set(pool, { atMs: now, work });
  // A failure is the answer of those who wait for it only.
  work.catch(() => looks.get(pool)?.work === work && looks.delete(pool));
  return work;
}

const laneKey = (chainId: string, { traces, catchesUp, isHistory = false, mode }: LaneKind) =>
  `${chainId} ${traces} ${catchesUp} ${isHistory} ${mode ?? ""}`;
const replaysKey = (chainId: string) => `${chainId} replays`;
const questionsKey = (chainId: string) => `${chainId} questions`;

async function readWork(pool: Pool): Promise<ReadonlySet<string>> {
  const { rows } = await pool.query<{
    chainId: string;
    traces: boolean | null;
    catchesUp: boolean;
    isHistory: boolean;
    mode: HistoryMode | null;
    replays: boolean;
    questions: boolean;
  }>({
    name: "chain-work",
    text: `SELECT DISTINCT chain_id AS "chainId", l.traces, l.catches_up AS "catchesUp", ${isHistory} AS "isHistory",
             l.history_mode AS mode,
             EXISTS (SELECT FROM replays r WHERE r.chain_id = c.chain_id AND status IN ('queued', 'running'))
               OR EXISTS (SELECT FROM replaced_blocks b WHERE b.chain_id = c.chain_id) AS replays,
             EXISTS (SELECT FROM questions q WHERE q.chain_id = c.chain_id AND taken_at IS NULL) AS questions
           FROM chains c LEFT JOIN chain_lanes l USING (chain_id)`,
  });
  const work = new Set<string>();
  for (const { chainId, traces, catchesUp, isHistory: ofHistory, mode, replays, questions } of rows) {
    if (traces !== null)
      work.add(laneKey(chainId, { traces, catchesUp, isHistory: ofHistory, ...(mode !== null && { mode }) }));
    if (replays) work.add(replaysKey(chainId));
    if (questions) work.add(questionsKey(chainId));
  }
  return work;
}

/** How far each lane of a chain is followed, and whether it is stopped. Its follower writes this; any process reads it. */

import { type Queryable, within } from "../pool.ts";
import type { LaneId } from "./cursor.ts";
import { isHistory, isNearHead } from "./lanes.ts";

/**
 * Why a lane is stopped: its nodes contradict a final block; the configuration lacks what webhooks need; no node is usable; no node
 * returns traces; the service itself fails; or no process follows the lane.
 */
export const standstillKinds = ["finality", "configuration", "nodes", "traces", "failure", "unattended"] as const;
export type StandstillKind = (typeof standstillKinds)[number];

/** A lane's standstill. */
export type Stopped = {
  kind: StandstillKind;
  /** A sentence that names no node, since it is public. */
  reason: string;
  /** In ms since the epoch. */
  since: number;
};

/** How far a lane is followed, in block numbers. Null until known. */
export type LaneState = {
  traces: boolean;
  head: number | null;
  followed: number | null;
  /** How long it has been behind its head, in seconds. */
  lagSeconds: number | null;
  /** Where the newest recorded block came from. */
  blocksFrom: "stream" | "nodes";
  stopped?: Stopped;
};

/** How far a chain is followed: its lane without traces, then all its lanes, starting with that one. */
export type ChainState = Omit<LaneState, "traces"> & {
  /** The newest final block on record; undefined if none is known. */
  final?: number;
  lanes: LaneState[];
};

/** A follower usually reports every few seconds. After this time without a report, nobody follows a lane whose lease nobody holds. */
const silenceSeconds = 60;
/** When lanes of a lane's kind were last reported, of `chain_lanes l`: one follower serves all lanes that catch up, in turns. */
const heardOfKind = "max(GREATEST(checked_at, head_seen_at)) OVER (PARTITION BY chain_id, traces, catches_up)";
const patienceMs = 5_000;

/**
 * Whether a process holds the lease of `chain_lanes l`. It may be silent for long where its chain is polled seldom, or its node hangs. The keys are
 * those of `lanesByKey`.
 */
const isHeld = `EXISTS (SELECT FROM leases s WHERE s.kind = 'chain' AND s.owner IS NOT NULL AND s.expires_at > clock_timestamp()
  AND s.key = l.chain_id || CASE WHEN l.traces OR l.catches_up THEN '/' || CASE WHEN l.traces THEN 'traces' ELSE 'plain' END
    || CASE WHEN l.catches_up THEN '-catch-up' ELSE '' END ELSE '' END)`;

type Row = Omit<LaneState, "stopped"> & {
  chainId: string;
  stopped: string | null;
  kind: StandstillKind | null;
  since: Date | null;
  heardAt: Date | null;
};

/**
 * Reads the state of all chains. The head is never below the followed block. A lane that catches up reports its standstill through the
 * lane that it will join, since its webhooks wait, too. A history is behind on purpose, and reports in its webhooks' records.
 */
export async function readChainStates(db: Queryable): Promise<Map<string, ChainState>> {
  const { rows } = await db.query<Row & { catchesUp: boolean; final: number | null }>(
    within(patienceMs, {
      name: "chain-states",
      text: `SELECT chain_id AS "chainId", traces, catches_up AS "catchesUp", GREATEST(head_number, cursor_number) AS head, cursor_number AS followed,
             CASE WHEN cursor_number >= head_number THEN 0
               ELSE extract(epoch FROM clock_timestamp() - current_at)::float8 END AS "lagSeconds",
             CASE WHEN stream IS NULL THEN 'nodes' ELSE 'stream' END AS "blocksFrom",
             (SELECT number FROM final_blocks f WHERE f.chain_id = l.chain_id AND f.lane = l.lane) AS final,
             stopped, stopped_kind AS kind, COALESCE(stopped_since, clock_timestamp()) AS since,
             CASE WHEN ${heardOfKind} + make_interval(secs => $1) < clock_timestamp() AND NOT ${isHeld}
               THEN GREATEST(checked_at, head_seen_at) END AS "heardAt"
           FROM chain_lanes l WHERE NOT ${isHistory} ORDER BY chain_id, traces, catches_up, cursor_number`,
      values: [silenceSeconds],
    }),
  );
  const states = new Map<string, ChainState>();
  for (const { chainId, catchesUp, final, ...row } of rows) {
    const lane = stateOf(row);
    const { traces, ...plain } = lane;
    const state = states.get(chainId) ?? { ...plain, ...(final !== null && { final }), lanes: [] };
    states.set(chainId, state);
    const ahead = catchesUp && state.lanes.find((other) => other.traces === traces);
    if (!ahead) state.lanes.push(lane);
    else if (!ahead.stopped && lane.stopped) ahead.stopped = lane.stopped;
  }
  return states;
}

function stateOf({ traces, stopped, kind, since, heardAt, ...row }: Omit<Row, "chainId">): LaneState {
  const { lagSeconds, ...rest } = row;
  const state = { traces, ...rest, lagSeconds: lagSeconds === null ? null : Math.max(0, lagSeconds) };
  if (stopped !== null && since)
    return { ...state, stopped: { kind: kind ?? "failure", reason: stopped, since: since.getTime() } };
  if (heardAt) return { ...state, stopped: { kind: "unattended", reason: unattended, since: heardAt.getTime() } };
  return state;
}

const unattended = "No process follows the chain.";

/** SQL: the lanes that are stopped, but for histories: chain_id, lane, traces, stopped, since, and whether it is that nobody follows them. */
export const stoppedLanes = `
  SELECT chain_id, lane, traces, COALESCE(stopped, '${unattended}') AS stopped, stopped IS NULL AS unattended,
    CASE WHEN stopped IS NULL THEN heard_at ELSE COALESCE(stopped_since, clock_timestamp()) END AS since
  FROM (SELECT *, ${heardOfKind} AS heard_at FROM chain_lanes l WHERE NOT ${isHistory}) l
  WHERE stopped IS NOT NULL OR (heard_at + interval '${silenceSeconds} seconds' < clock_timestamp() AND NOT ${isHeld})`;

/** Records a successful step, which ends a standstill. @param current whether it reached the head, where a history ends */
export async function noteWell(
  db: Queryable,
  { chainId, lane }: LaneId,
  { current }: { current: boolean },
): Promise<void> {
  await db.query(
    // A node that lags has another head than the chain.
    `UPDATE chain_lanes l SET checked_at = clock_timestamp(), current_at = CASE WHEN $3 THEN clock_timestamp() ELSE current_at END,
       stopped = NULL, stopped_kind = NULL, stopped_since = NULL,
       history_from = CASE WHEN NOT ($3 AND ${isNearHead}) THEN history_from END,
       history_mode = CASE WHEN NOT ($3 AND ${isNearHead}) THEN history_mode END
     WHERE chain_id = $1 AND lane = $2`,
    [chainId, lane, current],
  );
}

/** Records that the lane is stopped, and why. The start of an earlier standstill stays. */
export async function noteStopped(
  db: Queryable,
  { chainId, lane }: LaneId,
  { kind, reason }: Omit<Stopped, "since">,
): Promise<void> {
  await db.query(
    `UPDATE chain_lanes SET stopped = $4, stopped_kind = $3,
       stopped_since = CASE WHEN stopped IS NULL THEN clock_timestamp() ELSE COALESCE(stopped_since, clock_timestamp()) END
     WHERE chain_id = $1 AND lane = $2`,
    [chainId, lane, kind, reason],
  );
}

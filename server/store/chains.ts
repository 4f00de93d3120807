/** How far each chain is followed, and whether it stands still: noted by its follower, told by any process. */
import type { Queryable } from "./pool.ts";

/**
 * Why a chain stands still: it contradicts what was final; its configuration does not give what webhooks want; none of its nodes
 * is fit; the service itself fails; or nobody follows it.
 */
export const standstillKinds = ["finality", "configuration", "nodes", "failure", "unattended"] as const;
export type StandstillKind = (typeof standstillKinds)[number];

/** A chain's standstill. */
export type Stopped = {
  kind: StandstillKind;
  /** A sentence that names no node, since it is told to anybody. */
  reason: string;
  /** In ms since the epoch. */
  since: number;
};

/** Where following a chain stands, in block numbers. Null before there was anything to tell. */
export type ChainState = {
  head: number | null;
  followed: number | null;
  /** For how many seconds it has not been followed up to its head. */
  lagSeconds: number | null;
  stopped?: Stopped;
};

/** Of a chain whose follower says nothing for so long, which notes every few seconds that all is well, there is none. */
const silenceSeconds = 60;

type Row = Omit<ChainState, "stopped"> & {
  chainId: string;
  stopped: string | null;
  kind: StandstillKind | null;
  since: Date | null;
  heardAt: Date | null;
};

/** Reads the state of all chains. The head is never below what has been followed. @returns it by chainId */
export async function readChainStates(db: Queryable): Promise<Map<string, ChainState>> {
  // Followers of the version before note heads only, so that those count too.
  const { rows } = await db.query<Row>({
    name: "chain-states",
    text: `SELECT chain_id AS "chainId", GREATEST(head_number, cursor_number) AS head, cursor_number AS followed,
             CASE WHEN cursor_number >= head_number THEN 0
               ELSE extract(epoch FROM clock_timestamp() - current_at)::float8 END AS "lagSeconds",
             stopped, stopped_kind AS kind, COALESCE(stopped_since, clock_timestamp()) AS since,
             CASE WHEN checked_at + make_interval(secs => $1) < clock_timestamp()
               AND head_seen_at + make_interval(secs => $1) < clock_timestamp()
               THEN GREATEST(checked_at, head_seen_at) END AS "heardAt"
           FROM chains`,
    values: [silenceSeconds],
  });
  return new Map(rows.map(({ chainId, ...row }) => [chainId, stateOf(row)]));
}

function stateOf({ head, followed, lagSeconds, stopped, kind, since, heardAt }: Omit<Row, "chainId">): ChainState {
  const state = { head, followed, lagSeconds: lagSeconds === null ? null : Math.max(0, lagSeconds) };
  if (stopped !== null && since)
    return { ...state, stopped: { kind: kind ?? "failure", reason: stopped, since: since.getTime() } };
  if (heardAt) return { ...state, stopped: { kind: "unattended", reason: unattended, since: heardAt.getTime() } };
  return state;
}

const unattended = "No process follows the chain.";

/** Notes that following the chain goes well, so that no standstill is left. @param current whether its head was reached */
export async function noteWell(db: Queryable, chainId: string, { current }: { current: boolean }): Promise<void> {
  await db.query(
    `UPDATE chains SET checked_at = clock_timestamp(), current_at = CASE WHEN $2 THEN clock_timestamp() ELSE current_at END,
       stopped = NULL, stopped_kind = NULL, stopped_since = NULL
     WHERE chain_id = $1`,
    [chainId, current],
  );
}

/** Notes that the chain stands still, and why; since when stays what it was if it did before. */
export async function noteStopped(
  db: Queryable,
  chainId: string,
  { kind, reason }: Omit<Stopped, "since">,
): Promise<void> {
  await db.query(
    `UPDATE chains SET stopped = $3, stopped_kind = $2,
       stopped_since = CASE WHEN stopped IS NULL THEN clock_timestamp() ELSE COALESCE(stopped_since, clock_timestamp()) END
     WHERE chain_id = $1`,
    [chainId, kind, reason],
  );
}

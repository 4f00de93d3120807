/**
 * The lanes of a chain. Each records the same blocks with its own cursor. Each webhook is in one lane: an active one that wants internal
 * transactions in a lane with traces, every other in a lane without.
 *
 * Two lanes with the same newest block have recorded the same chain. A webhook changes lanes only there. It then misses and repeats
 * nothing, and the new lane retracts what the old one would have retracted. Where the cursors differ, the webhook moves to a lane
 * that catches up. It starts at the old lane's block, catches up, and joins the lane of its kind when both are at the same block. A webhook
 * is therefore always notified in the order of the chain.
 *
 * A webhook that starts in the past is created in such a lane, at the block before its first one. So its history needs nothing else: blocks are
 * linked by parent hash up to the recorded chain, and it joins the others without a seam.
 */

import { ServiceError } from "../../base/errors.ts";
import { hasDue, hasHeld, hasHeldForFinality } from "../outbox/held-state.ts";
import { inTransaction, type Pool, type Queryable } from "../pool.ts";
import {
  type BlockId,
  blockOf,
  joinable,
  type LaneId,
  noteFinalBlock,
  type StreamPosition,
  sameKind,
} from "./cursor.ts";
import { lockChainExclusively } from "./lock.ts";

/**
 * Whether a lane reads traces, and whether it still has to catch up with the other lane that does the same. A history is a lane that catches up
 * from a block before its webhooks were created. Absent a mode, its blocks are read whole.
 */
export type LaneKind = { traces: boolean; catchesUp: boolean; isHistory?: boolean; mode?: HistoryMode };

/** How a history reads blocks: `headers` reads those whole whose bloom may hold a log that counts, `logs` those of which nodes return such logs. */
export type HistoryMode = "headers" | "logs";

/** A lane as its follower finds it. */
export type Lane = LaneId &
  LaneKind & {
    cursor?: BlockId;
    /** Where the cursor's block is in the stream of blocks, if it came from there. */
    position?: StreamPosition;
    /** The cursor of the next lane of the same kind above this one. A step ends there at the latest, so that the two meet. */
    meetsAt?: number;
    /** Whether it has the webhooks of one account only, which cost too much among others. */
    isApart: boolean;
    /** Whether webhooks are still to be matched with the cursor's block. */
    isOwing: boolean;
    /** Whether the cursor's block leaves the lane's record (leaving.ts), and maybe others below. */
    isLeaving: boolean;
    /** Whether `tendLane` has something to do. */
    untended: boolean;
    /** Of a history: the account that started it. */
    historyAccount?: number;
    /** Of a history with a mode: below this block it reads every block whole all the same. */
    wholeUntil?: number;
    /** Of a history with a mode: changes when more may be watched than its headers are looked at for, as when webhooks come to it. */
    arrivals?: number;
    /** What is held for its webhooks; undefined if nothing is held on the chain. */
    held?: HeldInLane;
  };

/** Whether held notifications of a lane may be due now, and whether some of the chain wait for finality. */
type HeldInLane = { isDue: boolean; waitsForFinality: boolean };

/** The webhooks of a lane `l` that belong in another one. The conditions are those of two indexes. */
const misplaced = (traces: boolean) =>
  traces
    ? "w.lane <> 0 AND NOT (w.include_internal_txs AND w.status = 'active')"
    : "w.include_internal_txs AND w.status = 'active'";
const ofLane = "FROM webhooks w WHERE w.chain_id = l.chain_id AND w.lane = l.lane";
/** Whether a lane `l` is a history. */
export const isHistory = "(l.catches_up AND l.history_from IS NOT NULL)";
/** Whether a lane `l` may become the one that others join: a history would hold up new webhooks until it is nearly as far as the plain lane. */
export const isNearHead = `(l.history_from IS NULL OR l.cursor_number >= (
  SELECT p.cursor_number - 32 FROM chain_lanes p WHERE p.chain_id = l.chain_id AND p.lane = 0))`;
/** Whether a chain has the lane, with or without traces, that those that catch up join. */
export const hasLaneToJoin = (chainId: string, traces: string) =>
  `EXISTS (SELECT FROM chain_lanes WHERE chain_id = ${chainId} AND traces = ${traces} AND NOT catches_up)`;
/** A lane that still owes matches of its block, or has retracted a part of it, has not recorded all of it. */
const sameBlock = `o.cursor_number = l.cursor_number AND o.cursor_hash = l.cursor_hash
  AND o.owed_after IS NULL AND l.owed_after IS NULL`;

/** @returns the chain's lanes of a kind, the furthest behind first */
export async function readLanes(
  db: Queryable,
  chainId: string,
  { traces, catchesUp, isHistory: ofHistory = false, mode }: LaneKind,
): Promise<Lane[]> {
  const { rows } = await db.query<{
    lane: number;
    cursor_number: number | null;
    cursor_hash: Buffer | null;
    stream: string | null;
    stream_sequence: number | null;
    meets_at: number | null;
    untended: boolean;
    waits: boolean | null;
    due: boolean;
    apart: boolean;
    owing: boolean;
    leaving: boolean;
    history_account: number | null;
    whole_until: number | null;
    arrivals: number;
  }>({
    name: `lanes-${traces}`,
    text: `SELECT l.lane, l.cursor_number, l.cursor_hash, l.stream, l.stream_sequence,
             (SELECT min(o.cursor_number) FROM chain_lanes o WHERE ${sameKind} AND o.cursor_number > l.cursor_number) AS meets_at,
             l.apart_account IS NOT NULL AS apart, l.owed_after IS NOT NULL AND l.leaving_above IS NULL AS owing,
             l.leaving_above IS NOT NULL AS leaving, l.history_account, l.whole_until, l.arrivals,
             (l.cursor_number IS NOT NULL AND l.owed_after IS NULL AND EXISTS (SELECT ${ofLane} AND ${misplaced(traces)}))
               OR EXISTS (SELECT FROM chain_lanes o WHERE ${sameKind} AND ${sameBlock})
               OR (l.lane <> 0 AND NOT EXISTS (SELECT ${ofLane}))
               OR (l.catches_up AND l.apart_account IS NULL AND NOT ${hasLaneToJoin("$1", "$2")} AND ${isNearHead}) AS untended,
             CASE WHEN ${hasHeld("$1")} THEN ${hasHeldForFinality("$1")} END AS waits,
             COALESCE(${hasDue("l")}, false) AS due
           FROM chain_lanes l WHERE l.chain_id = $1 AND l.traces = $2 AND l.catches_up = $3 AND ${isHistory} = $4 AND l.history_mode IS NOT DISTINCT FROM $5
           ORDER BY l.cursor_number, l.lane`,
    values: [chainId, traces, catchesUp, ofHistory, mode ?? null],
  });
  return rows.map(({ lane, cursor_number, cursor_hash, stream, stream_sequence, meets_at, untended, ...row }) => {
    const { waits, due, apart: isApart, owing: isOwing, leaving: isLeaving } = row;
    const cursor = blockOf(cursor_number, cursor_hash);
    const place = {
      ...(cursor && { cursor }),
      ...(stream !== null && stream_sequence !== null && { position: { stream, sequence: stream_sequence } }),
      ...(meets_at !== null && { meetsAt: meets_at }),
      ...(waits !== null && { held: { isDue: due, waitsForFinality: waits } }),
      ...(ofHistory && { isHistory: true }),
      ...(ofHistory && row.history_account !== null && { historyAccount: row.history_account }),
      ...(mode && { mode, arrivals: row.arrivals, ...(row.whole_until !== null && { wholeUntil: row.whole_until }) }),
    };
    return { chainId, lane, traces, catchesUp, isApart, isOwing, isLeaving, untended, ...place };
  });
}

/**
 * Moves webhooks that are in the wrong lane, joins lanes at the same block, and removes an empty lane. A lane that catches up, whose target was
 * removed takes its place.
 */
export async function tendLane(pool: Pool, lane: LaneId & LaneKind): Promise<void> {
  await inTransaction(pool, async (db) => {
    await lockChainExclusively(db, lane.chainId);
    if (await haveMisplaced(db, lane)) await moveMisplaced(db, lane);
    await joinLanes(db, lane);
    if (lane.lane === 0) return;
    await db.query(
      `DELETE FROM chain_lanes l WHERE l.chain_id = $1 AND l.lane = $2 AND NOT EXISTS (SELECT ${ofLane})`,
      [lane.chainId, lane.lane],
    );
    await db.query(
      `UPDATE chain_lanes l SET catches_up = false, history_from = NULL, history_account = NULL, history_since = NULL, history_mode = NULL
       WHERE chain_id = $1 AND lane = $2 AND catches_up AND apart_account IS NULL
         AND NOT ${hasLaneToJoin("$1", "$3")} AND ${isNearHead}`,
      [lane.chainId, lane.lane, lane.traces],
    );
  });
}

/** Whether webhooks of the lane belong in a lane of the other kind. */
export async function haveMisplaced(db: Queryable, { chainId, lane, traces }: LaneId & LaneKind): Promise<boolean> {
  const found = await db.query<{ any: boolean }>({
    name: `find-misplaced-${traces}`,
    text: `SELECT EXISTS (SELECT ${ofLane} AND ${misplaced(traces)}) AS any FROM chain_lanes l
     WHERE l.chain_id = $1 AND l.lane = $2 AND l.cursor_number IS NOT NULL AND l.owed_after IS NULL`,
    values: [chainId, lane],
  });
  return found.rows[0]?.any ?? false;
}

/** Moves the webhooks that belong in a lane of the other kind. Some do, by `haveMisplaced`. The caller holds the chain's lock alone. */
export async function moveMisplaced(db: Queryable, { chainId, lane, traces }: LaneId & LaneKind): Promise<void> {
  const to = await laneBeside(db, { chainId, lane }, { traces: !traces });
  await db.query(`UPDATE webhooks w SET lane = $3 WHERE w.chain_id = $1 AND w.lane = $2 AND ${misplaced(traces)}`, [
    chainId,
    lane,
    to,
  ]);
}

/** For which of a lane's webhooks another lane is: whether they want traces, and the account that is set apart, if any. */
type LaneFor = { traces: boolean; apartAccount?: number | undefined };

/** The mode of a lane beside `l`, with other webhooks of the kind. One that changes what it wants of traces has every block read whole from then on. */
const modeBeside = (traces: string) => `CASE WHEN ${traces} = l.traces THEN l.history_mode END`;

/** @returns the lane at the same block for some of a lane's webhooks, created if there is none. What is set apart stays so */
async function laneBeside(
  db: Queryable,
  { chainId, lane }: LaneId,
  { traces, apartAccount }: LaneFor,
): Promise<number> {
  const { rows } = await db.query<{ lane: number }>(
    `SELECT o.lane FROM chain_lanes l JOIN chain_lanes o ON o.chain_id = l.chain_id AND o.lane <> l.lane AND o.traces = $3
       AND o.apart_account IS NOT DISTINCT FROM COALESCE(l.apart_account, $4) AND ${sameBlock}
       AND o.history_mode IS NOT DISTINCT FROM ${modeBeside("$3")}
     WHERE l.chain_id = $1 AND l.lane = $2 ORDER BY o.catches_up, o.lane LIMIT 1`,
    [chainId, lane, traces, apartAccount ?? null],
  );
  const met = rows[0]?.lane;
  if (met === undefined) return splitLane(db, { chainId, lane }, { traces, apartAccount });
  // What was notified as final stays so in the other lane.
  await shareFinal(db, { chainId, lane: met }, [lane]);
  await shareAgreed(db, { chainId, lane: met }, [lane]);
  await noteArrivals(db, { chainId, lane: met });
  return met;
}

/**
 * Selects the lane for a new webhook: the furthest one of its kind, since a new webhook misses nothing below its first block. If only one
 * exists and it is stopped, the follower of lane 0 creates a lane for the webhook. The stopped one may wait for an old block, which the
 * new webhook does not need. An account that was set apart has its new webhooks there, too: otherwise each could cause another lane. Histories
 * are not considered: they may be a million blocks behind.
 */
export const laneForNew = (chainId: string, traces: string, accountId: string) => `
  COALESCE((SELECT lane FROM chain_lanes l WHERE chain_id = ${chainId} AND traces = ${traces} AND apart_account = ${accountId}
              AND NOT ${isHistory} ORDER BY cursor_number DESC LIMIT 1),
           (SELECT CASE WHEN catches_up OR stopped IS NULL THEN lane END FROM chain_lanes l
            WHERE chain_id = ${chainId} AND traces AND ${traces} AND apart_account IS NULL AND NOT ${isHistory}
            ORDER BY cursor_number DESC, catches_up LIMIT 1), 0)`;

/**
 * Where a webhook that starts in the past begins: its first block, and the one before that, which counts as recorded. Without that, no block with
 * activity is recorded yet: the first block is genesis, and the newest.
 */
export type HistoryStart = { from: number; cursor?: BlockId };

/**
 * Parts of a WITH that select, as `history`, the lane of a webhook that starts in the past. Webhooks that start at the same block share one, with
 * a mode those of an account. No
 * cursor moves meanwhile, since the caller shares the chain's lock. Two that are created at the same moment have lanes that join at once.
 *
 * Nobody was notified of what is below the cursor's block, so that block can be replaced whatever its parent is, as in `beginAt`.
 */
export const historyLane = (of: {
  chainId: string;
  traces: string;
  accountId: string;
  number: string;
  hash: string;
  mode: string;
}) => `
  known AS (
    SELECT lane FROM chain_lanes l WHERE chain_id = ${of.chainId} AND traces = ${of.traces} AND ${isHistory} AND apart_account IS NULL
      AND cursor_number = ${of.number} AND cursor_hash = ${of.hash} AND history_mode IS NOT DISTINCT FROM ${of.mode}
      AND (history_mode IS NULL OR history_account = ${of.accountId}) ORDER BY lane LIMIT 1),
  arrived AS (
    UPDATE chain_lanes l SET arrivals = DEFAULT FROM known WHERE l.chain_id = ${of.chainId} AND l.lane = known.lane),
  made AS (
    INSERT INTO chain_lanes (chain_id, traces, catches_up, cursor_number, cursor_hash, head_number, head_seen_at, checked_at,
      history_from, history_account, history_since, history_mode)
    SELECT chain_id, ${of.traces}, true, ${of.number}, ${of.hash}, head_number, clock_timestamp(), clock_timestamp(),
      ${of.number} + 1, ${of.accountId}, clock_timestamp(), ${of.mode}
    FROM chain_lanes WHERE chain_id = ${of.chainId} AND lane = 0 AND NOT EXISTS (SELECT FROM known)
    RETURNING chain_id, lane, cursor_number, cursor_hash),
  begun AS (
    INSERT INTO chain_blocks (chain_id, lane, number, hash)
    SELECT chain_id, lane, cursor_number, cursor_hash FROM made UNION ALL SELECT chain_id, lane, cursor_number - 1, '' FROM made),
  history AS (SELECT lane FROM known UNION ALL SELECT lane FROM made)`;

/** @returns the newest block that any of the chain's lanes has recorded; undefined before the first */
export async function newestBlock(db: Queryable, chainId: string): Promise<number | undefined> {
  const { rows } = await db.query<{ newest: number | null }>(
    "SELECT max(cursor_number) AS newest FROM chain_lanes WHERE chain_id = $1",
    [chainId],
  );
  return rows[0]?.newest ?? undefined;
}

/** At how many blocks of a chain an account's histories may be. Those that start at the same block count once. */
export const mostHistories = 16;

/**
 * Each block at which an account's histories are costs rows, and turns of the follower, until they meet.
 *
 * @throws {ServiceError} `too_many_histories` for a new one; `too_many_lanes` for one that is to have traces from now on
 */
export async function assertFewHistories(
  db: Queryable,
  accountId: number,
  { chainId, field }: { chainId: string; field: "fromBlock" | "includeInternalTxs" },
): Promise<void> {
  const { rows } = await db.query<{ lanes: number }>(
    `SELECT count(*) AS lanes FROM chain_lanes l WHERE l.chain_id = $2 AND ${isHistory}
       AND EXISTS (SELECT ${ofLane} AND w.account_id = $1)`,
    [accountId, chainId],
  );
  if (Number(rows[0]?.lanes) <= mostHistories) return;
  throw new ServiceError(
    field === "fromBlock" ? "too_many_histories" : "too_many_lanes",
    `${field} must wait: histories of this account are at ${mostHistories} blocks of chain ${chainId}; try again when one of them has ended.`,
  );
}

/**
 * How many blocks a new lane can replace. Copying them takes 75 ms. On rollups hours of blocks are not final; if a reorganisation
 * replaces more than this, the lane stops. Copying all of them would hold up the other lanes.
 */
export const mostCopied = 10_000;

/** The maximum number of catch-up lanes in which an account's webhooks may be. */
export const mostCatchUpLanes = 8;

/**
 * While traces are missing, each block at which a webhook starts to need them adds a waiting lane, with its own rows and its own turns of
 * the follower. An account at its limit cannot start at another block. Switching traces off is always possible.
 *
 * @param webhook as it is now, changed @throws {ServiceError} `too_many_lanes`
 */
export async function assertMayWait(
  db: Queryable,
  accountId: number,
  { id, chainId }: { id: string; chainId: string },
): Promise<void> {
  const { rows } = await db.query<{ lanes: number }>(
    `SELECT count(*) AS lanes FROM chain_lanes l WHERE l.chain_id = $2 AND l.catches_up AND NOT ${isHistory}
       AND EXISTS (SELECT ${ofLane} AND w.account_id = $1)
       AND EXISTS (SELECT FROM webhooks w JOIN chain_lanes o USING (chain_id, lane) WHERE w.id = $3 AND NOT o.traces AND ${misplaced(false)})`,
    [accountId, chainId, id],
  );
  if (Number(rows[0]?.lanes) < mostCatchUpLanes) return;
  throw new ServiceError(
    "too_many_lanes",
    `includeInternalTxs cannot begin now: webhooks of this account wait at ${mostCatchUpLanes} blocks of chain ${chainId} until its nodes return traces; try again later.`,
  );
}

/** Creates a lane at the cursor of another one, to catch up if there is one to join or an account is set apart. @returns its number */
async function splitLane(db: Queryable, { chainId, lane }: LaneId, { traces, apartAccount }: LaneFor): Promise<number> {
  const { rows } = await db.query<{ lane: number }>(
    `INSERT INTO chain_lanes (chain_id, traces, catches_up, cursor_number, cursor_hash, head_number, head_seen_at, checked_at, current_at,
       apart_account, apart_until, history_from, history_account, history_since, history_mode, whole_until, nodes_agreed)
     SELECT chain_id, $3, ${isHistory} OR COALESCE(apart_account, $4) IS NOT NULL OR ${hasLaneToJoin("$1", "$3")}, cursor_number, cursor_hash,
       head_number, clock_timestamp(), clock_timestamp(), current_at, COALESCE(apart_account, $4),
       COALESCE(apart_until, CASE WHEN $4::bigint IS NOT NULL THEN cursor_number + $5 END), history_from, history_account, history_since, ${modeBeside("$3")}, whole_until, nodes_agreed
     FROM chain_lanes l WHERE chain_id = $1 AND lane = $2 RETURNING lane`,
    [chainId, lane, traces, apartAccount ?? null, calmBlocks],
  );
  const made = rows[0]?.lane;
  if (made === undefined) throw new Error(`chain ${chainId} has no lane ${lane}`);
  await db.query(
    `INSERT INTO chain_blocks (chain_id, lane, number, hash)
     SELECT chain_id, $3, number, hash FROM chain_blocks WHERE chain_id = $1 AND lane = $2
       AND number > (SELECT max(number) FROM chain_blocks WHERE chain_id = $1 AND lane = $2) - $4`,
    [chainId, lane, made, mostCopied],
  );
  await db.query(
    "INSERT INTO final_blocks (chain_id, lane, number) SELECT chain_id, $3, number FROM final_blocks WHERE chain_id = $1 AND lane = $2",
    [chainId, lane, made],
  );
  return made;
}

/** How many blocks an account must cost little before its webhooks may join the others again. Each time they leave, a lane is split. */
const calmBlocks = 64;

/** How many webhooks change lanes in one transaction: 1,000 take 50 ms, and nobody else changes the chain meanwhile. */
const movedAtOnce = 1_000;

/**
 * Moves an account's webhooks from a lane into one of their own, which starts at the same block. There they hold up nobody else.
 *
 * @param cursor as it was when they were too costly; if the lane has moved since, nothing changes
 * @returns how many webhooks were moved
 */
export async function setApart(
  pool: Pool,
  lane: LaneId & LaneKind,
  { accountIds, cursor }: { accountIds: readonly number[]; cursor: BlockId },
): Promise<number> {
  let all = 0;
  for (const account of accountIds) {
    let moved: number;
    do {
      moved = await inTransaction(pool, (db) => setSomeApart(db, lane, { account, cursor }));
      all += moved;
    } while (moved === movedAtOnce);
  }
  return all;
}

/** @returns how many */
async function setSomeApart(
  db: Queryable,
  lane: LaneId & LaneKind,
  { account, cursor }: { account: number; cursor: BlockId },
): Promise<number> {
  const { chainId } = lane;
  await lockChainExclusively(db, chainId);
  const { rows } = await db.query<{ id: string }>(
    `SELECT w.id FROM chain_lanes l JOIN webhooks w ON w.chain_id = l.chain_id AND w.lane = l.lane
     WHERE l.chain_id = $1 AND l.lane = $2 AND l.cursor_number = $3 AND l.cursor_hash = decode(substr($4, 3), 'hex') AND w.account_id = $5
     LIMIT $6`,
    [chainId, lane.lane, cursor.number, cursor.hash, account, movedAtOnce],
  );
  if (rows.length === 0) return 0;
  const apart = await laneBeside(db, lane, { traces: lane.traces, apartAccount: account });
  const ids = rows.map(({ id }) => id);
  await db.query("UPDATE webhooks SET lane = $1 WHERE id = ANY($2::uuid[])", [apart, ids]);
  return ids.length;
}

/** What a lane still owes of its cursor's block: webhooks after this one, and if there is an index, of this one transactions from there on. */
export type Owed = { after: string; from?: number };

/** Some webhooks of a lane, in the order of their ids. */
export type SlicePlace = {
  /** Undefined for the first ones, with which the cursor moves. */
  owed: Owed | undefined;
  size: number;
  /** Of one webhook alone, only transactions below this index. */
  upTo?: number | undefined;
};

const firstOfAll = "00000000-0000-0000-0000-000000000000";

/** Webhooks, each with its version, which changes with whatever changes of it or of its addresses. */
export type SliceWebhooks = {
  webhookIds: string[];
  versions: string[];
  /** What is left after them, if anything. */
  owed: Owed | undefined;
};

/** The next webhooks of a lane that is set apart. */
export async function nextSlice(
  db: Queryable,
  { chainId, lane }: LaneId,
  { owed, size, upTo }: SlicePlace,
): Promise<SliceWebhooks> {
  const { rows } = await db.query<{ id: string; version: string }>({
    name: "next-slice",
    text: `SELECT id, xmin::text AS version FROM webhooks
           WHERE chain_id = $1 AND lane = $2 AND lane <> 0 AND id >= $3 AND (id > $3 OR $5) ORDER BY id LIMIT $4`,
    values: [chainId, lane, owed?.after ?? firstOfAll, size + 1, owed?.from !== undefined],
  });
  const some = rows.slice(0, size);
  const webhookIds = some.map(({ id }) => id);
  const versions = some.map(({ id, version }) => `${id} ${version}`);
  const last = webhookIds.at(-1);
  if (last === undefined) return { webhookIds, versions, owed: undefined };
  const isLeft = rows.length > size;
  return {
    webhookIds,
    versions,
    owed: upTo !== undefined ? { after: last, from: upTo } : isLeft ? { after: last } : undefined,
  };
}

/** @returns which of the webhooks are in the lane */
export async function webhooksInLane(
  db: Queryable,
  { lane }: LaneId,
  webhookIds: readonly string[],
): Promise<Set<string>> {
  const { rows } = await db.query<{ id: string }>({
    name: "webhooks-in-lane",
    text: "SELECT id FROM webhooks WHERE id = ANY($2::uuid[]) AND lane = $1",
    values: [lane, webhookIds],
  });
  return new Set(rows.map(({ id }) => id));
}

/**
 * Notes which webhooks of a lane that is set apart are still to be matched with the cursor's block. Once it has matched enough blocks in one
 * go, it is like any other lane that catches up.
 *
 * @param isWhole whether all webhooks were matched in one go
 */
export async function noteSlice(
  db: Queryable,
  { chainId, lane }: LaneId,
  { block, owed, isWhole }: { block: number; owed: Owed | undefined; isWhole: boolean },
): Promise<void> {
  await db.query({
    name: "note-slice",
    text: `UPDATE chain_lanes SET owed_after = $3, owed_from = $7,
             apart_account = CASE WHEN $5 AND $4 >= apart_until THEN NULL ELSE apart_account END,
             apart_until = CASE WHEN $5 AND $4 >= apart_until THEN NULL WHEN $5 THEN apart_until ELSE $4 + $6 END
           WHERE chain_id = $1 AND lane = $2`,
    values: [chainId, lane, owed?.after ?? null, block, isWhole, calmBlocks, owed?.from ?? null],
  });
}

/** Notes in a lane what others call final that have the same blocks. */
async function shareFinal(db: Queryable, { chainId, lane }: LaneId, others: readonly number[]): Promise<void> {
  const known = await db.query<{ final: number | null }>(
    "SELECT max(number) AS final FROM final_blocks WHERE chain_id = $1 AND lane = ANY($2::bigint[])",
    [chainId, others],
  );
  const final = known.rows[0]?.final ?? undefined;
  if (final !== undefined) await noteFinalBlock(db, { chainId, lane }, final);
}

/** Of the webhooks that come together, the record says what is true of all. */
async function shareAgreed(db: Queryable, { chainId, lane }: LaneId, others: readonly number[]): Promise<void> {
  await db.query(
    `UPDATE chain_lanes l SET nodes_agreed = LEAST(l.nodes_agreed,
       (SELECT min(o.nodes_agreed) FROM chain_lanes o WHERE o.chain_id = $1 AND o.lane = ANY($3::bigint[])))
     WHERE l.chain_id = $1 AND l.lane = $2 AND l.history_mode = 'logs'`,
    [chainId, lane, others],
  );
}

/**
 * Notes in a lane that began a moment ago the blocks of others that it has not recorded. It replaces its first block whatever that one's parent is,
 * and webhooks of the others may have been notified of blocks below.
 */
async function shareBlocks(db: Queryable, { chainId, lane }: LaneId, others: readonly number[]): Promise<void> {
  await db.query(
    `INSERT INTO chain_blocks AS known (chain_id, lane, number, hash)
     SELECT DISTINCT ON (number) chain_id, $2::bigint, number, hash FROM chain_blocks
     WHERE chain_id = $1 AND lane = ANY($3::bigint[]) AND EXISTS (SELECT FROM chain_blocks WHERE chain_id = $1 AND lane = $2 AND hash = '')
     ORDER BY number, hash DESC
     ON CONFLICT (chain_id, lane, number) DO UPDATE SET hash = excluded.hash WHERE known.hash = ''`,
    [chainId, lane, others],
  );
}

/** Where each lane of a chain is, but for histories, as a text that differs when one has moved; and whether one lags that does not stand still. */
export async function readLaneMoves(db: Queryable, chainId: string): Promise<{ places: string; lags: boolean }> {
  const { rows } = await db.query<{ places: string | null; lags: boolean | null }>({
    name: "lane-moves",
    text: `SELECT string_agg(lane || ':' || cursor_number, ' ' ORDER BY lane) AS places, bool_or(head_number > cursor_number AND stopped IS NULL) AS lags
           FROM chain_lanes l WHERE chain_id = $1 AND NOT ${isHistory}`,
    values: [chainId],
  });
  return { places: rows[0]?.places ?? "", lags: rows[0]?.lags ?? false };
}

/** Joins the lane with those of its kind at the same block. The caller holds the chain's lock alone. @returns whether there was one */
export async function joinLanes(db: Queryable, { chainId, lane }: LaneId): Promise<boolean> {
  const { rows } = await db.query<{ lane: number }>({
    name: "find-met-lanes",
    text: `SELECT o.lane FROM chain_lanes l
     JOIN chain_lanes o ON o.chain_id = l.chain_id AND o.traces = l.traces AND ${joinable} AND ${sameBlock}
     WHERE l.chain_id = $1 AND l.lane = $2 ORDER BY o.catches_up, o.history_from IS NOT NULL, o.lane`,
    values: [chainId, lane],
  });
  const [kept, ...joined] = rows.map((row) => row.lane);
  if (kept === undefined || joined.length === 0) return false;
  await shareFinal(db, { chainId, lane: kept }, joined);
  await shareAgreed(db, { chainId, lane: kept }, joined);
  await shareBlocks(db, { chainId, lane: kept }, joined);
  await db.query("UPDATE webhooks SET lane = $2 WHERE chain_id = $1 AND lane = ANY($3::bigint[])", [
    chainId,
    kept,
    joined,
  ]);
  await db.query("DELETE FROM chain_lanes WHERE chain_id = $1 AND lane = ANY($2::bigint[])", [chainId, joined]);
  await noteArrivals(db, { chainId, lane: kept });
  return true;
}

/**
 * Notes that webhooks came to a lane. What was read of a history with a mode before that was read for others. It may be read still where the mode
 * has ended.
 */
async function noteArrivals(db: Queryable, { chainId, lane }: LaneId): Promise<void> {
  await db.query("UPDATE chain_lanes SET arrivals = DEFAULT WHERE chain_id = $1 AND lane = $2", [chainId, lane]);
}

/** Has every block of a history below this one read whole, whatever its mode. */
export async function noteWholeUntil(db: Queryable, { chainId, lane }: LaneId, block: number): Promise<void> {
  await db.query("UPDATE chain_lanes SET whole_until = $3 WHERE chain_id = $1 AND lane = $2", [chainId, lane, block]);
}

/**
 * The switch of an account's lanes. The old cell releases them, and records nothing for the account from then on. The new cell continues
 * each where it ended: in a lane of its own, with the same cursor and the same blocks. That lane replaces what its nodes contradict,
 * catches up or is caught up with, and joins the lane of its kind, like any lane that catches up (chains/lanes.ts). So it does not matter how far
 * each cell has come, or whether a reorganisation lies between them.
 */
import { ServiceError } from "../../base/errors.ts";
import { hasLaneToJoin, isHistory, joinLanes, mostCopied } from "../chains/lanes.ts";
import { lockChainExclusively } from "../chains/lock.ts";
import type { Queryable } from "../pool.ts";

/** A lane at the moment of its release. */
type ReleasedLane = {
  chainId: string;
  lane: number;
  traces: boolean;
  number: number;
  hash: Buffer;
  highest: number;
  blockNumbers: number[];
  blockHashes: Buffer[];
  webhookIds: string[];
  /** Of a lane that is set apart. */
  apartUntil: number | null;
  owedAfter: string | null;
  owedFrom: number | null;
  leavingAbove: number | null;
  leavingHash: Buffer | null;
  isHistory: boolean;
  mode: string | null;
  nodesAgreed: number | null;
};

/** Ends the recording for an account, inside the caller's transaction, and keeps how far it came. */
export async function releaseLanes(db: Queryable, moveId: string, accountId: number): Promise<void> {
  const { rows } = await db.query<{ chainId: string }>(
    `SELECT DISTINCT chain_id AS "chainId" FROM webhooks WHERE account_id = $1 ORDER BY 1`,
    [accountId],
  );
  for (const { chainId } of rows) await lockChainExclusively(db, chainId);
  await db.query(
    `INSERT INTO move_lanes (move_id, chain_id, lane, traces, cursor_number, cursor_hash, highest, block_numbers, block_hashes, apart_until, owed_after,
       owed_from, leaving_above, leaving_hash, is_history, history_mode, nodes_agreed)
     SELECT $1, l.chain_id, l.lane, l.traces, l.cursor_number, l.cursor_hash, GREATEST(c.highest, l.cursor_number),
       COALESCE(b.numbers, '{}'), COALESCE(b.hashes, '{}'), l.apart_until, l.owed_after, l.owed_from, l.leaving_above,
       l.leaving_hash, ${isHistory}, l.history_mode, l.nodes_agreed
     FROM chain_lanes l JOIN chains c USING (chain_id) CROSS JOIN LATERAL (
       SELECT array_agg(number ORDER BY number) AS numbers, array_agg(hash ORDER BY number) AS hashes FROM (
         SELECT number, hash FROM chain_blocks WHERE chain_id = l.chain_id AND lane = l.lane ORDER BY number DESC LIMIT $3) newest) b
     WHERE EXISTS (SELECT FROM webhooks w WHERE w.chain_id = l.chain_id AND w.lane = l.lane AND w.account_id = $2)`,
    [moveId, accountId, mostCopied],
  );
  await db.query(
    `INSERT INTO move_webhooks (move_id, webhook_id, lane) SELECT $1, id, lane FROM webhooks WHERE account_id = $2`,
    [moveId, accountId],
  );
  await db.query("UPDATE webhooks SET lane = NULL WHERE account_id = $1", [accountId]);
}

/** Reads what `releaseLanes` kept. */
export async function readReleased(db: Queryable, moveId: string): Promise<ReleasedLane[]> {
  const { rows } = await db.query<ReleasedLane>(
    `SELECT l.chain_id AS "chainId", l.lane, l.traces, l.cursor_number AS number, l.cursor_hash AS hash, l.highest,
       l.apart_until AS "apartUntil", l.owed_after AS "owedAfter", l.owed_from AS "owedFrom",
       l.leaving_above AS "leavingAbove", l.leaving_hash AS "leavingHash", l.is_history AS "isHistory", l.history_mode AS mode, l.nodes_agreed AS "nodesAgreed",
       l.block_numbers AS "blockNumbers", l.block_hashes AS "blockHashes",
       ARRAY(SELECT w.id::text FROM move_webhooks m JOIN webhooks w ON w.id = m.webhook_id
             WHERE m.move_id = $1 AND m.lane = l.lane AND w.chain_id = l.chain_id) AS "webhookIds"
     FROM move_lanes l WHERE l.move_id = $1 ORDER BY l.chain_id, l.lane`,
    [moveId],
  );
  return rows.map((row) => ({ ...row, blockNumbers: row.blockNumbers.map(Number) }));
}

/**
 * Continues released lanes, inside the caller's transaction.
 *
 * @throws {ServiceError} `move_refused` while a lane here is too young to be joined
 */
export async function continueLanes(db: Queryable, released: readonly ReleasedLane[]): Promise<void> {
  const chainIds = [...new Set(released.map(({ chainId }) => chainId))].sort();
  for (const chainId of chainIds) await lockChainExclusively(db, chainId);
  for (const lane of released) {
    await db.query("UPDATE chains SET highest = GREATEST(highest, $2) WHERE chain_id = $1", [
      lane.chainId,
      lane.highest,
    ]);
    const made = await insertLane(db, lane);
    await db.query("UPDATE webhooks SET lane = $2 WHERE id = ANY($1::uuid[])", [lane.webhookIds, made]);
    // Blocks may have been replaced while the webhooks were in no lane: replays that were done are compared.
    await db.query(
      `INSERT INTO replaced_blocks (chain_id, lane, account_id, above)
       SELECT $1, $3, (SELECT account_id FROM webhooks WHERE id = ANY($2::uuid[]) LIMIT 1), min(number) FROM chain_blocks
       WHERE chain_id = $1 AND lane = $3 HAVING min(number) IS NOT NULL`,
      [lane.chainId, lane.webhookIds, made],
    );
    // Blocks that are still leaving are on record as they were.
    await db.query("INSERT INTO replaced_blocks (chain_id, lane, above) SELECT $1, $2, n FROM unnest($3::bigint[]) n", [
      ...[lane.chainId, made, lane.leavingAbove === null ? [] : [lane.leavingAbove]],
    ]);
    await joinLanes(db, { chainId: lane.chainId, lane: made });
  }
  // Addresses came without the addition that filters look for (webhooks/watch-filter.ts), so every filter is read again.
  await db.query("UPDATE chain_lanes SET cursor_mark = gen_random_uuid() WHERE chain_id = ANY($1)", [chainIds]);
}

async function insertLane(db: Queryable, { chainId, traces, ...lane }: ReleasedLane): Promise<number> {
  const { rows } = await db.query<{ lane: number }>(
    `INSERT INTO chain_lanes (chain_id, traces, catches_up, cursor_number, cursor_hash, head_number, head_seen_at, checked_at,
       apart_account, apart_until, owed_after, owed_from, leaving_above, leaving_hash, leaving_event,
       history_from, history_account, history_since, history_mode, nodes_agreed)
     SELECT $1, $2,
       $5::bigint IS NOT NULL OR $11::boolean OR ${hasLaneToJoin("$1", "$2")}, $3, $4,
       GREATEST($3, max(head_number)), clock_timestamp(), clock_timestamp(),
       -- An account has another id in each cell.
       CASE WHEN $5::bigint IS NOT NULL THEN (SELECT account_id FROM webhooks WHERE id = ANY($7::uuid[]) LIMIT 1) END, $5, $6, $8,
       -- Ids of events are another cell's. What is retracted is found to be.
       $9, $10, CASE WHEN $9::bigint IS NOT NULL THEN 0 END,
       CASE WHEN $11 THEN $3 + 1 END, CASE WHEN $11 THEN (SELECT account_id FROM webhooks WHERE id = ANY($7::uuid[]) LIMIT 1) END,
       CASE WHEN $11 THEN clock_timestamp() END, $12, $13
     FROM chain_lanes WHERE chain_id = $1 RETURNING lane`,
    [
      ...[chainId, traces, lane.number, lane.hash, lane.apartUntil, lane.owedAfter, lane.webhookIds],
      ...[lane.owedFrom, lane.leavingAbove, lane.leavingHash, lane.isHistory, lane.mode, lane.nodesAgreed],
    ],
  );
  const made = rows[0]?.lane;
  if (made === undefined) throw new Error(`chain ${chainId} has no lane`);
  await db.query(
    "INSERT INTO chain_blocks (chain_id, lane, number, hash) SELECT $1, $2, b.* FROM unnest($3::bigint[], $4::bytea[]) b",
    [chainId, made, lane.blockNumbers, lane.blockHashes],
  );
  return made;
}

/**
 * A lane that began a moment ago replaces its first block whatever that block's parent is, since nobody was notified of earlier ones. An account
 * that arrives was. So it waits until that block is final, unless it is a history's, which begin at any time.
 *
 * @throws {ServiceError} `move_refused`
 */
export async function assertGrown(db: Queryable, chainIds: readonly string[]): Promise<void> {
  const { rows } = await db.query<{ chainId: string; number: number }>(
    `SELECT DISTINCT chain_id AS "chainId", number + 1 AS number FROM chain_blocks b JOIN chain_lanes l USING (chain_id, lane)
     WHERE chain_id = ANY($1) AND hash = '' AND NOT ${isHistory} ORDER BY 1`,
    [chainIds],
  );
  const young = rows.map(({ chainId, number }) => `block ${number} of chain ${chainId}`);
  if (young.length === 0) return;
  throw new ServiceError(
    "move_refused",
    `The new cell must have followed its chains for longer: it began at ${young.join(" and ")}, which can still be replaced. Try again once it is final.`,
  );
}

/** Replays as the process that runs them sees them: some blocks at a time, and the accounts take turns. */
import type { RecordedNotification } from "../outbox/block-history.ts";
import type { NotificationPlace } from "../outbox/notifications.ts";
import type { Pool, Queryable } from "../pool.ts";
import type { Watcher } from "../webhooks/watchers.ts";
import type { RecordRow } from "../webhooks/webhooks.ts";
import type { BlockId, LaneId } from "./cursor.ts";

/** The next block of a replay. */
export type ReplayStep = {
  id: string;
  accountId: number;
  webhookId: string;
  block: number;
  /** The next block in its row, if blocks before this one are done and not yet noted there. */
  noted?: number;
  /** The hash of the block before this one, if that was done in this turn. */
  hash?: string | undefined;
  /** The last block that it can do now: its own last, or the newest that the webhook's lane has recorded. */
  upTo: number;
  /** The webhook's lane. */
  lane: number;
  /** How often this block has failed. */
  failures: number;
  /** Whether the webhook wants internal transactions. */
  traces: boolean;
  /** Whether it matches only the addresses that were added with it. */
  ofAdded: boolean;
  /** Whether it sends again what is on record: never where nothing is sent. */
  resends: boolean;
  /** How far the chain's plain lane is behind its head, in blocks. Others may be behind for days, by intention. */
  lag: number;
  /** Whether that lane has recorded the block. It may not have if the webhook moved to a lane that still catches up. */
  followed: boolean;
};

/** Whose turn it is: the first account after `after`, wrapping around, that is not `busy`. */
type ReplayTurn = { after: number; busy: readonly number[] };

/** A lane has recorded its cursor's block, but for what it owes, and nothing of what it is leaving. */
const recordedUpTo = "COALESCE(l.leaving_above, l.cursor_number - (l.owed_after IS NOT NULL)::int)";
const stepColumns = `r.id, r.account_id AS "accountId", r.webhook_id AS "webhookId", r.next_block AS block, r.failures,
  r.of_added AS "ofAdded", r.resends AND w.url IS NOT NULL AS resends, w.include_internal_txs AS traces, w.lane,
  COALESCE((SELECT p.head_number - p.cursor_number FROM chain_lanes p WHERE p.chain_id = r.chain_id AND p.lane = 0), 0) AS lag,
  LEAST(r.to_block, ${recordedUpTo}) AS "upTo", r.next_block <= ${recordedUpTo} AS followed`;
const itsLane =
  "JOIN webhooks w ON w.id = r.webhook_id JOIN chain_lanes l ON l.chain_id = w.chain_id AND l.lane = w.lane";

/**
 * Finds the next step of a chain's replays. It belongs to the account whose turn it is, and to the replay that has waited longest.
 * Accounts with nothing due are skipped.
 *
 * It costs one index lookup for each account with unfinished replays: 0.8 ms if one account has 100,000 and another ten,
 * 4 ms if 199 more have ten each.
 */
export async function nextReplayStep(
  db: Queryable,
  chainId: string,
  { after, busy }: ReplayTurn,
): Promise<ReplayStep | undefined> {
  const { rows } = await db.query<ReplayStep>({
    name: "next-replay-step",
    // now() instead of clock_timestamp(), which cannot be used to search the index.
    text: `WITH RECURSIVE accounts AS (
             SELECT min(account_id) AS id FROM replays WHERE chain_id = $1 AND status IN ('queued', 'running')
             UNION ALL
             SELECT (SELECT min(account_id) FROM replays
                     WHERE chain_id = $1 AND status IN ('queued', 'running') AND account_id > accounts.id)
             FROM accounts WHERE id IS NOT NULL
           )
           SELECT ${stepColumns}
           FROM accounts a CROSS JOIN LATERAL (
             SELECT * FROM replays WHERE chain_id = $1 AND account_id = a.id AND status IN ('queued', 'running') AND due_at <= now()
             ORDER BY due_at LIMIT 1
           ) r ${itsLane}
           WHERE a.id <> ALL($3::bigint[])
           ORDER BY a.id <= $2, a.id LIMIT 1`,
    values: [chainId, after, busy],
  });
  return rows[0];
}

/** How far behind another replay of the account may be to go first, so that they meet and go on together. */
const meetsWithin = 1_024;
/** How many go on together. What is asked and noted of them is one statement each. */
const mostTogether = 32;

/**
 * Finds the replays that a step is taken for: those of the same account that are at the same block, and want the same of it. If some are a little
 * behind on the way to it, these. They meet then, and read each block once.
 */
export async function replaysTogether(db: Queryable, chainId: string, step: ReplayStep): Promise<ReplayStep[]> {
  const { rows } = await db.query<ReplayStep>({
    name: "replays-together",
    text: `SELECT ${stepColumns} FROM replays r ${itsLane}
           WHERE r.chain_id = $1 AND r.account_id = $2 AND r.status IN ('queued', 'running') AND r.due_at <= now()
             AND r.next_block BETWEEN $3::bigint - ${meetsWithin} AND $3 AND (r.next_block = $3 OR r.to_block >= $3)
             AND w.include_internal_txs = $4 AND r.next_block <= ${recordedUpTo}
           ORDER BY r.next_block LIMIT ${mostTogether}`,
    values: [chainId, step.accountId, step.block, step.traces],
  });
  const together = rows.filter(({ block }) => block === rows[0]?.block);
  return together.length > 0 ? together : [step];
}

/**
 * Lets all replays of an account wait whose next blocks their lanes have not recorded. A webhook in its history may have ten for hours: if each waited
 * in a turn of its own, others of the account would hardly have one.
 */
export async function postponeWaiting(
  db: Queryable,
  chainId: string,
  { accountId }: ReplayStep,
  pauseMs: number,
): Promise<void> {
  await db.query({
    name: "postpone-waiting",
    text: `WITH held AS MATERIALIZED (
             SELECT r.id FROM replays r ${itsLane}
             WHERE r.chain_id = $1 AND r.account_id = $2 AND r.status IN ('queued', 'running') AND r.due_at <= now()
               AND r.next_block > ${recordedUpTo} ORDER BY r.id FOR UPDATE OF r)
           UPDATE replays SET due_at = clock_timestamp() + make_interval(secs => $3::float8 / 1000) FROM held WHERE replays.id = held.id`,
    values: [chainId, accountId, pauseMs],
  });
}

/** Tries the block again later, without a failure. */
export async function postponeReplay(db: Queryable, { id, block }: ReplayStep, pauseMs: number): Promise<void> {
  await db.query(
    `UPDATE replays SET due_at = clock_timestamp() + make_interval(secs => $3::float8 / 1000)
     WHERE id = $1 AND next_block = $2 AND status IN ('queued', 'running')`,
    [id, block, pauseMs],
  );
}

/**
 * Sends replays back to what replaces the blocks above a number, which leave a lane. They are locked in the order of their ids, as by
 * `noteQuietBlocks`. Of those that are done there may be any number, so these go back later, without the chain's lock (`reopenReplays`).
 */
export async function sendReplaysBack(db: Queryable, { chainId, lane }: LaneId, above: number): Promise<void> {
  await db.query({
    name: "note-replaced-blocks",
    text: `INSERT INTO replaced_blocks (chain_id, lane, above) SELECT $1, $2, $3::bigint
           WHERE EXISTS (SELECT FROM replays WHERE chain_id = $1 AND status = 'done' AND to_block > $3)`,
    values: [chainId, lane, above],
  });
  await db.query({
    name: "send-replays-back",
    text: `WITH held AS MATERIALIZED (
             SELECT r.id FROM replays r JOIN webhooks w ON w.id = r.webhook_id
             WHERE w.lane = $2 AND r.chain_id = $1 AND r.status IN ('queued', 'running')
               AND r.next_block > $3::bigint + 1 AND r.next_block > r.from_block ORDER BY r.id FOR UPDATE OF r)
           UPDATE replays SET next_block = GREATEST(from_block, $3::bigint + 1), paced_at = NULL, paced_from = NULL
           FROM held WHERE replays.id = held.id`,
    values: [chainId, lane, above],
  });
}

/** How many replays go back in one transaction. */
const reopenedAtOnce = 200;

/** Blocks above a number have left a lane: those of an account, or of all. */
type ReplacedBlocks = { lane: number; accountId: number | null; above: number; at: string };

/**
 * Sends replays back that were done before a reorganisation replaced some of their blocks. What it took from them was retracted, and nobody else
 * would add what the new branch has. They send nothing again: what is on record of the new branch was notified since.
 */
export async function reopenReplays(pool: Pool, chainId: string): Promise<void> {
  for (;;) {
    const { rows } = await pool.query<ReplacedBlocks>({
      name: "replaced-blocks",
      // The highest first: one that goes back for its own lane need not go back further for another.
      text: `SELECT lane, account_id AS "accountId", min(above) AS above, max(replaced_at)::text AS at FROM replaced_blocks
             WHERE chain_id = $1 GROUP BY lane, account_id ORDER BY min(above) DESC LIMIT 1`,
      values: [chainId],
    });
    const [replaced] = rows;
    if (!replaced) return;
    while ((await reopenSome(pool, chainId, replaced)) === reopenedAtOnce);
    await pool.query(
      `DELETE FROM replaced_blocks
       WHERE chain_id = $1 AND lane = $2 AND account_id IS NOT DISTINCT FROM $3::bigint AND replaced_at <= $4::timestamptz`,
      [chainId, replaced.lane, replaced.accountId, replaced.at],
    );
  }
}

/**
 * A replay has to go back if its blocks have left its webhook's lane. They are gone then, also if they are on record: they may be still leaving, or
 * have come back. Of other lanes, and of one that came from another cell, it goes back if its last block is not on record any more. A lane whose own
 * branch has not been replaced yet says so later, and a webhook that has moved to another lane has the same blocks there. Of blocks that are final
 * there is no record. A webhook that is deleted meanwhile ends its replays itself, so it is held.
 */
async function reopenSome(
  pool: Pool,
  chainId: string,
  { lane, accountId, above, at }: ReplacedBlocks,
): Promise<number | null> {
  const { rowCount } = await pool.query(
    `WITH held AS MATERIALIZED (
       SELECT r.id FROM replays r JOIN webhooks w ON w.id = r.webhook_id JOIN chain_lanes l ON l.chain_id = w.chain_id AND l.lane = w.lane
         LEFT JOIN chain_blocks b ON b.chain_id = w.chain_id AND b.lane = w.lane AND b.number = r.to_block
       WHERE r.chain_id = $1 AND r.status = 'done' AND r.to_block > $2::bigint AND r.finished_at <= $3::timestamptz
         AND ($5::bigint IS NULL OR r.account_id = $5) AND r.last_hash IS NOT NULL
         AND ((w.lane = $6 AND $5 IS NULL)
           OR CASE WHEN b.hash IS NULL THEN r.to_block > l.cursor_number OR w.lane = $6 ELSE b.hash NOT IN (r.last_hash, '') END)
       ORDER BY r.id LIMIT $4 FOR UPDATE OF r FOR KEY SHARE OF w)
     UPDATE replays SET status = 'running', finished_at = NULL, resends = false, next_block = GREATEST(from_block, $2::bigint + 1),
       last_hash = NULL, paced_at = NULL, paced_from = NULL, failures = 0, due_at = clock_timestamp()
     FROM held WHERE replays.id = held.id`,
    [chainId, above, at, reopenedAtOnce, accountId, lane],
  );
  return rowCount;
}

/** Locks a replay for its next block until the transaction ends. @returns false if another process did the block, or the replay is gone */
export async function holdReplayStep(db: Queryable, { id, block, noted = block }: ReplayStep): Promise<boolean> {
  const { rowCount } = await db.query(
    "SELECT FROM replays WHERE id = $1 AND next_block = $2 AND status IN ('queued', 'running') FOR UPDATE",
    [id, noted],
  );
  return rowCount === 1;
}

/**
 * The assignments that measure a replay's pace, at most once a second: that of the last second or so, and what it was before, with equal weight.
 *
 * @param next the block up to which the replay comes by the same update
 */
const pace = (next: string) => `
  paced_at = CASE WHEN ${isMeasured} THEN clock_timestamp() ELSE paced_at END,
  paced_from = CASE WHEN ${isMeasured} THEN ${next} ELSE paced_from END,
  blocks_per_second = CASE WHEN ${isMeasured} AND paced_at IS NOT NULL THEN ${measured(next)} ELSE blocks_per_second END`;
const isMeasured = "(paced_at IS NULL OR clock_timestamp() >= paced_at + interval '1 second')";
const measured = (next: string) => {
  const now = `(${next} - paced_from) / EXTRACT(EPOCH FROM clock_timestamp() - paced_at)::float8`;
  return `(COALESCE(blocks_per_second, ${now}) + ${now}) / 2`;
};

/** The assignments that note that everything before the block `next` is done. The last block finishes the replay. */
const movedTo = (next: string, hash: string) => `
  next_block = ${next}, last_hash = ${hash}, failures = 0, ${pace(next)}, due_at = clock_timestamp(),
  status = CASE WHEN ${next} > to_block THEN 'done' ELSE 'running' END,
  finished_at = CASE WHEN ${next} > to_block THEN clock_timestamp() END`;

/**
 * Notes how far replays have come through blocks of which nothing had to be recorded, all in one statement. One that was cancelled, or whose
 * blocks another process did, or have left its lane since, stays as it is. No block leaves meanwhile, since the caller shares the chain's lock.
 *
 * @returns the ids of the others
 */
export async function noteQuietBlocks(
  db: Queryable,
  steps: readonly Pick<ReplayStep, "id" | "block" | "noted" | "hash">[],
): Promise<Set<string>> {
  const { rows } = await db.query<{ id: string }>({
    name: "note-quiet-blocks",
    text: `WITH held AS MATERIALIZED (SELECT id FROM replays WHERE id = ANY($1::uuid[]) ORDER BY id FOR UPDATE)
           UPDATE replays SET ${movedTo("done.next", "decode(substr(done.hash, 3), 'hex')")}
           FROM unnest($1::uuid[], $2::bigint[], $3::bigint[], $4::text[]) AS done(replay, noted, next, hash) JOIN held ON held.id = done.replay
           WHERE replays.id = done.replay AND next_block = done.noted AND status IN ('queued', 'running')
             AND EXISTS (SELECT FROM webhooks w JOIN chain_lanes l ON l.chain_id = w.chain_id AND l.lane = w.lane
               LEFT JOIN chain_blocks b ON b.chain_id = l.chain_id AND b.lane = l.lane AND b.number = done.next - 1
               WHERE w.id = replays.webhook_id AND done.next - 1 <= ${recordedUpTo}
                 AND (b.hash IS NULL OR b.hash IN ('', decode(substr(done.hash, 3), 'hex'))))
           RETURNING replays.id`,
    values: [
      steps.map(({ id }) => id),
      steps.map(({ block, noted = block }) => noted),
      steps.map(({ block }) => block),
      steps.map(({ hash }) => hash),
    ],
  });
  return new Set(rows.map(({ id }) => id));
}

/**
 * Records what a locked replay has come to in a part of its block.
 *
 * @param done the block, once all of it is done. The last one finishes the replay
 */
export async function noteReplayStep(
  db: Queryable,
  { id }: ReplayStep,
  { resent, added }: { resent: number; added: number },
  done: BlockId | undefined,
): Promise<void> {
  const counted = "resent = resent + $2, added = added + $3";
  if (!done) await db.query(`UPDATE replays SET ${counted}, status = 'running' WHERE id = $1`, [id, resent, added]);
  else
    await db.query(
      `UPDATE replays SET ${movedTo("$4::bigint", "decode(substr($5, 3), 'hex')")}, ${counted} WHERE id = $1`,
      [id, resent, added, done.number + 1, done.hash],
    );
}

/** Records that a block failed. @param pauseMs when to retry; if undefined, the replay ends with `reason` */
export async function noteReplayFailure(
  db: Queryable,
  { id, block }: ReplayStep,
  { pauseMs, reason }: { pauseMs: number | undefined; reason: string },
): Promise<void> {
  await db.query(
    `UPDATE replays SET failures = failures + 1, due_at = clock_timestamp() + make_interval(secs => COALESCE($3::float8, 0) / 1000),
       status = CASE WHEN $3::float8 IS NULL THEN 'failed' ELSE status END,
       status_reason = CASE WHEN $3::float8 IS NULL THEN $4 END,
       finished_at = CASE WHEN $3::float8 IS NULL THEN clock_timestamp() END
     WHERE id = $1 AND next_block = $2 AND status IN ('queued', 'running')`,
    [id, block, pauseMs ?? null, reason],
  );
}

/** A webhook, the lane in which it is, and its version, which changes with whatever changes of it or of its addresses. */
export type VersionedWatcher = Watcher & { lane: number; version: string; addressCount: number };

/** A webhook for matching, whether active or not; undefined when it is gone or another cell records for it. */
export async function readWatcher(db: Queryable, webhookId: string): Promise<VersionedWatcher | undefined> {
  return (await readWatchers(db, [webhookId]))[0];
}

/** The same of several. */
export async function readWatchers(db: Queryable, webhookIds: readonly string[]): Promise<VersionedWatcher[]> {
  const { rows } = await db.query<
    Omit<VersionedWatcher, "eventSignatures" | "options"> & Pick<RecordRow, "signatures" | "options">
  >(
    `SELECT id, shard, lane, xmin::text AS version, address_count AS "addressCount", include_internal_txs AS "includeInternalTxs", include_logs AS "includeLogs",
       COALESCE(matched_options, options) AS options,
       ARRAY(SELECT '0x' || encode(s, 'hex') FROM unnest(event_signatures) s) AS signatures
     FROM webhooks WHERE id = ANY($1::uuid[]) AND lane IS NOT NULL`,
    [webhookIds],
  );
  return rows.map(({ signatures, options, ...webhook }) => ({
    ...webhook,
    eventSignatures: new Set(signatures),
    ...(options && { options }),
  }));
}

/** A watched address: the block whose log named it, if it was created by a factory, and the replay that brings its past, if one does. */
export type WatchedAddress = { createdIn: number | null; replay: string | null };

/** @param among by default all @returns addresses that a webhook watches */
export async function watchedAddresses(
  db: Queryable,
  webhookId: string,
  among?: readonly string[],
): Promise<Map<string, WatchedAddress>> {
  const { rows } = await db.query<WatchedAddress & { address: Buffer }>({
    name: "watched-addresses",
    text: `SELECT address, created_in AS "createdIn", replay FROM webhook_addresses
           WHERE webhook_id = $1 AND ($2::bytea[] IS NULL OR address = ANY($2::bytea[]))`,
    values: [webhookId, among?.map((address) => Buffer.from(address.slice(2), "hex")) ?? null],
  });
  return new Map(rows.map(({ address, ...watched }) => [`0x${address.toString("hex")}`, watched]));
}

/** @returns of which blocks of a range something of the webhooks is on record, or held, as `block webhookId` */
export async function recordedOf(
  db: Queryable,
  webhookIds: readonly string[],
  range: { chainId: string; accountId: number; from: number; to: number },
): Promise<Set<string>> {
  const { rows } = await db.query<{ place: string }>({
    name: "recorded-of",
    text: `SELECT e.block_number || ' ' || n.webhook_id AS place FROM events e
             JOIN notifications n ON n.event_id = e.id AND n.recorded_on = e.recorded_on
           WHERE e.chain_id = $1 AND e.block_number BETWEEN $2 AND $3 AND e.apart_account IN (0, $4) AND n.webhook_id = ANY($5::uuid[])
           UNION
           SELECT block_number || ' ' || webhook_id FROM held_notifications
           WHERE webhook_id = ANY($5::uuid[]) AND block_number BETWEEN $2 AND $3`,
    values: [range.chainId, range.from, range.to, range.accountId, webhookIds],
  });
  return new Set(rows.map(({ place }) => place));
}

/**
 * Whether a replay finds an address at a block. What a factory has created in the block or later it does not: the block's own log says from where
 * on that is watched.
 */
export function isWatchedBy(
  { id, ofAdded }: Pick<ReplayStep, "id" | "ofAdded">,
  watched: WatchedAddress | undefined,
  block: number,
): boolean {
  if (!watched) return false;
  const { createdIn, replay } = watched;
  return ofAdded ? replay === id : createdIn === null || createdIn < block;
}

type WebhookNotification = NotificationPlace & Pick<RecordedNotification, "transactionHash" | "occurrence" | "removed">;

type BlockOfChain = BlockId & { chainId: string };

/** @returns the sequence of the webhook's newest notification */
export async function lastSequence(db: Queryable, webhookId: string): Promise<number> {
  const { rows } = await db.query<{ last: number }>(
    "SELECT last_sequence AS last FROM webhook_sequences WHERE webhook_id = $1",
    [webhookId],
  );
  return rows[0]?.last ?? 0;
}

/**
 * Whether the webhook was notified of the block after a sequence. It reads what this webhook was notified of since, and nothing of others: it is
 * called under the chain's lock, and a popular block has the notifications of all accounts.
 */
export async function notifiedSince(
  db: Queryable,
  webhookId: string,
  { chainId, number, hash }: BlockOfChain,
  sequence: number,
): Promise<boolean> {
  const { rows } = await db.query<{ any: boolean }>({
    name: "notified-since",
    text: `SELECT EXISTS (
             SELECT FROM notifications n CROSS JOIN LATERAL (
               SELECT chain_id, block_number, block_hash FROM events WHERE id = n.event_id AND recorded_on = n.recorded_on OFFSET 0) e
             WHERE n.webhook_id = $1 AND n.sequence > $2
               AND e.chain_id = $3 AND e.block_number = $4 AND e.block_hash = decode(substr($5, 3), 'hex')) AS any`,
    values: [webhookId, sequence, chainId, number, hash],
  });
  return rows[0]?.any ?? false;
}

/**
 * @returns the webhook's notifications of a block, in chain order, those of a transaction from the first to the newest: all of them while
 *   `notifiedSince` finds none after `sequence`
 */
export async function notifiedBefore(
  db: Queryable,
  { webhookId, accountId }: ReplayStep,
  block: BlockOfChain,
): Promise<{ sequence: number; known: WebhookNotification[] }> {
  const sequence = await lastSequence(db, webhookId);
  const { rows } = await db.query<WebhookNotification>(
    `SELECT n.recorded_on AS "recordedOn", n.sequence, n.occurrence, e.removed,
       '0x' || encode(e.transaction_hash, 'hex') AS "transactionHash"
     FROM events e JOIN notifications n ON n.event_id = e.id AND n.recorded_on = e.recorded_on
     WHERE e.chain_id = $2 AND e.block_number = $3 AND e.block_hash = decode(substr($4, 3), 'hex') AND n.webhook_id = $1
       AND e.apart_account IN (0, $5)
     ORDER BY e.transaction_index, n.sequence`,
    [webhookId, block.chainId, block.number, block.hash, accountId],
  );
  return { sequence, known: rows };
}

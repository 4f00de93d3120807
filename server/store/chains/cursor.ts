/** How far a lane is followed, and its recorded blocks that may still be replaced. */
import { hasHeld } from "../outbox/held-state.ts";
import { inTransaction, type Pool, type Queryable } from "../pool.ts";

/** A block by number and hash. */
export type BlockId = { number: number; hash: string };

/** A lane of a chain. */
export type LaneId = { chainId: string; lane: number };

/** The lane without traces that each chain always has. */
export const plainLane = (chainId: string): LaneId => ({ chainId, lane: 0 });

/**
 * Whether webhooks of lanes `o` and `l` may be in one. Histories of different modes pass each other, and so do those of two accounts with a mode:
 * the blocks that one of them must have read whole would be read whole for the other.
 */
export const joinable = `o.apart_account IS NOT DISTINCT FROM l.apart_account
  AND (o.history_from IS NULL OR l.history_from IS NULL OR (o.history_mode IS NOT DISTINCT FROM l.history_mode
    AND (l.history_mode IS NULL OR o.history_account = l.history_account)))`;

/** Another lane `o` of the kind of a lane `l`. */
export const sameKind = `o.chain_id = l.chain_id AND o.traces = l.traces AND o.lane <> l.lane AND ${joinable}`;

/** Matches any hash. */
const unknownHash = "0x";
const bytes = (hex: string) => Buffer.from(hex.slice(2), "hex");
const hex = (buffer: Buffer) => `0x${buffer.toString("hex")}`;

/** Creates the chain's row and its plain lane, unless they exist. */
export async function ensureChain(db: Queryable, chainId: string): Promise<void> {
  await db.query("INSERT INTO chains (chain_id) VALUES ($1) ON CONFLICT DO NOTHING", [chainId]);
}

/** The recorded state of a lane. */
export type Recorded = {
  /** The newest recorded block, undefined before the first. */
  cursor?: BlockId;
  /** Changes with every move of the cursor. */
  mark: string;
  /** The highest number ever recorded, in any of the chain's lanes. */
  highest: number;
  /** Whether any of the lane's webhooks has `anyAddress`. Nobody else pays for it. */
  anywhere: boolean;
  /** Whether any of the chain's webhooks has `createdBy`. */
  factories: boolean;
  /** The newest of the lane's blocks that is known to be final; -1 without. */
  final: number;
  /** Whether notifications are held on the chain, in any lane. */
  holds: boolean;
  /** Whether anything was added that takes effect after the cursor's block. */
  additions: boolean;
  /** Whether the chain has other lanes of the same kind, which this one may join. */
  hasOthersOfKind: boolean;
  /** Of the cursor's block, webhooks with a greater id are still to be matched; undefined if none are. */
  owedAfter?: string;
  /** Of the first of them, what is of transactions below this index is recorded. */
  owedFrom?: number;
  /** Of a lane set apart: the first block from which on it may join the others. */
  apartUntil?: number;
  /** Whether any account's webhooks are set apart on the chain. */
  apart: boolean;
  /** Of a history with a mode: changes when more may be watched than its headers are looked at for. */
  arrivals: number;
  /** Of a lane that catches up: the newest block that any lane of the chain has recorded. */
  newest?: number;
  /** Of a lane set apart: whose webhooks it has. */
  apartAccount?: number;
  /** Set while the lane leaves blocks (leaving.ts): all above this one. */
  leaving?: BlockId;
  /** Of the cursor's block, what has events below this id is retracted. */
  leavingEvent?: number;
};

export async function readCursor(db: Queryable, { chainId, lane }: LaneId): Promise<Recorded> {
  const { rows } = await db.query<{
    cursor_number: number | null;
    cursor_hash: Buffer | null;
    mark: string;
    highest: number | null;
    final: number | null;
    holds: boolean;
    additions: boolean;
    others_of_kind: boolean;
    anywhere: boolean;
    factories: boolean;
    owed_after: string | null;
    owed_from: number | null;
    apart_until: number | null;
    apart_account: number | null;
    leaving_above: number | null;
    leaving_hash: Buffer | null;
    leaving_event: number | null;
    apart: boolean;
    arrivals: number;
    newest: number | null;
  }>({
    name: "read-cursor",
    text: `SELECT l.cursor_number, l.cursor_hash, l.cursor_mark AS mark, l.owed_after, l.owed_from, l.apart_until, c.highest,
       l.apart_account, l.arrivals, l.leaving_above, l.leaving_hash, l.leaving_event,
       (SELECT number FROM final_blocks f WHERE f.chain_id = $1 AND f.lane = $2) AS final,
       ${hasHeld("$1")} AS holds,
       -- The greatest is the last of its index. EXISTS would read all that take effect up to the cursor.
       COALESCE((SELECT max(effective_from_block) FROM address_additions WHERE chain_id = $1) > l.cursor_number, false) AS additions,
       CASE WHEN l.catches_up THEN (SELECT max(o.cursor_number) FROM chain_lanes o WHERE o.chain_id = $1) END AS newest,
       EXISTS (SELECT FROM chain_lanes o WHERE ${sameKind}) AS others_of_kind,
       EXISTS (SELECT FROM chain_lanes o WHERE o.chain_id = $1 AND o.apart_account IS NOT NULL) AS apart,
       EXISTS (SELECT FROM webhooks w WHERE w.chain_id = $1 AND w.lane = $2 AND w.options ->> 'anyAddress' = 'true') AS anywhere,
       -- The least is the first of its index. EXISTS would read all of 100,000 webhooks, in 20 ms: PostgreSQL takes most of them to have one.
       (SELECT min(w.options -> 'createdBy' ->> 'address') FROM webhooks w WHERE w.chain_id = $1) IS NOT NULL AS factories
     FROM chain_lanes l JOIN chains c USING (chain_id) WHERE l.chain_id = $1 AND l.lane = $2`,
    values: [chainId, lane],
  });
  const row = rows[0];
  const cursor = blockOf(row?.cursor_number, row?.cursor_hash);
  const {
    mark = "",
    highest,
    final,
    holds = false,
    additions = false,
    others_of_kind: hasOthersOfKind = false,
    anywhere = false,
    factories = false,
    apart = false,
    arrivals = 0,
  } = row ?? {};
  const reached = { highest: highest ?? -1, final: final ?? -1 };
  const leaving = blockOf(row?.leaving_above, row?.leaving_hash);
  return {
    ...{ mark, ...reached, holds, additions, hasOthersOfKind, anywhere, factories, apart, arrivals },
    ...(cursor && { cursor }),
    ...(row?.owed_after != null && { owedAfter: row.owed_after }),
    ...(row?.owed_from != null && { owedFrom: row.owed_from }),
    ...(row?.apart_until != null && { apartUntil: row.apart_until }),
    ...(row?.newest != null && { newest: row.newest }),
    ...(row?.apart_account != null && { apartAccount: row.apart_account }),
    ...(leaving && { leaving }),
    ...(row?.leaving_event != null && { leavingEvent: row.leaving_event }),
  };
}

/** Converts two columns that are null together to a block. */
export function blockOf(number: number | null | undefined, hash: Buffer | null | undefined): BlockId | undefined {
  return typeof number === "number" && hash ? { number, hash: hex(hash) } : undefined;
}

/**
 * Sets where following starts, unless it has started. `block` counts as recorded; following continues after it. Nobody was notified of
 * earlier blocks, so until `block` is final it can be replaced, whatever its parent is.
 *
 * @param finalNumber the newest final block, if that is known
 */
export async function beginAt(
  pool: Pool,
  { chainId, lane }: LaneId,
  block: BlockId,
  finalNumber?: number,
): Promise<void> {
  await inTransaction(pool, async (db) => {
    const { rowCount } = await db.query(
      `WITH chain AS (UPDATE chains SET highest = GREATEST(highest, $3) WHERE chain_id = $1)
       UPDATE chain_lanes SET cursor_number = $3, cursor_hash = $4
       WHERE chain_id = $1 AND lane = $2 AND cursor_number IS NULL`,
      [chainId, lane, block.number, bytes(block.hash)],
    );
    const before = { number: block.number - 1, hash: unknownHash };
    if (rowCount) await db.query(insertBlocks, [chainId, lane, ...columnsOf([before, block])]);
    if (finalNumber !== undefined) await db.query(noteFinal("$3::bigint"), [chainId, lane, finalNumber]);
  });
}

/** A place in a stream of blocks: which stream, as one that was created again counts from 1. */
export type StreamPosition = { stream: string; sequence: number };

/**
 * Moves the cursor to the last of `blocks`, and deletes the record of blocks below `finalNumber`.
 *
 * @param step.head the newest block that the source reported, by default the last of `blocks`
 * @param step.isFinal whether the block `finalNumber` is final by what the nodes or the configuration say
 * @param step.nodesAgreed how many nodes agreed on which blocks may be passed over, if they were asked
 * @returns the new mark
 */
export async function advanceCursor(
  db: Queryable,
  { chainId, lane }: LaneId,
  {
    blocks,
    head,
    finalNumber,
    isFinal = false,
    nodesAgreed,
  }: {
    blocks: readonly (BlockId & { position?: StreamPosition })[];
    head?: number;
    finalNumber: number;
    isFinal?: boolean;
    nodesAgreed?: number | undefined;
  },
): Promise<string | undefined> {
  const last = blocks.at(-1);
  if (!last) return undefined;
  const oldest = Math.min(finalNumber, last.number);
  const kept = blocks.filter(({ number }) => number >= oldest);
  // One statement, since a new block waits for each round trip.
  const { rows } = await db.query<{ cursor_mark: string }>({
    name: "advance-cursor",
    text: `WITH added AS (${insertBlocks}),
             final AS (DELETE FROM chain_blocks WHERE chain_id = $1 AND lane = $2 AND number < $7),
             chain AS (UPDATE chains SET highest = $5 WHERE chain_id = $1 AND $5 > COALESCE(highest, -1)),
             newest AS (${noteFinal("$10::bigint")})
           UPDATE chain_lanes SET cursor_number = $5, cursor_hash = $6, stream = $8, stream_sequence = $9,
             head_number = $11, head_seen_at = clock_timestamp(), stopped = NULL, nodes_agreed = LEAST(nodes_agreed, $12::int)
           WHERE chain_id = $1 AND lane = $2 RETURNING cursor_mark`,
    values: [
      ...[chainId, lane, ...columnsOf(kept), last.number, bytes(last.hash), oldest],
      ...[last.position?.stream ?? null, last.position?.sequence ?? null, isFinal ? finalNumber : null],
      ...[head ?? last.number, nodesAgreed ?? null],
    ],
  });
  return rows[0]?.cursor_mark;
}

// A number that stays is not written again.
const noteFinal = (number: string) =>
  `INSERT INTO final_blocks AS f (chain_id, lane, number) SELECT $1, $2, n FROM (SELECT ${number} AS n) final WHERE n IS NOT NULL
   ON CONFLICT (chain_id, lane) DO UPDATE SET number = EXCLUDED.number WHERE f.number < EXCLUDED.number`;

/** Records the newest final block of a lane without a new block, and deletes the record of those below it: no branch may leave there. */
export async function noteFinalBlock(db: Queryable, { chainId, lane }: LaneId, number: number): Promise<void> {
  await db.query(
    `WITH below AS (DELETE FROM chain_blocks WHERE chain_id = $1 AND lane = $2 AND number < $3) ${noteFinal("$3::bigint")}`,
    [chainId, lane, number],
  );
}

/** Whether it is known of a block of the chain that it is final. */
export async function hasFinalBlock(db: Queryable, chainId: string): Promise<boolean> {
  const { rowCount } = await db.query("SELECT FROM final_blocks WHERE chain_id = $1 LIMIT 1", [chainId]);
  return rowCount === 1;
}

const insertBlocks =
  "INSERT INTO chain_blocks (chain_id, lane, number, hash) SELECT $1, $2, b.* FROM unnest($3::bigint[], $4::bytea[]) b";
const columnsOf = (blocks: readonly BlockId[]) => [
  blocks.map(({ number }) => number),
  blocks.map(({ hash }) => bytes(hash)),
];

/** @returns whether this block is on record, so that the next one may extend it; undefined if no block of its number is */
export async function isRecorded(
  db: Queryable,
  { chainId, lane }: LaneId,
  block: BlockId,
): Promise<boolean | undefined> {
  const { rows } = await db.query<{ same: boolean }>(
    "SELECT hash IN ($4, $5) AS same FROM chain_blocks WHERE chain_id = $1 AND lane = $2 AND number = $3",
    [chainId, lane, block.number, bytes(block.hash), bytes(unknownHash)],
  );
  return rows[0]?.same;
}

/** Deletes the blocks above `number` from the record. @returns them, the newest first */
export async function takeBlocksAbove(db: Queryable, { chainId, lane }: LaneId, number: number): Promise<BlockId[]> {
  const { rows } = await db.query<{ number: number; hash: Buffer }>(
    "DELETE FROM chain_blocks WHERE chain_id = $1 AND lane = $2 AND number > $3 RETURNING number, hash",
    [chainId, lane, number],
  );
  return rows.map((row) => ({ number: row.number, hash: hex(row.hash) })).sort((a, b) => b.number - a.number);
}

/** Records the newest block that a node reported to the lane's follower. */
export async function noteHead(db: Queryable, { chainId, lane }: LaneId, number: number): Promise<void> {
  await db.query(
    "UPDATE chain_lanes SET head_number = $3, head_seen_at = clock_timestamp() WHERE chain_id = $1 AND lane = $2",
    [chainId, lane, number],
  );
}

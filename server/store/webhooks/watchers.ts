/** Finds who watches a block's addresses: the only lookup that a block needs. */
import type { LogInterest, WebhookOptions } from "../../matching/new-webhook.ts";
import type { LaneId, Recorded } from "../chains/cursor.ts";
import type { HistoryMode } from "../chains/lanes.ts";
import type { Queryable } from "../pool.ts";
import { firstAddresses } from "./webhooks.ts";

/** A webhook, with the fields that matching and recording need. */
export type Watcher = {
  id: string;
  accountId: number;
  shard: number;
  eventSignatures: ReadonlySet<string>;
  includeInternalTxs: boolean;
  includeLogs: boolean;
  /** Absent if it has none. */
  options?: WebhookOptions;
};

/** Webhooks that watch any address, and those whose factory takes part; inactive ones of these, too, since they go on to watch more. */
export type WatchersBeyond = { anywhere: Watcher[]; factories: (Watcher & { isActive: boolean })[] };

type PairRow = { address: Buffer; id: string; effective_from_block: number };
type WatcherRow = {
  id: string;
  account_id: number;
  status: "active" | "inactive";
  shard: number;
  include_internal_txs: boolean;
  include_logs: boolean;
  effective_from_block: number;
  /** Whether the account's webhooks have more than may be read. Then these are null. */
  is_cut: boolean;
  options: WebhookOptions | null;
  signatures: string[] | null;
};

const ownColumns = "id, account_id, status, shard, include_internal_txs, include_logs, effective_from_block";
const watcherColumns = `${ownColumns}, is_cut, options, signatures`;

/**
 * Selects the `watcherColumns` of webhooks.
 *
 * @param webhooks selects them whole, perhaps with further columns
 * @param most how many bytes of an account's are read, as a parameter of the statement; if it is null, all
 * @param further their further columns, each with a comma before it
 */
const watchersIn = (webhooks: string, { most, further = "" }: { most: string; further?: string }) => `
  SELECT ${ownColumns}, is_cut, CASE WHEN NOT is_cut THEN COALESCE(matched_options, options) END AS options,
    CASE WHEN NOT is_cut THEN ARRAY(SELECT '0x' || encode(s, 'hex') FROM unnest(event_signatures) s) END AS signatures${further}
  FROM (
    SELECT ${ownColumns}, matched_options, options, event_signatures${further},
      COALESCE(sum(matched_bytes) OVER (PARTITION BY account_id) > ${most}::float8, false) AS is_cut
    FROM (${webhooks}) w) w`;

/** The watchers of some addresses. */
export type Watched = {
  /** How many of the addresses are watched on the chain at all: in any lane, active or not, from any block on. */
  addressCount: number;
  /** For each address, the active webhooks for which both are in effect at a block. */
  at(blockNumber: number): Map<string, Watcher[]>;
  /** Those in effect at a block that watch more than addresses; undefined if there are none. */
  beyondAt(blockNumber: number): WatchersBeyond | undefined;
  /** Set if there is more than may be read: then nothing else is complete. The accounts that have too much, as far as it shows. */
  crowd?: { accountIds: readonly number[] };
};

/** Some webhooks of a lane, and whether the lane has traces. */
type LaneSlice = { webhookIds: readonly string[]; traces: boolean };

/** Which of the options exist, and whether webhooks are set apart; without it, they are looked for. */
type Options = Pick<Recorded, "anywhere" | "factories" | "apart">;

/** How much is read; then `Watched` has some of it only. */
export type LookupLimit = {
  /** Of an address and a webhook. */
  pairsOfAccount: number;
  pairsInAll: number;
  /** Options and signatures of an account's webhooks, in bytes. */
  bytesOfAccount: number;
  /** Accounts that have very many in other lanes. They are passed over while they have no webhook in this one. */
  besides?: readonly number[];
};

/**
 * Finds the lane's active webhooks that watch any of the addresses.
 *
 * @param addresses 0x-prefixed, lower case, distinct
 * @param options.slice only these webhooks; by default all. What they want of call frames is what their lane has: a wish that came since the
 *   cursor moved holds from the next block on
 * @param options.limit by default none
 */
export async function findWatchers(
  db: Queryable,
  lane: LaneId,
  addresses: readonly string[],
  options: Options & { slice?: LaneSlice; limit?: LookupLimit | undefined } = {
    anywhere: true,
    factories: true,
    apart: true,
  },
): Promise<Watched> {
  const beyond = await findBeyond(db, lane, addresses, options);
  const watched = await findWatchersOf(db, lane, addresses, options);
  for (const address of beyond.addresses) watched.addresses.add(address);
  const crowd = options.limit && crowdOf([watched, beyond], options.limit);
  return {
    ...{ at: watched.at, beyondAt: beyond.at, addressCount: watched.addresses.size },
    ...(crowd && { crowd }),
  };
}

/** What was found, and how much of it. */
type Found = {
  /** Of each pair of an address and a webhook. */
  accounts: readonly number[];
  /** Whether there are more pairs. */
  isCut?: boolean;
  /** Those of which options and signatures were not read. */
  cutAccounts: readonly number[];
};

function crowdOf(found: readonly Found[], { pairsOfAccount: most }: LookupLimit): Watched["crowd"] {
  const accounts = found.flatMap((one) => one.accounts);
  const isCut = found.some((one) => one.isCut);
  const crowding = new Set(found.flatMap(({ cutAccounts }) => cutAccounts));
  if (isCut || accounts.length > most) {
    const counts = new Map<number, number>();
    for (const account of accounts) counts.set(account, (counts.get(account) ?? 0) + 1);
    for (const [account, count] of counts) if (count > most) crowding.add(account);
  }
  return isCut || crowding.size > 0 ? { accountIds: [...crowding] } : undefined;
}

/** What the webhooks of a lane can match, as it was at one moment. */
export type LaneInterest = {
  logs: LogInterest;
  /** How the blocks are passed over that cannot have them. */
  mode: HistoryMode;
  /** It holds as long as the lane has the same number. The number changes when a webhook comes to the lane, and when `upTo` becomes lower. */
  arrivals: number;
  /** The newest block that any of the chain's lanes had recorded. What is added to webhooks of the lane later takes effect above it. */
  upTo: number;
};

/**
 * Of more, a bloom of most chains denies so little that whole blocks are read as fast. And each header is looked at for all of it. Nodes take no longer
 * lists of addresses for logs either.
 */
const mostOfInterest = { webhooks: 1_000, addresses: 2_000, signatures: 2_000 };

/** @returns undefined if there is more than can be looked for, or a webhook of the lane can match without a log */
export async function readInterest(
  db: Queryable,
  { chainId, lane }: LaneId,
): Promise<Omit<LaneInterest, "mode"> | undefined> {
  const { rows } = await db.query<{
    arrivals: number;
    up_to: number;
    by_logs: boolean;
    anywhere: boolean | null;
    signatures: string[] | null;
    addresses: string[] | null;
  }>({
    name: "read-interest",
    // One statement sees one moment. Inactive webhooks count, too: they may become active at any block.
    text: `SELECT l.arrivals, (SELECT max(cursor_number) FROM chain_lanes o WHERE o.chain_id = l.chain_id) AS up_to,
             w.event_signatures <> '{}' AND w.options -> 'createdBy' IS NULL AS by_logs, w.options ->> 'anyAddress' = 'true' AS anywhere,
             ARRAY(SELECT '0x' || encode(s, 'hex') FROM unnest(w.event_signatures) s) AS signatures,
             CASE WHEN sum(w.address_count) OVER () <= $4 THEN ARRAY(${firstAddresses("$4")}) END AS addresses
           FROM chain_lanes l JOIN LATERAL (
             SELECT * FROM webhooks WHERE chain_id = l.chain_id AND lane = l.lane LIMIT $3) w ON true
           WHERE l.chain_id = $1 AND l.lane = $2`,
    values: [chainId, lane, mostOfInterest.webhooks + 1, mostOfInterest.addresses],
  });
  const [first] = rows;
  const signatures = rows.reduce((sum, row) => sum + (row.signatures?.length ?? 0), 0);
  if (!first || rows.length > mostOfInterest.webhooks || signatures > mostOfInterest.signatures) return undefined;
  if (!rows.every(({ by_logs: byLogs, addresses }) => byLogs && addresses)) return undefined;
  return {
    logs: rows.map((row) => ({
      signatures: row.signatures ?? [],
      addresses: row.anywhere ? undefined : (row.addresses ?? []),
    })),
    arrivals: first.arrivals,
    upTo: first.up_to,
  };
}

/** How many pairs are looked at first: who has too many mostly has them among these. */
const sampledPairs = 500_000;

/**
 * Finds the accounts that have too many pairs of an address and a webhook. It may take as long as a statement may, so call it without any lock.
 *
 * @param addresses as for `findWatchers`
 */
export async function crowdingAccounts(
  db: Queryable,
  { chainId, lane }: LaneId,
  addresses: readonly string[],
  { pairsOfAccount, besides = [] }: LookupLimit,
): Promise<number[]> {
  for (const sampled of [sampledPairs, null]) {
    const { rows } = await db.query<{ account: number }>(
      `SELECT account_id AS account FROM (
         SELECT w.webhook_id FROM ${idsBesides({ chainId: "$1", lane: "$2", others: "$6::bigint[]" })} r
         CROSS JOIN LATERAL (${pairsIn("w.webhook_id", "r")}) w LIMIT $4) p
       JOIN webhooks w ON w.id = p.webhook_id GROUP BY 1 HAVING count(*) > $5 ORDER BY 1`,
      [chainId, lane, addresses.map(bytes), sampled, pairsOfAccount, besides],
    );
    if (rows.length > 0) return rows.map(({ account }) => account);
  }
  return [];
}

const bytes = (address: string) => Buffer.from(address.slice(2), "hex");

/** Selects from the pairs of the addresses $3, those of a range of webhooks. Each range is read by itself, or all pairs would be. */
const pairsIn = (columns: string, range: string) => `
  SELECT ${columns} FROM webhook_addresses w
  WHERE w.chain_id = $1 AND w.address = ANY($3::bytea[]) AND w.webhook_id > ${range}.after AND w.webhook_id < ${range}.before OFFSET 0`;

async function findWatchersOf(
  db: Queryable,
  { chainId, lane }: LaneId,
  addresses: readonly string[],
  { slice, apart, limit }: Pick<Options, "apart"> & { slice?: LaneSlice; limit?: LookupLimit | undefined },
): Promise<{ addresses: Set<string>; at: Watched["at"] } & Found> {
  const nobody = {
    addresses: new Set<string>(),
    at: () => new Map<string, Watcher[]>(),
    accounts: [],
    cutAccounts: [],
  };
  if (addresses.length === 0) return nobody;
  const columns = "w.address, w.webhook_id, w.created_in, w.addition";
  const passesOver = apart || (limit?.besides ?? []).length > 0;
  const source = slice
    ? `SELECT ${columns} FROM webhook_addresses w
       WHERE w.chain_id = $1 AND w.address = ANY($3::bytea[]) AND w.webhook_id = ANY($6::uuid[]) LIMIT $4`
    : passesOver
      ? `SELECT w.* FROM ${idsBesides({ chainId: "$1", lane: "$2", others: "$6::bigint[]" })} r CROSS JOIN LATERAL (${pairsIn(columns, "r")}) w LIMIT $4`
      : `SELECT ${columns} FROM webhook_addresses w WHERE w.chain_id = $1 AND w.address = ANY($3::bytea[]) LIMIT $4`;
  const { rows } = await db.query<PairRow | (WatcherRow & { address: null })>({
    name: `find-watchers${slice ? "-among" : passesOver ? "-besides" : ""}`,
    // In one round trip, and each webhook once: its options may be long. Once an addition is deleted, every future block is after it. A created
    // contract is watched in every block that its lane still records.
    text: `WITH pairs AS MATERIALIZED (
             SELECT w.address, w.webhook_id,
               CASE WHEN w.created_in IS NULL THEN COALESCE(a.watched_from, a.effective_from_block, 0) ELSE 0 END::bigint AS effective_from_block
             FROM (${source}) w LEFT JOIN address_additions a ON a.id = w.addition)
           SELECT address, webhook_id AS id, NULL AS account_id, NULL AS status, NULL AS shard, NULL AS include_internal_txs, NULL AS include_logs,
             effective_from_block, NULL AS is_cut, NULL AS options, NULL AS signatures
           FROM pairs
           UNION ALL
           SELECT NULL, ${watcherColumns} FROM (${watchersIn(
             "SELECT * FROM webhooks WHERE id = ANY(ARRAY(SELECT DISTINCT webhook_id FROM pairs)) AND lane = $2 AND status = 'active'",
             { most: "$5" },
           )}) w`,
    values: [
      ...[chainId, lane, addresses.map(bytes), atMost(limit && limit.pairsInAll + 1), atMost(limit?.bytesOfAccount)],
      ...(slice ? [slice.webhookIds] : passesOver ? [limit?.besides ?? []] : []),
    ],
  });
  const byId = new Map<string, { from: number; watcher: Watcher }>();
  for (const row of rows)
    if (row.address === null) byId.set(row.id, { from: row.effective_from_block, watcher: toWatcher(row, slice) });
  const pairs = rows.filter((row) => row.address !== null);
  const watches = pairs.map(({ address, id, effective_from_block: from }) => {
    const webhook = byId.get(id);
    const watching = webhook && { from: Math.max(from, webhook.from), watcher: webhook.watcher };
    return { address: `0x${address.toString("hex")}`, watching };
  });
  return {
    addresses: new Set(watches.map(({ address }) => address)),
    accounts: watches.flatMap(({ watching }) => watching?.watcher.accountId ?? []),
    isCut: limit !== undefined && pairs.length > limit.pairsInAll,
    cutAccounts: cutIn(rows.filter((row) => row.address === null)),
    at(blockNumber) {
      const watchedBy = new Map<string, Watcher[]>();
      for (const { address, watching } of watches) {
        if (!watching || blockNumber < watching.from) continue;
        const watchers = watchedBy.get(address);
        if (watchers) watchers.push(watching.watcher);
        else watchedBy.set(address, [watching.watcher]);
      }
      return watchedBy;
    },
  };
}

async function findBeyond(
  db: Queryable,
  { chainId, lane }: LaneId,
  addresses: readonly string[],
  options: Options & { slice?: LaneSlice; limit?: LookupLimit | undefined },
): Promise<{ addresses: string[]; at: Watched["beyondAt"] } & Found> {
  const most = atMost(options.limit?.bytesOfAccount);
  const found: (WatcherRow & { factory: string | null })[] = [];
  if (options.slice) {
    const { rows } = await db.query<WatcherRow & { factory: string | null }>({
      name: "find-beyond-among",
      text: watchersIn(
        `SELECT * FROM (
           SELECT *, options -> 'createdBy' ->> 'address' AS factory, options ->> 'anyAddress' AS anywhere FROM webhooks
           WHERE id = ANY($2::uuid[]) AND lane = $1 AND options IS NOT NULL OFFSET 0) w
         WHERE factory = ANY($3::text[]) OR (anywhere = 'true' AND status = 'active')`,
        { most: "$4", further: ", factory" },
      ),
      values: [lane, options.slice.webhookIds, addresses, most],
    });
    found.push(...rows);
  }
  if (options.anywhere && !options.slice) {
    const { rows } = await db.query<WatcherRow>({
      name: "find-anywhere",
      text: watchersIn(
        "SELECT * FROM webhooks WHERE chain_id = $1 AND lane = $2 AND options ->> 'anyAddress' = 'true' AND status = 'active'",
        { most: "$3" },
      ),
      values: [chainId, lane, most],
    });
    for (const row of rows) found.push({ ...row, factory: null });
  }
  if (options.factories && !options.slice && addresses.length > 0) {
    const { rows } = await db.query<WatcherRow & { factory: string }>({
      name: "find-factories",
      // One by one, or PostgreSQL would read all of the chain's webhooks: it takes each address to have some.
      text: watchersIn(
        `SELECT w.*, asked.address AS factory FROM unnest($3::text[]) AS asked(address) CROSS JOIN LATERAL (
           SELECT * FROM webhooks
           WHERE chain_id = $1 AND lane = $2 AND options -> 'createdBy' ->> 'address' = asked.address OFFSET 0) w`,
        { most: "$4", further: ", factory" },
      ),
      values: [chainId, lane, addresses, most],
    });
    found.push(...rows);
  }
  const watchers = found.map(({ factory, ...row }) => ({
    ...{
      factory,
      from: row.effective_from_block,
      watcher: toWatcher(row, options.slice),
      isActive: row.status === "active",
    },
  }));
  return {
    addresses: watchers.flatMap(({ factory }) => factory ?? []),
    accounts: watchers.map(({ watcher }) => watcher.accountId),
    cutAccounts: cutIn(found),
    at(blockNumber) {
      const inEffect = watchers.filter(({ from }) => blockNumber >= from);
      if (inEffect.length === 0) return undefined;
      return {
        anywhere: inEffect.filter(({ factory }) => factory === null).map(({ watcher }) => watcher),
        factories: inEffect
          .filter(({ factory }) => factory !== null)
          .map(({ watcher, isActive }) => ({ ...watcher, isActive })),
      };
    },
  };
}

const cutIn = (rows: readonly Pick<WatcherRow, "account_id" | "is_cut">[]) =>
  rows.filter((row) => row.is_cut).map((row) => row.account_id);

/** A limit as a parameter of a statement. */
const atMost = (limit: number | undefined) => (limit !== undefined && Number.isFinite(limit) ? limit : null);

function toWatcher(row: WatcherRow, slice?: LaneSlice): Watcher {
  return {
    id: row.id,
    accountId: row.account_id,
    shard: row.shard,
    eventSignatures: new Set(row.signatures ?? []),
    includeInternalTxs: slice?.traces ?? row.include_internal_txs,
    includeLogs: row.include_logs,
    ...(row.options && { options: row.options }),
  };
}

/**
 * The ids of webhooks. Those of an account begin alike, so that an index with the webhook behind the address has them next to each other: a lookup
 * passes over all of an account that is set apart, however many of its webhooks watch an address. Of 10,000 webhooks that watch 1,000 addresses of
 * a block it would read ten million entries otherwise, in six seconds.
 */

/** Of an account by its tag, 48 bits, as digits of a UUID. The tag itself is no business of those who get notifications. */
const start = (tag: string) => `(left(md5(${tag}), 8) || '-' || substr(md5(${tag}), 9, 4))`;
const startLength = 13;

/** Selects a new webhook's id. @param random a random UUID */
export const ownId = (tag: string, random: string) =>
  `(${start(tag)} || substr(${random}::uuid::text, ${startLength + 1}))::uuid`;

const zero = "00000000-0000-0000-0000-000000000000";
const last = "ffffffff-ffff-ffff-ffff-ffffffffffff";

/**
 * Selects what is between the webhooks of accounts that are set apart on a chain, and of some others: ranges by the columns `after` and `before`, which
 * have every webhook of a lane. Nothing is passed over that has one, whatever it is called: it may be from another cell.
 *
 * @param others the ids of the other accounts
 */
const idsBesides = ({ chainId, lane, others }: { chainId: string; lane: string; others: string }) => `
  (SELECT lag(ends, 1, '${zero}'::uuid) OVER (ORDER BY ends) AS after, starts AS before FROM (
     SELECT (${start("a.tag")} || substr('${zero}', ${startLength + 1}))::uuid AS starts,
       (${start("a.tag")} || substr('${last}', ${startLength + 1}))::uuid AS ends
     FROM accounts a WHERE a.id IN (SELECT apart_account FROM chain_lanes WHERE chain_id = ${chainId} UNION SELECT unnest(${others}))
     UNION ALL SELECT '${last}', '${last}') apart
   WHERE ends = '${last}' OR NOT EXISTS (
     SELECT FROM webhooks w WHERE w.chain_id = ${chainId} AND w.lane = ${lane} AND w.id BETWEEN apart.starts AND apart.ends))`;

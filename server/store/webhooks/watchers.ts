/** Finds who watches a block's addresses: the only lookup that a block needs. */
import type { WebhookOptions } from "../../new-webhook.ts";
import type { LaneId, Recorded } from "../chains/cursor.ts";
import type { Queryable } from "../pool.ts";

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
  signatures: string[];
  include_internal_txs: boolean;
  include_logs: boolean;
  options: WebhookOptions | null;
  effective_from_block: number;
};

const watcherColumns = `id, account_id, status, shard, include_internal_txs, include_logs, options, effective_from_block,
  ARRAY(SELECT '0x' || encode(signature, 'hex') FROM unnest(event_signatures) signature) AS signatures`;

/** The watchers of some addresses. */
export type Watched = {
  /** How many of the addresses are watched on the chain at all: in any lane, active or not, from any block on. */
  addressCount: number;
  /** For each address, the active webhooks for which both are in effect at a block. */
  at(blockNumber: number): Map<string, Watcher[]>;
  /** Those in effect at a block that watch more than addresses; undefined if there are none. */
  beyondAt(blockNumber: number): WatchersBeyond | undefined;
};

/** Some webhooks of a lane, and whether the lane has traces. */
type LaneSlice = { webhookIds: readonly string[]; traces: boolean };

/** Which of the options exist; without it, they are looked for. */
type Options = Pick<Recorded, "anywhere" | "factories">;

/**
 * Finds the lane's active webhooks that watch any of the addresses.
 *
 * @param addresses 0x-prefixed, lower case, distinct
 * @param options.slice only these webhooks; by default all. What they want of call frames is what their lane has: a wish that came since the
 *   cursor moved holds from the next block on
 */
export async function findWatchers(
  db: Queryable,
  lane: LaneId,
  addresses: readonly string[],
  options: Options & { slice?: LaneSlice } = { anywhere: true, factories: true },
): Promise<Watched> {
  const beyond = await findBeyond(db, lane, addresses, options);
  const watched = await findWatchersOf(db, lane, addresses, options.slice);
  for (const address of beyond.addresses) watched.addresses.add(address);
  return { at: watched.at, beyondAt: beyond.at, addressCount: watched.addresses.size };
}

async function findWatchersOf(
  db: Queryable,
  { chainId, lane }: LaneId,
  addresses: readonly string[],
  slice?: LaneSlice,
): Promise<{ addresses: Set<string>; at: Watched["at"] }> {
  const nobody = { addresses: new Set<string>(), at: () => new Map<string, Watcher[]>() };
  if (addresses.length === 0) return nobody;
  const { rows } = await db.query<PairRow | (WatcherRow & { address: null })>({
    name: slice ? "find-watchers-among" : "find-watchers",
    // In one round trip, and each webhook once: its options may be long. Once an addition is deleted, every future block is after it. A created
    // contract is watched in every block that its lane still records.
    text: `WITH pairs AS MATERIALIZED (
             SELECT w.address, w.webhook_id,
               CASE WHEN w.created_in IS NULL THEN COALESCE(a.effective_from_block, 0) ELSE 0 END::bigint AS effective_from_block
             FROM webhook_addresses w LEFT JOIN address_additions a ON a.id = w.addition
             WHERE w.chain_id = $1 AND w.address = ANY($2::bytea[])${slice ? " AND w.webhook_id = ANY($4::uuid[])" : ""})
           SELECT address, webhook_id AS id, effective_from_block, NULL AS account_id, NULL AS status, NULL AS shard, NULL AS include_internal_txs,
             NULL AS include_logs, NULL AS options, NULL AS signatures
           FROM pairs
           UNION ALL
           SELECT NULL, id, effective_from_block, account_id, status, shard, include_internal_txs, include_logs, options, signatures
           FROM (SELECT ${watcherColumns} FROM webhooks
             WHERE id = ANY(ARRAY(SELECT DISTINCT webhook_id FROM pairs)) AND lane = $3 AND status = 'active') w`,
    values: [
      chainId,
      addresses.map((address) => Buffer.from(address.slice(2), "hex")),
      lane,
      ...(slice ? [slice.webhookIds] : []),
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
  options: Options & { slice?: LaneSlice },
): Promise<{ addresses: string[]; at: Watched["beyondAt"] }> {
  const found: (WatcherRow & { factory: string | null })[] = [];
  if (options.anywhere) {
    const { rows } = await db.query<WatcherRow>({
      name: "find-anywhere",
      text: `SELECT ${watcherColumns} FROM webhooks
             WHERE chain_id = $1 AND lane = $2 AND options ->> 'anyAddress' = 'true' AND status = 'active'`,
      values: [chainId, lane],
    });
    for (const row of rows) found.push({ ...row, factory: null });
  }
  if (options.factories && addresses.length > 0) {
    const { rows } = await db.query<WatcherRow & { factory: string }>({
      name: "find-factories",
      // One by one, or PostgreSQL would read all of the chain's webhooks: it takes each address to have some.
      text: `SELECT w.* FROM unnest($3::text[]) AS asked(address) CROSS JOIN LATERAL (
               SELECT ${watcherColumns}, options -> 'createdBy' ->> 'address' AS factory FROM webhooks
               WHERE chain_id = $1 AND lane = $2 AND options -> 'createdBy' ->> 'address' = asked.address OFFSET 0) w`,
      values: [chainId, lane, addresses],
    });
    found.push(...rows);
  }
  const among = options.slice && new Set(options.slice.webhookIds);
  const wanted = among ? found.filter(({ id }) => among.has(id)) : found;
  const watchers = wanted.map(({ factory, ...row }) => ({
    ...{
      factory,
      from: row.effective_from_block,
      watcher: toWatcher(row, options.slice),
      isActive: row.status === "active",
    },
  }));
  return {
    addresses: watchers.flatMap(({ factory }) => factory ?? []),
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

function toWatcher(row: WatcherRow, slice?: LaneSlice): Watcher {
  return {
    id: row.id,
    accountId: row.account_id,
    shard: row.shard,
    eventSignatures: new Set(row.signatures),
    includeInternalTxs: slice?.traces ?? row.include_internal_txs,
    includeLogs: row.include_logs,
    ...(row.options && { options: row.options }),
  };
}

/** Finds who watches a block's addresses: the only lookup that a block needs. */
import type { WebhookOptions } from "../../new-webhook.ts";
import type { LaneId } from "../chains/cursor.ts";
import type { Queryable } from "../pool.ts";

/** A webhook, with the fields that matching and recording need. */
export type Watcher = {
  id: string;
  shard: number;
  eventSignatures: ReadonlySet<string>;
  includeInternalTxs: boolean;
  includeLogs: boolean;
  /** Absent if it has none. */
  options?: WebhookOptions;
};

type PairRow = { address: Buffer; webhook_id: string; effective_from_block: number };
type WebhookRow = {
  id: string;
  shard: number;
  signatures: string[];
  include_internal_txs: boolean;
  include_logs: boolean;
  options: WebhookOptions | null;
  effective_from_block: number;
};

/** The watchers of some addresses. */
export type Watched = {
  /** How many of the addresses are watched on the chain at all: in any lane, active or not, from any block on. */
  addressCount: number;
  /** For each address, the active webhooks for which both are in effect at a block. */
  at(blockNumber: number): Map<string, Watcher[]>;
};

const nobody: Watched = { addressCount: 0, at: () => new Map() };

/** Finds the lane's active webhooks that watch any of the addresses. @param addresses 0x-prefixed, lower case, distinct */
export async function findWatchers(
  db: Queryable,
  { chainId, lane }: LaneId,
  addresses: readonly string[],
): Promise<Watched> {
  if (addresses.length === 0) return nobody;
  const pairs = await db.query<PairRow>({
    name: "find-watched-addresses",
    // Once an addition is deleted, every future block is after it.
    text: `SELECT w.address, w.webhook_id, COALESCE(a.effective_from_block, 0)::bigint AS effective_from_block
           FROM webhook_addresses w LEFT JOIN address_additions a ON a.id = w.addition
           WHERE w.chain_id = $1 AND w.address = ANY($2::bytea[])`,
    values: [chainId, addresses.map((address) => Buffer.from(address.slice(2), "hex"))],
  });
  if (pairs.rows.length === 0) return nobody;
  const webhooks = await db.query<WebhookRow>({
    name: "find-watchers",
    text: `SELECT id, shard, include_internal_txs, include_logs, options, effective_from_block,
             ARRAY(SELECT '0x' || encode(signature, 'hex') FROM unnest(event_signatures) signature) AS signatures
           FROM webhooks WHERE id = ANY($1::uuid[]) AND lane = $2 AND status = 'active'`,
    values: [[...new Set(pairs.rows.map((pair) => pair.webhook_id))], lane],
  });
  const byId = new Map(
    webhooks.rows.map((row) => [row.id, { from: row.effective_from_block, watcher: toWatcher(row) }]),
  );
  const watches = pairs.rows.map(({ address, webhook_id, effective_from_block: from }) => {
    const webhook = byId.get(webhook_id);
    const watching = webhook && { from: Math.max(from, webhook.from), watcher: webhook.watcher };
    return { address: `0x${address.toString("hex")}`, watching };
  });
  return {
    addressCount: new Set(watches.map(({ address }) => address)).size,
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

function toWatcher(row: WebhookRow): Watcher {
  return {
    id: row.id,
    shard: row.shard,
    eventSignatures: new Set(row.signatures),
    includeInternalTxs: row.include_internal_txs,
    includeLogs: row.include_logs,
    ...(row.options && { options: row.options }),
  };
}

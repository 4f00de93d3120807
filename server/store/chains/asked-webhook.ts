/** What a question needs of an existing webhook: its filter, and from which block on it watches the addresses of a block. */
import type { Queryable } from "../pool.ts";
import type { Watcher } from "../webhooks/watchers.ts";
import { readWatcher } from "./replay-work.ts";

export type AskedWebhook = {
  webhook: Watcher;
  watchedFrom(addresses: readonly string[]): Promise<WatchedFrom>;
};

/** @returns undefined when the webhook is gone, or another cell records for it */
export async function readAskedWebhook(db: Queryable, webhookId: string): Promise<AskedWebhook | undefined> {
  const webhook = await readWatcher(db, webhookId);
  return webhook && { webhook, watchedFrom: (addresses) => watchedFrom(db, webhookId, addresses) };
}

/** Of some addresses those that the webhook watches: each with its first block, 0 if that is long ago, or with that of its factory's log. */
type WatchedFrom = { watched: Map<string, number>; named: Map<string, number> };

async function watchedFrom(db: Queryable, webhookId: string, addresses: readonly string[]): Promise<WatchedFrom> {
  const { rows } = await db.query<{ address: Buffer; from: number; createdIn: number | null }>({
    name: "watched-from",
    text: `SELECT w.address, COALESCE(a.effective_from_block, 0)::bigint AS from, w.created_in AS "createdIn"
           FROM webhook_addresses w LEFT JOIN address_additions a ON a.id = w.addition
           WHERE w.webhook_id = $1 AND w.address = ANY($2::bytea[])`,
    values: [webhookId, addresses.map((address) => Buffer.from(address.slice(2), "hex"))],
  });
  const found: WatchedFrom = { watched: new Map(), named: new Map() };
  for (const { address, from, createdIn } of rows) {
    const text = `0x${address.toString("hex")}`;
    if (createdIn === null) found.watched.set(text, from);
    else found.named.set(text, createdIn);
  }
  return found;
}

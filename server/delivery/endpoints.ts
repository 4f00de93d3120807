/** Which endpoints are held in memory: opened when something is to be sent, refreshed after a change, forgotten at rest. */
import { canSign, type EndpointRecord, readEndpoints } from "../store/delivery/endpoint-states.ts";
import type { Account } from "./account.ts";
import { isIdle, park } from "./backlog.ts";
import { type Endpoint, isFree, openEndpoint, refreshEndpoint } from "./endpoint.ts";
import type { FeedContext } from "./feed-context.ts";
import type { Shard } from "./shard.ts";

/** With more than this many, those at rest are forgotten. One takes about two kilobytes. */
const heldAtMost = 50_000;

/** Opens the endpoints of webhooks that are not held yet. @returns each row's endpoint; undefined where the webhook no longer exists */
export async function openEndpoints(
  context: FeedContext,
  rows: readonly { shard: number; webhookId: string }[],
): Promise<(Endpoint | undefined)[]> {
  const { shards, accounts } = context;
  const endpoints = () => rows.map(({ shard, webhookId }) => shards.get(shard)?.endpoints.get(webhookId));
  const held = endpoints();
  const missing = new Map<string, Shard>();
  for (const [index, { shard: id, webhookId }] of rows.entries()) {
    const shard = held[index] ? undefined : shards.get(id);
    if (shard) missing.set(webhookId, shard);
  }
  if (missing.size === 0) return held;
  for (const record of await read(context, [...missing.keys()])) {
    const shard = missing.get(record.webhookId);
    const endpoint = openEndpoint(record, accounts.of(record.accountId));
    shard?.endpoints.set(record.webhookId, endpoint);
    if (endpoint.backlog.parked) shard?.backlogged.add(endpoint);
  }
  return endpoints();
}

/** Something held of these shards' webhooks may have changed: what is in use is read again, the rest forgotten. */
export async function refreshEndpoints(context: FeedContext, changed: ReadonlyMap<Shard, number>): Promise<void> {
  for (const shard of changed.keys())
    for (const endpoint of shard.endpoints.values()) if (isIdle(endpoint)) forget(shard, endpoint);
  const inUse = [...changed.keys()].flatMap(({ endpoints }) => [...endpoints.keys()]);
  const records = inUse.length > 0 ? await read(context, inUse) : [];
  const byId = new Map(records.map((record) => [record.webhookId, record]));
  for (const [shard, version] of changed) {
    for (const endpoint of [...shard.endpoints.values()]) {
      const record = byId.get(endpoint.webhookId);
      if (record) {
        refreshEndpoint(endpoint, record);
        if (endpoint.active) shard.backlogged.add(endpoint);
        else park(endpoint);
        context.recorder.touch(shard, endpoint);
      } else {
        drop(shard, endpoint);
      }
    }
    shard.version = version;
    shard.undiscovered = true;
  }
}

/** Without its secret nothing is sent to an endpoint, unsigned least of all: what is for it waits, as for one that is paused. */
async function read({ pool, keyring, log }: FeedContext, webhookIds: readonly string[]): Promise<EndpointRecord[]> {
  const records = await readEndpoints(pool, webhookIds, keyring);
  const unreadable = records.filter((record) => record.unreadable);
  if (unreadable.length > 0)
    log.error(
      {
        err: unreadable[0]?.unreadable,
        webhooks: unreadable.length,
        waiting: unreadable.filter((record) => !canSign(record)).length,
        webhookIds: unreadable.slice(0, 10).map(({ webhookId }) => webhookId),
      },
      "signing secrets cannot be read; what would be signed with the current one waits until SECRET_KEY holds its key",
    );
  return records;
}

/** The webhook is deleted: what waited for it is gone. */
function drop(shard: Shard, endpoint: Endpoint): void {
  endpoint.active = false;
  park(endpoint);
  for (const place of endpoint.backlog.uncovered.splice(0)) place.done = true;
  forget(shard, endpoint);
}

function forget(shard: Shard, endpoint: Endpoint): void {
  shard.endpoints.delete(endpoint.webhookId);
  shard.backlogged.delete(endpoint);
}

/** Parks what waits in memory for endpoints that cannot take more at present. @param of only accounts for which this holds */
export function parkHeldUp(
  { recorder }: FeedContext,
  shards: readonly Shard[],
  of: (account: Account) => boolean = () => true,
): void {
  for (const shard of shards) {
    for (const endpoint of shard.endpoints.values()) {
      if (endpoint.queue.length === 0 || !of(endpoint.account) || (isFree(endpoint) && !endpoint.pace.slow)) continue;
      park(endpoint);
      shard.backlogged.add(endpoint);
      recorder.touch(shard, endpoint);
    }
  }
}

/** Keeps memory within bounds, however many webhooks there are. */
export function forgetIdle(shards: readonly Shard[]): void {
  let excess = shards.reduce((sum, { endpoints }) => sum + endpoints.size, -heldAtMost);
  if (excess <= 0) return;
  // More than asked for, so that it need not be done all the time.
  excess += heldAtMost / 10;
  for (const shard of shards) {
    for (const endpoint of shard.endpoints.values()) {
      if (excess <= 0) return;
      if (!isIdle(endpoint)) continue;
      forget(shard, endpoint);
      excess -= 1;
    }
  }
}

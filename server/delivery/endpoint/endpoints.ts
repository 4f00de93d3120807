/** The endpoints in memory: opened when there is something to send, refreshed after a change, forgotten when idle. */
import { mayHoldMore } from "../../base/fair-share.ts";
import type { Logger } from "../../base/log.ts";
import type { Keyring } from "../../settings/keyring.ts";
import { canSend, type EndpointRecord, readEndpoints } from "../../store/delivery/endpoint-states.ts";
import type { Pool } from "../../store/pool.ts";
import type { AccountShares, Accounts } from "../accounts.ts";
import type { Shard } from "../shard.ts";
import { Endpoint } from "./endpoint.ts";

/** Beyond this many, idle ones are forgotten. One takes about two kilobytes. */
const endpointLimit = 50_000;

/** A shard with its endpoints in memory. */
export type OwnedShard = Shard & {
  /** By webhook. */
  readonly endpoints: Map<string, Endpoint>;
  /** Those that may have a backlog to read. */
  readonly backlogged: Set<Endpoint>;
};

/** What endpoints are read with, and where they are kept. */
export type EndpointsContext = {
  pool: Pool;
  keyring: Keyring;
  log: Logger;
  /** The shards that this process owns, by number. One that is lost and claimed again is another object. */
  shards: ReadonlyMap<number, OwnedShard>;
  accounts: Accounts;
  /** Writes endpoints' states. */
  recorder: { noteChange(endpoint: Endpoint): void };
};

/** @returns the shard, which from now on has endpoints in memory */
export function withEndpoints(shard: Shard): OwnedShard {
  return Object.assign(shard, { endpoints: new Map(), backlogged: new Set<Endpoint>() });
}

/** Closes the endpoints of a shard that is given up. Its next owner reads what waited for them. */
export function closeEndpoints({ endpoints }: OwnedShard): void {
  for (const endpoint of endpoints.values()) endpoint.close();
  endpoints.clear();
}

/** Opens the endpoints of webhooks that are not in memory. @returns each row's endpoint; undefined if the webhook no longer exists */
export async function openEndpoints(
  context: EndpointsContext,
  rows: readonly { shard: number; webhookId: string }[],
): Promise<(Endpoint | undefined)[]> {
  const { shards, accounts } = context;
  const endpoints = () => rows.map(({ shard, webhookId }) => shards.get(shard)?.endpoints.get(webhookId));
  const known = endpoints();
  const missing = new Map<string, OwnedShard>();
  for (const [index, { shard: id, webhookId }] of rows.entries()) {
    const shard = known[index] ? undefined : shards.get(id);
    if (shard) missing.set(webhookId, shard);
  }
  if (missing.size === 0) return known;
  for (const record of await read(context, [...missing.keys()])) {
    const shard = missing.get(record.webhookId);
    if (!shard) continue;
    const endpoint = new Endpoint(record, shard, accounts.of(record.accountId));
    shard.endpoints.set(record.webhookId, endpoint);
    if (endpoint.backlog.isParked) shard.backlogged.add(endpoint);
  }
  return endpoints();
}

/** Webhooks of these shards have changed: endpoints in use are read again, idle ones forgotten. */
export async function refreshEndpoints(
  context: EndpointsContext,
  changed: ReadonlyMap<OwnedShard, number>,
): Promise<void> {
  for (const shard of changed.keys())
    for (const endpoint of shard.endpoints.values()) if (endpoint.isIdle) forget(shard, endpoint);
  const inUse = [...changed.keys()].flatMap(({ endpoints }) => [...endpoints.keys()]);
  const records = inUse.length > 0 ? await read(context, inUse) : [];
  const byId = new Map(records.map((record) => [record.webhookId, record]));
  for (const [shard, version] of changed) {
    for (const endpoint of [...shard.endpoints.values()]) {
      const record = byId.get(endpoint.webhookId);
      if (record) {
        endpoint.refresh(record);
        if (endpoint.isActive) shard.backlogged.add(endpoint);
        context.recorder.noteChange(endpoint);
      } else {
        endpoint.drop();
        forget(shard, endpoint);
      }
    }
    shard.version = version;
    shard.undiscovered = true;
  }
}

/**
 * An endpoint whose secret or headers cannot be decrypted gets nothing, since nothing may go out unsigned, or without what its owner set. Its
 * notifications wait, as if it were paused.
 */
async function read(
  { pool, keyring, log }: EndpointsContext,
  webhookIds: readonly string[],
): Promise<EndpointRecord[]> {
  const records = await readEndpoints(pool, webhookIds, keyring);
  const unreadable = records.filter((record) => record.unreadable);
  if (unreadable.length > 0)
    log.error(
      {
        err: unreadable[0]?.unreadable,
        webhooks: unreadable.length,
        waiting: unreadable.filter((record) => !canSend(record)).length,
        webhookIds: unreadable.slice(0, 10).map(({ webhookId }) => webhookId),
      },
      "secrets of webhooks cannot be read; what needs a current one waits until SECRET_KEY holds its key, or its owner sets another",
    );
  return records;
}

function forget(shard: OwnedShard, endpoint: Endpoint): void {
  shard.endpoints.delete(endpoint.webhookId);
  shard.backlogged.delete(endpoint);
}

/** Parks what waits in memory for endpoints that cannot take more now. @param of only accounts for which this returns true */
export function parkStalled(
  { recorder }: EndpointsContext,
  shards: readonly OwnedShard[],
  of: (account: AccountShares) => boolean = () => true,
): void {
  for (const shard of shards) {
    for (const endpoint of shard.endpoints.values()) {
      if (endpoint.queued === 0 || !of(endpoint.account)) continue;
      if (endpoint.isFree && endpoint.speed !== "slow" && !endpoint.isGathering) continue;
      endpoint.park();
      shard.backlogged.add(endpoint);
      recorder.noteChange(endpoint);
    }
  }
}

/** Keeps memory within bounds, however many webhooks there are. */
export function forgetIdle(shards: readonly OwnedShard[]): void {
  let excess = shards.reduce((sum, { endpoints }) => sum + endpoints.size, -endpointLimit);
  if (excess <= 0) return;
  // Some more, so that this does not run in every round.
  excess += endpointLimit / 10;
  for (const shard of shards) {
    for (const endpoint of shard.endpoints.values()) {
      if (excess <= 0) return;
      if (!endpoint.isIdle) continue;
      forget(shard, endpoint);
      excess -= 1;
    }
  }
}

/**
 * With this many POSTs ready to send, the process is busy while more are read. The longer they wait, the more they cost the garbage
 * collector. An account alone has half of it (accounts.ts).
 */
const readyLimit = 2_000;

/** @returns the accounts that have enough to send: this process limits them, not their endpoints */
export function busyAccounts(accounts: Accounts, open: readonly OwnedShard[]): ReadonlySet<AccountShares> {
  const ready = new Map<AccountShares, number>();
  let all = 0;
  // With fewer, no account can have its share, so they are not counted.
  if (accounts.all.notifications.used * 2 < readyLimit) return new Set();
  for (const { endpoints } of open)
    for (const endpoint of endpoints.values()) {
      const { queuedPosts, account } = endpoint;
      if (queuedPosts === 0 || !endpoint.isFree || endpoint.isGathering || endpoint.speed === "slow") continue;
      ready.set(account, (ready.get(account) ?? 0) + queuedPosts);
      all += queuedPosts;
    }
  return new Set([...ready].flatMap(([account, own]) => (mayHoldMore(own, all, readyLimit) ? [] : [account])));
}

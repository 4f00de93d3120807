/** What the parts of the feed share. */

import { mayHoldMore } from "../base/fair-share.ts";
import type { Logger } from "../base/log.ts";
import type { Keyring } from "../settings/keyring.ts";
import type { AccountFilter } from "../store/delivery/feed.ts";
import type { Pool } from "../store/pool.ts";
import type { Account, Accounts } from "./account.ts";
import type { Endpoint } from "./endpoint.ts";
import type { EventTexts } from "./event-texts.ts";
import type { Recorder } from "./recorder.ts";
import type { Sender } from "./sender.ts";
import type { Shard } from "./shard.ts";

/** A shard with its endpoints in memory. */
export type OwnedShard = Shard & {
  /** By webhook. */
  readonly endpoints: Map<string, Endpoint>;
  /** Those that may have a backlog to read. */
  readonly backlogged: Set<Endpoint>;
};

export type FeedContext = {
  pool: Pool;
  keyring: Keyring;
  log: Logger;
  /** The shards that this process owns, by number. One that is lost and claimed again is another object. */
  shards: ReadonlyMap<number, OwnedShard>;
  accounts: Accounts;
  texts: EventTexts;
  recorder: Recorder;
  sender: Sender;
};

/** The rest of an account's memory belongs to the streams. Otherwise dead endpoints with long backlogs would keep them from being read. */
export const memoryForBacklogs = 0.5;

/**
 * With this many POSTs ready to send, the process is busy while more are read. The longer they wait, the more they cost the garbage
 * collector. An account alone has half of it (account.ts).
 */
const readyLimit = 2_000;

/** @returns the accounts that have enough to send: this process limits them, not their endpoints */
export function busyAccounts({ accounts }: FeedContext, open: readonly OwnedShard[]): ReadonlySet<Account> {
  const ready = new Map<Account, number>();
  let all = 0;
  // With fewer, no account can have its share, so they are not counted.
  if (accounts.all.notifications.held * 2 < readyLimit) return new Set();
  for (const { endpoints } of open)
    for (const endpoint of endpoints.values()) {
      const { queuedPosts, account } = endpoint;
      if (queuedPosts === 0 || !endpoint.isFree || endpoint.isGathering || endpoint.speed === "slow") continue;
      ready.set(account, (ready.get(account) ?? 0) + queuedPosts);
      all += queuedPosts;
    }
  return new Set([...ready].flatMap(([account, own]) => (mayHoldMore(own, all, readyLimit) ? [] : [account])));
}

/** The stream is read without the endpoints that have a backlog; otherwise others would wait behind their millions. */
const leftOutLimit = 20_000;

/** @returns the webhooks whose notifications are not read, because their backlog holds them */
export function leftOut(shards: readonly OwnedShard[], { only, but = [] }: AccountFilter = {}): string[] {
  const webhookIds: string[] = [];
  for (const { backlogged } of shards)
    for (const { webhookId, account, backlog } of backlogged) {
      const isRead = only === undefined ? !but.includes(account.id) : account.id === only;
      if (isRead && backlog.hasSkipped && webhookIds.length < leftOutLimit) webhookIds.push(webhookId);
    }
  return webhookIds;
}

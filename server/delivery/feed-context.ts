/** What the parts of the feed share. */
import type { Logger } from "pino";
import { mayHoldMore } from "../fair-share.ts";
import type { Pool } from "../store/pool.ts";
import type { Keyring } from "../store/webhooks/keyring.ts";
import type { Account, Accounts } from "./account.ts";
import { isFree } from "./endpoint.ts";
import type { Recorder } from "./recorder.ts";
import type { Sender } from "./sender.ts";
import type { Shard } from "./shard.ts";
import type { Texts } from "./texts.ts";

export type FeedContext = {
  pool: Pool;
  keyring: Keyring;
  log: Logger;
  /** The shards that this process owns, by number. One that was lost and taken again is another object. */
  shards: ReadonlyMap<number, Shard>;
  accounts: Accounts;
  texts: Texts;
  recorder: Recorder;
  sender: Sender;
};

/** The rest of an account's memory is the streams': dead endpoints with long backlogs must not keep them from being read. */
export const partForBacklogs = 0.5;

/**
 * So many tasks that could begin keep the process busy while more are read; the longer they wait, the more they cost the collector.
 * An account alone has half of it, as account.ts says.
 */
const readyLimit = 2_000;

/** @returns the accounts that have enough to do: what holds them up is this process, and not their endpoints */
export function busyAccounts({ accounts }: FeedContext, open: readonly Shard[]): ReadonlySet<Account> {
  const ready = new Map<Account, number>();
  let all = 0;
  // Fewer are none's share, so that they need not be counted.
  if (accounts.all.tasks.held * 2 < readyLimit) return new Set();
  for (const { endpoints } of open)
    for (const endpoint of endpoints.values()) {
      if (endpoint.queue.length === 0 || !isFree(endpoint) || endpoint.pace.slow) continue;
      ready.set(endpoint.account, (ready.get(endpoint.account) ?? 0) + endpoint.queue.length);
      all += endpoint.queue.length;
    }
  return new Set([...ready].flatMap(([account, own]) => (mayHoldMore(own, all, readyLimit) ? [] : [account])));
}

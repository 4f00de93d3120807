/** What the API allows its clients: the limits that an operator sets, and those that are the same everywhere. */
import { ServiceError } from "../base/errors.ts";
import { type Environment, settings } from "./settings.ts";

/** How many webhooks an account may have, and how many addresses they may watch in total. */
export type Quotas = {
  webhooks: number;
  addresses: number;
  /** How many of its webhooks may have `anyAddress`; none if it is absent. */
  anyAddress?: number;
  /**
   * How many comparisons their conditions may have together; any number if it is absent. All of them may watch one contract that emits 10,000
   * logs in a block. 1,000 comparisons then take 0.15 to 0.3 s, for which every other account's notifications wait.
   */
  comparisons?: number;
  /** How many bytes of JSON the events may have by which their logs are decoded; any number if it is absent. Processes that send hold them. */
  abiBytes?: number;
};

/** What a limit allows: `requests` in `seconds`. */
export type RateLimit = { requests: number; seconds: number };

/** The limits of the API. An undefined limit means none. */
export type Limits = {
  /** Requests of each API key. */
  perKey: RateLimit | undefined;
  /** Requests of each client address without a key, or with a wrong one. */
  perAddress: RateLimit | undefined;
  /** Which proxies may name the client's address: the number of proxies in a row, or their networks. */
  trustProxy: number | string[];
  quotas: Quotas;
  /** How many concurrent requests the API handles. It refuses more immediately. */
  concurrentRequests: number;
  /** How many connections a process keeps open. */
  connections: number;
};

/** @throws {ServiceError} `config_invalid` */
export function readLimits(env: Environment): Limits {
  const seconds = settings.rateLimitSeconds.read(env);
  const limit = (requests: number): RateLimit | undefined => (requests === 0 ? undefined : { requests, seconds });
  return {
    perKey: limit(settings.rateLimitKey.read(env)),
    perAddress: limit(settings.rateLimitAddress.read(env)),
    trustProxy: settings.trustProxy.read(env),
    quotas: {
      webhooks: settings.webhookQuota.read(env),
      addresses: settings.addressQuota.read(env),
      anyAddress: settings.anyAddressQuota.read(env),
      comparisons: settings.comparisonQuota.read(env),
      abiBytes: settings.abiQuota.read(env),
    },
    concurrentRequests: settings.maxConcurrentRequests.read(env),
    connections: settings.maxConnections.read(env),
  };
}

/** How many keys an account may use within 24 hours. An answer takes up to 50 KB. */
const mostKeys = 10_000;

/** @param used within 24 hours @throws {ServiceError} `over_quota` */
export function assertFewUsed(used: number): void {
  if (used <= mostKeys) return;
  const most = mostKeys.toLocaleString("en");
  throw new ServiceError(
    "over_quota",
    `The account may use at most ${most} Idempotency-Keys within 24 hours; repeat the request without one, or later.`,
  );
}

type AccountUse = Pick<Quotas, "webhooks" | "addresses">;

/** @throws {ServiceError} `over_quota` */
export function assertFits(has: AccountUse, quotas: AccountUse): void {
  if (has.webhooks > quotas.webhooks) throw overQuota("webhooks", quotas.webhooks);
  if (has.addresses > quotas.addresses) throw overQuota("addresses", quotas.addresses);
}

function overQuota(what: "webhooks" | "addresses", quota: number): ServiceError {
  const most = quota.toLocaleString("en");
  return new ServiceError(
    "over_quota",
    `The account may have at most ${most} ${what}; remove some, or ask the operator for more.`,
  );
}

/** The maximum number of addresses of a webhook. */
export const maxAddresses = 1_000_000;

/** @throws {ServiceError} `too_many_addresses` for more than a webhook may watch */
export function assertFewAddresses(total: number): void {
  if (total <= maxAddresses) return;
  const limit = maxAddresses.toLocaleString("en");
  throw new ServiceError("too_many_addresses", `addresses must leave the webhook with at most ${limit} addresses.`);
}

/** The maximum number of blocks in a replay. */
const longestReplay = 10_000;

/** Block numbers of any length come as text, so they are compared before they become numbers. @throws {ServiceError} `replay_out_of_range` */
export function readReplayRange({ fromBlock, toBlock }: { fromBlock: string; toBlock: string }): {
  from: bigint;
  to: bigint;
} {
  const [from, to] = [BigInt(fromBlock), BigInt(toBlock)];
  const outside = (message: string) => new ServiceError("replay_out_of_range", message);
  if (from > to) throw outside("fromBlock must be at most toBlock.");
  if (to - from >= longestReplay)
    throw outside(`toBlock must be at most ${(longestReplay - 1).toLocaleString("en")} above fromBlock.`);
  return { from, to };
}

/** The maximum number of unfinished replays of a webhook. */
const unfinishedLimit = 10;

/** @throws {ServiceError} `too_many_replays` for a webhook that already has as many as it may */
export function assertFewReplays(unfinished: number): void {
  if (unfinished < unfinishedLimit) return;
  const message = `The webhook has ${unfinishedLimit} unfinished replays; wait until one finishes.`;
  throw new ServiceError("too_many_replays", message);
}

/** @throws {ServiceError} `replay_out_of_range` */
export function assertFollowed(toBlock: bigint, followed: number, chainId: string): void {
  if (toBlock <= followed) return;
  const message = `toBlock must be at most ${followed}, the newest followed block of chain ${chainId}.`;
  throw new ServiceError("replay_out_of_range", message);
}

/** The maximum number of addresses in a record. */
export const shownAddresses = 1_000;

/** How many addresses a page of webhooks has at most. A hundred webhooks with 1,000 each kept the event loop busy for 0.2 s. */
const shownInPage = 10_000;

/** The maximum number of addresses of each webhook in a page. */
export function shownInPageOf(pageSize: number): number {
  return Math.min(shownAddresses, Math.floor(shownInPage / pageSize));
}

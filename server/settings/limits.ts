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
  /** How many blocks of the past it may have read within 24 hours; any number if it is absent. */
  historyBlocks?: number | undefined;
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
      historyBlocks: settings.historyBlocks.read(env),
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

/** What an account may keep of changes of addresses that are not committed: 40 MB. */
const stagedLimits = { addresses: 2_000_000, parts: 1_000 };
/** How many changes of addresses an account may make in parts within 24 hours. Each is a row, and its answer. */
const changesLimit = 10_000;

/** @throws {ServiceError} `over_quota` */
export function assertFewStaged(has: { addresses: number; parts: number; changes: number }): void {
  const most = (count: number) => count.toLocaleString("en");
  if (has.changes > changesLimit)
    throw new ServiceError(
      "over_quota",
      `The account may begin at most ${most(changesLimit)} changes of addresses within 24 hours; try again later.`,
    );
  const { addresses, parts } = stagedLimits;
  if (has.addresses <= addresses && has.parts <= parts) return;
  const message = `Changes of addresses that are not committed may have at most ${most(addresses)} addresses, in ${most(parts)} parts; commit one first.`;
  throw new ServiceError("over_quota", message);
}

/** How many addresses a change may have where a factory adds some: it is made under the chain's lock. */
const withFactory = 10_000;

/** @throws {ServiceError} `too_many_addresses` */
export function assertFewWithFactory(total: number): void {
  if (total <= withFactory) return;
  const most = withFactory.toLocaleString("en");
  throw new ServiceError(
    "too_many_addresses",
    `A change of a webhook with createdBy must have at most ${most} addresses.`,
  );
}

/** The blocks of a replay, in order. */
export type ReplayRange = {
  from: bigint;
  to: bigint;
  /** Whether it may begin before the first block that the webhook is notified of. */
  includeEarlier?: boolean | undefined;
};

/** Block numbers of any length come as text, so they are compared before they become numbers. @throws {ServiceError} `replay_out_of_range` */
export function readReplayRange(asked: {
  fromBlock: string;
  toBlock: string;
  includeEarlier?: boolean | undefined;
}): ReplayRange {
  const [from, to] = [BigInt(asked.fromBlock), BigInt(asked.toBlock)];
  if (from > to) throw new ServiceError("replay_out_of_range", "fromBlock must be at most toBlock.");
  return { from, to, includeEarlier: asked.includeEarlier };
}

/** The maximum number of unfinished replays of a webhook. */
const unfinishedLimit = 10;

/** @throws {ServiceError} `too_many_replays` for a webhook that already has as many as it may */
export function assertFewReplays(unfinished: number): void {
  if (unfinished < unfinishedLimit) return;
  const message = `The webhook has ${unfinishedLimit} unfinished replays; wait until one finishes.`;
  throw new ServiceError("too_many_replays", message);
}

/** How many replays an account may create in 24 hours. Each is a row, and a webhook is deleted with those that it had. */
const createdLimit = 10_000;

/** @throws {ServiceError} `over_quota` for an account that has created as many as it may */
export function assertFewCreated(created: number): void {
  if (created < createdLimit) return;
  const message = `The account has created ${createdLimit.toLocaleString("en")} replays within 24 hours; try again later.`;
  throw new ServiceError("over_quota", message);
}

/** @throws {ServiceError} `replay_out_of_range` */
export function assertFollowed(toBlock: bigint, followed: number, chainId: string): void {
  if (toBlock <= followed) return;
  const message = `toBlock must be at most ${followed}, the newest followed block of chain ${chainId}.`;
  throw new ServiceError("replay_out_of_range", message);
}

/** @param effectiveFrom the first block that the webhook is notified of @throws {ServiceError} `replay_out_of_range` */
export function assertNotEarlier({ from, includeEarlier = false }: ReplayRange, effectiveFrom: number): void {
  if (includeEarlier || from >= effectiveFrom) return;
  const message = `fromBlock must be at least ${effectiveFrom}, the webhook's effectiveFromBlock, or includeEarlier must be true.`;
  throw new ServiceError("replay_out_of_range", message);
}

/** What replays have taken of an account's quota. */
export type HistoryUse = { blocks: number; createdAt: Date };

const dayMs = 86_400_000;

/**
 * Whether an account may read so many blocks of the past more.
 *
 * @param used within 24 hours, the oldest first @throws {ServiceError} `over_quota`
 */
export function assertHistoryFits(wanted: number, used: readonly HistoryUse[], quota: number): void {
  const free = quota - used.reduce((sum, { blocks }) => sum + blocks, 0);
  if (wanted <= free) return;
  const [most, left] = [quota, Math.max(0, free)].map((count) => count.toLocaleString("en"));
  const may = `The account may read at most ${most} blocks of the past within 24 hours, of which ${left} are left`;
  if (wanted > quota) throw new ServiceError("over_quota", `${may}; ask for fewer blocks, or the operator for more.`);
  let freed = free;
  const last = used.find(({ blocks }) => {
    freed += blocks;
    return wanted <= freed;
  });
  // In whole seconds, and never before it is so.
  const at = new Date(Math.ceil(((last?.createdAt.getTime() ?? 0) + dayMs) / 1_000) * 1_000);
  const until = at.toISOString().replace(".000", "");
  throw new ServiceError("over_quota", `${may}; enough are free again at ${until}.`);
}

/** The maximum number of addresses in a record. */
export const shownAddresses = 1_000;

/** How many addresses a page of webhooks has at most. A hundred webhooks with 1,000 each kept the event loop busy for 0.2 s. */
const shownInPage = 10_000;

/** The maximum number of addresses of each webhook in a page. */
export function shownInPageOf(pageSize: number): number {
  return Math.min(shownAddresses, Math.floor(shownInPage / pageSize));
}

/** What the API allows its clients. */
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

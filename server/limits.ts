/** What the API allows its clients. */
import { type Environment, settings } from "./settings.ts";
import type { Quotas } from "./store/accounts/quotas.ts";
import type { RateLimit } from "./store/accounts/rate-limits.ts";

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

/** What the API allows those who call it, from the environment. */
import ipaddr from "ipaddr.js";
import { ConfigError, type Environment, wholeNumber } from "./environment.ts";
import type { Quotas } from "./store/accounts/quotas.ts";
import type { RateLimit } from "./store/accounts/rate-limits.ts";

/** What the API allows. Limits that are undefined are none. */
export type Limits = {
  /** What each API key may ask. */
  perKey: RateLimit | undefined;
  /** What each client address may ask without a key, or with a wrong one. */
  perAddress: RateLimit | undefined;
  /** Which proxies tell the truth about client addresses: so many, one behind the other, or those of these networks. */
  trustProxy: number | string[];
  quotas: Quotas;
  /** How many requests the API works on at once; what comes beyond is refused at once. */
  requestsInHand: number;
  /** How many connections a process keeps open. */
  connections: number;
};

const networkNames = ["loopback", "linklocal", "uniquelocal"];
const most = 1_000_000_000;

/** @throws ConfigError */
export function readLimits(env: Environment): Limits {
  const seconds = wholeNumber(env, "RATE_LIMIT_SECONDS", 10, 1, 3_600);
  const limit = (name: string, fallback: number): RateLimit | undefined => {
    const requests = wholeNumber(env, name, fallback, 0, most);
    return requests === 0 ? undefined : { requests, seconds };
  };
  return {
    perKey: limit("RATE_LIMIT_KEY", 2_000),
    perAddress: limit("RATE_LIMIT_ADDRESS", 500),
    trustProxy: trustProxy(env),
    quotas: {
      webhooks: wholeNumber(env, "WEBHOOK_QUOTA", 10_000, 0, most),
      addresses: wholeNumber(env, "ADDRESS_QUOTA", 10_000_000, 0, most),
    },
    requestsInHand: wholeNumber(env, "MAX_REQUESTS_IN_HAND", 40, 1, 100_000),
    connections: wholeNumber(env, "MAX_CONNECTIONS", 10_000, 1, 1_000_000),
  };
}

/** `true`, which Express has too, is refused: with it every client could say that it is any other. */
function trustProxy(env: Environment): number | string[] {
  const text = env.TRUST_PROXY?.trim();
  if (!text) return 0;
  if (/^\d{1,2}$/.test(text)) return Number(text);
  const networks = text.split(",").map((network) => network.trim());
  for (const network of networks) {
    if (networkNames.includes(network) || ipaddr.isValid(network) || ipaddr.isValidCIDR(network)) continue;
    throw new ConfigError(
      `TRUST_PROXY must be a number of proxies, or a list of addresses, networks and ${networkNames.join(", ")}, but holds ${JSON.stringify(network)}.`,
    );
  }
  return networks;
}

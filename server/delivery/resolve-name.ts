/**
 * Resolves public names by DNS. The system's getaddrinfo blocks one of four threads while a name server does not answer, so a few dead names
 * would block all others. This one uses no threads.
 */

import type { LookupAddress } from "node:dns";
import { Resolver } from "node:dns/promises";
import { unresolvable } from "../targets/target-names.ts";
import { ExchangeError } from "./error-class.ts";

/** @returns the name's addresses, at least one @throws ExchangeError `dns_error` */
export type ResolveName = (hostname: string) => Promise<LookupAddress[]>;

const loopback: readonly LookupAddress[] = [
  { address: "127.0.0.1", family: 4 },
  { address: "::1", family: 6 },
];

/** @param nameServers their addresses, with a port if it is not 53; the system's by default */
export function createNameResolver(nameServers?: readonly string[]): ResolveName {
  // With a second try if the first query is lost, well within the usual time of an exchange.
  const resolver = new Resolver({ timeout: 2_500, tries: 2 });
  if (nameServers) resolver.setServers(nameServers);
  return async (hostname) => {
    // RFC 6761: `localhost` names are the machine itself; `invalid` ones have no address. Neither is sent to a name server.
    if (/^(.+\.)?localhost\.?$/i.test(hostname)) return [...loopback];
    if (unresolvable(hostname, { allowPrivateTargets: false }))
      throw new ExchangeError("dns_error", `${hostname} has no address`);
    const [four, six] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    const addresses = [
      ...(four.status === "fulfilled" ? four.value.map((address) => ({ address, family: 4 })) : []),
      ...(six.status === "fulfilled" ? six.value.map((address) => ({ address, family: 6 })) : []),
    ];
    if (addresses.length > 0) return addresses;
    throw new ExchangeError("dns_error", `${hostname} has no address`, {
      cause: four.status === "rejected" ? four.reason : undefined,
    });
  };
}

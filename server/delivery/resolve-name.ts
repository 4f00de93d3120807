/**
 * Asks DNS for the addresses of public names. The system's own way (getaddrinfo) takes one of four threads for as long as a name
 * server keeps silent, so that a few dead names would hold up all others; this one asks without threads.
 */

import type { LookupAddress } from "node:dns";
import { Resolver } from "node:dns/promises";
import { unresolvable } from "../target-names.ts";
import { DnsError } from "./error-class.ts";

/** @returns the name's addresses, at least one @throws DnsError */
export type ResolveName = (hostname: string) => Promise<LookupAddress[]>;

const loopback: readonly LookupAddress[] = [
  { address: "127.0.0.1", family: 4 },
  { address: "::1", family: 6 },
];

/** @param nameServers their addresses, each with a port if need be; the system's unless given */
export function createNameResolver(nameServers?: readonly string[]): ResolveName {
  // Within an exchange's 10 s, and once more when the first question goes lost.
  const resolver = new Resolver({ timeout: 2_500, tries: 2 });
  if (nameServers) resolver.setServers(nameServers);
  return async (hostname) => {
    // RFC 6761: such names are the machine itself; others are nothing at all. No name server is asked for either.
    if (/^(.+\.)?localhost\.?$/i.test(hostname)) return [...loopback];
    if (unresolvable(hostname, { allowPrivateTargets: false })) throw new DnsError(`${hostname} has no address`);
    const [four, six] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    const addresses = [
      ...(four.status === "fulfilled" ? four.value.map((address) => ({ address, family: 4 })) : []),
      ...(six.status === "fulfilled" ? six.value.map((address) => ({ address, family: 6 })) : []),
    ];
    if (addresses.length > 0) return addresses;
    throw new DnsError(`${hostname} has no address`, { cause: four.status === "rejected" ? four.reason : undefined });
  };
}

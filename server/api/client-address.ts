/** Whose request it is where there is no key: the client's address, or the network that one client has for itself. */
import { isIPv4 } from "node:net";
import type { Request } from "express";
import ipaddr from "ipaddr.js";

/** The address of whoever calls, as the trusted proxies tell it. */
export function clientAddress({ ip = "" }: Request): string {
  return networkOf(ip);
}

/**
 * What one client has of the address space. Of an IPv6 address only the first 64 bits count, since a client has all the others to choose
 * from; an IPv4 address that is written as one of IPv6 is what it is.
 */
export function networkOf(ip: string): string {
  if (isIPv4(ip)) return ip;
  if (!ipaddr.isValid(ip)) return "unknown";
  const address = ipaddr.process(ip);
  if (address instanceof ipaddr.IPv4) return address.toString();
  return `${address.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(":")}::/64`;
}

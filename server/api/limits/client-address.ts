/** The client of a request without a key: its address, or the network that one client has for itself. */
import { isIPv4 } from "node:net";
import type { Request } from "express";
import ipaddr from "ipaddr.js";

/** The client's address, as the trusted proxies report it. */
export function clientAddress({ ip = "" }: Request): string {
  return networkOf(ip);
}

/**
 * The part of the address space that one client has. Of an IPv6 address only the first 64 bits count, since a client can choose all the
 * others. An IPv4 address that is written as IPv6 counts as IPv4.
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

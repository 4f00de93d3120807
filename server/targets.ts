/** Which IP addresses notifications may be sent to: asked when a webhook is created, and again whenever one is dialled. */
import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

// All of IPv6 that is in use for the public; what lies outside it embeds, translates or is local.
const publicIpv6 = ipaddr.IPv6.parseCIDR("2000::/3");
// The host of Azure's virtual machines answers at a public address, with the machine's credentials.
const azureHost = "168.63.129.16";

/**
 * Whether an address is one of the public internet: not loopback, private, link-local, carrier-grade NAT, metadata service,
 * multicast or reserved, and no IPv6 form that leads to an IPv4 address by mapping, NAT64, 6to4 or Teredo.
 *
 * @param ip IPv4 or IPv6 as text, without brackets; anything else is not public
 * @example
 * isPublicAddress("93.184.215.14"); // true
 * isPublicAddress("::ffff:127.0.0.1"); // false
 */
export function isPublicAddress(ip: string): boolean {
  // Stricter than ipaddr.js, which takes 010.1.2 for an address too.
  if (isIP(ip) === 0) return false;
  const address = ipaddr.parse(ip);
  if (address.range() !== "unicast" || address.toString() === azureHost) return false;
  return address.kind() === "ipv4" || address.match(publicIpv6);
}

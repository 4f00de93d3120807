/** Opens connections to endpoints, and refuses those whose address is not public at the moment of dialling. */
import { lookup } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import { Agent } from "undici";
import { isPublicAddress } from "../targets.ts";
import { BlockedAddressError } from "./error-class.ts";

/**
 * Makes the agent that all exchanges share.
 *
 * @param options.allowPrivateTargets dials any address
 * @param options.timeoutMs to connect
 */
export function createDialer(options: { allowPrivateTargets: boolean; timeoutMs: number }): Agent {
  return new Agent({
    connections: 64,
    pipelining: 1,
    keepAliveTimeout: 30_000,
    // The exchange has one deadline of its own.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: { timeout: options.timeoutMs, ...(!options.allowPrivateTargets && { lookup: lookupPublic }) },
  });
}

/** Literal addresses are not looked up, so they are asked for here. @throws BlockedAddressError */
export function refuseLiteralPrivate(url: URL): void {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  if (isIP(host) && !isPublicAddress(host)) throw new BlockedAddressError(`${host} is not a public address`);
}

/** Every answer is vetted, and what was vetted is what is dialled: a name cannot change its answer in between. */
const lookupPublic: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error) return callback(error, [], 0);
    const blocked = addresses.find(({ address }) => !isPublicAddress(address));
    if (blocked)
      return callback(
        new BlockedAddressError(`${hostname} resolves to ${blocked.address}, which is not a public address`),
        [],
        0,
      );
    const [first] = addresses;
    if (options.all || !first) callback(null, addresses);
    else callback(null, first.address, first.family);
  });
};

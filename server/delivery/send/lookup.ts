/** How names of endpoints are resolved and checked, and which class an error has by the contract's enumeration. */
import { promises as dns, type LookupAddress } from "node:dns";
import { Resolver } from "node:dns/promises";
import type { LookupFunction } from "node:net";
import type { components } from "../../../generated/types.ts";
import { isTlsCode, ServiceError } from "../../base/errors.ts";
import { isAddressWithin, isPublicAddress, type TargetPolicy, unresolvable } from "../../targets/targets.ts";

/** How names are looked up; undefined for the system's own way. */
export function lookupFor({
  allowPrivateTargets,
  within,
  nameServers,
}: Pick<TargetPolicy, "allowPrivateTargets" | "within"> & { nameServers?: readonly string[] | undefined }):
  | LookupFunction
  | undefined {
  if (!allowPrivateTargets) return only(isPublicAddress, createNameResolver(nameServers));
  return within && only((ip) => isAddressWithin(ip, within), asPrograms);
}

/** Checks every address of a name and dials what was checked, so that a name cannot change its answer in between. */
function only(mayCall: (ip: string) => boolean, resolveName: ResolveName): LookupFunction {
  return (hostname, options, callback) => {
    resolveName(hostname).then(
      (addresses) => {
        const blocked = addresses.find(({ address }) => !mayCall(address));
        const [first] = addresses;
        if (blocked || !first)
          callback(new ExchangeError("blocked_address", `${hostname} has ${blocked?.address ?? "no address"}`), []);
        else if (options.all) callback(null, addresses);
        else callback(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, []),
    );
  };
}

/** As any program resolves names: /etc/hosts has those of this machine. */
const asPrograms: ResolveName = (hostname) => dns.lookup(hostname, { all: true });

/** @returns the name's addresses, at least one @throws ExchangeError `dns_error` */
type ResolveName = (hostname: string) => Promise<LookupAddress[]>;

const loopback: readonly LookupAddress[] = [
  { address: "127.0.0.1", family: 4 },
  { address: "::1", family: 6 },
];

/**
 * Resolves public names by DNS. The system's getaddrinfo blocks one of four threads while a name server does not answer, so a few dead names
 * would block all others. This one uses no threads.
 *
 * @param nameServers their addresses, with a port if it is not 53; the system's by default
 */
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

export type ErrorClass = components["schemas"]["ErrorClass"];

/** An exchange that we ended, or did not begin. A failed lookup wraps it. */
export class ExchangeError extends ServiceError {
  override readonly name = "ExchangeError";
  readonly errorClass: ErrorClass;

  constructor(errorClass: ErrorClass, message: string, options?: { cause?: unknown }) {
    super("exchange_failed", message, options);
    this.errorClass = errorClass;
  }
}

const byCode: readonly [RegExp, ErrorClass][] = [
  [/^(ENOTFOUND|EAI_|ENODATA|ESERVFAIL|EREFUSED|ETIMEOUT|EBADNAME)/, "dns_error"],
  [/^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|EHOSTDOWN)/, "connection_refused"],
  [/^ETIMEDOUT/, "timeout"],
];

/** @returns the class of an error that ended an exchange; `connection_reset` for an unknown one */
export function errorClassOf(error: unknown): ErrorClass {
  for (let at = error; at instanceof Error; at = at.cause) {
    if (at instanceof ExchangeError) return at.errorClass;
    const code = codeOf(at);
    if (isTlsCode(code)) return "tls_error";
    const known = byCode.find(([pattern]) => pattern.test(code));
    if (known) return known[1];
  }
  return "connection_reset";
}

// Node tries every address of a host and collects their errors. The first says enough.
function codeOf(error: Error): string {
  if ("code" in error && typeof error.code === "string") return error.code;
  if (error instanceof AggregateError && error.errors[0] instanceof Error) return codeOf(error.errors[0]);
  return "";
}

/** Reads addresses and hashes that clients give, in any letter case. */
import { setImmediate as otherRequestsFirst } from "node:timers/promises";
import { firstWrongChecksum } from "./checksum.ts";
import { badRequest } from "./errors.ts";

/**
 * Reads addresses that match the contract's pattern. One in mixed case must have a right checksum (EIP-55).
 *
 * @param field the field they come from, as a dotted path
 * @returns them in lower case, each once
 * @throws {HttpError} 400 that names the first wrong one
 */
export async function readAddresses(addresses: readonly string[], field: string): Promise<string[]> {
  await checkAddresses(addresses, field);
  return lowerCaseOnce(addresses);
}

/** How many are checked before other requests go on. */
const mostChecked = 1_000;

/** Checks addresses only: making 10,000 lower case and finding repeated ones takes 2 ms. @throws {HttpError} 400 like `readAddresses` */
export async function checkAddresses(addresses: readonly string[], field: string): Promise<void> {
  for (let start = 0; start < addresses.length; start += mostChecked) {
    if (start > 0) await otherRequestsFirst();
    const wrong = firstWrongChecksum(addresses.slice(start, start + mostChecked));
    if (wrong !== -1) throw wrongChecksum(field, start + wrong);
  }
}

/** Reads the prefixes of a comparison, without those that another begins. @returns none if all addresses are meant */
export function readPrefixes(prefix: string | undefined): string[] {
  const prefixes = prefix === undefined ? [] : [...new Set(prefix.split(","))];
  return prefixes.filter((one) => !prefixes.some((other) => one !== other && one.startsWith(other)));
}

/** How many groups an answer has at most. */
const mostGroups = 256;

/**
 * Divides addresses as a comparison does: by their first byte; or those with some prefixes, by one digit more, by two where there is one
 * prefix, or, if they are few, into themselves.
 *
 * @param addresses in lower case
 * @param prefix the parameter
 * @returns the groups by their prefixes, in ascending order
 */
export function divideByPrefix(addresses: Iterable<string>, prefix: string | undefined): [string, string[]][] {
  const prefixes = readPrefixes(prefix);
  const found = [...addresses].sort().flatMap((address) => {
    const own = prefixes.length === 0 ? "0x" : prefixes.find((each) => address.startsWith(each));
    return own === undefined ? [] : [{ address, digits: own.length + (prefixes.length > 1 ? 1 : 2) }];
  });
  const areFew = prefixes.length > 0 && found.length <= mostGroups;
  const groups = new Map<string, string[]>();
  for (const { address, digits } of found) {
    const key = areFew ? address : address.slice(0, digits);
    const group = groups.get(key);
    if (group) group.push(address);
    else groups.set(key, [address]);
  }
  return [...groups];
}

/** Checks one address. @throws {HttpError} 400 */
export function checkAddress(address: string, field: string): void {
  if (firstWrongChecksum([address]) !== -1) throw wrongChecksum(field);
}

const wrongChecksum = (...path: (string | number)[]) =>
  badRequest(`${path.join(".")} must have a right checksum (EIP-55) or be in one letter case.`);

/** Makes hex strings lower case and leaves out repeated ones. */
export function lowerCaseOnce(values: readonly string[]): string[] {
  return [...new Set(values.map((value) => value.toLowerCase()))];
}

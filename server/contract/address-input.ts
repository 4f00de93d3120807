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

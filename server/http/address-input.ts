/** Reads addresses and hashes that clients give, in any letter case. */
import { setImmediate as otherRequestsFirst } from "node:timers/promises";
import { hasRightChecksum } from "./checksum.ts";
import { badRequest } from "./errors.ts";

// A checksum takes 1 µs: other requests wait for at most 1 ms.
const atATime = 1_000;

/**
 * Reads addresses that match the contract's pattern. One in mixed case must have a right checksum (EIP-55).
 *
 * @param field the field they come from, as a dotted path
 * @returns them in lower case, each once
 * @throws {HttpError} 400 that names the first wrong one
 */
export async function readAddresses(addresses: readonly string[], field: string): Promise<string[]> {
  const mixed = addresses.flatMap((address, index) => (isMixedCase(address) ? [{ address, index }] : []));
  for (let start = 0; start < mixed.length; start += atATime) {
    if (start > 0) await otherRequestsFirst();
    for (const { address, index } of mixed.slice(start, start + atATime)) {
      if (!hasRightChecksum(address))
        throw badRequest(`${field}.${index} must have a right checksum (EIP-55) or be in one letter case.`);
    }
  }
  return lowerCaseOnce(addresses);
}

/** Makes hex strings lower case and leaves out repeated ones. */
export function lowerCaseOnce(values: readonly string[]): string[] {
  return [...new Set(values.map((value) => value.toLowerCase()))];
}

const isMixedCase = (address: string) => /[a-f]/.test(address) && /[A-F]/.test(address);

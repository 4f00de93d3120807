/** Reads addresses and hashes that clients give, in any letter case. */
import { isRightChecksum } from "./checksum.ts";
import { badRequest } from "./errors.ts";

/** A request may have so many addresses with a checksum: 10,000 would cost four times what parsing a mebibyte does. */
const mostChecksums = 1_000;

/**
 * Reads addresses that match the contract's pattern. One in mixed case must have a right checksum (EIP-55).
 *
 * @param field the field they come from, as a dotted path
 * @returns them in lower case, each once
 * @throws {HttpError} 400 that names the first wrong one, or says that too many are in mixed case
 */
export function readAddresses(addresses: readonly string[], field: string): string[] {
  const lower = addresses.map((address) => address.toLowerCase());
  let checksums = 0;
  for (const [index, address] of addresses.entries()) {
    if (address === lower[index] || !/[a-f]/.test(address)) continue;
    checksums += 1;
    if (checksums > mostChecksums)
      throw badRequest(
        `${field} must have at most ${mostChecksums.toLocaleString("en")} addresses in mixed case; send the others in lower case.`,
      );
    if (!isRightChecksum(address))
      throw badRequest(`${field}.${index} must have a right checksum (EIP-55) or be in one letter case.`);
  }
  return [...new Set(lower)];
}

/** Makes hex strings lower case and leaves out repeated ones. */
export function lowerCaseOnce(values: readonly string[]): string[] {
  return [...new Set(values.map((value) => value.toLowerCase()))];
}

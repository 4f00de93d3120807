/** The check of checksums, compared with viem's. */
import { getAddress, isAddress } from "viem";
import { expect, test } from "vitest";
import { isRightChecksum } from "../../server/contract/checksum.ts";
import { seeded } from "../support/seeded.ts";

const dice = seeded(1);
const digits = () => Array.from({ length: 40 }, () => dice(16).toString(16)).join("");
const right = Array.from({ length: 300 }, () => getAddress(`0x${digits()}`));
const oneCase = (text: string) => text === text.toLowerCase() || text === text.toUpperCase();

/** The address with another case of one character. */
function flipped(address: string, at: number): string {
  const one = address.charAt(at);
  const other = one === one.toLowerCase() ? one.toUpperCase() : one.toLowerCase();
  return address.slice(0, at) + other + address.slice(at + 1);
}

test("checksums are checked as EIP-55 says", () => {
  for (const [index, address] of right.entries()) {
    expect(isRightChecksum(address), address).toBe(true);
    const changed = flipped(address, 2 + (index % 40));
    if (!oneCase(changed.slice(2))) expect(isRightChecksum(changed), changed).toBe(isAddress(changed));
  }
});

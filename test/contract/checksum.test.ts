/** Checksums, held against viem's. */
import { getAddress, isAddress } from "viem";
import { expect, test } from "vitest";
import { firstWrongChecksum as firstWrong } from "../../server/contract/checksum.ts";
import { seeded } from "../support/seeded.ts";

const dice = seeded(1);
const digits = () => Array.from({ length: 40 }, () => dice(16).toString(16)).join("");
const right = Array.from({ length: 1_000 }, () => getAddress(`0x${digits()}`));
const oneCase = (text: string) => text === text.toLowerCase() || text === text.toUpperCase();

/** The address with another case of one character. */
function flipped(address: string, at: number): string {
  const one = address.charAt(at);
  const other = one === one.toLowerCase() ? one.toUpperCase() : one.toLowerCase();
  return address.slice(0, at) + other + address.slice(at + 1);
}

test("checksums are checked as EIP-55 says", () => {
  expect(firstWrong([])).toBe(-1);
  expect(firstWrong(right)).toBe(-1);
  expect(firstWrong([`0x${"A".repeat(40)}`, `0x${"b".repeat(40)}`, `0x${"0".repeat(40)}`])).toBe(-1);
  for (const [index, address] of right.slice(0, 300).entries()) {
    const changed = flipped(address, 2 + (index % 40));
    const isRight = isAddress(changed) || oneCase(changed.slice(2));
    expect(firstWrong([changed]), changed).toBe(isRight ? -1 : 0);
    // Anywhere in a list of any length, and whatever else is wrong behind it.
    const list = [...right.slice(0, index), changed, ...right.slice(index, index + (index % 3))];
    expect(firstWrong([...list, "0x57f1887a8BF19b14fC0dF6Fd9B2acc9Af147eA86"]), changed).toBe(
      isRight ? list.length : index,
    );
  }
});

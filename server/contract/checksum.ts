/** Checksums of addresses (EIP-55). A request may carry 10,000 of them, which take 3 ms of processor time (Node 20). */
import { createKeccak } from "hash-wasm";
import { checksumCode, textAt, textLength } from "./checksum-code.ts";

/** How many addresses fit into the memory of one call. */
export const mostChecked = 1_000;

/**
 * Finds the first address in mixed case whose letters do not have the case that its hash asks for.
 *
 * @param addresses at most `mostChecked`, each `0x` and 40 hex digits
 * @returns its index; -1 where there is none
 */
export type ChecksumCheck = (addresses: readonly string[]) => number;

/** Checks them two by two. */
export async function inVectors(): Promise<ChecksumCheck> {
  const { instance } = await WebAssembly.instantiate(checksumCode);
  const { memory, firstWrong } = instance.exports as {
    memory: WebAssembly.Memory;
    firstWrong: (start: number, end: number) => number;
  };
  const texts = Buffer.from(memory.buffer);
  // For the last of an odd number.
  const partner = "0".repeat(textLength);
  return (addresses) => {
    texts.write(addresses.join("") + partner, textAt, "latin1");
    const index = (firstWrong(textAt, textAt + addresses.length * textLength) - textAt) / textLength;
    return index < addresses.length ? index : -1;
  };
}

/** Checks one after the other, which takes four times as long. */
export async function oneByOne(): Promise<ChecksumCheck> {
  const hasher = await createKeccak(256);
  const isRight = (address: string) => {
    const digits = address.slice(2);
    if (!/[a-f]/.test(digits) || !/[A-F]/.test(digits)) return true;
    const hash = hasher.init().update(digits.toLowerCase()).digest("hex");
    return [...digits].every((digit, index) => digit <= "9" || digit <= "F" === hash.charAt(index) >= "8");
  };
  return (addresses) => addresses.findIndex((address) => !isRight(address));
}

/** Some virtual processors have no vectors that WebAssembly could use. */
export const firstWrongChecksum: ChecksumCheck = await (WebAssembly.validate(checksumCode) ? inVectors() : oneByOne());

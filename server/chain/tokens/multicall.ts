/** Multicall3, which makes many calls in one. It is deployed at the same address of most chains. */
import type { Hex } from "../../matching/wire.ts";

export const multicall3: Hex = "0xca11bde05977b3631167028862be2a173976ca11";

/** A call without arguments. */
export type InnerCall = { contract: string; selector: string };

const word = (value: number | string) => (typeof value === "number" ? value.toString(16) : value).padStart(64, "0");
/** A tuple takes six words: address, whether it may fail, where its data begins, the data's length, and the selector. */
const tupleBytes = 5 * 32;

/** The data of `aggregate3((address,bool,bytes)[])`, with calls that may all fail. */
export function aggregate3(calls: readonly InnerCall[]): Hex {
  const offsets = calls.map((_, index) => word(32 * calls.length + index * tupleBytes));
  const tuples = calls.map(({ contract, selector }) =>
    [word(contract.slice(2)), word(1), word(0x60), word(4), selector.slice(2).padEnd(64, "0")].join(""),
  );
  return `0x82ad56cb${word(0x20)}${word(calls.length)}${offsets.join("")}${tuples.join("")}`;
}

/**
 * @param answer of `aggregate3`
 * @param count how many calls it answers
 * @returns for each call its answer, or undefined if it failed; undefined for all if this is no answer to so many calls
 */
export function answersIn(answer: string, count: number): (string | undefined)[] {
  const numberAt = (byte: number): number => {
    const digits = answer.slice(2 + 2 * byte, 2 + 2 * byte + 64);
    return /^0{52}[0-9a-f]{12}$/i.test(digits) ? Number.parseInt(digits, 16) : Number.NaN;
  };
  const start = numberAt(0) + 32;
  const isWhole = numberAt(start - 32) === count;
  return Array.from({ length: count }, (_, index) => {
    const tuple = start + numberAt(start + 32 * index);
    if (!isWhole || numberAt(tuple) !== 1) return undefined;
    const data = tuple + numberAt(tuple + 32);
    const from = 2 + 2 * (data + 32);
    const to = from + 2 * numberAt(data);
    return to <= answer.length ? `0x${answer.slice(from, to)}` : undefined;
  });
}

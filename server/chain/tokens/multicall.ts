/** Multicall3, which makes many calls in one and is deployed at the same address of most chains; and what tokens' contracts answer. */
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

/** In characters, after cleaning. */
const longestText = 100;
/** Of each hundred characters, UTF-8 takes at most four bytes each. */
const mostBytes = 4 * longestText;
const wordBytes = 32;

/** @param answer of `decimals()` @returns null if it is no number from 0 to 255 */
export function decimalsIn(answer: string): number | null {
  const word = /^0x([0-9a-f]{64})/i.exec(answer)?.[1];
  const decimals = word === undefined ? undefined : BigInt(`0x${word}`);
  return decimals === undefined || decimals > 255n ? null : Number(decimals);
}

/** @param answer of `name()` or `symbol()`: a string, or bytes32 as old tokens have it @returns null if it holds no text */
export function textIn(answer: string): string | null {
  // What is behind the longest text is never looked at.
  const bytes = Buffer.from(answer.slice(2, 2 + 2 * (4 * wordBytes + mostBytes)), "hex");
  const isWord = answer.length === 2 + 2 * wordBytes;
  return cleaned(isWord ? untilNul(bytes) : stringIn(bytes));
}

/** Empty if the bytes are no encoded string. */
function stringIn(bytes: Buffer): Buffer {
  const offset = smallNumberAt(bytes, 0);
  const length = offset === undefined ? undefined : smallNumberAt(bytes, offset);
  if (offset === undefined || length === undefined) return Buffer.alloc(0);
  const start = offset + wordBytes;
  return bytes.subarray(start, start + Math.min(length, mostBytes));
}

function untilNul(bytes: Buffer): Buffer {
  const end = bytes.indexOf(0);
  return end < 0 ? bytes : bytes.subarray(0, end);
}

/** The word at this byte; undefined if there is none. A number that needs more than its last four bytes is as good as the largest. */
function smallNumberAt(bytes: Buffer, at: number): number | undefined {
  if (at + wordBytes > bytes.length) return undefined;
  const isSmall = bytes.subarray(at, at + wordBytes - 4).every((byte) => byte === 0);
  return isSmall ? bytes.readUInt32BE(at + wordBytes - 4) : 0xff_ff_ff_ff;
}

/**
 * Text without what would act on a terminal, a page or a log instead of being seen: control characters, marks of direction and other
 * formatting, private characters. Bytes that are no UTF-8 become U+FFFD.
 */
function cleaned(bytes: Buffer): string | null {
  // A character that was cut off at the end is left out.
  const text = new TextDecoder().decode(bytes, { stream: true });
  const visible = text.replaceAll(/\s+/gu, " ").replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}]/gu, "");
  return [...visible.trim()].slice(0, longestText).join("").trim() || null;
}

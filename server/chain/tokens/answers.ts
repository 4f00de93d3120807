/** Reads what a token's contract answered. Anybody can deploy one, so an answer can be of any length and hold anything. */

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

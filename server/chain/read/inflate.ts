/**
 * Inflates a part of a packed block, within bounds. Whoever may publish blocks is believed in nothing else, so a small message must neither fill
 * the memory nor keep a reading thread busy. A block that exceeds a bound is read from nodes, like any other that cannot be used.
 */
import type { Compression } from "./compression.ts";

/** How many bytes of JSON a block may have, with its receipts and traces. Everyday ones have one or two million. */
export const largestBlock = 64 * 1024 * 1024;

/**
 * Above this many bytes, objects and arrays must have so many bytes each, on average. Parsing 64 MiB of empty objects took 93 s and 1.4 GB, 2 MiB
 * of them 0.3 s. The smallest that blocks have are entries of access lists without keys: 37 bytes each. To count takes 5 ms for each MiB.
 */
const uncounted = 2 * 1024 * 1024;
const leastBytesEach = 24;

/**
 * @param room how many bytes it may have
 * @throws RangeError if it exceeds a bound; otherwise what inflating and parsing throw
 */
export function inflateJson(
  compression: Compression,
  bytes: Uint8Array,
  room: number,
): { value: unknown; size: number } {
  const text = inflate(compression, bytes, room);
  if (text.length > uncounted && countContainers(text) * leastBytesEach > text.length)
    throw new RangeError("the block has more objects and arrays than a block of its size can have");
  return { value: JSON.parse(text.toString()), size: text.length };
}

function inflate(compression: Compression, bytes: Uint8Array, room: number): Buffer {
  try {
    return compression.decompress(bytes, Math.max(1, room));
  } catch (error) {
    if ((error as { code?: string }).code !== "ERR_BUFFER_TOO_LARGE") throw error;
    throw new RangeError(`the block has more than ${largestBlock} bytes`, { cause: error });
  }
}

const [quote, backslash, brace, bracket] = [0x22, 0x5c, 0x7b, 0x5b];

/** Counts what begins an object or an array, outside of texts. */
function countContainers(json: Uint8Array): number {
  let count = 0;
  let isText = false;
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at];
    if (byte === quote) isText = !isText;
    else if (isText) at += byte === backslash ? 1 : 0;
    else if (byte === brace || byte === bracket) count += 1;
  }
  return count;
}

/**
 * Bounds how much a JSON text can hold, before it becomes objects: a mebibyte of `{}` costs `JSON.parse` 40 ms and 30 MB, and who
 * validates it far more. The largest body that the contract has a use for holds 10,113 values, three deep. Any list of addresses that
 * fits into a mebibyte is still within, so that it is refused by its own bound.
 */

export const mostValues = 25_000;
export const deepest = 32;

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d];

/**
 * Whether a text is beyond the bounds. Each value but the outermost stands behind an opening or a comma, so these are counted. A mebibyte
 * takes at most 2 ms (Node 20).
 *
 * @param bytes UTF-8, JSON or not
 */
export function isBeyondBounds(bytes: Uint8Array): boolean {
  let values = 1;
  let depth = 0;
  let inString = false;
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index];
    if (inString) {
      if (byte === quote) inString = false;
      else if (byte === backslash) index += 1;
    } else if (byte === quote) {
      inString = true;
    } else if (byte === comma) {
      values += 1;
    } else if (byte === openBrace || byte === openBracket) {
      values += 1;
      depth += 1;
      if (depth > deepest) return true;
    } else if (byte === closeBrace || byte === closeBracket) {
      depth -= 1;
    }
    if (values > mostValues) return true;
  }
  return false;
}

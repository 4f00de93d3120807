/** What `server/matching/message-id.ts` uses of `node:crypto`, for a browser: there SHA-1 is only had by a promise. */

/** @example createHash("sha1").update("cafe", "hex").update("text").digest().toString("hex") */
export function createHash(_algorithm: "sha1") {
  const input: number[] = [];
  const hash = {
    update(text: string, encoding?: "hex") {
      if (encoding) for (let at = 0; at < text.length; at += 2) input.push(Number.parseInt(text.slice(at, at + 2), 16));
      else input.push(...new TextEncoder().encode(text));
      return hash;
    },
    digest: () => new Digest(sha1(input)),
  };
  return hash;
}

/** The methods of Node's `Buffer` that are used of a hash. */
class Digest {
  readonly #bytes: DataView;

  constructor(bytes: DataView) {
    this.#bytes = bytes;
  }

  readUInt8(at: number): number {
    return this.#bytes.getUint8(at);
  }

  writeUInt8(value: number, at: number): void {
    this.#bytes.setUint8(at, value);
  }

  toString(_encoding: "hex", from = 0, to = this.#bytes.byteLength): string {
    let text = "";
    for (let at = from; at < to; at += 1) text += this.#bytes.getUint8(at).toString(16).padStart(2, "0");
    return text;
  }
}

const rotated = (word: number, by: number) => (word << by) | (word >>> (32 - by));

/** FIPS 180-4, section 6.1. @param input bytes */
function sha1(input: readonly number[]): DataView {
  const padded = new DataView(new ArrayBuffer((((input.length + 8) >> 6) + 1) << 6));
  for (const [at, byte] of input.entries()) padded.setUint8(at, byte);
  padded.setUint8(input.length, 0x80);
  padded.setUint32(padded.byteLength - 4, input.length * 8);
  const state = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0];
  const words = new Int32Array(80);
  for (let block = 0; block < padded.byteLength; block += 64) {
    let [a = 0, b = 0, c = 0, d = 0, e = 0] = state;
    for (let round = 0; round < 80; round += 1) {
      const word = (back: number) => words[round - back] ?? 0;
      words[round] =
        round < 16 ? padded.getInt32(block + round * 4) : rotated(word(3) ^ word(8) ^ word(14) ^ word(16), 1);
      const [mixed, constant] =
        round < 20
          ? [(b & c) | (~b & d), 0x5a827999]
          : round < 40
            ? [b ^ c ^ d, 0x6ed9eba1]
            : round < 60
              ? [(b & c) | (b & d) | (c & d), 0x8f1bbcdc]
              : [b ^ c ^ d, 0xca62c1d6];
      const next = (rotated(a, 5) + mixed + e + constant + (words[round] ?? 0)) | 0;
      [e, d, c, b, a] = [d, c, rotated(b, 30), a, next];
    }
    for (const [at, value] of [a, b, c, d, e].entries()) state[at] = ((state[at] ?? 0) + value) | 0;
  }
  const digest = new DataView(new ArrayBuffer(20));
  for (const [at, word] of state.entries()) digest.setInt32(at * 4, word);
  return digest;
}

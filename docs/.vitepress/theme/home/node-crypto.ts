/** What `server/matching/message-id.ts` uses of `node:crypto`, for a browser: there SHA-1 is only had by a promise. */
import { sha1 } from "@noble/hashes/legacy.js";
import { bytesToHex, hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js";

/** @example createHash("sha1").update("cafe", "hex").update("text").digest().toString("hex") */
export function createHash(_algorithm: "sha1") {
  const input = sha1.create();
  const hash = {
    update(text: string, encoding?: "hex") {
      input.update(encoding ? hexToBytes(text) : utf8ToBytes(text));
      return hash;
    },
    digest: () => new Digest(input.digest()),
  };
  return hash;
}

/** The methods of Node's `Buffer` that are used of a hash. */
class Digest {
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  readUInt8(at: number): number {
    return this.#bytes[at] ?? 0;
  }

  writeUInt8(value: number, at: number): void {
    this.#bytes[at] = value;
  }

  toString(_encoding: "hex", from = 0, to = this.#bytes.length): string {
    return bytesToHex(this.#bytes.subarray(from, to));
  }
}

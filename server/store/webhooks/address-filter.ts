/**
 * Addresses in a few bits each: never denies one that was added, and affirms one in a thousand that was not. A Bloom filter whose
 * bits for one address lie side by side, eight of them in 32 bytes, so that a look costs one access to memory.
 */
import { randomFillSync } from "node:crypto";

export type AddressFilter = {
  /** How much memory it takes. */
  bytes: number;
  /** @param addresses one after the other, 20 bytes each */
  add(addresses: Buffer): void;
  /** @param address 0x-prefixed */
  mayHave(address: string): boolean;
};

/** Of others one in a thousand is affirmed wrongly then; with twice as many addresses one in thirty. */
const bitsAnAddress = 16;
const addressBytes = 20;
const blockWords = 8;

/** @param capacity for how many addresses */
export function createAddressFilter(capacity: number): AddressFilter {
  const blocks = Math.ceil((capacity * bitsAnAddress) / (blockWords * 32));
  const words = new Uint32Array(blocks * blockWords);
  // Drawn anew for each filter, so that nobody can choose addresses that fill some of its blocks. Odd, to lose no bit.
  const factors = randomFillSync(new Int32Array(4 + blockWords)).map((factor) => factor | 1);
  const [a = 1, b = 1, c = 1, d = 1, ...salts] = factors;

  // Of an address the last eight bytes count: leading zeros are common, and two that end alike only cost a question more.
  const blockOf = (high: number, low: number) =>
    Math.floor(((mixed(Math.imul(high, a) + Math.imul(low, b)) >>> 0) / 2 ** 32) * blocks) * blockWords;
  const keyOf = (high: number, low: number) => mixed(Math.imul(high, c) + Math.imul(low, d));
  const bit = (key: number, word: number) => 1 << (Math.imul(key, salts[word] ?? 1) >>> 27);

  return {
    bytes: words.byteLength,
    add(addresses) {
      for (let at = addressBytes; at <= addresses.length; at += addressBytes) {
        const high = addresses.readInt32BE(at - 8);
        const low = addresses.readInt32BE(at - 4);
        const block = blockOf(high, low);
        const key = keyOf(high, low);
        for (let word = 0; word < blockWords; word += 1) {
          const place = block + word;
          words[place] = (words[place] ?? 0) | bit(key, word);
        }
      }
    },
    mayHave(address) {
      const high = wordOf(address, address.length - 16);
      const low = wordOf(address, address.length - 8);
      const block = blockOf(high, low);
      const key = keyOf(high, low);
      for (let word = 0; word < blockWords; word += 1)
        if (((words[block + word] ?? 0) & bit(key, word)) === 0) return false;
      return true;
    },
  };
}

/** Lets the upper bits tell on the lower ones. */
function mixed(value: number): number {
  const folded = Math.imul(value ^ (value >>> 15), 0x2c1b3c6d);
  return folded ^ (folded >>> 13);
}

/** Eight hex digits as an integer; a quarter of what slicing and parsing take. */
function wordOf(hex: string, from: number): number {
  let word = 0;
  for (let at = from; at < from + 8; at += 1) {
    const code = hex.charCodeAt(at);
    word = (word << 4) | ((code & 15) + (code > 57 ? 9 : 0));
  }
  return word;
}

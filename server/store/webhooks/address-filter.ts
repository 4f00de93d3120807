/**
 * A set of addresses in a few bits each. It never denies an added address, and wrongly affirms one in a thousand others. It is a Bloom
 * filter in which the eight bits of an address are within 32 bytes, so that a lookup costs one access to memory.
 */
import { randomFillSync } from "node:crypto";

export type AddressFilter = {
  /** Its size in memory. */
  bytes: number;
  /** @param addresses concatenated, 20 bytes each */
  add(addresses: Buffer): void;
  /** @param address 0x-prefixed */
  mayHave(address: string): boolean;
};

/** At this size one in a thousand others is wrongly affirmed. With twice as many addresses it is one in thirty. */
const bitsAnAddress = 16;
const addressBytes = 20;
const blockWords = 8;

/** @param capacity the expected number of addresses */
export function createAddressFilter(capacity: number): AddressFilter {
  // Without a block, what is added would be lost, and denied.
  const blocks = Math.max(1, Math.ceil((capacity * bitsAnAddress) / (blockWords * 32)));
  const words = new Uint32Array(blocks * blockWords);
  // Random for each filter, so that nobody can choose addresses that fill some of its blocks. Odd, to lose no bit.
  const factors = randomFillSync(new Int32Array(4 + blockWords)).map((factor) => factor | 1);
  const [a = 1, b = 1, c = 1, d = 1, ...salts] = factors;

  // Only the last eight bytes count: leading zeros are common, and two addresses with the same ending only cost one more query.
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

/** Mixes the upper bits into the lower ones. */
function mixed(value: number): number {
  const folded = Math.imul(value ^ (value >>> 15), 0x2c1b3c6d);
  return folded ^ (folded >>> 13);
}

/** Parses eight hex digits in a quarter of the time that slicing and parseInt take. */
function wordOf(hex: string, from: number): number {
  let word = 0;
  for (let at = from; at < from + 8; at += 1) {
    const code = hex.charCodeAt(at);
    word = (word << 4) | ((code & 15) + (code > 57 ? 9 : 0));
  }
  return word;
}

/**
 * Checksums of addresses (EIP-55). A request may carry 10,000 of them. In WebAssembly that takes 8 ms of processor time; viem's
 * `isAddress`, whose hash is JavaScript, took 207 ms (Node 20).
 */
import { createKeccak } from "hash-wasm";

const hasher = await createKeccak(256);
const letters = Buffer.alloc(40);

/** Whether each letter of an address has the case that the address's hash asks for. @param address `0x` and 40 hex digits */
export function hasRightChecksum(address: string): boolean {
  letters.write(address.slice(2).toLowerCase(), "latin1");
  const hash = hasher.init().update(letters).digest("binary");
  for (let index = 0; index < 40; index += 1) {
    const code = address.charCodeAt(index + 2);
    if (code <= nine) continue;
    const nibble = ((hash[index >> 1] ?? 0) >> (index % 2 ? 0 : 4)) & 0xf;
    if (code < smallA !== nibble >= 8) return false;
  }
  return true;
}

const nine = 0x39;
const smallA = 0x61;

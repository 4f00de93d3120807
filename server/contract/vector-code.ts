/** The encoding of WebAssembly, as far as the check of checksums needs it: vectors of two numbers of 64 bits, and what a module is made of. */

/** Code that leaves its value on the stack, or none. */
export type Code = readonly number[];
export const join = (codes: readonly Code[]): Code => codes.flat();

/** The encoding of whole numbers in WebAssembly, LEB128. */
function unsigned(value: number): Code {
  return value < 128 ? [value] : [(value & 127) | 128, ...unsigned(value >> 7)];
}
function signed(value: bigint): Code {
  const low = Number(value & 127n);
  const rest = value >> 7n;
  const isLast = (rest === 0n && low < 64) || (rest === -1n && low >= 64);
  return isLast ? [low] : [low | 128, ...signed(rest)];
}

export const get = (local: number): Code => [0x20, ...unsigned(local)];
export const set = (local: number, value: Code): Code => [...value, 0x21, ...unsigned(local)];
export const int = (value: number): Code => [0x41, ...signed(BigInt(value))];
const operation =
  (...code: number[]) =>
  (a: Code, b: Code): Code => [...a, ...b, ...code];
export const [addInt, isBelow] = [operation(0x6a), operation(0x49)];
export const leave = (blocks: number): Code => [0x0c, blocks];
export const leaveWhen = (condition: Code, blocks: number): Code => [...condition, 0x0d, blocks];
export const not = (condition: Code): Code => [...condition, 0x45];
export const block = (...codes: Code[]): Code => [0x02, 0x40, ...join(codes), 0x0b];
export const loop = (...codes: Code[]): Code => [0x03, 0x40, ...join(codes), 0x0b];

// Two numbers of 64 bits in a vector: one of each of two addresses.
export const vectorOf = (value: bigint): Code => {
  const bytes = Buffer.alloc(16);
  bytes.writeBigUInt64LE(value, 0);
  bytes.writeBigUInt64LE(value, 8);
  return [0xfd, 0x0c, ...bytes];
};
export const loadTwice = (address: Code, offset: number): Code => [...address, 0xfd, 0x0a, 0, ...unsigned(offset)];
export const loadFrom = (address: Code, first: number, second: number): Code => [
  ...[...address, ...address, 0xfd, 0x5d, 0, ...unsigned(first)],
  ...[0xfd, 0x57, 0, ...unsigned(second), 1],
];
export const [and, or, xor] = [operation(0xfd, 0x4e), operation(0xfd, 0x50), operation(0xfd, 0x51)];
/** The bits of the first that are not in the second. */
export const without = operation(0xfd, 0x4f);
export const differs = operation(0xfd, 0xd7, 0x01);
export const isAny = (a: Code): Code => [...a, 0xfd, 0x53];
export const first = (a: Code): Code => [...a, 0xfd, 0x1d, 0];
export const isZero = (a: Code): Code => [...a, 0x50];
export const shiftLeft = (a: Code, by: number): Code => [...a, ...int(by), 0xfd, 0xcb, 0x01];
export const shiftRight = (a: Code, by: number): Code => [...a, ...int(by), 0xfd, 0xcd, 0x01];
/** There is no such instruction. */
export const rotate = (kept: number, by: number): Code =>
  by === 0 ? get(kept) : or(shiftLeft(get(kept), by), shiftRight(get(kept), 64 - by));

export const list = (items: readonly Code[]): Code => [...unsigned(items.length), ...join(items)];
export const sized = (code: Code): Code => [...unsigned(code.length), ...code];
export const name = (given: string): Code => sized([...Buffer.from(given)]);
export const section = (id: number, content: Code): Code => [id, ...sized(content)];
export const [int32, vector] = [0x7f, 0x7b];

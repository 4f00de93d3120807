/**
 * Assembles the WebAssembly that checks the letter case of addresses: EIP-55, whose hash is Keccak-256. It reads a thousand addresses in
 * one call, and hashes two of them at a time. 10,000 take 3 ms. hash-wasm, called for each, takes 7.5 for the hashes alone, and reading
 * letters and hashes in JavaScript another 5 (Node 20).
 */
import {
  addInt,
  and,
  block,
  type Code,
  differs,
  first,
  get,
  int,
  int32,
  isAny,
  isBelow,
  isZero,
  join,
  leave,
  leaveWhen,
  list,
  loadFrom,
  loadTwice,
  loop,
  name,
  not,
  or,
  rotate,
  section,
  set,
  shiftLeft,
  shiftRight,
  sized,
  vector,
  vectorOf,
  without,
  xor,
} from "./vector-code.ts";

/** Where the constants of Keccak's rounds are, eight bytes each. */
const constantsAt = 0;
const rounds = 24;
/** Where the text of the first address belongs. */
export const textAt = constantsAt + 8 * rounds;
/** `0x` and 40 digits. */
export const textLength = 42;

const range = (count: number) => Array.from({ length: count }, (_, n) => n);
const lane = (x: number, y: number) => (x % 5) + 5 * (y % 5);

// The locals. The first two are the arguments.
const [at, end, round] = [0, 1, 2];
const firstVector = 3;
const state = (n: number) => firstVector + n;
const moved = (n: number) => firstVector + 25 + n;
const column = (x: number) => firstVector + 50 + (x % 5);
const parity = (x: number) => firstVector + 55 + (x % 5);
const small = firstVector + 60;
const large = firstVector + 61;
const wrong = firstVector + 62;
const spread = firstVector + 63;
const turning = firstVector + 64;
const vectors = 65;

/** How far each lane is rotated, and where it moves to (FIPS 202, 3.2.2 and 3.2.3). */
const moves = new Map([[0, { by: 0, to: 0 }]]);
for (let t = 0, x = 1, y = 0; t < 24; t += 1) {
  const to = { x: y, y: (2 * x + 3 * y) % 5 };
  moves.set(lane(x, y), { by: (((t + 1) * (t + 2)) / 2) % 64, to: lane(to.x, to.y) });
  [x, y] = [to.x, to.y];
}

const keccakRound = join([
  ...range(5).map((x) =>
    set(
      column(x),
      range(5)
        .map((y) => get(state(lane(x, y))))
        .reduce(xor),
    ),
  ),
  ...range(5).map((x) => set(parity(x), xor(get(column(x + 4)), rotate(column(x + 1), 1)))),
  ...[...moves].map(([from, { by, to }]) =>
    join([set(turning, xor(get(state(from)), get(parity(from)))), set(moved(to), rotate(turning, by))]),
  ),
  ...range(25).map((n) => {
    const [x, y] = [n % 5, Math.floor(n / 5)];
    const [next, afterNext] = [get(moved(lane(x + 1, y))), get(moved(lane(x + 2, y)))];
    return set(state(n), xor(get(moved(n)), without(afterNext, next)));
  }),
  set(state(0), xor(get(state(0)), loadTwice(get(round), 0))),
]);

/** The highest bit of each of eight bytes. */
const highest = 0x8080808080808080n;
/** Eight letters of each address, the nth time. */
const eight = (n: number) => loadFrom(get(at), 2 + 8 * n, textLength + 2 + 8 * n);
/** Bit 6 of a byte is set in letters, bit 5 in small letters and digits. */
const isLetter = (n: number) => and(shiftLeft(eight(n), 1), vectorOf(highest));
const isSmall = (n: number) => and(shiftLeft(eight(n), 2), isLetter(n));
const isLarge = (n: number) => xor(isSmall(n), isLetter(n));
const five = range(5);
/** The addresses in mixed case have all bits. */
const isMixed = and(differs(get(small), vectorOf(0n)), differs(get(large), vectorOf(0n)));

/** The state before the rounds: the letters made small, then Keccak's padding. */
const absorb = join(
  range(25).map((n) => {
    const padding = n === 5 ? 1n : n === 16 ? 1n << 63n : 0n;
    return set(state(n), n < 5 ? or(eight(n), vectorOf(0x2020202020202020n)) : vectorOf(padding));
  }),
);

/** The highest bit of each half-byte of the hash says whether a letter is upper case. Four bytes, spread to where the letters are. */
const compare = (n: number) =>
  join([
    set(spread, and(shiftRight(get(state(n >> 1)), n % 2 === 0 ? 0 : 32), vectorOf(0xffffffffn))),
    set(spread, and(or(get(spread), shiftLeft(get(spread), 16)), vectorOf(0x0000ffff0000ffffn))),
    set(spread, and(or(get(spread), shiftLeft(get(spread), 8)), vectorOf(0x00ff00ff00ff00ffn))),
    set(spread, or(get(spread), shiftLeft(get(spread), 12))),
    set(wrong, or(get(wrong), xor(isLarge(n), and(isLetter(n), get(spread))))),
  ]);

const check = block(
  loop(
    leaveWhen(not(isBelow(get(at), get(end))), 1),
    block(
      set(small, five.map(isSmall).reduce(or)),
      set(large, five.map(isLarge).reduce(or)),
      leaveWhen(not(isAny(isMixed)), 0),
      absorb,
      set(round, int(constantsAt)),
      loop(
        keccakRound,
        set(round, addInt(get(round), int(8))),
        leaveWhen(isBelow(get(round), int(constantsAt + 8 * rounds)), 0),
      ),
      set(wrong, vectorOf(0n)),
      ...five.map(compare),
      set(wrong, and(get(wrong), isMixed)),
      leaveWhen(not(isAny(get(wrong))), 0),
      // The second one, where the first is right.
      set(at, addInt(get(at), [...int(0), ...int(textLength), ...not(isZero(first(get(wrong)))), 0x1b])),
      leave(2),
    ),
    set(at, addInt(get(at), int(2 * textLength))),
    leave(0),
  ),
);

/**
 * The module. It exports a page of memory and a function that takes where texts of addresses begin and end in it, one behind the other.
 * The function returns where the first is whose checksum is wrong, or the end.
 */
export const checksumCode = Uint8Array.from([
  ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
  ...section(1, list([[0x60, ...list([[int32], [int32]]), ...list([[int32]])]])),
  ...section(3, list([[0]])),
  ...section(5, list([[0, 1]])),
  ...section(
    7,
    list([
      [...name("memory"), 2, 0],
      [...name("firstWrong"), 0, 0],
    ]),
  ),
  ...section(
    10,
    list([
      sized([
        ...list([
          [1, int32],
          [vectors, vector],
        ]),
        ...check,
        ...get(at),
        0x0b,
      ]),
    ]),
  ),
  ...section(11, list([[0, ...int(constantsAt), 0x0b, ...sized(roundConstants())]])),
]);

/** Made by a shift register (FIPS 202, 3.2.5). */
function roundConstants(): Code {
  const bytes = Buffer.alloc(8 * rounds);
  let register = 1;
  for (let n = 0; n < rounds; n += 1) {
    let constant = 0n;
    for (let bit = 0; bit < 7; bit += 1) {
      if (register & 1) constant |= 1n << BigInt(2 ** bit - 1);
      register = ((register << 1) ^ ((register >> 7) * 0x171)) & 0xff;
    }
    bytes.writeBigUInt64LE(constant, 8 * n);
  }
  return [...bytes];
}

/**
 * Decodes ABI-encoded values from the types alone; names come afterwards. Anybody can emit any data, so each word is read at most once: an
 * offset may point anywhere, and 8 KB whose values share bytes could stand for gigabytes. Whoever encodes honestly writes each byte once.
 */

/** A type, ready to be read. `words` is the length of its head: one for an offset. */
export type Shape = { isDynamic: boolean; words: number } & (
  | { kind: "address" | "bool" | "uint" | "int" | "string" | "bytes" }
  | { kind: "fixed-bytes"; length: number }
  | { kind: "array"; item: Shape; length: number | undefined }
  | { kind: "tuple"; members: readonly Shape[] }
);

/** Numbers as decimal strings; bytes and addresses in hex, in lower case; arrays and tuples as lists. */
export type Value = string | boolean | readonly Value[];

/** How many words may still be read, for some logs together. */
export type WordLimit = { left: number };

/** Data that does not hold the values that it should. */
export class AbiDataError extends Error {
  override readonly name = "AbiDataError";
}

/** More words than the limit allows. */
export class WordLimitError extends Error {
  override readonly name = "WordLimitError";
}

/** @param type in full, such as `uint256[2][]` @param members of a tuple */
export function shapeOf(type: string, members: readonly Shape[] = []): Shape {
  const [, inner, length] = /^(.*)\[(\d*)\]$/.exec(type) ?? [];
  if (inner !== undefined) {
    const item = shapeOf(inner, members);
    if (!length) return { kind: "array", item, length: undefined, isDynamic: true, words: 1 };
    const { isDynamic, words } = item;
    return { kind: "array", item, length: Number(length), isDynamic, words: isDynamic ? 1 : Number(length) * words };
  }
  if (type === "tuple") {
    const isDynamic = members.some((member) => member.isDynamic);
    const words = isDynamic ? 1 : members.reduce((sum, member) => sum + member.words, 0);
    return { kind: "tuple", members, isDynamic, words };
  }
  if (type === "string" || type === "bytes") return { kind: type, isDynamic: true, words: 1 };
  if (type === "address" || type === "bool") return { kind: type, isDynamic: false, words: 1 };
  const bytes = /^bytes(\d+)$/.exec(type)?.[1];
  if (bytes) return { kind: "fixed-bytes", length: Number(bytes), isDynamic: false, words: 1 };
  return { kind: type.startsWith("u") ? "uint" : "int", isDynamic: false, words: 1 };
}

/**
 * @param data in hex, in lower case, without 0x
 * @throws AbiDataError if the data does not hold the values, each byte once; WordLimitError
 */
export function decode(shapes: readonly Shape[], data: string, limit: WordLimit): Value[] {
  return new Reader(data, limit).readAll(shapes, 0);
}

const digitsPerByte = 2;
const wordBytes = 32;
const wordDigits = wordBytes * digitsPerByte;
const zeros = "0".repeat(wordDigits);

class Reader {
  readonly #data: string;
  readonly #limit: WordLimit;
  readonly #size: number;
  /** How many words of the data may still be read, if each is read once. */
  #left: number;

  constructor(data: string, limit: WordLimit) {
    this.#data = data;
    this.#limit = limit;
    this.#size = Math.floor(data.length / digitsPerByte);
    this.#left = Math.ceil(this.#size / wordBytes);
  }

  /** @param start in bytes, where their heads begin, from which their offsets count */
  readAll(shapes: readonly Shape[], start: number): Value[] {
    let position = start;
    return shapes.map((shape) => {
      const value = this.#read(shape, start, position);
      position += shape.words * wordBytes;
      return value;
    });
  }

  #read(shape: Shape, base: number, position: number): Value {
    if (shape.isDynamic) return this.#readContent(shape, base + this.#number(position));
    if (shape.kind === "tuple") return this.readAll(shape.members, position);
    if (shape.kind === "array") return this.#readItems(shape.item, shape.length ?? 0, position);
    return wordValue(shape, this.#word(position));
  }

  /** @param start where an offset points */
  #readContent(shape: Shape, start: number): Value {
    if (shape.kind === "tuple") return this.readAll(shape.members, start);
    if (shape.kind === "array") {
      if (shape.length !== undefined) return this.#readItems(shape.item, shape.length, start);
      return this.#readItems(shape.item, this.#number(start), start + wordBytes);
    }
    const length = this.#number(start);
    const from = start + wordBytes;
    this.#spend(Math.ceil(length / wordBytes));
    if (from + length > this.#size) throw new AbiDataError("a text or bytes are longer than the data");
    const digits = this.#data.slice(from * digitsPerByte, (from + length) * digitsPerByte);
    return shape.kind === "string" ? Buffer.from(digits, "hex").toString("utf8") : `0x${digits}`;
  }

  #readItems(item: Shape, count: number, start: number): Value[] {
    if (count > this.#left) throw new AbiDataError("an array is longer than the data");
    const values: Value[] = [];
    for (let index = 0; index < count; index += 1)
      values.push(this.#read(item, start, start + index * item.words * wordBytes));
    return values;
  }

  /** A length or an offset: no data is as long as 2^31. */
  #number(position: number): number {
    const word = this.#word(position);
    if (!word.startsWith(zeros.slice(0, 56))) throw new AbiDataError("an offset or a length is too large");
    return Number.parseInt(word.slice(56), 16);
  }

  #word(position: number): string {
    this.#spend(1);
    if (position + wordBytes > this.#size) throw new AbiDataError("an offset points outside of the data");
    return this.#data.slice(position * digitsPerByte, position * digitsPerByte + wordDigits);
  }

  #spend(words: number): void {
    this.#left -= words;
    if (this.#left < 0) throw new AbiDataError("the data is shorter than its values");
    this.#limit.left -= words;
    if (this.#limit.left < 0) throw new WordLimitError("there are more words than may be read");
  }
}

/** @param word 64 digits, such as an indexed argument's topic @throws AbiDataError */
export function wordValue(shape: Shape, word: string): Value {
  if (word.length !== wordDigits) throw new AbiDataError("a word must have 32 bytes");
  if (shape.kind === "address") return `0x${word.slice(24)}`;
  if (shape.kind === "fixed-bytes") return `0x${word.slice(0, shape.length * digitsPerByte)}`;
  if (shape.kind === "bool") {
    const digit = word.startsWith(zeros.slice(1)) ? word.at(-1) : undefined;
    if (digit !== "0" && digit !== "1") throw new AbiDataError("a boolean must be 0 or 1");
    return digit === "1";
  }
  // What a double holds exactly needs no bigint.
  if (word.startsWith(zeros.slice(0, 52))) return String(Number.parseInt(word.slice(52), 16));
  const number = BigInt(`0x${word}`);
  return String(shape.kind === "int" ? BigInt.asIntN(256, number) : number);
}

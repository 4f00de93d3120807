/** Turns what JSON-RPC has in hex into what RLP is made of, the serialization that Ethereum hashes. */
import { toRlp } from "viem/utils";
import type { Hex } from "../../matching/wire.ts";

/** What RLP serializes: bytes, and lists of such. */
export type Field = Uint8Array | readonly Field[];

/** A field that the serialization needs is not there. */
export class MissingFieldError extends Error {
  override readonly name = "MissingFieldError";
}

/** The serialization of a field. */
export function rlp(field: Field): Uint8Array {
  return toRlp(field as Uint8Array, "bytes");
}

/** As in EIP-2718: a type's number before its payload, and nothing before the payload of type 0. */
export function typed(type: number, payload: readonly Field[]): Uint8Array {
  const serialized = rlp(payload);
  if (type === 0) return serialized;
  const whole = new Uint8Array(serialized.length + 1);
  whole[0] = type;
  whole.set(serialized, 1);
  return whole;
}

/** Bytes as they are, such as a hash. */
export function data(hex: Hex): Uint8Array {
  return Buffer.from(hex.slice(2), "hex");
}

/** A number's bytes without zeros in front, so that 0 has none. */
export function quantity(hex: Hex): Uint8Array {
  const digits = hex[2] === "0" ? hex.slice(2).replace(/^0+/, "") : hex.slice(2);
  return Buffer.from(digits.length % 2 ? `0${digits}` : digits, "hex");
}

/** An address, and no bytes where there is none. */
export function optionalAddress(hex: Hex | null | undefined): Uint8Array {
  return data(hex ?? "0x");
}

/** A field of what a node answered, by its name. @param what it is a field of @throws MissingFieldError */
export function given<T extends object>(source: T, name: keyof T & string, what: string): Hex {
  const value: unknown = source[name];
  if (typeof value !== "string" || !value.startsWith("0x")) throw new MissingFieldError(`${what} has no ${name}`);
  return value as Hex;
}

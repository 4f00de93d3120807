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
  return type === 0 ? serialized : Buffer.concat([Uint8Array.of(type), serialized]);
}

/** Bytes as they are, such as a hash. */
export function data(hex: Hex): Uint8Array {
  return Buffer.from(hex.slice(2), "hex");
}

/** A number's bytes without zeros in front, so that 0 has none. */
export function quantity(hex: Hex): Uint8Array {
  const digits = hex.slice(2).replace(/^0+/, "");
  return Buffer.from(digits.length % 2 ? `0${digits}` : digits, "hex");
}

/** An address, and no bytes where there is none. */
export function optionalAddress(hex: Hex | null | undefined): Uint8Array {
  return data(hex ?? "0x");
}

/** Reads fields of what a node answered. @throws MissingFieldError by the field's name */
export function fieldsOf<T extends object>(source: T, what: string) {
  const given = (name: keyof T & string): Hex => {
    const value: unknown = source[name];
    if (typeof value !== "string" || !value.startsWith("0x")) throw new MissingFieldError(`${what} has no ${name}`);
    return value as Hex;
  };
  return {
    data: (name: keyof T & string) => data(given(name)),
    quantity: (name: keyof T & string) => quantity(given(name)),
  };
}

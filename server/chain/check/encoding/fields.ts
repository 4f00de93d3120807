/** Makes of what JSON-RPC answers the fields that are serialized. */
import type { Hex } from "../../../matching/wire.ts";

/** A field that the serialization needs is not there. */
export class MissingFieldError extends Error {
  override readonly name = "MissingFieldError";
}

/** The bytes themselves. */
export function data(hex: Hex): Uint8Array {
  return Buffer.from(hex.slice(2), "hex");
}

/** A number's bytes without zeros in front, so that 0 has none. */
export function quantity(hex: Hex): Hex {
  // Almost all are so already, but for those of an odd number of digits.
  const digits = hex[2] === "0" ? hex.slice(2).replace(/^0+/, "") : undefined;
  if (digits === undefined) return hex.length % 2 ? `0x0${hex.slice(2)}` : hex;
  return digits.length % 2 ? `0x0${digits}` : `0x${digits}`;
}

/** An address, and no bytes where there is none. */
export function optionalAddress(hex: Hex | null | undefined): Hex {
  return hex ?? "0x";
}

/** A field of what a node answered, by its name. @param what it is a field of @throws MissingFieldError */
export function given<T extends object>(source: T, name: keyof T & string, what: string): Hex {
  const value: unknown = source[name];
  if (typeof value !== "string" || !value.startsWith("0x")) throw new MissingFieldError(`${what} has no ${name}`);
  return value as Hex;
}

/** Reads the values that conditions compare with, by the kind of their field. */
import type { Kind } from "./fields.ts";

const decimal = /^-?(0|[1-9]\d{0,77})$/;
const hex = /^0x[0-9a-fA-F]{1,64}$/;
const address = /^0x[0-9a-fA-F]{40}$/;
const bytes = /^0x([0-9a-fA-F]{2})*$/;

/** @returns the value as candidates have it; undefined if it is none of this kind */
export function readValue(kind: Kind, value: string): string | undefined {
  switch (kind.of) {
    case "integer":
      return readInteger(value, kind.signed);
    case "address":
      return address.test(value) ? value.toLowerCase() : undefined;
    case "boolean":
      return value === "true" || value === "false" ? value : undefined;
    case "bytes":
      return bytes.test(value) && (kind.length === undefined || value.length === 2 + 2 * kind.length)
        ? value.toLowerCase()
        : undefined;
    case "choice":
      return kind.values.includes(value) ? value : undefined;
    case "text":
      return value;
  }
}

function readInteger(value: string, signed: boolean): string | undefined {
  if (!decimal.test(value) && !hex.test(value)) return undefined;
  const number = BigInt(value);
  const [least, most] = signed ? [-(1n << 255n), (1n << 255n) - 1n] : [0n, (1n << 256n) - 1n];
  return number >= least && number <= most ? number.toString() : undefined;
}

/** What a value must be, in words. */
export function kindPhrase(kind: Kind): string {
  switch (kind.of) {
    case "integer":
      return `an integer of 256 bits${kind.signed ? "" : " and not negative"}, in decimal digits without leading zeros, or as 0x and up to 64 hex digits`;
    case "address":
      return "an address, 0x and 40 hex digits";
    case "boolean":
      return "true or false, as a text";
    case "bytes":
      return kind.length === undefined ? "0x and an even number of hex digits" : `0x and ${2 * kind.length} hex digits`;
    case "choice":
      return `one of ${kind.values.join(", ")}`;
    case "text":
      return "a text";
  }
}

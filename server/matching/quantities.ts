/** Converts JSON-RPC's hex quantities for the payload: into decimal text, which holds any size, or small integers. */
import type { Hex } from "./wire.ts";

/**
 * Reads a number in each form in which nodes return it, if it has one meaning: without digits, with zeros in front, or as a JSON number.
 *
 * @returns the form that JSON-RPC prescribes; undefined for what is no number, or not in hex
 */
export function quantityIn(value: unknown): Hex | undefined {
  if (typeof value === "number")
    return Number.isSafeInteger(value) && value >= 0 ? `0x${value.toString(16)}` : undefined;
  const digits = typeof value === "string" ? /^0x0*([0-9a-f]*)$/i.exec(value)?.[1] : undefined;
  return digits === undefined ? undefined : `0x${digits || "0"}`;
}

/** 0 for a quantity that is absent or has no digits. */
export function amount(quantity: Hex | null | undefined): bigint {
  return BigInt(quantity === "0x" ? 0 : (quantity ?? 0));
}

export function decimal(quantity: Hex | null | undefined): string {
  return amount(quantity).toString();
}

/** @param quantity below 2^53, such as a type @returns 0 if it is absent */
export function integer(quantity: Hex | null | undefined): number {
  return Number(decimal(quantity));
}

/** The year 5138 in seconds, and 1973 in milliseconds: after every chain's time, or before. */
const farTime = 100_000_000_000;

/** A block's time in seconds. Some chains count milliseconds. */
export function seconds(timestamp: Hex): number {
  const time = integer(timestamp);
  return time < farTime ? time : Math.floor(time / 1_000);
}

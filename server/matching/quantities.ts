/** Turns the hex quantities of JSON-RPC into what the payload has: decimal text, which no size can break, or small integers. */
import type { Hex } from "./wire.ts";

/** A quantity in decimal digits, "0" when it is absent. */
export function decimal(quantity: Hex | null | undefined): string {
  return BigInt(quantity ?? 0).toString();
}

/** A quantity that is known to be below 2^53, such as a time in seconds; 0 when it is absent. */
export function integer(quantity: Hex | null | undefined): number {
  return Number(quantity ?? 0);
}

/** Turns the hex quantities of JSON-RPC into what the payload has: decimal text, which no size can break, or small integers. */
import type { Hex } from "./wire.ts";

/** A quantity in decimal digits, "0" when it is absent or has no digits. */
export function decimal(quantity: Hex | null | undefined): string {
  return BigInt(quantity === "0x" ? 0 : (quantity ?? 0)).toString();
}

/** A quantity that is known to be below 2^53, such as a type; 0 when it is absent. */
export function integer(quantity: Hex | null | undefined): number {
  return Number(decimal(quantity));
}

/** The year 5138 in seconds, and 1973 in milliseconds: before any chain, or after all of them. */
const farTime = 100_000_000_000;

/** A block's time in seconds, whichever of seconds and milliseconds the chain counts. */
export function seconds(timestamp: Hex): number {
  const time = integer(timestamp);
  return time < farTime ? time : Math.floor(time / 1_000);
}

/** The range of numbers that a schema allows, with its open and closed ends as one limit. */
import type { JsonObject } from "../../document/json.ts";
import { typesOf } from "./constraint.ts";
import type { Move } from "./direction.ts";

/** An end of a range; `open` when the value itself is not allowed. */
export type Limit = { value: number; open: boolean };

/** The tighter of `maximum` and `exclusiveMaximum`, or of `minimum` and `exclusiveMinimum`. */
export function limitOf(schema: JsonObject, end: "max" | "min"): Limit | undefined {
  const closed = schema[end === "max" ? "maximum" : "minimum"];
  const open = schema[end === "max" ? "exclusiveMaximum" : "exclusiveMinimum"];
  const limits: Limit[] = [];
  if (typeof closed === "number") limits.push({ value: closed, open: false });
  if (typeof open === "number") limits.push({ value: open, open: true });
  const whole = !typesOf(schema).includes("fraction");
  const exact = limits.map((limit) => (whole ? wholeLimit(limit, end) : limit));
  return exact.sort((one, other) => tightness(one, other, end))[0];
}

/** Among integers, less than 10 is at most 9. */
function wholeLimit({ value, open }: Limit, end: "max" | "min"): Limit {
  if (end === "max") return { value: open ? Math.ceil(value) - 1 : Math.floor(value), open: false };
  return { value: open ? Math.floor(value) + 1 : Math.ceil(value), open: false };
}

/** Negative when the first is tighter. */
function tightness(one: Limit, other: Limit, end: "max" | "min"): number {
  const difference = end === "max" ? one.value - other.value : other.value - one.value;
  return difference === 0 ? Number(other.open) - Number(one.open) : difference;
}

/** How a limit moved; undefined when it did not. */
export function limitMove(was: Limit | undefined, is: Limit | undefined, end: "max" | "min"): Move | undefined {
  if (was === undefined) return is === undefined ? undefined : "narrower";
  if (is === undefined) return "wider";
  const tighter = tightness(is, was, end);
  return tighter === 0 ? undefined : tighter < 0 ? "narrower" : "wider";
}

/** A limit in words. */
export function limitInWords(limit: Limit | undefined): string {
  return limit === undefined ? "none" : `${limit.value}${limit.open ? " (exclusive)" : ""}`;
}

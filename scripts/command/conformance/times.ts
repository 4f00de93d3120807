/** The times in an answer or a notification, and whether each is in the unit that the contract's description states. */
import { asObject, type Json, type JsonObject } from "../../document/json.ts";
import { answerSchema, followed } from "./contract.ts";
import type { RecordedExchange } from "./exchange.ts";
import type { Rule } from "./rules.ts";

/** A time that cannot be in its unit. */
export type WrongTime = { rule: Rule; expected: string; came: string };

// In 1973 by milliseconds and in 5138 by seconds: no clock of a service shows the one, and no chain the other.
const between = 100_000_000_000;
const microseconds = 100_000_000_000_000;

/** The times of an answer that succeeded. */
export function wrongTimesOf({ operation, status, json }: RecordedExchange): WrongTime[] {
  const schema = operation && answerSchema(operation, status);
  return schema ? wrongTimes(schema, json, "body") : [];
}

/** The times of a value with the contract's schema of this name. */
export function wrongTimesIn(name: string, value: Json | undefined): WrongTime[] {
  return wrongTimes({ $ref: `#/components/schemas/${name}` }, value, "body");
}

function wrongTimes(schema: JsonObject, value: Json | undefined, place: string): WrongTime[] {
  if (value === undefined || value === null) return [];
  const { description, properties, items } = followed(schema);
  if (typeof value === "number") return wrongTime(String(description), value, place);
  if (Array.isArray(value)) return value.flatMap((one, index) => wrongTimes(asObject(items), one, `${place}.${index}`));
  return Object.entries(asObject(properties)).flatMap(([name, own]) =>
    wrongTimes(asObject(own), asObject(value)[name], `${place}.${name}`),
  );
}

function wrongTime(description: string, value: number, place: string): WrongTime[] {
  const came = `${place} ${value}`;
  if (/\bmilliseconds since the epoch/.test(description))
    return value >= between && value < microseconds
      ? []
      : [{ rule: "times-in-milliseconds", expected: `${place} in milliseconds since the epoch`, came }];
  if (/\bseconds since the epoch/.test(description) && value >= between)
    return [{ rule: "block-timestamp-in-seconds", expected: `${place} in seconds since the epoch`, came }];
  return [];
}

/** Whether a time is now, by the server's own clock where its answer has a Date. @param tookMs how long the answer may have taken */
export function isNow(time: number, { headers }: RecordedExchange, tookMs: number): boolean {
  const date = Date.parse(String(headers.date));
  const now = Number.isNaN(date) ? Date.now() : date;
  // Two clocks may differ: that of the database, for one, from that of the process.
  return Math.abs(time - now) < 600_000 + tookMs;
}

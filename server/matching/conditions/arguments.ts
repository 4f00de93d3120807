/**
 * Reads the arguments of events. What a log says depends on the types of its event and on which are indexed, not on the names that a webhook
 * gives them. So a log is decoded once for each shape of its event, however many webhooks name its arguments in ways of their own.
 */
import type { Fragment } from "../abi/fragment.ts";
import { decodingLimits, type LogValues, readLog } from "../abi.ts";
import type { WireLog } from "../wire.ts";
import type { ColumnSource } from "./candidates.ts";

/** Where an argument is: its position, and its members' positions if it is a tuple. */
export type ArgumentPlace = { positions: readonly number[] };

/** @param fragments of one signature, in the order in which they are tried @param places the argument's in each */
export function argumentColumn(
  fragments: readonly Fragment[],
  places: readonly (ArgumentPlace | undefined)[],
): ColumnSource {
  const tried = fragments.map((fragment, index) => ({ fragment, place: places[index] }));
  return {
    key: tried.map(({ fragment: { types }, place }) => `${types} ${place?.positions.join(".") ?? "-"}`).join(";"),
    read({ log, of: { decoded } }) {
      for (const { fragment, place } of log ? tried : []) {
        const values = log && valuesOf(log, fragment, decoded);
        if (values) return place && textAt(values, place.positions);
      }
      return undefined;
    },
  };
}

/** What each log says, by the types of an event. */
const valuesOfLogs = new WeakMap<WireLog, Map<string, LogValues | undefined>>();

/** A log that is too large to be decoded has no arguments. */
function valuesOf(log: WireLog, fragment: Fragment, decoded: { words: number }): LogValues | undefined {
  const { types } = fragment;
  const byTypes = valuesOfLogs.get(log) ?? new Map<string, LogValues | undefined>();
  if (byTypes.has(types)) return byTypes.get(types);
  const most = decodingLimits.log.data / 32;
  const limit = { left: most };
  const read = readLog(fragment, log, limit);
  decoded.words += 1 + most - limit.left;
  const values = read === "too_large" ? undefined : read;
  valuesOfLogs.set(log, byTypes.set(types, values));
  return values;
}

/** The value as conditions compare it; a hash where the log has no more. */
function textAt(values: LogValues, [first = 0, ...members]: readonly number[]): string | undefined {
  let value = values[first];
  for (const position of members) value = Array.isArray(value) ? (value[position] as typeof value) : undefined;
  if (typeof value === "object" && "hash" in value) return value.hash;
  return typeof value === "string" || typeof value === "boolean" ? String(value) : undefined;
}

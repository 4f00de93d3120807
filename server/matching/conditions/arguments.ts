/**
 * Reads the arguments of events. What a log says depends on the types of its event and on which are indexed, not on the names that a webhook
 * gives them. So a log is decoded once for each shape of its event, however many webhooks name its arguments in ways of their own.
 */
import type { AbiParameter, Fragment } from "../abi/fragment.ts";
import { type CompiledAbi, decodeLog } from "../abi.ts";
import type { WireLog } from "../wire.ts";
import type { Candidate } from "./candidates.ts";
import type { ColumnSource } from "./columns.ts";

/** Where an argument is: its position, and its members' positions if it is a tuple. */
export type ArgumentPlace = { positions: readonly number[] };

/** @param fragments of one signature, in the order in which they are tried @param places the argument's in each */
export function argumentColumn(
  fragments: readonly Fragment[],
  places: readonly (ArgumentPlace | undefined)[],
): ColumnSource {
  const tried = fragments.map((fragment, index) => ({ shape: shapeOf(fragment), place: places[index] }));
  return {
    key: tried.map(({ shape, place }) => `${shape.key} ${place?.positions.join(".") ?? "-"}`).join(";"),
    read(candidate) {
      for (const { shape, place } of tried) {
        const args = decodedAs(candidate, shape);
        if (args) return place && textAt(args, place.positions);
      }
      return undefined;
    },
  };
}

/** An event without names: its arguments are by their position. */
type EventShape = { key: string; abi: CompiledAbi };

function shapeOf(fragment: Fragment): EventShape {
  const nameless: Fragment = {
    ...fragment,
    arguments: fragment.arguments.map((one, index) => ({
      ...one,
      key: String(index),
      parameter: withoutNames(one.parameter),
    })),
  };
  const indexed = fragment.arguments.map((one) => (one.indexed ? "i" : ".")).join("");
  const fragments = new Map([[fragment.topic0, [nameless]]]);
  return { key: `${fragment.signature} ${indexed}`, abi: { signatures: [fragment.topic0], fragments } };
}

const withoutNames = ({ type, components }: AbiParameter): AbiParameter => ({
  type,
  ...(components && { components: components.map(withoutNames) }),
});

type Decoded = Readonly<Record<string, unknown>> | undefined;

/** What each log says, by the shape of an event. */
const decodedLogs = new WeakMap<WireLog, Map<string, Decoded>>();

function decodedAs({ log }: Candidate, { key, abi }: EventShape): Decoded {
  if (!log) return undefined;
  const byShape = decodedLogs.get(log) ?? new Map<string, Decoded>();
  if (byShape.has(key)) return byShape.get(key);
  const args = decodeLog(abi, log)?.args;
  decodedLogs.set(log, byShape.set(key, args));
  return args;
}

/** The value as conditions compare it; a hash where the log has no more. */
function textAt(args: Readonly<Record<string, unknown>>, positions: readonly number[]): string | undefined {
  let value: unknown = args;
  for (const position of positions) value = (value as Readonly<Record<string, unknown>>)[position];
  if (typeof value === "object" && value !== null && "hash" in value) value = value.hash;
  return typeof value === "string" || typeof value === "boolean" ? String(value) : undefined;
}

/** What conditions compare: each field's kind of value, and where it is found in a candidate. */
import { type AbiParameter, type Fragment, keyOf } from "../abi/fragment.ts";
import { type CompiledAbi, decodingLimits, type LogValues, readLog } from "../abi.ts";
import { zeroAddress } from "../bundle.ts";
import { decimal } from "../quantities.ts";
import type { WireLog } from "../wire.ts";
import type { Candidate, ColumnSource } from "./candidates.ts";

/** How a field's values are written and compared. */
export type Kind =
  | { of: "integer"; signed: boolean }
  | { of: "address" | "boolean" | "text" }
  /** Undefined if any length will do. */
  | { of: "bytes"; length: number | undefined }
  | { of: "choice"; values: readonly string[] };

/** A field, ready to be read. */
export type Field = {
  kind: Kind;
  /** The part of the candidate that it is of. */
  of: "transaction" | "transfer" | "args";
  /** Direction depends on who watches, so it is in no column. */
  isDirection: boolean;
  /** @returns undefined for a candidate that cannot have it */
  columnOf(candidate: Candidate): ColumnSource | undefined;
};

/** Why a name is no field: a clause that completes a sentence about it. */
type NoField = { reason: string };

const [integer, address] = [{ of: "integer", signed: false }, { of: "address" }] as const satisfies Kind[];

const transactionFields: Record<string, { kind: Kind; read: ColumnSource["read"] }> = {
  value: { kind: integer, read: ({ of: { transaction } }) => decimal(transaction.value) },
  // The contract's txStatus, which is absent where a receipt has none.
  status: {
    kind: { of: "choice", values: ["0", "1"] },
    read: ({
      of: {
        receipt: { status },
      },
    }) => (status == null ? undefined : BigInt(status) === 0n ? "0" : "1"),
  },
  from: { kind: address, read: ({ of: { sender } }) => sender ?? zeroAddress },
  to: { kind: address, read: ({ of: { receiver } }) => receiver ?? zeroAddress },
  method: {
    kind: { of: "bytes", length: 4 },
    read: ({
      of: {
        transaction: { input },
        receiver,
      },
    }) => (receiver !== undefined && input && input.length >= 10 ? input.slice(0, 10).toLowerCase() : undefined),
  },
};

const transferFields: Record<string, { kind: Kind; read: ColumnSource["read"] }> = {
  standard: {
    kind: { of: "choice", values: ["native", "erc20", "erc721", "erc1155"] },
    read: ({ transfer }) => transfer?.standard,
  },
  contract: { kind: address, read: ({ transfer }) => transfer?.contract ?? undefined },
  value: { kind: integer, read: ({ transfer }) => transfer?.value.toString() },
  tokenId: { kind: integer, read: ({ transfer }) => transfer?.tokenId?.toString() },
  from: { kind: address, read: ({ transfer }) => transfer?.from },
  to: { kind: address, read: ({ transfer }) => transfer?.to },
  direction: { kind: { of: "choice", values: ["in", "out"] }, read: () => undefined },
};

/** @param name such as `transfer.value` @param abi the events whose arguments can be named */
export function fieldNamed(name: string, abi: CompiledAbi | undefined): Field | NoField {
  const [of, ...rest] = name.split(".");
  const key = rest.join(".");
  if (of === "args") return argumentNamed(rest, abi);
  const known = of === "transaction" ? transactionFields : transferFields;
  const field = (of === "transaction" || of === "transfer") && Object.hasOwn(known, key) ? known[key] : undefined;
  if (!field) {
    const names = (fields: object) => Object.keys(fields).join("|");
    return {
      reason: `must be transaction.${names(transactionFields)}, transfer.${names(transferFields)} or args.… with the name of an argument`,
    };
  }
  return fieldRead(name, of === "transaction" ? "transaction" : "transfer", field);
}

function fieldRead(name: string, of: Field["of"], { kind, read }: { kind: Kind; read: ColumnSource["read"] }): Field {
  const source = { key: name, read };
  return { kind, of, isDirection: name === "transfer.direction", columnOf: () => source };
}

/** Who moved what to whom: the direction follows from it. */
export const fieldsOfParties = {
  from: fieldRead("transfer.from", "transfer", { kind: address, read: ({ transfer }) => transfer?.from }),
  to: fieldRead("transfer.to", "transfer", { kind: address, read: ({ transfer }) => transfer?.to }),
};

/** Different events may have an argument of the same name, but it must be of the same kind in all of them. */
function argumentNamed(path: readonly string[], abi: CompiledAbi | undefined): Field | NoField {
  if (!abi) return { reason: "must not name an argument without metadata.abi" };
  const columns = new Map<string, ColumnSource>();
  let kind: Kind | undefined;
  for (const [topic0, fragments] of abi.fragments) {
    const places = fragments.map((fragment) => placeOf(fragment, path));
    for (const place of places) {
      if (!place) continue;
      if (!place.kind) return { reason: "must name an argument that is neither an array nor a tuple" };
      if (kind && !isSameKind(kind, place.kind))
        return { reason: "must name an argument that is of one type in all events of metadata.abi that have it" };
      kind ??= place.kind;
    }
    if (places.some((place) => place)) columns.set(topic0, argumentColumn(fragments, places));
  }
  if (!kind) return { reason: "must name an argument of an event in metadata.abi" };
  return {
    ...{ kind, of: "args", isDirection: false },
    columnOf: ({ topic0 }) => (topic0 === null ? undefined : columns.get(topic0)),
  };
}

const isSameKind = (a: Kind, b: Kind) => JSON.stringify(a) === JSON.stringify(b);

/** Where a fragment has an argument; without a kind if it cannot be compared. */
function placeOf({ arguments: all }: Fragment, path: readonly string[]): (ArgumentPlace & { kind?: Kind }) | undefined {
  const [first = "", ...rest] = path;
  const position = all.findIndex(({ key }) => key === first);
  const argument = all[position];
  if (!argument) return undefined;
  const positions = [position];
  let { parameter }: { parameter: AbiParameter } = argument;
  // A tuple that is indexed is there as its hash only, without members.
  for (const name of rest) {
    const members = parameter.type === "tuple" && !argument.indexed ? (parameter.components ?? []) : [];
    const at = members.findIndex((member, index) => keyOf(member, index) === name);
    const member = members[at];
    if (!member) return undefined;
    positions.push(at);
    parameter = member;
  }
  const kind = argument.indexed ? indexedKind(parameter) : kindOf(parameter);
  return { positions, ...(kind && { kind }) };
}

function kindOf({ type }: AbiParameter): Kind | undefined {
  if (type.endsWith("]") || type === "tuple") return undefined;
  if (/^u?int/.test(type)) return { of: "integer", signed: type.startsWith("int") };
  if (type === "address") return { of: "address" };
  if (type === "bool") return { of: "boolean" };
  if (type === "string") return { of: "text" };
  const [, length] = /^bytes(\d+)$/.exec(type) ?? [];
  return { of: "bytes", length: length === undefined ? undefined : Number(length) };
}

/** What does not fit into a topic is compared by its hash. */
function indexedKind(parameter: AbiParameter): Kind | undefined {
  const kind = kindOf(parameter);
  return !kind || kind.of === "text" || parameter.type === "bytes" ? { of: "bytes", length: 32 } : kind;
}

/**
 * What a log says depends on the types of its event and on which are indexed, not on the names that a webhook gives them. So a log is
 * decoded once for each shape of its event, however many webhooks name its arguments in their own way. Where an argument is: its position,
 * and its members' positions if it is a tuple.
 */
type ArgumentPlace = { positions: readonly number[] };

/** @param fragments of one signature, in the order in which they are tried @param places the argument's in each */
function argumentColumn(fragments: readonly Fragment[], places: readonly (ArgumentPlace | undefined)[]): ColumnSource {
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

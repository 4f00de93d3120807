/** An event in JSON ABI form: what it must be, and how its values are found in a log. */
import type { components } from "../../../generated/types.ts";
import { type Shape, shapeOf } from "./decode.ts";
import { getSelector } from "./library.ts";

/** As in a request, and as the record shows it. */
export type AbiEvent = components["schemas"]["AbiEventInput"];
export type AbiParameter = components["schemas"]["AbiParameterInput"];

/** A fragment that cannot be used. */
export class AbiFragmentError extends Error {
  override readonly name = "AbiFragmentError";
  readonly path: string;
  readonly reason: string;

  /** @param path of what is wrong, such as `1.inputs.0.type`; a fragment by its index @param reason completes a sentence that begins with it */
  constructor(path: string, reason: string) {
    super(`${path} ${reason}`);
    this.path = path;
    this.reason = reason;
  }
}

/** An argument, ready to be decoded. */
export type Argument = { key: string; parameter: AbiParameter; shape: Shape; indexed: boolean };

/** An event, ready to be decoded. */
export type Fragment = {
  name: string;
  /** Such as `Transfer(address,address,uint256)`. */
  signature: string;
  /** Its hash, in lower case. */
  topic0: string;
  /** What decides how a log is read: the signature, and which arguments are indexed. Events that differ in names only have the same. */
  types: string;
  arguments: readonly Argument[];
};

const bits = Array.from({ length: 32 }, (_, index) => 8 * (index + 1)).join("|");
const elementary = new RegExp(`^(address|bool|string|bytes([1-9]|[12][0-9]|3[0-2])?|u?int(${bits})?)$`);
/** A type, and what makes arrays of it. */
const arrayForm = /^(\w+)((?:\[(?:[1-9][0-9]*)?\])*)$/;

const limits = { parameters: 100, tupleDepth: 5, dimensions: 4, arrayLength: 1_000 };

/** @throws AbiFragmentError */
export function readFragment(event: AbiEvent, index: number): Fragment {
  const path = String(index);
  if (event.anonymous)
    throw new AbiFragmentError(`${path}.anonymous`, "must be false: an anonymous event has no signature to find it by");
  const counted = { parameters: 0 };
  const types = event.inputs.map((input, at) => canonicalType(input, `${path}.inputs.${at}`, { depth: 0, counted }));
  if (event.inputs.filter(({ indexed }) => indexed).length > 3)
    throw new AbiFragmentError(`${path}.inputs`, "must have at most 3 indexed arguments");
  assertDistinct(event.inputs, `${path}.inputs`);
  const signature = `${event.name}(${types.join(",")})`;
  return {
    name: event.name,
    signature,
    topic0: getSelector(plainEvent(event)),
    types: `${signature} ${event.inputs.map(({ indexed }) => (indexed ? "i" : ".")).join("")}`,
    arguments: event.inputs.map((parameter, at) => {
      const shape = shapeOfParameter(parameter);
      return { key: keyOf(parameter, at), parameter, shape, indexed: parameter.indexed === true };
    }),
  };
}

/** Where a value has no name, its position names it. */
export const keyOf = ({ name }: AbiParameter, position: number): string => name || String(position);

/** The type as it counts in the signature. @throws AbiFragmentError */
function canonicalType(
  { type, components: members, indexed }: AbiParameter,
  path: string,
  { depth, counted }: { depth: number; counted: { parameters: number } },
): string {
  counted.parameters += 1;
  if (counted.parameters > limits.parameters)
    throw new AbiFragmentError(
      path.split(".")[0] ?? path,
      `must have at most ${limits.parameters} arguments and members`,
    );
  if (depth > 0 && indexed) throw new AbiFragmentError(`${path}.indexed`, "must be absent from a member of a tuple");
  const [, base = "", dimensions = ""] = arrayForm.exec(type) ?? [];
  if (base !== "tuple" && !elementary.test(base))
    throw new AbiFragmentError(`${path}.type`, "must be a Solidity type, such as uint256");
  assertDimensions(dimensions, `${path}.type`);
  if (base !== "tuple") {
    if (members) throw new AbiFragmentError(`${path}.components`, "must be absent unless the type is a tuple");
    return inFull(type);
  }
  if (!members?.length) throw new AbiFragmentError(`${path}.components`, "must have the members of the tuple");
  if (depth >= limits.tupleDepth) throw new AbiFragmentError(path, `must be at most ${limits.tupleDepth} tuples deep`);
  assertDistinct(members, `${path}.components`);
  const inner = members.map((one, at) => canonicalType(one, `${path}.components.${at}`, { depth: depth + 1, counted }));
  return `(${inner.join(",")})${dimensions}`;
}

function assertDimensions(dimensions: string, path: string): void {
  const lengths = [...dimensions.matchAll(/\[(\d*)\]/g)].map(([, length = ""]) => length);
  if (lengths.length > limits.dimensions)
    throw new AbiFragmentError(path, `must have at most ${limits.dimensions} dimensions`);
  const product = lengths.reduce((all, length) => all * (length === "" ? 1 : Number(length)), 1);
  if (product > limits.arrayLength)
    throw new AbiFragmentError(
      path,
      `must have at most ${limits.arrayLength.toLocaleString("en")} items where its length is fixed`,
    );
}

function assertDistinct(parameters: readonly AbiParameter[], path: string): void {
  const keys = new Set<string>();
  for (const [at, parameter] of parameters.entries()) {
    const key = keyOf(parameter, at);
    if (keys.has(key)) throw new AbiFragmentError(`${path}.${at}.name`, "must differ from the names before it");
    keys.add(key);
  }
}

/** `uint` is short for `uint256`. */
const inFull = (type: string) => type.replace(/^(u?int)(?!\d)/, "$1256");

function plainEvent({ name, inputs }: AbiEvent) {
  return { type: "event", name, inputs: inputs.map(({ type, components: members }) => plain(type, members)) } as const;
}

function plain(
  type: string,
  members: readonly AbiParameter[] | undefined,
): { type: string; name: ""; components?: object[] } {
  return {
    type: inFull(type),
    name: "",
    ...(members && { components: members.map((one) => plain(one.type, one.components)) }),
  };
}

function shapeOfParameter({ type, components: members }: AbiParameter): Shape {
  return shapeOf(type, members?.map(shapeOfParameter));
}

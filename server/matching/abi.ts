/** Decodes logs by the events that a webhook names. ox decodes the bytes; here they become the payload's values. */
import type { components } from "../../generated/types.ts";
import type { WebhookOptions } from "../new-webhook.ts";
import { assertSharesNothing } from "./abi/budget.ts";
import { type AbiParameter, type Argument, type Fragment, keyOf, readFragment } from "./abi/fragment.ts";
import { decode } from "./abi/library.ts";
import type { WireLog } from "./wire.ts";

/** A log's `decoded`, as in the payload. */
export type DecodedLog = components["schemas"]["DecodedLog"];

type Abi = NonNullable<WebhookOptions["abi"]>;

/** Events, ready to decode logs. */
export type CompiledAbi = {
  /** Their distinct signature hashes. */
  signatures: readonly string[];
  /** By signature hash. ERC-20 and ERC-721 share one, and differ in what is indexed. */
  fragments: ReadonlyMap<string, readonly Fragment[]>;
};

/** Many webhooks may have the same events, and a block asks for each of them. */
const compiled = new Map<string, CompiledAbi>();
const mostCompiled = 1_000;
const compiledOf = new WeakMap<Abi, CompiledAbi>();

/** @throws AbiFragmentError for the first fragment that cannot be used */
export function compileAbi(abi: Abi): CompiledAbi {
  const known = compiledOf.get(abi) ?? compileText(abi);
  compiledOf.set(abi, known);
  return known;
}

function compileText(abi: Abi): CompiledAbi {
  const text = JSON.stringify(abi);
  const known = compiled.get(text);
  if (known) return known;
  const fragments = new Map<string, Fragment[]>();
  for (const fragment of abi.map(readFragment)) {
    const same = fragments.get(fragment.topic0);
    if (same) same.push(fragment);
    else fragments.set(fragment.topic0, [fragment]);
  }
  const made = { signatures: [...fragments.keys()], fragments };
  // The oldest goes first. With more in use than fit, each block compiles some again, at about 20 µs an event.
  if (compiled.size >= mostCompiled)
    for (const oldest of [...compiled.keys()].slice(0, mostCompiled / 10)) compiled.delete(oldest);
  compiled.set(text, made);
  return made;
}

/** @returns undefined if no event fits: another signature, another number of topics, or data that does not hold its values */
export function decodeLog(abi: CompiledAbi, log: WireLog): DecodedLog | undefined {
  const fragments = abi.fragments.get(log.topics[0]?.toLowerCase() ?? "") ?? [];
  for (const fragment of fragments) {
    if (fragment.arguments.filter(({ indexed }) => indexed).length !== log.topics.length - 1) continue;
    const args = decodeArguments(fragment, log);
    if (args) return { name: fragment.name, signature: fragment.signature, args };
  }
  return undefined;
}

function decodeArguments({ arguments: all }: Fragment, { topics, data }: WireLog): DecodedLog["args"] | undefined {
  const inData = all.filter(({ indexed }) => !indexed);
  const inTopics = all.filter(({ indexed }) => indexed);
  try {
    const bytes = Buffer.from(data.slice(2), "hex");
    const shapes = inData.map(({ shape }) => shape);
    assertSharesNothing(shapes, bytes);
    const values = shapes.length > 0 ? decode(shapes, bytes, { checksumAddress: false }) : [];
    const decoded = new Map<Argument, unknown>();
    for (const [index, one] of inData.entries()) decoded.set(one, toJson(one.parameter, values[index]));
    for (const [index, one] of inTopics.entries()) decoded.set(one, topicValue(one, topics[index + 1] ?? "0x"));
    return Object.fromEntries(all.map((one) => [one.key, decoded.get(one)]));
  } catch {
    // Anybody can emit a log with this signature, and any data.
    return undefined;
  }
}

/** An indexed value of more than a word is there as its hash only. */
function topicValue({ parameter, shape }: Argument, topic: string): unknown {
  if (/^(string|bytes|tuple)$|\]$/.test(parameter.type)) return { hash: topic.toLowerCase(), hashed: true };
  const [value] = decode([shape], Buffer.from(topic.slice(2), "hex"), { checksumAddress: false });
  return toJson(parameter, value);
}

/** Numbers as decimal strings, tuples as objects, bytes and addresses as hex in lower case. */
function toJson({ type, components: members = [] }: AbiParameter, value: unknown): unknown {
  if (type.endsWith("]")) {
    const item = { type: type.replace(/\[\d*\]$/, ""), components: members };
    return (value as readonly unknown[]).map((one) => toJson(item, one));
  }
  if (type === "tuple") {
    const values = value as readonly unknown[];
    return Object.fromEntries(members.map((member, index) => [keyOf(member, index), toJson(member, values[index])]));
  }
  if (typeof value === "bigint" || typeof value === "number") return String(value);
  return typeof value === "string" && value.startsWith("0x") && type !== "string" ? value.toLowerCase() : value;
}

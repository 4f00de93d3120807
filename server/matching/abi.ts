/** Decodes logs by the events that a webhook names, as the payload shows them. */
import type { components } from "../../generated/types.ts";
import { AbiDataError, decode, type Value, type WordLimit, WordLimitError, wordValue } from "./abi/decode.ts";
import { type AbiParameter, type Argument, type Fragment, keyOf, readFragment } from "./abi/fragment.ts";
import type { WebhookOptions } from "./new-webhook.ts";
import type { WireLog } from "./wire.ts";

type Log = components["schemas"]["Log"];
type Abi = NonNullable<WebhookOptions["abi"]>;

/** Events, ready to decode logs. */
export type CompiledAbi = {
  /** Their distinct signature hashes. */
  signatures: readonly string[];
  /** By signature hash, each with types of its own. ERC-20 and ERC-721 share a hash, and differ in what is indexed. */
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
    if (!same) fragments.set(fragment.topic0, [fragment]);
    // Where one does not fit, neither does another of the same types.
    else if (same.every(({ types }) => types !== fragment.types)) same.push(fragment);
  }
  const made = { signatures: [...fragments.keys()], fragments };
  // The oldest goes first. With more in use than fit, each block compiles some again, at about 20 µs an event.
  if (compiled.size >= mostCompiled)
    for (const oldest of [...compiled.keys()].slice(0, mostCompiled / 10)) compiled.delete(oldest);
  compiled.set(text, made);
  return made;
}

/**
 * How much is decoded, in bytes of data and in characters of JSON: of a log, and of all logs of a notification together. The contract states
 * them.
 */
export const decodingLimits = {
  log: { data: 32_768, text: 262_144 },
  notification: { data: 1_048_576, text: 1_048_576 },
};

/** What may still be decoded of a notification. */
type DecodingAllowance = { words: WordLimit; text: number };

export function newAllowance(): DecodingAllowance {
  return { words: { left: decodingLimits.notification.data / 32 }, text: decodingLimits.notification.text };
}

/**
 * What the payload says of a log by these events.
 *
 * @param allowance of the notification
 * @returns `decoded`; nothing if no event fits: another signature, another number of topics, or data that does not hold its values;
 *   `undecoded` if it is too large
 */
export function decodeLog(
  abi: CompiledAbi,
  log: WireLog,
  allowance: DecodingAllowance = newAllowance(),
): Pick<Log, "decoded" | "undecoded"> {
  const found = firstFitting(fragmentsFor(abi, log), log, allowance.words);
  if (!found) return {};
  if (found === "too_large") return { undecoded: "too_large" };
  const { fragment, values } = found;
  const args = Object.fromEntries(fragment.arguments.map((one, index) => [one.key, named(one, values[index])]));
  const decoded = { name: fragment.name, signature: fragment.signature, args };
  const { length } = JSON.stringify(decoded);
  if (length > decodingLimits.log.text || length > allowance.text) return { undecoded: "too_large" };
  allowance.text -= length;
  return { decoded };
}

/** The events of a log's signature with as many indexed arguments as it has further topics. */
function fragmentsFor({ fragments }: CompiledAbi, { topics }: Pick<WireLog, "topics">): readonly Fragment[] {
  const same = fragments.get(topics[0]?.toLowerCase() ?? "") ?? [];
  return same.filter((fragment) => isOfTopics(fragment, topics.length));
}

function firstFitting(
  fragments: readonly Fragment[],
  log: WireLog,
  words: WordLimit,
): { fragment: Fragment; values: LogValues } | "too_large" | undefined {
  for (const fragment of fragments) {
    const values = readLog(fragment, log, words);
    if (values === "too_large") return values;
    if (values) return { fragment, values };
  }
  return undefined;
}

const isOfTopics = ({ arguments: all }: Fragment, topics: number) =>
  all.filter(({ indexed }) => indexed).length === topics - 1;

/** The hash of an indexed value of more than a word: the chain has no more of it. */
type HashedValue = { hash: string; hashed: true };

/** By the argument's position. */
export type LogValues = readonly (Value | HashedValue | undefined)[];

/** A log's values by types alone. @returns undefined if the event does not fit */
export function readLog(
  fragment: Fragment,
  { topics, data }: WireLog,
  words: WordLimit,
): LogValues | "too_large" | undefined {
  const { arguments: all } = fragment;
  if (!isOfTopics(fragment, topics.length)) return undefined;
  // Two digits a byte, and 0x.
  if (data.length > 2 * decodingLimits.log.data + 2) return "too_large";
  const inData = all.filter(({ indexed }) => !indexed);
  try {
    const values = decode(
      inData.map(({ shape }) => shape),
      data.slice(2).toLowerCase(),
      words,
    ).values();
    const further = topics.slice(1).values();
    return all.map((one) =>
      one.indexed ? topicValue(one, further.next().value?.toLowerCase() ?? "") : values.next().value,
    );
  } catch (error) {
    if (error instanceof WordLimitError) return "too_large";
    // Anybody can emit a log with this signature, and any data.
    if (error instanceof AbiDataError) return undefined;
    throw error;
  }
}

function topicValue({ shape }: Argument, topic: string): Value | HashedValue {
  const isWord = shape.kind !== "array" && shape.kind !== "tuple" && !shape.isDynamic;
  return isWord ? wordValue(shape, topic.slice(2)) : { hash: topic, hashed: true };
}

function named({ parameter }: Argument, value: Value | HashedValue | undefined): unknown {
  return typeof value === "object" && "hashed" in value ? value : namedValue(parameter, value);
}

/** Tuples as objects. */
function namedValue({ type, components: members = [] }: AbiParameter, value: Value | undefined): unknown {
  if (typeof value !== "object") return value;
  if (type.endsWith("]")) {
    const item = { type: type.replace(/\[\d*\]$/, ""), components: members };
    return value.map((one) => namedValue(item, one));
  }
  return Object.fromEntries(members.map((member, index) => [keyOf(member, index), namedValue(member, value[index])]));
}

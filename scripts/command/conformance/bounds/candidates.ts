/**
 * Values at the bounds of a schema's constraints and just beyond them, and of other types: the one enumeration, for the checks and for
 * generated cases. Whether a value is valid is not said here: the schema decides, and then what the contract says in words.
 */
import { asArray, asObject, asStrings, isObject, type Json, type JsonObject } from "../../../document/json.ts";
import { faultsOfValue, followed, isRepeatedWithin } from "../contract.ts";

/** A value to try, and what it is, as the end of a sentence about its field. */
export type BoundCandidate = {
  what: string;
  value: Json /** Never left out for another that breaks the same constraint. */;
  always?: true;
};

/** What a schema cannot say of itself: a valid value, one of a given length, and further ones worth trying. */
export type Samples = {
  sample(schema: JsonObject): Json | undefined;
  sized(schema: JsonObject, length: number): string | undefined;
  more(schema: JsonObject): readonly Json[];
};

/** A valid value of a schema. */
export function sampleOf(schema: JsonObject, samples: Samples): Json {
  const own = samples.sample(schema);
  if (own !== undefined) return own;
  const { type, enum: values, example, items, properties, required, minItems, minimum } = followed(schema);
  if (Array.isArray(values)) return values[0] ?? null;
  if (example !== undefined) return example;
  if (type === "array") return listOf(asObject(items), Math.max(1, Number(minItems ?? 0)), samples);
  if (type === "object")
    return Object.fromEntries(
      asStrings(required).map((name) => [name, sampleOf(asObject(asObject(properties)[name]), samples)]),
    );
  if (type === "boolean") return false;
  return type === "integer" ? Number(minimum ?? 0) : "text";
}

/** The bounds of a schema: its type, its values, its length, its form. */
export function boundCandidatesOf(schema: JsonObject, samples: Samples): BoundCandidate[] {
  const own = followed(schema);
  const ofType: BoundCandidate[] = [
    { what: "null", value: null },
    { what: "a number", value: 7 },
    { what: "a boolean", value: true },
    { what: "an array", value: [] },
    { what: "an object", value: {} },
    { what: "a text", value: "a text" },
    ...furtherOf(schema, samples),
  ];
  const ofOne = (type: Json): BoundCandidate[] => {
    if (type === "boolean")
      return [
        { what: "false", value: false },
        { what: "a text", value: "true" },
      ];
    if (type === "array") return lists(schema, samples);
    if (type === "integer" || type === "number") return numbers(own);
    return type === "string" ? texts(schema, samples) : [];
  };
  return [...ofType, ...typesOf(own).flatMap(ofOne)];
}

const furtherOf = (schema: JsonObject, samples: Samples): BoundCandidate[] =>
  samples.more(schema).map((value) => ({ what: JSON.stringify(value), value, always: true }));

/** A schema can allow several. */
const typesOf = ({ type }: JsonObject): Json[] => (Array.isArray(type) ? type : [type ?? null]);

/** The texts by which a parameter can be given. */
export function textCandidatesOf(schema: JsonObject, samples: Samples): BoundCandidate[] {
  const own = followed(schema);
  if (own.type !== "integer") return [...texts(schema, samples), ...furtherOf(schema, samples)];
  const more: BoundCandidate[] = ["a text", "1.5", "1,5", "-1"].map((value) => ({ what: `"${value}"`, value }));
  return [...numbers(own).map(({ what, value }) => ({ what, value: String(value) })), ...more];
}

/** A text that many languages turn into a number by themselves. */
const ofDigits: BoundCandidate = { what: "digits in a text", value: "7" };

function numbers({ minimum, maximum }: JsonObject): BoundCandidate[] {
  const at = (value: number): BoundCandidate => ({ what: `${value}`, value });
  const low = typeof minimum === "number" ? [at(minimum - 1), at(minimum)] : [];
  return [...low, ...(typeof maximum === "number" ? [at(maximum), at(maximum + 1)] : []), at(1.5), ofDigits];
}

function texts(schema: JsonObject, samples: Samples): BoundCandidate[] {
  const { enum: values, minLength, maxLength } = followed(schema);
  const sample = String(sampleOf(schema, samples));
  const found: BoundCandidate[] = [{ what: "empty", value: "" }, ...altered(sample)];
  // Any other number may be refused for what it is.
  if (/^\d+$/.test(sample)) found.push({ what: "the same as a number", value: Number(sample), always: true });
  for (const value of asArray(values)) found.push({ what: `"${value}"`, value });
  const lengths = [Number(minLength ?? 0) - 1, Number(minLength ?? 0), maxLength, Number(maxLength) + 1];
  for (const length of lengths) {
    if (typeof length !== "number" || !(length >= 0)) continue;
    const sized = samples.sized(schema, length);
    found.push({ what: `${length} characters long`, value: sized ?? "x".repeat(length) });
    // A length is counted in characters, not in UTF-16 units or bytes.
    if (sized === undefined && length > 0)
      found.push({ what: `${length} characters beyond 16 bits long`, value: "\u{1f98a}".repeat(length) });
  }
  return found;
}

/** A valid text with one character more, less or other. */
function altered(sample: string): BoundCandidate[] {
  const last = sample.slice(0, -1);
  return [
    { what: "as in the contract's example", value: sample },
    { what: "without its first character", value: sample.slice(1) },
    { what: "without its last character", value: last },
    { what: "with a character too many", value: `${sample}0` },
    { what: 'ending in "g"', value: `${last}g` },
    { what: "with a NUL", value: `${sample}\u0000` },
    { what: "with a line break at its end", value: `${sample}\n` },
    { what: "with a space before it", value: ` ${sample}` },
    { what: "with a space in it", value: `${sample.slice(0, 1)} ${sample.slice(1)}` },
    { what: "in upper case", value: sample.toUpperCase() },
    { what: "in lower case", value: sample.toLowerCase() },
    { what: "with one letter in the other case", value: withOtherCase(sample) },
  ];
}

function withOtherCase(text: string): string {
  return text.replace(/[a-z](?=[^a-z]*$)/i, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );
}

function lists(schema: JsonObject, samples: Samples): BoundCandidate[] {
  const { items, minItems, maxItems } = followed(schema);
  const item = asObject(items);
  const sizes = [Number(minItems ?? 0) - 1, Number(minItems ?? 0), 2, maxItems, Number(maxItems) + 1];
  const found: BoundCandidate[] = [];
  for (const size of new Set(sizes))
    if (typeof size === "number" && size >= 0)
      found.push({ what: `${size} items`, value: listOf(item, size, samples) });
  const [first = null] = listOf(item, 1, samples);
  found.push({ what: "one item twice", value: [first, first] });
  for (const { what, value, always } of boundCandidatesOf(item, samples)) {
    found.push({ what: `an item that is ${what}`, value: [value], ...(always && { always }) });
    found.push({ what: `a second item that is ${what}`, value: [first, value] });
  }
  return found;
}

/** Different items: hex digits at the end of the sample are replaced. */
function listOf(item: JsonObject, size: number, samples: Samples): Json[] {
  const sample = sampleOf(item, samples);
  if (typeof sample !== "string") return Array.from({ length: size }, () => sample);
  const stem = sample.toLowerCase().slice(0, -6);
  return Array.from({ length: size }, (_, n) => `${stem}${n.toString(16).padStart(6, "0")}`);
}

/** A field of a body, by its path; undefined is one that is left out. */
export type FieldCandidate = { at: readonly string[]; what: string; value: Json | undefined; always?: true };

/** Candidates for each field of an object, nested ones included, and for its set of fields. */
export function fieldCandidates(
  schema: JsonObject,
  samples: Samples,
  at: readonly string[] = [],
  outer: readonly JsonObject[] = [],
): FieldCandidate[] {
  const own = followed(schema);
  const { properties, required } = own;
  const inside = [...outer, own];
  const found: FieldCandidate[] = asStrings(required).map((name) => ({
    at: [...at, name],
    what: "absent",
    value: undefined,
  }));
  for (const name of ["colour", "constructor"]) found.push({ at: [...at, name], what: "unknown", value: "red" });
  for (const [name, value] of Object.entries(asObject(properties))) {
    const inner = asObject(value);
    for (const candidate of boundCandidatesOf(inner, samples)) found.push({ at: [...at, name], ...candidate });
    if (isRepeatedWithin(inner, inside)) continue;
    const { type, items, properties: known } = followed(inner);
    // Of a map, any name may be a field.
    if (known && typesOf({ type }).includes("object"))
      found.push(...fieldCandidates(inner, samples, [...at, name], inside));
    if (type === "array" && followed(items).type === "object")
      found.push(...fieldCandidates(asObject(items), samples, [...at, name, first], inside));
  }
  return found;
}

/** The first item of a list, as a part of a path. */
const first = "0";

/** A body with one field set or left out, whatever was there before. */
export function withField(body: Json, [name, ...rest]: readonly string[], value: Json | undefined): Json {
  if (name === undefined) return value ?? null;
  if (name === first) return [withField(asArray(body)[0] ?? null, rest, value), ...asArray(body).slice(1)];
  const before = isObject(body) ? body : {};
  if (rest.length > 0) return { ...before, [name]: withField(before[name] ?? {}, rest, value) };
  const { [name]: _, ...others } = before;
  return value === undefined ? others : { ...others, [name]: value };
}

/** Whether the schema allows a value. */
export const allowedBy = (schema: JsonObject, value: Json) => faultsOfValue(schema, value).length === 0;

/** Random values that a schema of the contract allows and a server must take. They shrink towards the shortest such value. */
import type { Arbitrary } from "fast-check";
import { asArray, asObject, asStrings, type Json, type JsonObject } from "../../../document/json.ts";
import { allowedBy } from "../bounds/candidates.ts";
import { followed, isRepeatedWithin } from "../contract.ts";
import type { FastCheck } from "./fast-check.ts";
import { type World, wordsOf } from "./words.ts";

/** More items would make a case slower, and find nothing more; the bounds have cases of their own. */
const mostItems = 5;

/** Values of a schema. */
export function arbitraryOf(
  fc: FastCheck,
  schema: JsonObject,
  world: World,
  outer: readonly JsonObject[] = [],
): Arbitrary<Json> {
  const inWords = wordsOf(schema).arbitrary?.(fc, world);
  if (inWords) return inWords;
  const own = followed(schema);
  if (Array.isArray(own.enum)) return fc.constantFrom(...asArray(own.enum));
  if (own.type === "boolean") return fc.boolean();
  if (own.type === "integer") return fc.integer({ min: Number(own.minimum ?? 0), max: smallest(own.maximum) });
  if (own.type === "array")
    return fc.array(arbitraryOf(fc, asObject(own.items), world, outer), {
      minLength: Number(own.minItems ?? 0),
      maxLength: Math.max(Number(own.minItems ?? 0), mostItems),
    });
  if (own.type === "object") return fieldsOf(fc, own, world, [...outer, own]);
  return textOf(fc, own).filter((value) => allowedBy(schema, value));
}

const smallest = (maximum: Json | undefined) => Math.min(Number(maximum ?? 2 ** 31), 2 ** 31 - 1);

function fieldsOf(
  fc: FastCheck,
  { properties, required }: JsonObject,
  world: World,
  inside: readonly JsonObject[],
): Arbitrary<Json> {
  const fields = Object.entries(asObject(properties)).filter(([, of]) => !isRepeatedWithin(of, inside));
  const entries = fields.map(([name, of]): [string, Arbitrary<Json>] => [
    name,
    arbitraryOf(fc, asObject(of), world, inside),
  ]);
  const options = { requiredKeys: asStrings(required), noNullPrototype: true };
  return fc.record(Object.fromEntries(entries), options) as unknown as Arbitrary<Json>;
}

function textOf(fc: FastCheck, { pattern, maxLength }: JsonObject): Arbitrary<string> {
  const length = typeof maxLength === "number" ? { maxLength } : {};
  // Text without a form of its own: characters of every plane.
  if (pattern === undefined || pattern === "^[^\\u0000]*$") return fc.string({ unit: anyCharacter(fc), ...length });
  return fc.stringMatching(new RegExp(String(pattern)));
}

/** The library's own unit for this takes a second to make. */
function anyCharacter(fc: FastCheck): Arbitrary<string> {
  const isSurrogate = (point: number) => point >= 0xd800 && point <= 0xdfff;
  const ascii = fc.integer({ min: 0x20, max: 0x7e });
  const any = fc.integer({ min: 1, max: 0x10ffff }).filter((point) => !isSurrogate(point));
  return fc.oneof(ascii, any).map((point) => String.fromCodePoint(point));
}

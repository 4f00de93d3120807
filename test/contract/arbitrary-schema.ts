/** Random pairs of schemas that differ in little, and values that fit one of them and not the other. */
import fc from "fast-check";
import type { Json, JsonObject } from "../../scripts/document/json.ts";

/** A schema, or a part of one, before and after a change; undefined where it is absent. */
export type Pair<T = Json> = readonly [before: T, after: T];
type Part = Pair<Json | undefined>;

/** Mostly the same on both sides, at times another value or none. */
const kept = (one: fc.Arbitrary<Json>): fc.Arbitrary<Part> =>
  fc.oneof(
    { weight: 6, arbitrary: one.map((value): Part => [value, value]) },
    { weight: 1, arbitrary: fc.tuple(one, one) },
    { weight: 1, arbitrary: one.map((value): Part => [value, undefined]) },
    { weight: 1, arbitrary: one.map((value): Part => [undefined, value]) },
  );

/** Mostly both sides of a pair, at times only one of them. */
const both = (pair: fc.Arbitrary<Pair>): fc.Arbitrary<Part> =>
  fc.oneof(
    { weight: 6, arbitrary: pair },
    { weight: 1, arbitrary: pair.map(([one]): Part => [one, undefined]) },
    { weight: 1, arbitrary: pair.map(([, other]): Part => [undefined, other]) },
  );

/** A list of schemas, some of them on one side only. */
const list = (pair: fc.Arbitrary<Pair>): fc.Arbitrary<Part> => {
  const side = (parts: readonly Part[], at: 0 | 1) => {
    const present = parts.flatMap((part) => (part[at] === undefined ? [] : [part[at]]));
    return present.length > 0 ? present : undefined;
  };
  return fc.array(both(pair), { minLength: 1, maxLength: 3 }).map((parts): Part => [side(parts, 0), side(parts, 1)]);
};

/** An object of parts as a part of an object, by side. */
function unzipped(parts: Record<string, Part>): Pair<JsonObject> {
  const side = (at: 0 | 1) =>
    Object.fromEntries(
      Object.entries(parts).flatMap(([key, part]) => (part[at] === undefined ? [] : [[key, part[at]]])),
    );
  return [side(0), side(1)];
}

const small = fc.integer({ min: 0, max: 3 });
const scalar = fc.constantFrom<Json>(null, true, 0, 1, 2, 1.5, "", "a", "ab");
const type = fc.constantFrom("null", "boolean", "string", "integer", "number", "array", "object");
const plain: Record<string, fc.Arbitrary<Json>> = {
  type: fc.oneof(type, type, fc.uniqueArray(type, { minLength: 1, maxLength: 3 })),
  enum: fc.uniqueArray(scalar, { minLength: 1, maxLength: 4 }),
  const: scalar,
  ...{ minimum: small, maximum: small, exclusiveMinimum: small, exclusiveMaximum: small },
  multipleOf: fc.constantFrom(1, 2, 0.5),
  ...{ minLength: small, maxLength: small, minItems: small, maxItems: small },
  ...{
    minProperties: small,
    maxProperties: small,
    minContains: small,
    maxContains: small,
    uniqueItems: fc.boolean(),
    pattern: fc.constantFrom("^a", "b$"),
  },
  required: fc.uniqueArray(fc.constantFrom("a", "b")),
  dependentRequired: fc.constantFrom<Json>({ a: ["b"] }, { b: ["a"] }, { a: [] }),
};

const reference = (names: readonly string[]): fc.Arbitrary<Pair> =>
  fc.constantFrom(...names).map((name): Pair => {
    const ref = { $ref: `#/components/schemas/${name}` };
    return [ref, ref];
  });

/** A few keywords of all. `names` are the components that it may be; within fields and items it may hold any. */
function schemaPair(names: readonly string[], depth: number): fc.Arbitrary<Pair> {
  const parts: Record<string, fc.Arbitrary<Part>> = {};
  for (const [key, value] of Object.entries(plain)) parts[key] = kept(value);
  if (depth > 0) {
    const [here, within] = [schemaPair(names, depth - 1), schemaPair(["A", "B"], depth - 1)];
    for (const key of ["allOf", "anyOf", "oneOf"]) parts[key] = list(here);
    for (const key of ["not", "if", "then", "else", "propertyNames"]) parts[key] = both(here);
    for (const key of ["additionalProperties", "items", "contains"]) parts[key] = both(within);
    const fields = fc.dictionary(fc.constantFrom("a", "b"), both(within), { maxKeys: 2, noNullPrototype: true });
    parts.properties = fields.map(unzipped);
    parts.patternProperties = both(within).map((part): Part => unzipped({ "^a": part }));
    parts.dependentSchemas = both(here).map((part): Part => unzipped({ a: part }));
    parts.prefixItems = list(within);
  }
  const object = fc
    .uniqueArray(fc.constantFrom(...Object.keys(parts), "type", "required"), { maxLength: 4 })
    // Next to prefixItems, Ajv's contains allows an array without items.
    .map((keys) => (keys.includes("prefixItems") ? keys.filter((key) => key !== "contains") : keys))
    .chain((keys) => fc.record(Object.fromEntries(keys.map((key) => [key, parts[key] ?? fc.constant<Part>([1, 1])]))))
    .map((chosen): Pair => unzipped(chosen));
  const bool = fc.constantFrom<Pair>([true, true], [false, false], [true, false], [false, true]);
  return names.length === 0
    ? fc.oneof({ weight: 9, arbitrary: object }, { weight: 1, arbitrary: bool })
    : fc.oneof(
        { weight: 7, arbitrary: object },
        { weight: 2, arbitrary: reference(names) },
        { weight: 1, arbitrary: bool },
      );
}

/** The schema of a message, and the two components that it may refer to. */
export const arbitrarySchemas = fc.record({
  root: schemaPair(["A", "B"], 2),
  A: schemaPair(["B"], 1),
  B: schemaPair([], 1),
});

const few: readonly Json[] = [null, true, 0, 1, 1.5, 3, "", "a", "ab"];
const inFields: readonly (Json | undefined)[] = [undefined, ...few, [], {}, [1], { a: 1 }];

/** Values of every type, with fields and items of every type. */
export const values: readonly Json[] = [
  ...[...few, false, 2, 4, 0.5, 2.5, -1, "b", "ba", "abba"],
  [],
  ...few.map((one) => [one]),
  ...few.flatMap((one) => few.map((other) => [one, other])),
  ...[["a", "b", "ab"], [1, 1, 1], [1, 2, 3, 4], [[]], [[], {}], [{ a: 1 }], [{ b: "a" }]],
  ...inFields.flatMap((a) => inFields.map((b) => ({ ...(a !== undefined && { a }), ...(b !== undefined && { b }) }))),
  ...[{ c: 1 }, { aa: "a" }, { a: 1, c: "a" }, { a: 1, b: 1, c: 1, d: 1 }, { a: { a: { a: 1 } } }],
];

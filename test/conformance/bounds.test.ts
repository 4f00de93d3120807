/** The bounds that conformance tries come from the contract alone: every constraint is broken once, and every bound is met exactly. */
import { describe, expect, test } from "vitest";
import { fieldCandidates } from "../../scripts/command/conformance/bounds/candidates.ts";
import { faultsIn, wrongTexts } from "../../scripts/command/conformance/bounds/one-each.ts";
import { parameterCandidates } from "../../scripts/command/conformance/bounds/parameters.ts";
import { samplesOf } from "../../scripts/command/conformance/cases/words.ts";
import {
  constraintsBroken,
  constraintsBrokenByText,
  describedParameters,
  exampleBodies,
  followed,
  operationIds,
  requestSchema,
} from "../../scripts/command/conformance/contract.ts";
import { nothing } from "../../scripts/command/conformance/probe.ts";
import { asArray, asObject, asStrings, type JsonObject } from "../../scripts/document/json.ts";
import { exampleTarget } from "./example-target.ts";

const samples = samplesOf({
  target: exampleTarget,
  chainIds: ["43114"],
  finality: false,
  webhookId: nothing,
  crowded: false,
});
const withBody = operationIds.flatMap((id) => {
  const schema = requestSchema(id);
  return schema ? [[id, schema] as const] : [];
});
const parameters = operationIds.flatMap((id) =>
  describedParameters(id).map((parameter) => [id, parameter.name, parameter] as const),
);

const keywords = [
  ...["pattern", "enum", "maxLength", "minLength", "minimum", "maximum", "minItems", "maxItems"],
  ...["maxProperties", "propertyNames"],
];

/** What a schema says of its values, read from its text: an oracle that knows nothing of candidates. One within itself says nothing new. */
function statedIn(schema: JsonObject, place = "", outer: readonly unknown[] = []): string[] {
  const { $ref } = schema;
  if ($ref !== undefined && outer.includes($ref)) return [];
  const inside = [...outer, $ref];
  const own = followed(schema);
  const { type, properties, required, additionalProperties, items } = own;
  return [
    ...(place === "" || type === undefined ? [] : [`${place} type`]),
    ...(place === "" || type === undefined || [type].flat().includes("null") ? [] : [`${place} type null`]),
    ...keywords.flatMap((keyword) => (own[keyword] === undefined ? [] : [`${place} ${keyword}`])),
    ...asStrings(required).map((name) => `${place} required ${name}`.trim()),
    ...(additionalProperties === false ? [`${place} additionalProperties`.trim()] : []),
    ...(items === undefined ? [] : statedIn(asObject(items), `${place}/*`, inside)),
    ...Object.entries(asObject(properties)).flatMap(([name, of]) => statedIn(asObject(of), `${place}/${name}`, inside)),
  ];
}

/** A body with everything that the examples have. */
const bodyOf = (id: (typeof operationIds)[number]) => Object.assign({}, ...exampleBodies(id)) as JsonObject;

describe("a body", () => {
  test.each(withBody)("of %s is spoilt once for each constraint", (id, schema) => {
    const faults = faultsIn(bodyOf(id), schema, samples);
    const broken = faults.map(({ body }) => constraintsBroken(schema, body));
    expect(broken.filter((names) => names.length === 0)).toEqual([]);
    expect(statedIn(schema).filter((name) => !broken.flat().includes(name))).toEqual([]);
    const chosen = faults.filter(({ always }) => !always);
    expect(chosen.length).toBeLessThanOrEqual(new Set(broken.flat()).size);
  });

  test("that breaks one constraint breaks no other, where a value can", () => {
    const [, schema = {}] = withBody.find(([id]) => id === "createWebhook") ?? [];
    const broken = faultsIn(bodyOf("createWebhook"), schema, samples).map(({ body }) =>
      constraintsBroken(schema, body),
    );
    for (const alone of ["/name maxLength", "/name pattern", "/url maxLength", "/metadata/addresses/* pattern"])
      expect(broken).toContainEqual([alone]);
  });

  test("has each number that is a text as the number that it would be", () => {
    const [, schema = {}] = withBody.find(([id]) => id === "createWebhook") ?? [];
    const tried = faultsIn(bodyOf("createWebhook"), schema, samples).map(({ body }) => body.chainId);
    expect(tried).toContain(Number(exampleTarget.chainId));
  });

  test.each(withBody)("of %s is tried at the bound of each length and number of items, too", (id, schema) => {
    const tried = fieldCandidates(schema, samples);
    const missing = statedIn(schema).filter((name) => {
      const [place = "", keyword = ""] = name.split(" ");
      if (!/^(min|max)(Length|Items)$/.test(keyword) || place.endsWith("/*")) return false;
      // Of a list's items, the first is tried.
      const at = place.replaceAll("*", "0").split("/").slice(1);
      const inside = (of: JsonObject, key: string) => followed(key === "0" ? of.items : asObject(of.properties)[key]);
      const bound = at.reduce<JsonObject>(inside, schema)[keyword];
      const sizes = tried.flatMap(({ at: where, value }) => (where.join() === at.join() ? [sizeOf(value)] : []));
      return !sizes.includes(Number(bound)) || !sizes.includes(Number(bound) + (keyword.startsWith("max") ? 1 : -1));
    });
    expect({ id, missing }).toEqual({ id, missing: [] });
  });
});

/** Characters, as JSON Schema counts them, or items. */
const sizeOf = (value: unknown) =>
  typeof value === "string" ? [...value].length : Array.isArray(value) ? value.length : undefined;

test.each(parameters)("%s: %s is given a text for each constraint that a text can break", (_, __, parameter) => {
  const broken = wrongTexts(parameter, samples).map(({ value }) => constraintsBrokenByText(parameter, String(value)));
  expect(broken.filter((names) => names.length === 0)).toEqual([]);
  const { name, in: place, schema } = parameter;
  const stated = statedIn(schema, `/${name}`).filter(
    // Whatever is sent in a URL or a header is a text.
    (one) => !one.endsWith(" null") && !(followed(schema).type === "string" && one.endsWith(" type")),
  );
  // HTTP carries no empty text in a path or a header.
  const sent = place === "query" ? stated : stated.filter((one) => !one.endsWith(" minLength"));
  expect(sent.filter((one) => !broken.flat().includes(one))).toEqual([]);
});

test("what the contract says in words of a URL and a chain is tried as well", () => {
  const [, schema = {}] = withBody.find(([id]) => id === "createWebhook") ?? [];
  const values = fieldCandidates(schema, samples).map(({ value }) => value);
  expect(values).toEqual(expect.arrayContaining(["ftp://receiver.example.com/", "https://receiver.invalid/"]));
  expect(values).toContain("9999999999999999999");
});

test("a page size is tried at both bounds and one beyond each", () => {
  const [, , pageSize] = parameters.find(([, name]) => name === "pageSize") ?? expect.fail("no pageSize");
  const { minimum, maximum } = followed(pageSize.schema);
  const texts = asArray(parameterCandidates(pageSize, samples).map(({ value }) => value));
  expect(texts).toEqual(
    expect.arrayContaining([`${minimum}`, `${Number(minimum) - 1}`, `${maximum}`, `${Number(maximum) + 1}`]),
  );
});

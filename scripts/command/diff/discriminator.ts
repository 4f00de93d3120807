/** Compares discriminators: the field that says which branch a value is of, and the values it may have. */
import { asArray, asObject, type JsonObject, refOf, sameJson } from "../../document/json.ts";
import { type DocumentComparison, nameOf, reportFinding, reportMove } from "./comparison.ts";
import { readerOf, sentBy } from "./direction.ts";
import { named } from "./document.ts";
import type { SchemaPlace, Spotted } from "./schema-place.ts";

/** The value that stands for each branch, by its reference: from the mapping, or else the component's name. */
export function valuesOfBranches(schema: JsonObject): Map<string, string> {
  if (schema.discriminator === undefined) return new Map();
  const values = new Map<string, string>();
  for (const branch of [...asArray(schema.oneOf), ...asArray(schema.anyOf)]) {
    const ref = refOf(branch);
    if (ref) values.set(ref, nameOf(ref));
  }
  for (const [value, ref] of named(asObject(schema.discriminator).mapping)) values.set(asReference(String(ref)), value);
  return values;
}

/** A mapping may have a component's bare name. */
const asReference = (text: string) => (/[#/.]/.test(text) ? text : `#/components/schemas/${text}`);

/** Compares two discriminators. Branches that are new or gone are reported with the union. */
export function compareDiscriminators(
  c: DocumentComparison,
  { flow, where }: SchemaPlace,
  spot: Spotted,
  before: JsonObject,
  after: JsonObject,
): void {
  if (
    sameJson(before.discriminator, after.discriminator) &&
    sameJson(before.oneOf, after.oneOf) &&
    sameJson(before.anyOf, after.anyOf)
  )
    return;
  const [was, is] = [asObject(before.discriminator), asObject(after.discriminator)];
  const place = { ...spot, where, flow };
  if (before.discriminator === undefined || after.discriminator === undefined) {
    if (before.discriminator === after.discriminator) return;
    reportFinding(
      c,
      "discriminator",
      place,
      `discriminator ${before.discriminator === undefined ? "added" : "removed"}`,
      {
        level: "warning",
        breaks: ["generated clients"],
        why: "Generated code makes another type of it. Which values are allowed does not change.",
      },
    );
    return;
  }
  if (was.propertyName !== is.propertyName)
    reportFinding(c, "discriminator", place, `discriminator from ${was.propertyName} to ${is.propertyName}`, {
      level: "breaking",
      breaks: [...new Set([sentBy(flow), readerOf(flow), "generated clients" as const])],
      why: "Another field says what a value is.",
    });
  const [values, valuesNow] = [valuesOfBranches(before), valuesOfBranches(after)];
  for (const [ref, value] of values) {
    const now = valuesNow.get(ref);
    if (now === undefined || now === value) continue;
    reportMove(
      c,
      "narrower",
      flow,
      "discriminator",
      { ...spot, where },
      `value of ${nameOf(ref)} from ${value} to ${now}`,
    );
    reportMove(
      c,
      "wider",
      flow,
      "discriminator",
      { ...spot, where },
      `value of ${nameOf(ref)} from ${value} to ${now}`,
    );
  }
}

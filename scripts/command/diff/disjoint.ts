/** Whether no value fits two schemas, such as two branches of `oneOf`. */
import { asStrings, type JsonObject, sameJson } from "../../document/json.ts";
import { listedValues, typesOf } from "./constraint.ts";
import { type Document, named } from "./document.ts";
import { flatten } from "./flatten.ts";

/** Two schemas have no value in common if their types differ, or a field that both require has different values in each. */
export function areDisjoint(document: Document, one: JsonObject, other: JsonObject): boolean {
  const common = typesOf(one).filter((type) => typesOf(other).includes(type));
  if (common.length === 0) return true;
  if (common.some((type) => type !== "object")) return false;
  const [fields, others] = [named(one.properties), named(other.properties)];
  const required = new Set(asStrings(other.required));
  return asStrings(one.required).some((name) => {
    if (!required.has(name)) return false;
    const values = listedValues(flatten(document, fields.get(name)));
    const valuesThere = listedValues(flatten(document, others.get(name)));
    return (
      values !== undefined && valuesThere?.every((value) => !values.some((mine) => sameJson(mine, value))) === true
    );
  });
}

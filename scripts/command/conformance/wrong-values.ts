/** Values that a schema of the contract does not allow, each with the reason. */
import { asArray, asObject, isObject, type Json, type JsonObject } from "../../document/json.ts";
import { followed } from "./contract.ts";

/** A body with one fault. */
export type Fault = {
  body: JsonObject;
  /** The field at fault, as the last name of its path. */
  field: string;
  /** What is wrong with it. */
  what: string;
  unknownField: boolean;
};

/** Every way that a valid body can be spoilt in one field, nested objects included. @param body a valid one */
export function faultsIn(body: JsonObject, schema: JsonObject): Fault[] {
  const required = asArray(schema.required).map(String);
  const faults: Fault[] = required.map((field) => {
    const { [field]: _, ...rest } = body;
    return { body: rest, field, what: "is absent", unknownField: false };
  });
  for (const [field, described] of Object.entries(asObject(schema.properties))) {
    const own = followed(described);
    for (const [what, value] of wrongValues(own))
      faults.push({ body: { ...body, [field]: value }, field, what, unknownField: false });
    const inner = body[field];
    if (own.type === "object" && isObject(inner))
      for (const fault of faultsIn(inner, own)) faults.push({ ...fault, body: { ...body, [field]: fault.body } });
  }
  faults.push({ body: { ...body, colour: "red" }, field: "colour", what: "is unknown", unknownField: true });
  return faults;
}

function wrongValues(schema: JsonObject): [string, Json][] {
  const wrong: [string, Json][] = [[`is no ${schema.type}`, schema.type === "string" ? 7 : "a text"]];
  wrong.push(["is null", null]);
  if (Array.isArray(schema.enum)) wrong.push(["is none of its values", "no-such-value"]);
  else if (schema.pattern === "^[^\\u0000]*$") wrong.push(["has a NUL", "\u0000"]);
  else if (typeof schema.pattern === "string") wrong.push(["has another form", "no such form"]);
  if (typeof schema.maxLength === "number" && schema.format === undefined)
    wrong.push(["is too long", "x".repeat(schema.maxLength + 1)]);
  if (schema.type === "array") wrong.push(...wrongArrays(schema));
  return wrong;
}

function wrongArrays(schema: JsonObject): [string, Json][] {
  const items = followed(schema.items);
  const wrong: [string, Json][] = [["has an item of another form", ["no such form"]]];
  if (Number(schema.minItems) > 0) wrong.push(["is empty", []]);
  const digits = /\{(\d+)\}\$$/.exec(String(items.pattern))?.[1];
  if (typeof schema.maxItems === "number" && digits !== undefined) {
    const one = (n: number) => `0x${n.toString(16).padStart(Number(digits), "0")}`;
    wrong.push(["has too many items", Array.from({ length: schema.maxItems + 1 }, (_, n) => one(n))]);
  }
  return wrong;
}

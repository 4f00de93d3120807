/** Edits of how the shop's document says something, and not what: name, level, whom it breaks, and why. */
import { asArray } from "../../../scripts/document/json.ts";
import { at, schema } from "./edit.ts";
import { prop, props, put, renameKey, type ShopEdit, why } from "./shop.ts";

// biome-ignore format: a table is read by its lines.
export const wordEdits: readonly ShopEdit[] = [
  ["a schema has another title", "info", [], why.words, (s) => put(schema(s, "Order"), { title: "An order" })],
  ["an extension is added", "info", [], why.words, (s) => put(schema(s, "Order"), { "x-internal": true })],
  ["a shared schema has another name", "info", ["generated clients"], "Generated types have its name.", (s) => [renameKey(at(s, "components", "schemas"), "Note", "Remark"), put(props(s, "Order"), { note: { $ref: "#/components/schemas/Remark" } }), put(props(s, "OrderInput"), { note: { $ref: "#/components/schemas/Remark" } })]],
  ["a shared schema is written out", "info", [], why.words, (s) => put(props(s, "Order"), { note: { type: "string", maxLength: 100, description: "A note." } })],
  ["a reference has a description next to it", "info", [], why.words, (s) => put(prop(s, "Order", "note"), { description: "Other." })],
  ["required fields have another order", "none", [], why.nothing, (s) => put(schema(s, "Order"), { required: asArray(schema(s, "Order").required).toReversed() })],
  ["a type is a list of one", "none", [], why.nothing, (s) => put(schema(s, "Note"), { type: ["string"] })],
  ["a number is a list of its two kinds", "none", [], why.nothing, (s) => put(prop(s, "OrderInput", "price"), { type: ["integer", "number"] })],
  ["a true schema is written as an empty one", "none", [], why.nothing, (s) => put(schema(s, "Part"), { additionalProperties: true })],
];

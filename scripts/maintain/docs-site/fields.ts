/** A schema as a nested list in Markdown: each field with its type, its bounds and what it means, and a link of its own. */
import {
  asArray,
  asObject,
  asStrings,
  isObject,
  type Json,
  type JsonObject,
  refOf,
  resolvedObject,
} from "../../document/json.ts";

/** The lists of one page. A schema with fields is written out where the page first has it; further places link there. */
export class Fields {
  readonly #contract: JsonObject;
  readonly #places = new Map<string, string>();

  constructor(contract: JsonObject) {
    this.#contract = contract;
  }

  /**
   * @param place the id of what has the schema, in front of the ids of its fields
   * @returns its fields, or for what is none of an object or a list of them, one line about the value
   */
  of(schema: Json | undefined, place: string): string {
    const { $ref: _, ...own } = asObject(schema);
    const whole = this.#resolved(schema);
    const name = this.#nameOf(schema);
    const intro = [sentence(`${name ? `\`${name}\`: ` : ""}${this.#typeOf(schema)}${this.#boundsOf(whole)}`)];
    if (whole.description && own.description === undefined) intro.push(String(whole.description).trim());
    const below = this.#below(schema, place);
    return [...intro, ...(below.length > 0 ? [below.join("\n")] : [])].join("\n\n");
  }

  /** @param parameters of an operation, or headers of a response by their names */
  ofParameters(parameters: readonly JsonObject[], place: string): string {
    return parameters
      .flatMap((one) => {
        const { example, description } = one;
        const schema = { ...this.#resolved(one.schema), ...(example !== undefined && { example }), description };
        return this.#field(String(one.name), { schema, place, required: one.required === true });
      })
      .join("\n");
  }

  #field(name: string, given: { schema: Json; place: string; required: boolean }): string[] {
    const { schema, place, required } = given;
    const id = `${place}.${name}`;
    const whole = this.#resolved(schema);
    const facts = `${this.#typeOf(schema)}${required ? ", **required**" : ""}${this.#boundsOf(whole)}`;
    const lines = [`- [\`${name}\`](#${id}){#${id} .field} ${facts}`];
    if (whole.description) lines.push("", ...indented(String(whole.description).trim().split("\n")));
    const below = this.#below(schema, id);
    if (below.length > 0) lines.push("", ...indented(below));
    return [...lines, ""];
  }

  /** The fields of an object, of a list's items, of each of several kinds. */
  #below(schema: Json | undefined, place: string): string[] {
    const ref = refOf(schema);
    const whole = this.#resolved(schema);
    const { properties, items, additionalProperties } = whole;
    const kinds = [...asArray(whole.oneOf), ...asArray(whole.anyOf)];
    if (!properties && kinds.length === 0 && !isObject(additionalProperties))
      return items === undefined ? [] : this.#below(items, place);
    const known = ref && this.#places.get(ref);
    if (known) return [`The fields are [those above](#${known}).`];
    // The place itself has no id at the top of a section, whose heading does.
    if (ref) this.#places.set(ref, place);
    const required = new Set(asStrings(whole.required));
    return [
      ...Object.entries(asObject(properties)).flatMap(([name, each]) =>
        this.#field(name, { schema: each ?? {}, place, required: required.has(name) }),
      ),
      ...(isObject(additionalProperties)
        ? this.#field("*", { schema: additionalProperties, place, required: false })
        : []),
      ...kinds.flatMap((kind, index) => {
        const name = this.#nameOf(kind) ?? `${index + 1}`;
        return [`- One of: ${this.#typeOf(kind)}`, "", ...indented(this.#below(kind, `${place}.${name}`)), ""];
      }),
    ];
  }

  #typeOf(schema: Json | undefined): string {
    const { type, items, oneOf, anyOf, ...whole } = this.#resolved(schema);
    if (asArray(whole.enum).length > 0)
      return asArray(whole.enum)
        .map((value) => `\`${value}\``)
        .join(" or ");
    if (oneOf ?? anyOf) return "one of several kinds";
    const types = [type ?? []].flat().map((one) => {
      if (one !== "array") return one === "integer" ? "whole number" : String(one);
      const each = this.#typeOf(items);
      return `list of ${each.replace(/^(object|string|whole number|list)\b/, "$1s")}`;
    });
    return types.length === 0 ? "any value" : types.join(" or ");
  }

  /** What a schema says of its values besides their type, each after a comma. */
  #boundsOf(schema: JsonObject): string {
    const { format, pattern, default: fallback, example } = schema;
    const range = (from: Json | undefined, to: Json | undefined, unit: string) => {
      const [low, high] = [from, to].map((bound) =>
        typeof bound === "number" ? bound.toLocaleString("en-GB") : undefined,
      );
      if (low !== undefined && high !== undefined) return [`${low} to ${high}${unit}`];
      if (low !== undefined) return [`at least ${low}${unit}`];
      return high === undefined ? [] : [`at most ${high}${unit}`];
    };
    const each = this.#resolved(schema.items);
    const facts = [
      ...range(schema.minimum, schema.maximum, ""),
      ...range(schema.minLength, schema.maxLength, " characters"),
      ...range(schema.minItems, schema.maxItems, " items"),
      ...(format === undefined ? [] : [String(format)]),
      ...(fallback === undefined ? [] : [`${code(fallback)} if absent`]),
      ...(pattern === undefined ? [] : [`matches ${code(pattern)}`]),
      ...(each.pattern === undefined ? [] : [`each matches ${code(each.pattern)}`]),
      ...(example === undefined || isObject(example) || schema.enum || schema.type === "boolean"
        ? []
        : [`such as ${code(example)}`]),
      ...(schema.additionalProperties === true ? ["with any fields"] : []),
    ];
    return facts.map((fact) => `, ${fact}`).join("");
  }

  #nameOf(schema: Json | undefined): string | undefined {
    return refOf(schema)?.split("/").at(-1);
  }

  #resolved(schema: Json | undefined): JsonObject {
    return resolvedObject(this.#contract, schema);
  }
}

/** A value as code. Two backticks, where it has one. */
function code(value: Json): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.includes("`") ? `\`\` ${text} \`\`` : `\`${text}\``;
}

const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

const indented = (lines: readonly string[]) => lines.map((line) => (line === "" ? "" : `  ${line}`));

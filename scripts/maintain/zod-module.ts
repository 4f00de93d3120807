/**
 * Writes `generated/zod.ts`: each schema of the published document as one of zod 4, under its own name. They judge as the receiver does. Requests
 * are closed. Answers and notifications are open: fields and values of an enumeration that `/v1` gets later pass.
 */
import { asArray, asObject, asStrings, isObject, type Json, type JsonObject, refOf } from "../document/json.ts";
import { typeOfKeyword } from "../document/keywords.ts";
import { portablePattern } from "./portable-pattern.ts";

const prefix = "#/components/schemas/";

const prelude = `import { z } from "zod";
import type { components } from "./types.ts";

type Schemas = components["schemas"];

/** As JSON Schema counts characters: a pair of surrogates is one. */
const atMost = (most: number) => [
  (text: string) => text.length <= most || [...text].length <= most,
  \`must have at most \${most} characters\`,
] as const;

/** The characters of RFC 3986, each where it may be. */
const inUri =
  /^[a-z][a-z0-9+.-]*:\\/\\/(?:[\\w.~!$&'()*+,;=:@[\\]-]|%[0-9a-f]{2})*(?:\\/(?:[\\w.~!$&'()*+,;=:@/-]|%[0-9a-f]{2})*)?(?:[?](?:[\\w.~!$&'()*+,;=:@/?-]|%[0-9a-f]{2})*)?(?:#(?:[\\w.~!$&'()*+,;=:@/?-]|%[0-9a-f]{2})*)?$/i;
const isUri = (text: string) => inUri.test(text) && URL.canParse(text);

/** One of these today. Within \`/v1\` others may follow, and must pass. */
const open = <Value extends string>(..._values: readonly Value[]) => z.string() as unknown as z.ZodType<Value, Value>;
`;

/** @throws for a keyword that it cannot say in zod's words */
export function zodModule(document: JsonObject): string {
  const schemas = asObject(asObject(document.components).schemas);
  const isOpen = openOnes(schemas);
  const written: string[] = [];
  const blocks = inOrder(schemas).map((name) => {
    const schema = asObject(schemas[name]);
    const code = codeOf(schema, { name, schemas, written, isOpen: isOpen.has(name) });
    written.push(name);
    const prose = typeof schema.description === "string" ? schema.description.trim().replaceAll("*/", "* /") : "";
    // The compiler cannot infer the type of what refers to itself.
    const type = code.includes(" get ") ? `: z.ZodType<Schemas["${name}"], Schemas["${name}"]>` : "";
    return `/** ${prose.replaceAll("\n", "\n * ")} */\nexport const ${name}${type} = ${code};\n`;
  });
  return `${prelude}\n${blocks.join("\n")}`;
}

type Where = { name: string; schemas: JsonObject; written: readonly string[]; isOpen: boolean };

/** The schemas of which an answer or a notification is made. What is only part of requests is not among them. */
function openOnes(schemas: JsonObject): ReadonlySet<string> {
  return new Set(
    Object.entries(schemas).flatMap(([name, schema]) => {
      const { properties, additionalProperties } = asObject(schema);
      return properties && additionalProperties !== false ? [name, ...reached(schemas, schema)] : [];
    }),
  );
}

/** The names of the schemas that a schema refers to, each after those that it refers to itself. */
function reached(schemas: JsonObject, schema: Json | undefined, found: Set<string> = new Set()): string[] {
  const names: string[] = [];
  const visit = (value: Json | undefined): void => {
    const name = refOf(value)?.slice(prefix.length);
    if (name !== undefined && !found.has(name)) {
      found.add(name);
      names.push(...reached(schemas, schemas[name], found), name);
    }
    for (const inner of Array.isArray(value) ? value : Object.values(asObject(value))) visit(inner);
  };
  visit(schema);
  return names;
}

const inOrder = (schemas: JsonObject): string[] =>
  reached(schemas, { all: Object.keys(schemas).map((name) => ({ $ref: prefix + name })) });

/** Words that say nothing of what is valid. The width of a number is for generators. */
const silent = ["description", "example", "title", "format"];

function codeOf(schema: JsonObject, where: Where): string {
  const ref = refOf(schema);
  if (ref !== undefined) {
    const target = asObject(where.schemas[ref.slice(prefix.length)]);
    // What requests and answers share is open under its name. A request takes today's values only.
    return !where.isOpen && target.enum ? codeOf(target, where) : ref.slice(prefix.length);
  }
  const types = typeof schema.type === "string" ? [schema.type] : asStrings(schema.type);
  const others = types.filter((type) => type !== "null");
  const codes = others.map((type) => {
    const words = Object.entries(schema).filter(([word]) => (typeOfKeyword(word) ?? type) === type);
    return byType(type, Object.fromEntries(words), where);
  });
  if (codes.length === 0) throw new Error(`${where.name}: ${JSON.stringify(schema)} must have a type.`);
  const code = codes.length === 1 ? (codes[0] ?? "") : `z.union([${codes.join(", ")}])`;
  return types.length > others.length ? `${code}.nullable()` : code;
}

function byType(type: string, schema: JsonObject, where: Where): string {
  const { type: _, ...words } = schema;
  const used = new Set(silent);
  const word = (name: string) => {
    used.add(name);
    return words[name];
  };
  const bound = (name: string, method: string, value: Json | undefined) =>
    word(name) === undefined ? "" : `.${method}(${JSON.stringify(value)})`;
  const code = (() => {
    if (type === "boolean") return "z.boolean()";
    if (type === "integer")
      return `z.int()${bound("minimum", "min", words.minimum)}${bound("maximum", "max", words.maximum)}`;
    if (type === "string") return text();
    if (type === "array") {
      const items = codeOf(asObject(word("items")), where);
      return `z.array(${items})${bound("minItems", "min", words.minItems)}${bound("maxItems", "max", words.maxItems)}`;
    }
    if (type === "object") return object();
    throw new Error(`${where.name}: the type ${type} is not known.`);
  })();
  const unknown = Object.keys(words).find((name) => !used.has(name));
  if (unknown !== undefined) throw new Error(`${where.name}: the keyword ${unknown} is not known.`);
  return code;

  function text(): string {
    const values = asStrings(word("enum"));
    if (values.length > 0) {
      const list = values.map((value) => JSON.stringify(value)).join(", ");
      return where.isOpen ? `open(${list})` : `z.enum([${list}])`;
    }
    const pattern = word("pattern");
    const most = word("maxLength");
    return [
      "z.string()",
      ...(most === undefined ? [] : [`.refine(...atMost(${most}))`]),
      // Without the flag, a pattern counts a pair of surrogates as two.
      ...(typeof pattern === "string" ? [`.regex(new RegExp(${JSON.stringify(portablePattern(pattern))}, "u"))`] : []),
      ...(words.format === "uri" ? [`.refine(isUri, "must be a URI")`] : []),
    ].join("");
  }

  function map(values: Json | undefined): string {
    const names = word("propertyNames");
    const most = word("maxProperties");
    return [
      `z.record(${names === undefined ? "z.string()" : codeOf({ type: "string", ...asObject(names) }, where)}, `,
      isObject(values) ? codeOf(values, where) : "z.unknown()",
      ")",
      ...(most === undefined
        ? []
        : [`.refine((all) => Object.keys(all).length <= ${most}, "must have at most ${most} fields")`]),
    ].join("");
  }

  function object(): string {
    const additional = word("additionalProperties");
    const required = asStrings(word("required"));
    const properties = Object.entries(asObject(word("properties")));
    if (properties.length === 0) return map(additional);
    const lines = properties.map(([key, value]) => {
      const inner = asObject(value);
      const name = /^\w+$/.test(key) ? key : JSON.stringify(key);
      const isRecursive = reachesItself(inner, where);
      const code = `${codeOf(inner, where)}${required.includes(key) ? "" : ".exactOptional()"}`;
      return isRecursive ? `get ${name}() { return ${code}; },` : `${name}: ${code},`;
    });
    return `z.${additional === false ? "strictObject" : "looseObject"}({\n${lines.map((line) => `  ${line}`).join("\n")}\n})`;
  }
}

/** Whether a schema names one that comes later, or the one that is being written. */
function reachesItself(schema: Json | undefined, where: Where): boolean {
  const ref = refOf(schema)?.slice(prefix.length);
  if (ref !== undefined) return !where.written.includes(ref);
  const inner = isObject(schema) ? Object.values(schema) : asArray(schema);
  return inner.some((one) => reachesItself(one, where));
}

/** Reads a JSON or YAML text into plain values. Whatever the text is, it ends in a value or in one sentence. */
import type * as jsYaml from "js-yaml";
import type { Json } from "../../document/json.ts";
import { CommandError } from "../command-line.ts";

/** What a document may be. GitHub's own description, one of the largest, has 12 MB, 1.1 million values and a depth of 25. */
export const limits = { bytes: 64 * 1024 * 1024, values: 8_000_000, depth: 200 };

type Yaml = typeof jsYaml & { types: { merge: jsYaml.Type } };

/** The YAML parser, which a JSON document does not need. */
export const yaml = async (): Promise<Yaml> => (await import("js-yaml")).default as unknown as Yaml;

/** Parses a text. @param name the file, for the sentence. @throws CommandError */
export async function parse(name: string, text: string): Promise<Json> {
  if (text.length > limits.bytes) throw new CommandError(`${name} is larger than ${limits.bytes / 1024 / 1024} MB.`);
  const value = /^\uFEFF?\s*[[{]/.test(text)
    ? (fromJson(text) ?? (await fromYaml(name, text)))
    : await fromYaml(name, text);
  measure(name, value);
  return value;
}

function fromJson(text: string): Json | undefined {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, "")) as Json;
  } catch {
    // YAML may begin with a brace, too.
    return undefined;
  }
}

/** Dates stay text. The error says where and why without the line itself: a reference may lead to a file that is secret. */
async function fromYaml(name: string, text: string): Promise<Json> {
  const { load, YAMLException, CORE_SCHEMA, types } = await yaml();
  try {
    const schema = CORE_SCHEMA.extend({ implicit: [types.merge] });
    return load(text, { schema, maxDepth: limits.depth } as object) as Json;
  } catch (error) {
    if (error instanceof YAMLException) {
      const line = error.mark === undefined ? "" : `, line ${error.mark.line + 1}`;
      throw new CommandError(`${name}${line}: neither JSON nor YAML: ${error.reason}.`, { cause: error });
    }
    if (error instanceof RangeError) throw tooDeep(name);
    throw error;
  }
}

const tooDeep = (name: string) => new CommandError(`${name} is nested more than ${limits.depth} levels deep.`);

/** Refuses what is too deep, too large once its YAML aliases are expanded, or holds itself by an alias. */
export function measure(name: string, value: Json | undefined): void {
  const sizes = new Map<object, number>();
  const sizeOf = (one: unknown, depth: number): number => {
    if (typeof one !== "object" || one === null) return 1;
    const known = sizes.get(one);
    if (known === 0) throw new CommandError(`${name} has a YAML alias to what it is in.`);
    if (known !== undefined) return known;
    if (depth > limits.depth) throw tooDeep(name);
    sizes.set(one, 0);
    let size = 1;
    for (const inner of Object.values(one)) {
      size += sizeOf(inner, depth + 1);
      if (size > limits.values) throw new CommandError(`${name} has more than ${limits.values} values.`);
    }
    sizes.set(one, size);
    return size;
  };
  sizeOf(value, 0);
}

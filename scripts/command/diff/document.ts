/** An OpenAPI document with the files that its references lead to. */
import { readFileSync, statSync } from "node:fs";
import { dirname, join, normalize } from "node:path/posix";
import { asObject, isObject, type Json, type JsonObject } from "../../document/json.ts";
import { CommandError } from "../command-line.ts";
import { limits, measure, parse } from "./read.ts";

/** A document. Files other than the first are named by their path relative to it. */
export type Document = {
  /** Its path, or `-` for standard input. */
  name: string;
  root: JsonObject;
  /** OpenAPI 3.0 has its own dialect of schemas. */
  is30: boolean;
  files: Map<string, JsonObject>;
  /** The texts of the files, the first under the empty name. */
  texts: Map<string, string>;
  /** The path of a file as one would type it. */
  pathOf: (file: string) => string;
};

/** The value of a key that the object itself has: names such as `constructor` are in every object's prototype. */
export function own(object: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** The entries of an object of named things; of anything else, none. */
export function named(value: Json | undefined): Map<string, Json> {
  return new Map(Object.entries(asObject(value)).flatMap(([key, one]) => (one === undefined ? [] : [[key, one]])));
}

/** The document of a text. @throws CommandError for what is no OpenAPI 3 document */
export async function documentOf(name: string, text: string): Promise<Document> {
  const root = await parse(name, text);
  const document = documentOfValue(name, root);
  document.texts.set("", text);
  await readReferredFiles(document);
  return document;
}

/** The document of a value that is in memory, without other files. */
export function documentOfValue(name: string, root: Json): Document {
  const shown = name === "-" ? "Standard input" : name;
  if (!isObject(root)) throw new CommandError(`${shown} is not an OpenAPI document: it must be an object.`);
  if (root.swagger !== undefined)
    throw new CommandError(`${shown} is Swagger ${String(root.swagger)}; it must be OpenAPI 3.0 or 3.1.`);
  const version = typeof root.openapi === "string" ? root.openapi : "";
  if (!/^3\.[012](\.|$)/.test(version))
    throw new CommandError(`${shown} is not an OpenAPI document: openapi must be 3.0 or 3.1, such as "3.1.0".`);
  const pathOf = (file: string) => (file === "" ? name : join(folderOf(name), file));
  return { name, root, is30: version.startsWith("3.0"), files: new Map(), texts: new Map(), pathOf };
}

/** Reads the files that references lead to, and names each reference's file relative to the first. */
async function readReferredFiles({ name, root, files, texts }: Document): Promise<void> {
  const base = folderOf(name);
  const waiting: [string, Json][] = [["", root]];
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    for (const object of objectsWithRefs(next[1])) {
      const [path = "", pointer = ""] = String(object.$ref).split("#", 2);
      const isLocal = !/^[a-z][\w+.-]*:|^\//i.test(path);
      const file = path === "" ? next[0] : isLocal ? normalize(join(dirname(next[0]), unescaped(path))) : path;
      // Examples may hold what only looks like a reference, so a file that is missing fails where it is used.
      const isFirst = file === "" || join(base, file) === normalize(name);
      object.$ref = `${isFirst ? "" : file}#${pointer}`;
      if (isFirst || files.has(file) || !isLocal || !/\.(json|ya?ml)$/i.test(path)) continue;
      const text = textOf(join(base, file));
      if (text === undefined) continue;
      const value = await parse(join(base, file), text);
      files.set(file, asObject(value));
      texts.set(file, text);
      if (files.size > 2_000) throw new CommandError(`${name} refers to more than 2000 files.`);
      waiting.push([file, value]);
    }
  }
  // The sizes add up.
  if (files.size > 0) measure(name, [root, ...files.values()]);
}

const folderOf = (name: string) => (name === "-" ? "." : dirname(name));

function textOf(path: string): string | undefined {
  try {
    const size = statSync(path).size;
    return size > limits.bytes ? undefined : readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

/** Every object with a reference, once, though YAML aliases may repeat it. */
function objectsWithRefs(value: Json): JsonObject[] {
  const found: JsonObject[] = [];
  const seen = new Set<object>();
  const waiting: unknown[] = [value];
  for (let one = waiting.pop(); waiting.length > 0 || one !== undefined; one = waiting.pop()) {
    if (typeof one !== "object" || one === null || seen.has(one)) continue;
    seen.add(one);
    if (!Array.isArray(one) && typeof (one as JsonObject).$ref === "string") found.push(one as JsonObject);
    for (const inner of Object.values(one)) waiting.push(inner);
  }
  return found;
}

const targets = new WeakMap<Document, Map<string, Json>>();

/** What a reference points at. @throws CommandError when there is nothing */
export function target(document: Document, ref: string): Json {
  const known = targets.get(document) ?? new Map<string, Json>();
  targets.set(document, known);
  const found = known.get(ref) ?? lookedUp(document, ref);
  known.set(ref, found);
  return found;
}

function lookedUp(document: Document, ref: string): Json {
  const [file = "", pointer = ""] = ref.split("#", 2);
  const start = file === "" ? document.root : document.files.get(file);
  if (start === undefined)
    throw new CommandError(
      /^[a-z][\w+.-]*:/i.test(file)
        ? `${document.name} refers to ${file}, which is not fetched. Bundle the document first.`
        : `${document.name} refers to ${file}, which is no readable .json or .yaml file.`,
    );
  let here: Json | undefined = start;
  for (const part of pointer === "" ? [] : pointer.replace(/^\//, "").split("/")) {
    const key = unescaped(part);
    here = Array.isArray(here) ? here[Number(key)] : own(asObject(here), key);
  }
  if (here === undefined || (pointer !== "" && !pointer.startsWith("/")))
    throw new CommandError(`${document.name} has the reference ${ref}, which points at nothing.`);
  return here;
}

function unescaped(part: string): string {
  try {
    return decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~");
  } catch {
    return part;
  }
}

/** Follows references to the end. @returns the last object, with what stands next to the references over it */
export function dereferenced(document: Document, value: Json | undefined): JsonObject {
  let here = asObject(value);
  let beside: JsonObject = {};
  const seen = new Set<string>();
  while (typeof here.$ref === "string") {
    const { $ref, ...rest } = here;
    if (seen.has($ref)) throw new CommandError(`${document.name} has the reference ${$ref}, which leads to itself.`);
    seen.add($ref);
    if (Object.keys(rest).length > 0) beside = { ...rest, ...beside };
    here = asObject(target(document, $ref));
  }
  // The same object where nothing is laid over it, so that its place in the file is known.
  return Object.keys(beside).length === 0 ? here : { ...here, ...beside };
}

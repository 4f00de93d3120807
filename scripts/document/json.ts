/** Reading a document as plain JSON: its references, and whether two parts of it say the same. */
import { isDeepStrictEqual } from "node:util";

/** Any JSON value. */
export type Json = null | boolean | number | string | Json[] | JsonObject;
/** A JSON object; `undefined` means an absent key. */
export type JsonObject = { [key: string]: Json | undefined };

/** Whether a value is an object, and neither null nor an array. */
export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value as an object; an empty one when it is something else. */
export function asObject(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}

/** The value as an array; an empty one when it is something else. */
export function asArray(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : [];
}

/** The value as an array of texts, as `required` and `security` hold them. */
export function asStrings(value: Json | undefined): string[] {
  return asArray(value).filter((one) => typeof one === "string");
}

/** Whether two values are the same, whatever the order of their keys. */
export function sameJson(before: Json | undefined, after: Json | undefined): boolean {
  return isDeepStrictEqual(before, after);
}

/** The keys of either object, each once. */
export function keysOf(before: JsonObject, after: JsonObject): string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])];
}

/** The reference that an object is, or undefined. */
export function refOf(value: Json | undefined): string | undefined {
  return isObject(value) && typeof value.$ref === "string" ? value.$ref : undefined;
}

/** What a reference within a document points at. @throws when there is nothing. */
export function pointedAt(document: JsonObject, ref: string): Json {
  let here: Json | undefined = document;
  for (const part of ref.replace(/^#\//, "").split("/")) {
    const key = decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~");
    here = Array.isArray(here) ? here[Number(key)] : asObject(here)[key];
  }
  if (!ref.startsWith("#/") || here === undefined) throw new Error(`${ref} points at nothing in the document.`);
  return here;
}

/** The object itself, or the one it refers to. Keys next to the reference override those of its target. */
export function resolvedObject(document: JsonObject, value: Json | undefined): JsonObject {
  const { $ref, ...beside } = asObject(value);
  return typeof $ref === "string" ? { ...resolvedObject(document, pointedAt(document, $ref)), ...beside } : beside;
}

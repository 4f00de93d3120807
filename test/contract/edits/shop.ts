/** The shop's document, and how to edit it. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { load } from "js-yaml";
import type { Level, Party } from "../../../scripts/command/diff/finding.ts";
import { asArray, type JsonObject } from "../../../scripts/document/json.ts";
import { at, take } from "./edit.ts";

/** What an edit changes, how grave that is, whom it breaks and why. The edit of none has no finding. */
export type ShopEdit = readonly [
  name: string,
  level: Level | "none",
  breaks: readonly Party[],
  why: string,
  edit: (shop: JsonObject) => unknown,
];

const text = readFileSync(new URL("shop.yaml", import.meta.url), "utf8");

const parsed = load(text) as JsonObject;

export const shop = (): JsonObject => structuredClone(parsed);

/** An operation, such as `GET /orders`. */
export function op(s: JsonObject, name: string): JsonObject {
  const [method = "", path = ""] = name.split(" ");
  return at(s, "paths", path, method.toLowerCase());
}

/** The operation that sends the notification. */
export const hook = (s: JsonObject): JsonObject => at(s, "webhooks", "shipped", "post");

export const props = (s: JsonObject, schema: string): JsonObject =>
  at(s, "components", "schemas", schema, "properties");

export const prop = (s: JsonObject, schema: string, name: string): JsonObject => at(props(s, schema), name);

/** Sets keys to other values than they have. @throws when nothing changes, so that no edit is idle */
export function put(object: JsonObject, values: JsonObject): void {
  const before = JSON.stringify(object);
  Object.assign(object, structuredClone(values));
  if (JSON.stringify(object) === before) throw new Error(`${Object.keys(values)} had these values already.`);
}

/** A condition. */
export const condition = (when: JsonObject, then: JsonObject): JsonObject => {
  return { if: when, then };
};

/** Takes one out of a list. */
export function dropAt(object: JsonObject, key: string, index: number): void {
  put(object, { [key]: asArray(object[key]).filter((_, at) => at !== index) });
}

export function renameKey(object: JsonObject, from: string, to: string): void {
  put(object, { [to]: take(object, from) });
}

/** Renames a path with a single parameter, and the parameter. */
export function renamePath(s: JsonObject, from: string, to: string): void {
  renameKey(at(s, "paths"), from, to);
  put(at(s, "paths", to, "parameters", "0"), { name: /\{(.*)\}/.exec(to)?.[1] });
}

/** Writes each edit as a pair of files, `N.old.json` and `N.new.json`, for other tools. */
export function writePairs(folder: string, edits: readonly ShopEdit[]): void {
  for (const [index, [, , , , edit]] of edits.entries()) {
    const edited = shop();
    edit(edited);
    writeFileSync(join(folder, `${index}.old.json`), JSON.stringify(parsed));
    writeFileSync(join(folder, `${index}.new.json`), JSON.stringify(edited));
  }
}

/** Reasons that several edits share. */
export const why = {
  refused: "Clients that send what was allowed so far are refused.",
  nothing: "",
  more: "Clients get what the old document ruled out.",
  accepts: "Servers that implement the old document refuse what is allowed now.",
  notFound: "They no longer find it.",
  less: "Servers that implement the old document still send what is no longer allowed.",
  unknown: "The tool cannot decide whether this allows more or less. Check it yourself.",
  others: "The others stay.",
  words: "It is for people only.",
  receive: "Receivers get what the old document ruled out.",
  written: "The same value is written otherwise.",
  noValue: "No value fits both documents.",
  credentials: "The credentials that sufficed so far no longer do.",
  answers: "Receivers that answer as they do today are no longer understood.",
  announced: "It was deprecated, and its sunset date has passed.",
  error: "Clients get one error less. Generated code that names it no longer compiles, and servers must not send it.",
} as const;

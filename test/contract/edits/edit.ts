/** A known edit of the contract, and how to make one. */

import type { Bump } from "../../../scripts/command/diff/finding.ts";
import { asArray, asObject, isObject, type Json, type JsonObject } from "../../../scripts/document/json.ts";

/** What changes, the rating it deserves, and that of `redocly diff` where it differs. */
export type Edit = {
  name: string;
  rating: Bump | "none";
  redocly?: Bump | "none";
  edit: (contract: JsonObject) => void;
};

/** The object at a path of keys. @throws when the contract has none there, so that no edit is idle. */
export function at(contract: JsonObject, ...keys: string[]): JsonObject {
  let here: Json | undefined = contract;
  for (const key of keys) here = Array.isArray(here) ? here[Number(key)] : asObject(here)[key];
  if (!isObject(here)) throw new Error(`The contract has no object at ${keys.join(" / ")}.`);
  return here;
}

/** A shared schema. */
export const schema = (contract: JsonObject, name: string): JsonObject => at(contract, "components", "schemas", name);

/** A field of a shared schema. */
export const field = (contract: JsonObject, name: string, key: string): JsonObject =>
  at(contract, "components", "schemas", name, "properties", key);

/** The operation that sends a notification. */
export const notification = (contract: JsonObject): JsonObject => at(contract, "webhooks", "addressActivity", "post");

/** Sets keys that have another value so far, or none. */
export function set(object: JsonObject, values: JsonObject): void {
  Object.assign(object, structuredClone(values));
}

/** Takes a key out and gives its value. @throws when it is not there. */
export function take(object: JsonObject, key: string): Json {
  const value = object[key];
  if (value === undefined) throw new Error(`There is no ${key} to take out.`);
  delete object[key];
  return value;
}

/** Adds to a list, which is made where there is none. */
export function add(object: JsonObject, key: string, value: Json): void {
  object[key] = [...asArray(object[key]), value];
}

/** Takes a value out of a list. @throws when it is not there. */
export function omit(object: JsonObject, key: string, value: Json): void {
  const list = asArray(object[key]);
  if (!list.includes(value)) throw new Error(`There is no ${value} in ${key}.`);
  object[key] = list.filter((one) => one !== value);
}

/** The parameter of a name in a list of them. */
export function parameter(operation: JsonObject, name: string): JsonObject {
  const found = asArray(operation.parameters).find((one) => asObject(one).name === name);
  if (!isObject(found)) throw new Error(`There is no parameter ${name}.`);
  return found;
}

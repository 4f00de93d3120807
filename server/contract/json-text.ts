/**
 * Finds in a JSON text what `JSON.parse` passes over: a field that is given twice, of which each reader takes the one it likes, and
 * half of a character, which no database holds.
 */

import { shownName } from "./display-name.ts";

/** Half of a character can only come by an escape: UTF-8 has none. */
const halfByEscape = /\\u[dD][89a-fA-F]/;

/**
 * A body of 10,000 addresses, 450 KB, takes 0.2 ms, beside 0.5 ms for JSON.parse (Node 20).
 *
 * @param text what was parsed
 * @param value what came of it
 * @param fields how many fields the text has
 * @returns what is wrong, as a sentence that names the field; undefined where nothing is
 */
export function jsonFault(text: string, value: unknown, fields: number): string | undefined {
  // Of a field that is given twice one is left.
  if (countKeys(value) < fields) return `${repeatedField(text)} must be given only once.`;
  const half = halfByEscape.test(text) ? halfCharacter(value, []) : undefined;
  return half && `${fieldName(half)} must be Unicode text, without half of a surrogate pair.`;
}

function countKeys(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  if (Array.isArray(value)) return value.reduce<number>((sum, inner) => sum + countKeys(inner), 0);
  const inners = Object.values(value);
  return inners.reduce<number>((sum, inner) => sum + countKeys(inner), inners.length);
}

/** The path of the first name or text that has half of a character. */
function halfCharacter(value: unknown, path: readonly string[]): readonly string[] | undefined {
  if (typeof value === "string") return value.isWellFormed() ? undefined : path;
  if (typeof value !== "object" || value === null) return undefined;
  for (const [name, inner] of Object.entries(value)) {
    const at = [...path, name];
    const half = name.isWellFormed() ? halfCharacter(inner, at) : at;
    if (half) return half;
  }
  return undefined;
}

/** An object or array that is open at some place of the text. */
type Open = {
  /** The names so far; undefined for an array. */
  names: Set<string> | undefined;
  /** The name or index of what is being read in it. */
  at: string | number;
};

const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|[,:{}[\]]/gs;

/** The path of the first field that a text gives twice. */
function repeatedField(text: string): string {
  const open: Open[] = [];
  let isName = false;
  for (const [token] of text.matchAll(tokens)) {
    const inner = open.at(-1);
    if (token === "{" || token === "[") {
      isName = token === "{";
      open.push(isName ? { names: new Set(), at: "" } : { names: undefined, at: 0 });
    } else if (token === "}" || token === "]") {
      isName = false;
      open.pop();
    } else if (token === ",") {
      isName = inner?.names !== undefined;
      if (typeof inner?.at === "number") inner.at += 1;
    } else if (token === ":") {
      isName = false;
    } else if (isName && inner) {
      const name = JSON.parse(token) as string;
      inner.at = name;
      if (inner.names?.has(name)) break;
      inner.names?.add(name);
    }
  }
  return fieldName(open.map(({ at }) => String(at)));
}

const fieldName = (path: readonly string[]) => shownName(path.join("."));

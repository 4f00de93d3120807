/** Whether two values say the same once their references are followed: the same `$ref` may lead to different schemas. */
import { isObject, type Json, keysOf, refOf } from "../../document/json.ts";
import { isProse } from "./comparison.ts";
import { type Document, own, target } from "./document.ts";
import { type Search, search } from "./limits.ts";

/** A value and the document in which its references are followed. */
export type In = { document: Document; value: Json | undefined };

/** A larger value counts as different, so that no search walks a whole document at each step. */
const mostValues = 2_000;

/** A `const` is a list of one. */
function listed(value: Json | undefined): Json | undefined {
  if (!isObject(value) || value.const === undefined || value.enum !== undefined) return value;
  const { const: only, ...rest } = value;
  return { ...rest, enum: [only] };
}

/** Whether two values are the same but for words for people. References that lead back into themselves end there. */
export function identical(one: In, other: In, spent?: Search): boolean {
  const seen = new Set<string>();
  const waiting: [Json | undefined, Json | undefined][] = [[one.value, other.value]];
  let count = 0;
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const [a, b] = next.map(listed);
    count += 1;
    if (count > mostValues || (spent && !search(spent))) return false;
    const [refA, refB] = [refOf(a), refOf(b)];
    if (refA !== undefined && refB !== undefined && !seen.has(`${refA} ${refB}`)) {
      seen.add(`${refA} ${refB}`);
      waiting.push([target(one.document, refA), target(other.document, refB)]);
    }
    if (isObject(a) && isObject(b)) {
      for (const key of keysOf(a, b)) {
        const isFollowed = key === "$ref" && refA !== undefined && refB !== undefined;
        if (!isFollowed && !isProse(key)) waiting.push([own(a, key), own(b, key)]);
      }
    } else if (Array.isArray(a) && Array.isArray(b) && a.length === b.length) {
      for (const [index, inner] of a.entries()) waiting.push([inner, b[index]]);
    } else if (a !== b) return false;
  }
  return true;
}

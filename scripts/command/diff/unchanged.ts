/**
 * Which shared components are the same in both documents, with all that they lead to. Nothing is to be found in them, and most
 * changes leave most of a document as it was.
 */
import { type Json, sameJson } from "../../document/json.ts";
import { type Document, named } from "./document.ts";
import { sunsetKey } from "./sunset.ts";

/** The references to such components; none where documents have several files, or dialects that differ. */
export function unchangedReferences(before: Document, after: Document): Set<string> {
  const unchanged = new Set<string>();
  if (before.is30 !== after.is30 || before.files.size + after.files.size > 0) return unchanged;
  const [was, is] = [componentsOf(before), componentsOf(after)];
  const leadingTo = new Map<string, string[]>();
  for (const [ref, component] of is) {
    const refs = sameJson(was.get(ref), component) ? referencesIn(component) : undefined;
    if (!refs) continue;
    unchanged.add(ref);
    for (const one of refs) put(leadingTo, one, ref);
  }
  // What leads to a changed component is changed, too.
  const changed = [...leadingTo.keys()].filter((ref) => !unchanged.has(ref));
  for (let ref = changed.pop(); ref !== undefined; ref = changed.pop())
    for (const leading of leadingTo.get(ref) ?? []) if (unchanged.delete(leading)) changed.push(leading);
  return unchanged;
}

function put(lists: Map<string, string[]>, key: string, value: string): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}

function componentsOf({ root }: Document): Map<string, Json> {
  const found = new Map<string, Json>();
  for (const [section, components] of named(root.components))
    for (const [name, component] of named(components))
      found.set(`#/components/${section}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`, component);
  return found;
}

/** The references in a component; undefined if it has a sunset date, which is judged by the day as well. */
function referencesIn(component: Json): Set<string> | undefined {
  const found = new Set<string>();
  const seen = new Set<object>();
  const waiting: unknown[] = [component];
  while (waiting.length > 0) {
    const one = waiting.pop();
    // A YAML alias can repeat an object very often.
    if (typeof one !== "object" || one === null || seen.has(one)) continue;
    seen.add(one);
    if (sunsetKey in one) return undefined;
    if ("$ref" in one && typeof one.$ref === "string") found.add(one.$ref);
    for (const inner of Object.values(one)) waiting.push(inner);
  }
  return found;
}

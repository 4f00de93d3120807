/** Compares the names of shared components, and those that no operation led to. */
import { asObject, sameJson } from "../../document/json.ts";
import { type DocumentComparison, reportFinding } from "./comparison.ts";
import { type Document, named } from "./document.ts";

/** Names of shared schemas are names of generated types. */
export function compareComponents(c: DocumentComparison): void {
  const [sections, sectionsNow] = [named(c.before.root.components), named(c.after.root.components)];
  const compared = comparedReferences(c);
  const used = new Set([...referencesOf(c.before), ...referencesOf(c.after)]);
  for (const section of new Set([...sections.keys(), ...sectionsNow.keys()])) {
    if (section === "securitySchemes" || section === "examples" || section.startsWith("x-")) continue;
    const [was, is] = [named(asObject(sections.get(section))), named(asObject(sectionsNow.get(section)))];
    for (const name of new Set([...was.keys(), ...is.keys()])) {
      const ref = `#/components/${section}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
      const place = { where: `components.${section}.${name}`, before: was.get(name), after: is.get(name) };
      const types = section === "schemas" ? (["generated clients"] as const) : ([] as const);
      const verdict = { level: "info", bump: "patch", breaks: types, why: "Generated types have its name." } as const;
      if (was.get(name) === undefined) reportFinding(c, "component", place, "named", { ...verdict, breaks: [] });
      else if (is.get(name) === undefined) reportFinding(c, "component", place, "no longer named", verdict);
      else if (!used.has(ref) && !compared.has(ref) && !sameJson(was.get(name), is.get(name)))
        reportFinding(c, "component", place, "changed, unused", { ...verdict, why: "No operation leads to it." });
    }
  }
}

function comparedReferences(c: DocumentComparison): Set<string> {
  return new Set([...c.seen].flatMap((key) => key.split(" ").filter((part) => part.startsWith("#/"))));
}

/** Every reference in a document, once. */
function referencesOf(document: Document): Set<string> {
  const found = new Set<string>();
  const seen = new Set<object>();
  const waiting: unknown[] = [document.root, ...document.files.values()];
  while (waiting.length > 0) {
    const one = waiting.pop();
    if (typeof one !== "object" || one === null || seen.has(one)) continue;
    seen.add(one);
    if (!Array.isArray(one) && "$ref" in one && typeof one.$ref === "string") found.add(one.$ref);
    for (const inner of Object.values(one)) waiting.push(inner);
  }
  return found;
}

/** Compares two whole contracts. */

import { asArray, asObject, type JsonObject, keysOf, same } from "../../document/json.ts";
import { type Change, type Comparison, compareRest, report } from "./comparison.ts";
import { type Called, comparePathItems, operationsOf } from "./operation.ts";
import { compareSecuritySchemes } from "./security.ts";
import { compareServers } from "./servers.ts";

/**
 * What changed from one bundled OpenAPI document to another, each change rated by whom it can break.
 *
 * Requests and answers differ: accepting less breaks a caller, sending more breaks a reader, be it the caller or the
 * receiver of a notification. Added fields, operations and values of an enumeration are minor, since the contract asks its
 * readers to pass over what they do not know. What this comparison does not understand is major.
 */
export function compareContracts(before: JsonObject, after: JsonObject): Change[] {
  const c: Comparison = { before, after, changes: [], compared: new Set() };
  compareServers(c, "the document", asArray(before.servers), asArray(after.servers));
  compareSecuritySchemes(c);
  comparePaths(c, asObject(before.webhooks), asObject(after.webhooks), "receiver");
  comparePaths(c, asObject(before.paths), asObject(after.paths), "service");
  compareInfo(c, asObject(before.info), asObject(after.info));
  const judged = ["openapi", "info", "servers", "security", "paths", "webhooks", "components"];
  compareRest(c, "the document", before, after, judged);
  compareComponents(c);
  const order = ["major", "minor", "patch"];
  return c.changes.sort((one, other) => order.indexOf(one.rating) - order.indexOf(other.rating));
}

/** The version follows from the changes and is none. */
function compareInfo(c: Comparison, before: JsonObject, after: JsonObject): void {
  for (const key of keysOf(before, after))
    if (key !== "version" && !same(before[key], after[key])) report(c, "patch", "info", `${key} changed`);
}

function comparePaths(c: Comparison, before: JsonObject, after: JsonObject, called: Called): void {
  for (const path of keysOf(before, after)) {
    const [was, is] = [before[path], after[path]];
    const where = called === "receiver" ? `notification ${path}` : path;
    // A callback that refers to it need not be compared once more.
    if (called === "receiver") c.compared.add(`notifications #/webhooks/${path} #/webhooks/${path}`);
    if (was !== undefined && is !== undefined) comparePathItems(c, called, where, was, is);
    else {
      const [document, item] = is === undefined ? [c.before, was] : [c.after, is];
      for (const method of operationsOf(document, item).keys())
        report(
          c,
          is === undefined ? "major" : "minor",
          `${method.toUpperCase()} ${where}`,
          `operation ${is === undefined ? "removed" : "added"}`,
        );
    }
  }
}

/** Names of shared schemas are names of generated types; and a net for what no operation led to. */
function compareComponents(c: Comparison): void {
  const [sections, sectionsNow] = [asObject(c.before.components), asObject(c.after.components)];
  const texts = [JSON.stringify(c.before), JSON.stringify(c.after)];
  for (const section of keysOf(sections, sectionsNow)) {
    if (section === "securitySchemes" || section === "examples") continue;
    const [was, is] = [asObject(sections[section]), asObject(sectionsNow[section])];
    for (const name of keysOf(was, is)) {
      const ref = `#/components/${section}/${name}`;
      const where = `components.${section}.${name}`;
      if (was[name] === undefined) report(c, "patch", where, "named");
      else if (is[name] === undefined) report(c, "patch", where, "no longer named");
      else if (!same(was[name], is[name]) && ![...c.compared].some((key) => key.endsWith(` ${ref} ${ref}`))) {
        const used = texts.every((text) => text.includes(`"${ref}"`));
        report(
          c,
          used ? "major" : "patch",
          where,
          used ? "changed, where this comparison does not look" : "changed, unused",
        );
      }
    }
  }
}

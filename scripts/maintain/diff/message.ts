/** Compares what travels in one message: parameters, headers and bodies. */

import { asArray, asObject, type Json, type JsonObject, keysOf, resolved } from "../../document/json.ts";
import { type Comparison, compareRest, type Flow, follow, isAccepted, report, reportRange } from "./comparison.ts";
import { compareSchemas } from "./schema.ts";

/** Parameters or headers by their key. */
export type Named = ReadonlyMap<string, Json>;

/** An operation's parameters by key, as `in name`; the name of a header in lower case. */
export function parametersOf(document: JsonObject, list: Json | undefined): Named {
  return new Map(
    asArray(list).map((one) => {
      const { in: place, name } = resolved(document, one);
      return [`${place} ${place === "header" ? String(name).toLowerCase() : name}`, one];
    }),
  );
}

/** A response's headers by their names in lower case, without `Content-Type`, which OpenAPI passes over. */
export function headersOf(headers: Json | undefined): Named {
  return new Map(
    Object.entries(asObject(headers)).flatMap(([name, one]) =>
      one === undefined ? [] : [[`header ${name.toLowerCase()}`, one]],
    ),
  );
}

/** Compares parameters or headers. What is gone breaks; what is new breaks where the caller must send it. */
export function compareNamed(c: Comparison, flow: Flow, where: string, before: Named, after: Named): void {
  for (const key of new Set([...before.keys(), ...after.keys()])) {
    const [was, is] = [before.get(key), after.get(key)];
    if (is === undefined) report(c, "major", `${where}, in ${flow}`, `${key} removed`);
    else if (was === undefined) {
      const required = resolved(c.after, is).required === true;
      const rating = required && isAccepted(flow) ? "major" : "minor";
      report(c, rating, `${where}, in ${flow}`, `${required ? "required" : "optional"} ${key} added`);
    } else compareValue(c, flow, `${where}, ${key}`, was, is);
  }
}

function compareValue(c: Comparison, flow: Flow, place: string, was: Json, is: Json): void {
  const both = follow(c, flow, place, was, is);
  if (!both) return;
  const { before, after, where } = both;
  compareRequired(c, flow, where, before, after);
  if (before.schema !== undefined || after.schema !== undefined)
    compareSchemas(c, flow, where, before.schema, after.schema);
  compareRest(c, where, before, after, ["in", "name", "required", "schema"]);
}

function compareRequired(c: Comparison, flow: Flow, where: string, before: JsonObject, after: JsonObject): void {
  const [was, is] = [before.required === true, after.required === true];
  if (is && !was) reportRange(c, "narrower", flow, where, "now required");
  if (was && !is) reportRange(c, "wider", flow, where, "no longer required");
}

/** Compares request bodies, or the bodies of notifications. */
export function compareBodies(
  c: Comparison,
  flow: Flow,
  where: string,
  was: Json | undefined,
  is: Json | undefined,
): void {
  if (was !== undefined && is === undefined) report(c, "major", `${where}, in ${flow}`, "body removed");
  else if (was === undefined && is !== undefined) {
    const required = resolved(c.after, is).required === true;
    report(c, required && isAccepted(flow) ? "major" : "minor", `${where}, in ${flow}`, "body added");
  } else if (was !== undefined) {
    const both = follow(c, flow, where, was, is);
    if (!both) return;
    compareRequired(c, flow, `body of ${both.where}`, both.before, both.after);
    compareContent(c, flow, both.where, both.before.content, both.after.content);
    compareRest(c, both.where, both.before, both.after, ["required", "content"]);
  }
}

/** Compares the media types of a body. A receiver cannot choose, so there another one breaks. */
export function compareContent(
  c: Comparison,
  flow: Flow,
  where: string,
  before: Json | undefined,
  after: Json | undefined,
): void {
  const [was, is] = [asObject(before), asObject(after)];
  for (const type of keysOf(was, is)) {
    const [old, now] = [was[type], is[type]];
    if (now === undefined) report(c, "major", `${where}, in ${flow}`, `${type} removed`);
    else if (old === undefined)
      report(c, flow === "notifications" ? "major" : "minor", `${where}, in ${flow}`, `${type} added`);
    else {
      compareSchemas(c, flow, where, asObject(old).schema, asObject(now).schema);
      compareRest(c, `${where}, ${type}`, asObject(old), asObject(now), ["schema"]);
    }
  }
}

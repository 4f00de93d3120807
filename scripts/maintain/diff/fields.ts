/** Compares the fields of two object schemas: which there are, which must be there, and whether others may be. */

import { asObject, asStrings, type Json, type JsonObject, keysOf } from "../../document/json.ts";
import { type Comparison, type Flow, isAccepted, report, reportRange } from "./comparison.ts";

/** Compares two schemas; handed in, since schemas hold fields and fields hold schemas. */
type CompareSchemas = (
  c: Comparison,
  flow: Flow,
  where: string,
  before: Json | undefined,
  after: Json | undefined,
) => void;

/** Compares `properties`, `required` and `additionalProperties`. */
export function compareFields(
  compareSchemas: CompareSchemas,
  c: Comparison,
  flow: Flow,
  where: string,
  before: JsonObject,
  after: JsonObject,
): void {
  const [was, is] = [asObject(before.properties), asObject(after.properties)];
  const [hadTo, hasTo] = [asStrings(before.required), asStrings(after.required)];
  const place = `${where}, in ${flow}`;
  for (const name of new Set([...keysOf(was, is), ...hadTo, ...hasTo])) {
    const [required, wasRequired] = [hasTo.includes(name), hadTo.includes(name)];
    if (was[name] !== undefined && is[name] === undefined) report(c, "major", place, `field ${name} removed`);
    else if (was[name] === undefined && is[name] !== undefined) {
      const breaks = required && !wasRequired && isAccepted(flow);
      report(c, breaks ? "major" : "minor", place, `${required ? "required" : "optional"} field ${name} added`);
    } else {
      if (was[name] !== undefined) compareSchemas(c, flow, `${where}.${name}`, was[name], is[name]);
      if (required && !wasRequired) reportRange(c, "narrower", flow, `${where}.${name}`, "now required");
      if (!required && wasRequired) reportRange(c, "wider", flow, `${where}.${name}`, "no longer required");
    }
  }
  const [others, othersNow] = [before.additionalProperties ?? true, after.additionalProperties ?? true];
  // Readers are asked to pass over fields they do not know, so an object that the service sends may be opened.
  if (others === false && othersNow !== false) report(c, "minor", place, "other fields allowed");
  else if (others !== false && othersNow === false) reportRange(c, "narrower", flow, where, "no other fields allowed");
  else if (typeof others !== "boolean" || typeof othersNow !== "boolean")
    compareSchemas(c, flow, `${where}.*`, others, othersNow);
}

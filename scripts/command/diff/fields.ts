/** Compares the fields of two object schemas: which there are, which must be there, and whether others may be. */
import { asStrings, type Json, type JsonObject, sameJson } from "../../document/json.ts";
import { type DocumentComparison, reportFinding, reportMove } from "./comparison.ts";
import { isAccepted, readerOf, sentBy } from "./direction.ts";
import { named } from "./document.ts";
import type { Flow } from "./finding.ts";
import { flatten } from "./flatten.ts";
import type { CompareSchemas, Spotted } from "./schema-place.ts";
import { reportRemoval } from "./sunset.ts";

type Fields = { schemas: Map<string, Json>; required: ReadonlySet<string>; others: Json };

/** Compares `properties`, `required` and `additionalProperties`. */
export function compareFields(
  compareSchemas: CompareSchemas,
  c: DocumentComparison,
  flow: Flow,
  spot: Spotted,
  before: JsonObject,
  after: JsonObject,
): void {
  const [was, is] = [fieldsOf(c.before, flow, before), fieldsOf(c.after, flow, after)];
  const { where } = spot;
  for (const name of new Set([...was.schemas.keys(), ...is.schemas.keys(), ...was.required, ...is.required])) {
    const [one, other] = [was.schemas.get(name), is.schemas.get(name)];
    const [hadTo, hasTo] = [was.required.has(name), is.required.has(name)];
    const place = { where: `${where}.${name}`, before: one ?? spot.before, after: other ?? spot.after };
    if (one !== undefined && other === undefined) {
      const why = isAccepted(flow) ? "What they send there is refused or passed over." : "They no longer find it.";
      const breaks = [isAccepted(flow) ? sentBy(flow) : readerOf(flow)];
      const held = flatten(c.before, one);
      reportRemoval(c, "field-removed", { ...place, flow }, `field ${name} removed`, held, {
        level: "breaking",
        breaks,
        why,
      });
    } else if (one === undefined && other !== undefined) {
      reportAdded(c, flow, { ...place, where }, name, was, hasTo && !hadTo, hasTo);
    } else {
      if (one !== undefined) compareSchemas(c, { flow, where: place.where, omittable: !(hadTo && hasTo) }, one, other);
      if (hasTo && !hadTo) reportMove(c, "narrower", flow, "required", place, "now required");
      if (!hasTo && hadTo) reportMove(c, "wider", flow, "required", place, "no longer required");
    }
  }
  compareOthers(compareSchemas, c, flow, spot, was.others, is.others);
}

/** What a request must not hold is no field of it, nor what an answer leaves out. */
function fieldsOf(document: DocumentComparison["before"], flow: Flow, schema: JsonObject): Fields {
  const unsent = isAccepted(flow) ? "readOnly" : "writeOnly";
  const all = named(schema.properties);
  const hidden = new Set(
    [...all].flatMap(([name, field]) => (flatten(document, field)[unsent] === true ? [name] : [])),
  );
  return {
    schemas: new Map([...all].filter(([name]) => !hidden.has(name))),
    required: new Set(asStrings(schema.required).filter((name) => !hidden.has(name))),
    others: schema.additionalProperties ?? true,
  };
}

function reportAdded(
  c: DocumentComparison,
  flow: Flow,
  place: Spotted,
  name: string,
  was: Fields,
  newlyRequired: boolean,
  required: boolean,
): void {
  const what = `${required ? "required" : "optional"} field ${name} added`;
  if (isAccepted(flow) && newlyRequired) reportMove(c, "narrower", flow, "field-added", place, what);
  else if (isAccepted(flow)) reportMove(c, "wider", flow, "field-added", place, what);
  else if (was.others === false)
    reportFinding(c, "field-added", { ...place, flow }, what, {
      level: "warning",
      breaks: [readerOf(flow)],
      why: "The old document allowed no other fields. Readers that validate refuse it.",
    });
  else
    reportFinding(c, "field-added", { ...place, flow }, what, {
      level: "info",
      breaks: [],
      why: "Readers pass over fields that they do not know.",
    });
}

function compareOthers(
  compareSchemas: CompareSchemas,
  c: DocumentComparison,
  flow: Flow,
  spot: Spotted,
  was: Json,
  is: Json,
): void {
  const [open, openNow] = [was === true || sameJson(was, {}), is === true || sameJson(is, {})];
  if (sameJson(was, is) || (open && openNow)) {
    if (!open && was !== false) compareSchemas(c, { flow, where: `${spot.where}.*` }, was, is);
  } else if (was === false && !isAccepted(flow))
    reportFinding(c, "other-fields", { ...spot, flow }, "other fields allowed", {
      level: "warning",
      breaks: [readerOf(flow)],
      why: "The old document allowed no other fields. Readers that validate refuse them once they come.",
    });
  else if (was === false || openNow) reportMove(c, "wider", flow, "other-fields", spot, "other fields allowed");
  else if (is === false || open)
    reportMove(
      c,
      "narrower",
      flow,
      "other-fields",
      spot,
      is === false ? "no other fields allowed" : "other fields restricted",
    );
  else compareSchemas(c, { flow, where: `${spot.where}.*` }, was, is);
}

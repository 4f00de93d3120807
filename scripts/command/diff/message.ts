/** Compares bodies: whether there is one, in which media types, and what each holds. */
import { asObject, type Json, type JsonObject } from "../../document/json.ts";
import {
  compareRest,
  type DocumentComparison,
  type DocumentPlace,
  follow,
  reportFinding,
  reportMove,
} from "./comparison.ts";
import { isAccepted, readerOf, sentBy } from "./direction.ts";
import { dereferenced, named } from "./document.ts";
import type { Flow } from "./finding.ts";
import { compareSchemas } from "./schema.ts";

/** Compares the bodies of requests, or of notifications. */
export function compareBodies(
  c: DocumentComparison,
  flow: Flow,
  operation: DocumentPlace,
  was: Json | undefined,
  is: Json | undefined,
): void {
  const where = `${operation.where} body`;
  if (was === undefined && is === undefined) return;
  if (is === undefined)
    reportFinding(c, "body", { ...operation, where, flow }, "body removed", {
      level: "breaking",
      breaks: [isAccepted(flow) ? sentBy(flow) : readerOf(flow)],
      why: isAccepted(flow) ? "What they send is refused or passed over." : "They no longer find it.",
    });
  else if (was === undefined) {
    const required = dereferenced(c.after, is).required === true;
    const place = { ...operation, where, after: is };
    reportMove(c, required === isAccepted(flow) ? "narrower" : "wider", flow, "body", place, "body added");
  } else
    follow(c, `${flow} body`, where, was, is, (before, after, there) => {
      const place = { where: there, before, after };
      const [needed, neededNow] = [before.required === true, after.required === true];
      if (neededNow && !needed) reportMove(c, "narrower", flow, "required", place, "now required");
      if (needed && !neededNow) reportMove(c, "wider", flow, "required", place, "no longer required");
      compareContent(c, flow, place, before.content, after.content);
      compareRest(c, place, before, after, ["required", "content"]);
    });
}

/** Media types by their names without spaces and in lower case. */
function mediaTypes(content: Json | undefined): Map<string, JsonObject> {
  return new Map(
    [...named(content)].map(([type, media]) => [type.toLowerCase().replace(/\s*([;=])\s*/g, "$1"), asObject(media)]),
  );
}

/** The media type itself, or the range that holds it. */
function heldBy(types: Map<string, JsonObject>, type: string): JsonObject | undefined {
  const [bare = type] = type.split(";");
  return types.get(type) ?? types.get(bare) ?? types.get(`${bare.split("/")[0]}/*`) ?? types.get("*/*");
}

/** Compares the media types of a body. A receiver cannot choose, so there another one breaks. */
export function compareContent(
  c: DocumentComparison,
  flow: Flow,
  place: DocumentPlace,
  before: Json | undefined,
  after: Json | undefined,
): void {
  const [was, is] = [mediaTypes(before), mediaTypes(after)];
  for (const type of new Set([...was.keys(), ...is.keys()])) {
    const [old, now] = [heldBy(was, type), heldBy(is, type)];
    const there = { ...place, flow, before: old ?? place.before, after: now ?? place.after };
    if (now === undefined)
      reportFinding(c, "media-type", there, `${type} removed`, {
        level: "breaking",
        breaks: [isAccepted(flow) ? sentBy(flow) : readerOf(flow)],
        why: isAccepted(flow) ? "What they send is refused." : "They no longer get what they ask for.",
      });
    else if (old === undefined && flow === "notifications")
      reportFinding(c, "media-type", there, `${type} added`, {
        level: "breaking",
        breaks: ["receivers"],
        why: "A receiver cannot choose the media type that it gets.",
      });
    else if (old === undefined && flow === "acknowledgements" && was.size === 0)
      reportMove(c, "narrower", flow, "media-type", place, `a body as ${type} is expected`);
    else if (old === undefined)
      reportFinding(c, "media-type", there, `${type} added`, {
        level: "info",
        breaks: ["servers"],
        why: "The others stay.",
      });
    else {
      compareSchemas(c, { flow, where: place.where }, old.schema, now.schema);
      const spot = { before: there.before, after: there.after };
      compareRest(c, { ...spot, where: `${place.where}, ${type}` }, old, now, ["schema"], flow);
    }
  }
}

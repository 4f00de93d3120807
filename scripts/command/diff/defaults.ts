/** Compares defaults. In a request a default is behaviour: what the server does for whoever leaves the value out. */
import { type Json, sameJson } from "../../document/json.ts";
import { type DocumentComparison, type DocumentPlace, reportFinding } from "./comparison.ts";
import { isAccepted, sentBy } from "./direction.ts";
import type { SchemaPlace } from "./schema-place.ts";

/** Compares the defaults of a value. */
export function compareDefaults(
  c: DocumentComparison,
  { flow, omittable }: SchemaPlace,
  place: DocumentPlace,
  before: Json | undefined,
  after: Json | undefined,
): void {
  if (sameJson(before, after)) return;
  const [was, is] = [before, after].map((one) => (one === undefined ? "none" : JSON.stringify(one)));
  const what = `default from ${was} to ${is}`;
  if (!isAccepted(flow))
    reportFinding(c, "default", { ...place, flow }, what, {
      level: "info",
      bump: "patch",
      why: "Readers get the value itself.",
    });
  else if (omittable === false)
    reportFinding(c, "default", { ...place, flow }, what, {
      level: "info",
      bump: "patch",
      why: "The value is always sent.",
    });
  else
    reportFinding(c, "default", { ...place, flow }, what, {
      level: "breaking",
      breaks: [sentBy(flow)],
      why:
        before === undefined
          ? "The server now acts for whoever leaves it out."
          : "Whoever leaves it out gets another behaviour than before.",
    });
}

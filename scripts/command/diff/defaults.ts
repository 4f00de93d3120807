/** Compares defaults. In a request a default is behaviour: what the server does for whoever leaves the value out. */
import { type Json, same } from "../../document/json.ts";
import { type Comparison, type Place, report } from "./comparison.ts";
import { isAccepted, senderOf } from "./direction.ts";
import type { SchemaPlace } from "./schema-place.ts";

/** Compares the defaults of a value. */
export function compareDefaults(
  c: Comparison,
  { flow, omittable }: SchemaPlace,
  place: Place,
  before: Json | undefined,
  after: Json | undefined,
): void {
  if (same(before, after)) return;
  const [was, is] = [before, after].map((one) => (one === undefined ? "none" : JSON.stringify(one)));
  const what = `default from ${was} to ${is}`;
  if (!isAccepted(flow))
    report(c, "default", { ...place, flow }, what, {
      level: "info",
      bump: "patch",
      why: "Readers get the value itself.",
    });
  else if (omittable === false)
    report(c, "default", { ...place, flow }, what, { level: "info", bump: "patch", why: "The value is always sent." });
  else
    report(c, "default", { ...place, flow }, what, {
      level: "breaking",
      breaks: [senderOf(flow)],
      why:
        before === undefined
          ? "The server now acts for whoever leaves it out."
          : "Whoever leaves it out gets another behaviour than before.",
    });
}

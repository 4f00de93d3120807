/** Compares where a schema allows no value: a field that must be absent, or a list that must be empty. */
import { type DocumentComparison, reportFinding, reportMove } from "./comparison.ts";
import { isAccepted, readerOf } from "./direction.ts";
import type { Flow } from "./finding.ts";
import type { Spotted } from "./schema-place.ts";

/** At least one side allows nothing: `false`, or `not: {}`. What can no longer be sent is as good as removed. */
export function compareNothing(
  c: DocumentComparison,
  flow: Flow,
  spot: Spotted,
  before: boolean,
  after: boolean,
): void {
  if (before && !after) reportMove(c, "wider", flow, "type", spot, "a value allowed, where there was none");
  if (before || !after) return;
  const what = "no value allowed any more";
  if (isAccepted(flow)) reportMove(c, "narrower", flow, "type", spot, what);
  else
    reportFinding(c, "type", { ...spot, flow }, what, {
      level: "breaking",
      breaks: [readerOf(flow)],
      why: "Those who read it no longer find it.",
    });
}

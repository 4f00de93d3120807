/** Compares where the service can be reached. */
import { asArray, asObject, type Json, type JsonObject, sameJson } from "../../document/json.ts";
import { compareRest, type DocumentComparison, type DocumentPlace, reportFinding } from "./comparison.ts";
import { named } from "./document.ts";

/** Compares two lists of servers by their addresses. Generated clients call the default unless configured. */
export function compareServers(
  c: DocumentComparison,
  { where, ...spot }: DocumentPlace,
  before: Json[],
  after: Json[],
): void {
  const byUrl = (list: Json[]) =>
    new Map(list.map(asObject).map((server) => [String(server.url).replace(/\/$/, ""), server]));
  const [was, is] = [byUrl(before), byUrl(after)];
  for (const url of new Set([...was.keys(), ...is.keys()])) {
    const [old, now] = [was.get(url), is.get(url)];
    const place = { ...spot, where: `${where}, server ${url}`, before: old ?? spot.before, after: now ?? spot.after };
    if (!now)
      reportFinding(c, "server", place, "removed", {
        level: "breaking",
        breaks: ["clients"],
        why: "They call an address that is no longer one of this API.",
      });
    else if (!old) reportFinding(c, "server", place, "added", { level: "info", why: "The others stay." });
    else {
      compareVariables(c, place, old, now);
      compareRest(c, place, old, now, ["url", "variables"]);
    }
  }
}

function compareVariables(c: DocumentComparison, place: DocumentPlace, before: JsonObject, after: JsonObject): void {
  const [was, is] = [named(before.variables), named(after.variables)];
  for (const name of new Set([...was.keys(), ...is.keys()])) {
    const [one, other] = [asObject(was.get(name)), asObject(is.get(name))];
    const there = { ...place, where: `${place.where}, ${name}` };
    if (!sameJson(one.default, other.default))
      reportFinding(
        c,
        "server",
        place,
        `default of ${name} from ${one.default ?? "none"} to ${other.default ?? "none"}`,
        {
          level: "breaking",
          breaks: ["generated clients"],
          why: "They call the default address unless they are configured.",
        },
      );
    const gone = asArray(one.enum).filter((value) => !asArray(other.enum).includes(value));
    const more = asArray(other.enum).filter((value) => !asArray(one.enum).includes(value));
    if (other.enum !== undefined && (gone.length > 0 || one.enum === undefined))
      reportFinding(c, "server", there, `value ${gone.join(", ") || "of other kinds"} removed`, {
        level: "breaking",
        breaks: ["clients"],
        why: "They call an address that is no longer one of this API.",
      });
    else if (more.length > 0 || (one.enum !== undefined && other.enum === undefined))
      reportFinding(c, "server", there, `value ${more.join(", ") || "of any kind"} added`, {
        level: "info",
        why: "The others stay.",
      });
    compareRest(c, there, one, other, ["default", "enum"]);
  }
}

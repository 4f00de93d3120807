/** Compares who may call: the credentials that an operation asks for, and how they are carried. */

import { asArray, asObject, asStrings, type JsonObject, keysOf, same } from "../../document/json.ts";
import { type Comparison, compareRest, report } from "./comparison.ts";

/** One way in: every `scheme scope` that it takes. */
type Demand = readonly string[];

/** Compares what an operation asks for, its own or else the document's. A way in that no longer suffices breaks. */
export function compareSecurity(c: Comparison, where: string, before: JsonObject, after: JsonObject): void {
  const [was, is] = [demands(c.before, before), demands(c.after, after)];
  const suffices = (credentials: Demand, ways: readonly Demand[]) =>
    ways.some((way) => way.every((one) => credentials.includes(one)));
  const closed = was.filter((way) => !suffices(way, is));
  const opened = is.filter((way) => !suffices(way, was));
  const what = `security from ${inWords(was)} to ${inWords(is)}`;
  if (closed.length > 0) report(c, "major", where, what);
  else if (opened.length > 0) report(c, "minor", where, what);
}

function demands(document: JsonObject, operation: JsonObject): Demand[] {
  const ways = asArray(operation.security ?? document.security ?? []).map((way) =>
    Object.entries(asObject(way)).flatMap(([scheme, scopes]) => [
      scheme,
      ...asStrings(scopes).map((scope) => `${scheme} ${scope}`),
    ]),
  );
  return ways.length > 0 ? ways : [[]];
}

function inWords(ways: readonly Demand[]): string {
  const most = (way: Demand) => way.filter((one) => !way.some((other) => other.startsWith(`${one} `)));
  return ways.map((way) => most(way).join(" and ") || "none").join(" or ");
}

/** Compares the schemes themselves: the name of a header, the kind of a credential. */
export function compareSecuritySchemes(c: Comparison): void {
  const [was, is] = [c.before, c.after].map((document) => asObject(asObject(document.components).securitySchemes));
  for (const name of keysOf(was ?? {}, is ?? {})) {
    const [before, after] = [was?.[name], is?.[name]];
    const where = `security scheme ${name}`;
    if (before === undefined) report(c, "minor", where, "added");
    else if (after === undefined) report(c, "major", where, "removed");
    else {
      for (const key of ["type", "in", "name", "scheme"]) {
        const [old, now] = [asObject(before)[key], asObject(after)[key]];
        if (!same(old, now)) report(c, "major", where, `${key} from ${old} to ${now}`);
      }
      compareRest(c, where, asObject(before), asObject(after), ["type", "in", "name", "scheme"]);
    }
  }
}

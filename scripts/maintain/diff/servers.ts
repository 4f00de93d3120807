/** Compares where the service can be reached. */

import { asObject, type Json, keysOf, same } from "../../document/json.ts";
import { type Comparison, compareRest, report } from "./comparison.ts";

/** Compares two lists of servers by their addresses. Generated clients call the default unless configured. */
export function compareServers(c: Comparison, where: string, before: Json[], after: Json[]): void {
  const byUrl = (list: Json[]) => new Map(list.map(asObject).map((server) => [String(server.url), server]));
  const [was, is] = [byUrl(before), byUrl(after)];
  for (const url of new Set([...was.keys(), ...is.keys()])) {
    const [old, now] = [was.get(url), is.get(url)];
    const place = `${where}, server ${url}`;
    if (!now) report(c, "major", place, "removed");
    else if (!old) report(c, "minor", place, "added");
    else {
      const [variables, variablesNow] = [asObject(old.variables), asObject(now.variables)];
      for (const name of keysOf(variables, variablesNow)) {
        const [one, other] = [asObject(variables[name]), asObject(variablesNow[name])];
        if (!same(one.default, other.default))
          report(c, "major", place, `default of ${name} from ${one.default ?? "none"} to ${other.default ?? "none"}`);
        compareRest(c, `${place}, ${name}`, one, other, ["default"]);
      }
      compareRest(c, place, old, now, ["variables"]);
    }
  }
}

/** Compares who may call: the credentials that an operation asks for, and how they are carried. */
import { asArray, asObject, asStrings, type JsonObject, same } from "../../document/json.ts";
import { type Comparison, compareRest, type Place, report } from "./comparison.ts";
import { type Document, named, resolved } from "./document.ts";

/** One way in: every `scheme scope` that it takes. */
type Demand = readonly string[];

/** Compares what an operation asks for, its own or else the document's. A way in that no longer suffices breaks. */
export function compareSecurity(c: Comparison, place: Place, before: JsonObject, after: JsonObject): void {
  const [was, is] = [demands(c, c.before, before), demands(c, c.after, after)];
  const suffices = (credentials: Demand, ways: readonly Demand[]) =>
    ways.some((way) => way.every((one) => credentials.includes(one)));
  const closed = was.filter((way) => !suffices(way, is));
  const opened = is.filter((way) => !suffices(way, was));
  const what = `security from ${inWords(was)} to ${inWords(is)}`;
  if (closed.length > 0)
    report(c, "security", place, what, {
      level: "breaking",
      breaks: ["clients"],
      why: "The credentials that sufficed so far no longer do.",
    });
  else if (opened.length > 0)
    report(c, "security", place, what, { level: "info", why: "Whoever could call still can." });
}

/** OpenAPI 3.0 has scopes of OAuth 2 and OpenID Connect only; a document of it says nothing of others. */
function demands(c: Comparison, document: Document, operation: JsonObject): Demand[] {
  const schemes = named(asObject(document.root.components).securitySchemes);
  const hasScopes = (scheme: string) =>
    c.before.is30 === c.after.is30 ||
    ["oauth2", "openIdConnect"].includes(String(resolved(document, schemes.get(scheme)).type));
  const ways = asArray(operation.security ?? document.root.security ?? []).map((way) =>
    [...named(way)].flatMap(([scheme, scopes]) => [
      scheme,
      ...asStrings(scopes).flatMap((scope) => (hasScopes(scheme) ? [`${scheme} ${scope}`] : [])),
    ]),
  );
  return ways.length > 0 ? ways : [[]];
}

function inWords(ways: readonly Demand[]): string {
  const most = (way: Demand) => way.filter((one) => !way.some((other) => other.startsWith(`${one} `)));
  return ways.map((way) => most(way).join(" and ") || "none").join(" or ");
}

const carried = ["type", "in", "name", "scheme", "openIdConnectUrl"];

/** Compares the schemes themselves: the name of a header, the kind of a credential. */
export function compareSecuritySchemes(c: Comparison): void {
  const [was, is] = [c.before, c.after].map(({ root }) => named(asObject(root.components).securitySchemes));
  for (const name of new Set([...(was?.keys() ?? []), ...(is?.keys() ?? [])])) {
    const [one, other] = [was?.get(name), is?.get(name)];
    const where = `security scheme ${name}`;
    const place = { where, before: one, after: other };
    if (one === undefined) report(c, "security-scheme", place, "added", { level: "info", why: "Nobody uses it yet." });
    else if (other === undefined)
      report(c, "security-scheme", place, "removed", {
        level: "breaking",
        breaks: ["clients", "generated clients"],
        why: "Clients that carry this credential have nowhere to put it.",
      });
    else {
      const [before, after] = [resolved(c.before, one), resolved(c.after, other)];
      for (const key of carried)
        if (!sameWord(before[key], after[key])) reportCarried(c, place, `${key} from ${before[key]} to ${after[key]}`);
      compareFlows(c, place, before.flows, after.flows);
      // A note to people, says OpenAPI.
      if (!same(before.bearerFormat, after.bearerFormat))
        report(c, "words", place, "bearerFormat changed", {
          level: "info",
          bump: "patch",
          why: "It is a hint for people.",
        });
      compareRest(c, place, before, after, [...carried, "flows", "bearerFormat"]);
    }
  }
}

const sameWord = (was: unknown, is: unknown) => String(was).toLowerCase() === String(is).toLowerCase();

function reportCarried(c: Comparison, place: Place, what: string): void {
  report(c, "security-scheme", place, what, {
    level: "breaking",
    breaks: ["clients"],
    why: "The credential is carried otherwise.",
  });
}

function compareFlows(c: Comparison, place: Place, before: unknown, after: unknown): void {
  const [was, is] = [before, after].map((flows) => named(flows as JsonObject | undefined));
  for (const name of new Set([...(was?.keys() ?? []), ...(is?.keys() ?? [])])) {
    const [one, other] = [was?.get(name), is?.get(name)];
    if (other === undefined) reportCarried(c, place, `flow ${name} removed`);
    else if (one === undefined)
      report(c, "security-scheme", place, `flow ${name} added`, { level: "info", why: "The others stay." });
    else {
      const [old, now] = [asObject(one), asObject(other)];
      for (const key of ["authorizationUrl", "tokenUrl", "refreshUrl"])
        if (!same(old[key], now[key])) reportCarried(c, place, `flow ${name}: ${key} from ${old[key]} to ${now[key]}`);
      for (const scope of named(old.scopes).keys())
        if (!named(now.scopes).has(scope)) reportCarried(c, place, `flow ${name}: scope ${scope} removed`);
      for (const scope of named(now.scopes).keys())
        if (!named(old.scopes).has(scope))
          report(c, "security-scheme", place, `flow ${name}: scope ${scope} added`, {
            level: "info",
            why: "The others stay.",
          });
    }
  }
}

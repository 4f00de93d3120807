/** Compares who may call: the credentials that an operation asks for, and how they are carried. */
import { asArray, asObject, asStrings, isObject, type Json, type JsonObject, sameJson } from "../../document/json.ts";
import { compareRest, type DocumentComparison, type DocumentPlace, reportFinding } from "./comparison.ts";
import { type Document, dereferenced, named } from "./document.ts";
import type { Party } from "./finding.ts";

/** One way in: every `scheme scope` that it takes. */
type Demand = readonly string[];

/**
 * Compares what an operation asks for, its own or else the document's. A way in that no longer suffices breaks clients. Of a webhook or a
 * callback it is the service that carries the credentials: a way that did not suffice breaks receivers, which demand those of before.
 * What the document asks for is about its own operations: nobody means it of the requests that the service sends.
 */
export function compareSecurity(
  c: DocumentComparison,
  called: "service" | "receiver",
  place: DocumentPlace,
  before: JsonObject,
  after: JsonObject,
): void {
  const ofDocument = called === "service";
  const [was, is] = [demands(c, c.before, before, ofDocument), demands(c, c.after, after, ofDocument)];
  const suffices = (credentials: Demand, ways: readonly Demand[]) =>
    ways.some((way) => way.every((one) => credentials.includes(one)));
  const closed = was.filter((way) => !suffices(way, is));
  const opened = is.filter((way) => !suffices(way, was));
  const what = `security from ${inWords(was)} to ${inWords(is)}`;
  if (called === "receiver") {
    if (opened.length > 0)
      reportFinding(c, "security", place, what, {
        level: "breaking",
        breaks: ["receivers"],
        why: "Receivers that demand the credentials of the old document refuse what comes without them.",
      });
    else if (closed.length > 0)
      reportFinding(c, "security", place, what, {
        level: c.judging.implementers ? "breaking" : "info",
        breaks: ["servers"],
        why: "Servers that implement the old document do not send these credentials.",
      });
    return;
  }
  if (closed.length > 0)
    reportFinding(c, "security", place, what, {
      level: "breaking",
      breaks: ["clients"],
      why: "The credentials that sufficed so far no longer do.",
    });
  else if (opened.length > 0)
    reportFinding(c, "security", place, what, { level: "info", why: "Whoever could call still can." });
}

/** OpenAPI 3.0 has scopes of OAuth 2 and OpenID Connect only; a document of it says nothing of others. */
function demands(c: DocumentComparison, document: Document, operation: JsonObject, ofDocument: boolean): Demand[] {
  const schemes = named(asObject(document.root.components).securitySchemes);
  const hasScopes = (scheme: string) =>
    c.before.is30 === c.after.is30 ||
    ["oauth2", "openIdConnect"].includes(String(dereferenced(document, schemes.get(scheme)).type));
  const ways = asArray(operation.security ?? (ofDocument ? document.root.security : undefined) ?? []).map((way) =>
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

/** Who carries a credential, or takes it: clients, receivers, or both. Of one that nothing asks for, clients. */
function partiesOf(c: DocumentComparison, scheme: string): Party[] {
  const parties = new Set<Party>();
  const asks = (security: Json | undefined) => asArray(security).some((way) => named(way).has(scheme));
  for (const document of [c.before, c.after]) {
    const { root } = document;
    const receive = (items: Iterable<Json>) => {
      for (const item of items)
        for (const { security } of operationsIn(document, item)) if (asks(security)) parties.add("receivers");
    };
    receive(named(root.webhooks ?? root["x-webhooks"]).values());
    for (const item of named(root.paths).values())
      for (const { security, callbacks } of operationsIn(document, item)) {
        if (asks(security ?? root.security)) parties.add("clients");
        for (const callback of named(callbacks).values()) receive(named(dereferenced(document, callback)).values());
      }
  }
  return parties.size > 0 ? [...parties].sort() : ["clients"];
}

const operationsIn = (document: Document, item: Json): JsonObject[] =>
  [...named(dereferenced(document, item)).values()].filter(isObject);

const carried = ["type", "in", "name", "scheme", "openIdConnectUrl"];

/** Compares the schemes themselves: the name of a header, the kind of a credential. */
export function compareSecuritySchemes(c: DocumentComparison): void {
  const [was, is] = [c.before, c.after].map(({ root }) => named(asObject(root.components).securitySchemes));
  for (const name of new Set([...(was?.keys() ?? []), ...(is?.keys() ?? [])])) {
    const [one, other] = [was?.get(name), is?.get(name)];
    const where = `security scheme ${name}`;
    const place = { where, before: one, after: other };
    const parties = partiesOf(c, name);
    if (one === undefined)
      reportFinding(c, "security-scheme", place, "added", { level: "info", why: "Nobody uses it yet." });
    else if (other === undefined)
      reportFinding(c, "security-scheme", place, "removed", {
        level: "breaking",
        breaks: [...parties, "generated clients"],
        why: "Clients that carry this credential have nowhere to put it.",
      });
    else {
      const [before, after] = [dereferenced(c.before, one), dereferenced(c.after, other)];
      for (const key of carried)
        if (!sameWord(before[key], after[key]))
          reportCarried(c, place, parties, `${key} from ${before[key]} to ${after[key]}`);
      compareFlows(c, place, parties, before.flows, after.flows);
      // A note to people, says OpenAPI.
      if (!sameJson(before.bearerFormat, after.bearerFormat))
        reportFinding(c, "words", place, "bearerFormat changed", {
          level: "info",
          bump: "patch",
          why: "It is a hint for people.",
        });
      compareRest(c, place, before, after, [...carried, "flows", "bearerFormat"]);
    }
  }
}

const sameWord = (was: unknown, is: unknown) => String(was).toLowerCase() === String(is).toLowerCase();

function reportCarried(c: DocumentComparison, place: DocumentPlace, breaks: readonly Party[], what: string): void {
  reportFinding(c, "security-scheme", place, what, {
    level: "breaking",
    breaks,
    why: "The credential is carried otherwise.",
  });
}

function compareFlows(
  c: DocumentComparison,
  place: DocumentPlace,
  parties: readonly Party[],
  before: Json | undefined,
  after: Json | undefined,
): void {
  const [was, is] = [before, after].map((flows) => named(flows));
  for (const name of new Set([...(was?.keys() ?? []), ...(is?.keys() ?? [])])) {
    const [one, other] = [was?.get(name), is?.get(name)];
    if (other === undefined) reportCarried(c, place, parties, `flow ${name} removed`);
    else if (one === undefined)
      reportFinding(c, "security-scheme", place, `flow ${name} added`, { level: "info", why: "The others stay." });
    else {
      const [old, now] = [asObject(one), asObject(other)];
      for (const key of ["authorizationUrl", "tokenUrl", "refreshUrl"])
        if (!sameJson(old[key], now[key]))
          reportCarried(c, place, parties, `flow ${name}: ${key} from ${old[key]} to ${now[key]}`);
      for (const scope of named(old.scopes).keys())
        if (!named(now.scopes).has(scope)) reportCarried(c, place, parties, `flow ${name}: scope ${scope} removed`);
      for (const scope of named(now.scopes).keys())
        if (!named(old.scopes).has(scope))
          reportFinding(c, "security-scheme", place, `flow ${name}: scope ${scope} added`, {
            level: "info",
            why: "The others stay.",
          });
    }
  }
}

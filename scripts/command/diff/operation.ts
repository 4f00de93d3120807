/** Compares two operations, or two notifications, for which the data goes the other way. */
import { asArray, asObject, type Json, type JsonObject, sameJson } from "../../document/json.ts";
import {
  compareRest,
  type DocumentComparison,
  type DocumentPlace,
  follow,
  later,
  reportFinding,
} from "./comparison.ts";
import { type Document, dereferenced, named } from "./document.ts";
import { compareBodies } from "./message.ts";
import { comparedParameters, compareNamed, inherited } from "./parameters.ts";
import { compareResponses } from "./responses.ts";
import { compareSecurity } from "./security.ts";
import { compareServers } from "./servers.ts";
import { compareSunsets, reportRemoval, sunsetKey, withSunsetHeader } from "./sunset.ts";

const methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace", "query"];

/** Whose operations they are: the service's, or those of a receiver that the service calls. */
export type Called = "service" | "receiver";

/** The operations of a path item, each with its method. */
export function comparedOperations(document: Document, item: Json | undefined): Map<string, JsonObject> {
  const found = dereferenced(document, item);
  return new Map(methods.flatMap((method) => (found[method] === undefined ? [] : [[method, asObject(found[method])]])));
}

/** A path item: where it is in words, and its path, for the positions of its parameters. */
export type ItemPlace = { where: string; path: string; pathNow: string };

/** Compares two path items. */
export function comparePathItems(c: DocumentComparison, called: Called, place: ItemPlace, was: Json, is: Json): void {
  // Callbacks and notifications refer to the same items; paths do so too rarely to compare them once only.
  const compare = (before: JsonObject, after: JsonObject) => compareItems(c, called, place, before, after);
  if (called === "receiver") follow(c, `${called} item`, place.where, was, is, compare);
  else compare(dereferenced(c.before, was), dereferenced(c.after, is));
}

function compareItems(
  c: DocumentComparison,
  called: Called,
  place: ItemPlace,
  before: JsonObject,
  after: JsonObject,
): void {
  const [old, now] = [comparedOperations(c.before, before), comparedOperations(c.after, after)];
  for (const method of methods) {
    const [one, other] = [old.get(method), now.get(method)];
    const where = `${method.toUpperCase()} ${place.where}`;
    if (one && other)
      within(c, where, () => {
        const [wasWhole, isWhole] = [whole(c.before, before, one), whole(c.after, after, other)];
        compareOperations(c, called, { ...place, where, before: one, after: other }, wasWhole, isWhole);
      });
    else if (one) reportOperationRemoved(c, called, { where, before: one, after }, one);
    else if (other) reportOperationAdded(c, { where, after: other });
  }
  const judged = [...methods, "parameters", "servers"];
  compareRest(c, { where: place.where, before, after }, before, after, judged);
}

/** What is compared meanwhile, and what it puts off, is used by this operation. */
function within(c: DocumentComparison, operation: string, run: () => void): void {
  const outer = c.current;
  // Of a callback, both operations are worth knowing.
  c.current = outer === "" || outer === "the document" ? operation : outer;
  run();
  c.current = outer;
}

export function reportOperationRemoved(
  c: DocumentComparison,
  called: Called,
  place: DocumentPlace,
  operation: JsonObject,
): void {
  reportRemoval(c, "operation-removed", place, "operation removed", withSunsetHeader(c.before, operation), {
    level: "breaking",
    breaks: [called === "service" ? "clients" : "receivers"],
    why: called === "service" ? "Their calls fail." : "They wait for what never comes.",
  });
}

export function reportOperationAdded(c: DocumentComparison, place: DocumentPlace): void {
  reportFinding(c, "operation-added", place, "operation added", {
    level: "info",
    breaks: ["servers"],
    why: "Nobody relies on it yet.",
  });
}

/** An operation with what it inherits from its path, and with the day of its `Sunset` header. */
function whole(document: Document, item: JsonObject, operation: JsonObject): JsonObject {
  const parameters = inherited(document, item, operation);
  return withSunsetHeader(document, { ...operation, parameters, servers: operation.servers ?? item.servers });
}

function compareOperations(
  c: DocumentComparison,
  called: Called,
  place: ItemPlace & DocumentPlace,
  before: JsonObject,
  after: JsonObject,
): void {
  const { where, path, pathNow } = place;
  const [sent, answered] =
    called === "service" ? (["requests", "responses"] as const) : (["notifications", "acknowledgements"] as const);
  compareIds(c, called, place, before.operationId, after.operationId);
  compareTags(c, place, before.tags, after.tags);
  compareSecurity(c, called, place, before, after);
  compareServers(c, place, asArray(before.servers), asArray(after.servers));
  const parameters = [
    comparedParameters(c.before, asArray(before.parameters), path),
    comparedParameters(c.after, asArray(after.parameters), pathNow),
  ] as const;
  compareNamed(c, sent, place, ...parameters);
  compareBodies(c, sent, place, before.requestBody, after.requestBody);
  compareResponses(c, answered, place, before.responses, after.responses);
  compareCallbacks(c, where, before.callbacks, after.callbacks);
  compareSunsets(c, place, before, after);
  const judged = ["security", "servers", "parameters", "requestBody", "responses", "callbacks", "operationId", "tags"];
  compareRest(c, place, before, after, [...judged, sunsetKey]);
}

/** A callback's name is not compared: a document that has it inline must name it differently. */
function compareIds(
  c: DocumentComparison,
  called: Called,
  place: DocumentPlace,
  was: Json | undefined,
  is: Json | undefined,
): void {
  if (sameJson(was, is) || (called === "receiver" && place.where.includes("{$"))) return;
  if (was === undefined)
    reportFinding(c, "operation-id", place, `operationId from none to ${is}`, {
      level: "warning",
      breaks: ["generated clients"],
      why: "Generators made up a name so far. The next generated code has this one.",
    });
  else
    reportFinding(c, "operation-id", place, `operationId from ${was} to ${is ?? "none"}`, {
      level: "breaking",
      breaks: ["generated clients"],
      why: "Generated code has it for a name. Calls by the old name no longer compile.",
    });
}

function compareTags(c: DocumentComparison, place: DocumentPlace, was: Json | undefined, is: Json | undefined): void {
  const [before, after] = [asArray(was), asArray(is)].map((tags) => tags.map(String));
  if (before && after && sameJson(before.toSorted(), after.toSorted())) return;
  reportFinding(c, "tags", place, `tags from ${before?.join(", ") || "none"} to ${after?.join(", ") || "none"}`, {
    level: "info",
    bump: "patch",
    breaks: before?.[0] === after?.[0] ? [] : ["generated clients"],
    why: "Nothing on the wire changes. Some generators name classes after the first tag.",
  });
}

function compareCallbacks(
  c: DocumentComparison,
  where: string,
  before: Json | undefined,
  after: Json | undefined,
): void {
  const [callbacks, callbacksNow] = [named(before), named(after)];
  for (const name of new Set([...callbacks.keys(), ...callbacksNow.keys()])) {
    const [was, is] = [
      named(dereferenced(c.before, callbacks.get(name))),
      named(dereferenced(c.after, callbacksNow.get(name))),
    ];
    for (const url of new Set([...was.keys(), ...is.keys()])) {
      if (url.startsWith("x-")) continue;
      const place = { where: `callback ${name} ${url} of ${where}`, before: was.get(url), after: is.get(url) };
      const [old, now] = [was.get(url), is.get(url)];
      if (now === undefined)
        reportFinding(c, "callback-removed", place, "removed", {
          level: "breaking",
          breaks: ["receivers"],
          why: "They wait there for what never comes.",
        });
      else if (old === undefined)
        reportFinding(c, "callback-added", place, "added", {
          level: "info",
          breaks: ["servers"],
          why: "Nobody waits for it yet.",
        });
      else {
        const at = { ...place, path: url, pathNow: url };
        later(c, `callback ${place.where}`, () => comparePathItems(c, "receiver", at, old, now));
      }
    }
  }
}

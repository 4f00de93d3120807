/** Compares two operations, or two notifications, for which the data goes the other way. */

import { asArray, asObject, type Json, type JsonObject, keysOf, resolved, same } from "../../document/json.ts";
import { type Comparison, compareRest, type Flow, follow, report } from "./comparison.ts";
import { compareBodies, compareContent, compareNamed, headersOf, parametersOf } from "./message.ts";
import { compareSecurity } from "./security.ts";
import { compareServers } from "./servers.ts";

const methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];

/** Whose operations they are: the service's, or those of a receiver that the service calls. */
export type Called = "service" | "receiver";

/** The operations of a path item, each with its method. */
export function operationsOf(document: JsonObject, item: Json | undefined): Map<string, JsonObject> {
  const found = resolved(document, item);
  return new Map(methods.flatMap((method) => (found[method] === undefined ? [] : [[method, asObject(found[method])]])));
}

/** Compares two path items. @param where the path or the notification's name. */
export function comparePathItems(c: Comparison, called: Called, where: string, was: Json, is: Json): void {
  const both = follow(c, called === "service" ? "requests" : "notifications", where, was, is);
  if (!both) return;
  const { before, after } = both;
  const [old, now] = [operationsOf(c.before, before), operationsOf(c.after, after)];
  for (const method of methods) {
    const [one, other] = [old.get(method), now.get(method)];
    const place = `${method.toUpperCase()} ${where}`;
    if (one && other) compareOperations(c, called, place, withPath(before, one), withPath(after, other));
    else if (one) report(c, "major", place, "operation removed");
    else if (other) report(c, "minor", place, "operation added");
  }
  compareRest(c, where, before, after, [...methods, "parameters", "servers"]);
}

/** An operation with what it inherits from its path. */
function withPath(item: JsonObject, operation: JsonObject): JsonObject {
  const parameters = [...asArray(item.parameters), ...asArray(operation.parameters)];
  return { ...operation, parameters, servers: operation.servers ?? item.servers };
}

function compareOperations(c: Comparison, called: Called, where: string, before: JsonObject, after: JsonObject): void {
  const sent = called === "service" ? "requests" : "notifications";
  const { operationId: was, ...old } = before;
  const { operationId: is, ...now } = after;
  // Generated code has it for a name. A callback's is not compared: a document that has it inline must name it differently.
  if (was !== undefined && !same(was, is) && !where.includes("{$"))
    report(c, "major", where, `operationId from ${was} to ${is ?? "none"}`);
  compareSecurity(c, where, before, after);
  compareServers(c, where, asArray(before.servers), asArray(after.servers));
  compareNamed(c, sent, where, parametersOf(c.before, before.parameters), parametersOf(c.after, after.parameters));
  compareBodies(c, sent, where, before.requestBody, after.requestBody);
  compareResponses(c, called, where, asObject(before.responses), asObject(after.responses));
  compareCallbacks(c, where, asObject(before.callbacks), asObject(after.callbacks));
  compareRest(c, where, old, now, ["security", "servers", "parameters", "requestBody", "responses", "callbacks"]);
}

/** A status gone breaks who waits for it; a new one only where it is a success, since clients know errors by their class. */
function compareResponses(c: Comparison, called: Called, where: string, before: JsonObject, after: JsonObject): void {
  const flow: Flow = called === "service" ? "answers" : "acknowledgements";
  for (const status of keysOf(before, after)) {
    const [was, is] = [before[status], after[status]];
    const error = /^[45]|default/.test(status);
    if (is === undefined) report(c, "major", `${where}, in ${flow}`, `status ${status} removed`);
    else if (was === undefined)
      report(
        c,
        error || flow === "acknowledgements" ? "minor" : "major",
        `${where}, in ${flow}`,
        `status ${status} added`,
      );
    else {
      const both = follow(c, flow, `${where} ${status}`, was, is);
      if (!both) continue;
      compareNamed(c, flow, both.where, headersOf(both.before.headers), headersOf(both.after.headers));
      compareContent(c, flow, both.where, both.before.content, both.after.content);
      compareRest(c, both.where, both.before, both.after, ["headers", "content"]);
    }
  }
}

function compareCallbacks(c: Comparison, where: string, before: JsonObject, after: JsonObject): void {
  for (const name of keysOf(before, after)) {
    const [was, is] = [resolved(c.before, before[name]), resolved(c.after, after[name])];
    for (const url of keysOf(was, is)) {
      const place = `callback ${name} ${url} of ${where}`;
      const [old, now] = [was[url], is[url]];
      if (now === undefined) report(c, "major", place, "removed");
      else if (old === undefined) report(c, "minor", place, "added");
      else comparePathItems(c, "receiver", place, old, now);
    }
  }
}

/** Compares responses by status, with ranges such as `4XX` and `default`, and the links in them. */
import { asObject, type Json, type JsonObject, sameJson } from "../../document/json.ts";
import {
  compareRest,
  type DocumentComparison,
  type DocumentPlace,
  follow,
  reportFinding,
  reportMove,
} from "./comparison.ts";
import { named } from "./document.ts";
import type { Flow } from "./finding.ts";
import { compareContent } from "./message.ts";
import { compareNamed, headersIn } from "./parameters.ts";

/** Compares two operations' responses; those to a notification are what a receiver may answer. */
export function compareResponses(
  c: DocumentComparison,
  flow: Flow,
  place: DocumentPlace,
  before: Json | undefined,
  after: Json | undefined,
): void {
  const [was, is] = [statuses(before), statuses(after)];
  for (const status of new Set([...was.keys(), ...is.keys()])) {
    // To a receiver each status says something of its own, whatever the range says.
    const range = flow === "responses" ? heldBy : () => undefined;
    const [old, now] = [was.get(status) ?? range(was, status, is), is.get(status) ?? range(is, status, was)];
    const there = { ...place, before: old ?? place.before, after: now ?? place.after };
    if (now === undefined) reportRemoved(c, flow, there, status);
    else if (old === undefined) reportAdded(c, flow, there, status);
    else
      follow(c, `${flow} response`, `${place.where} ${status}`, old, now, (one, other, where) => {
        const spot = { where, before: one, after: other };
        compareNamed(c, flow, spot, headersIn(one.headers), headersIn(other.headers));
        compareContent(c, flow, spot, one.content, other.content);
        compareLinks(c, spot, one.links, other.links);
        compareRest(c, spot, one, other, ["headers", "content", "links"]);
      });
  }
}

const statuses = (responses: Json | undefined) =>
  new Map(
    [...named(responses)]
      .map(([key, one]) => [key.toUpperCase(), one] as const)
      .filter(([key]) => /^([1-5](\d\d|XX)|DEFAULT)$/.test(key)),
  );

const isError = (status: string) => /^[45]|^DEFAULT/.test(status);

/**
 * The range that a status falls in. A range itself has no other: each of its statuses may be listed, or none.
 * `default` stands for errors, unless nothing else is said of successes.
 */
function heldBy(all: Map<string, Json>, status: string, others: Map<string, Json>): Json | undefined {
  if (!/^\d{3}$/.test(status)) return undefined;
  const range = all.get(`${status[0]}XX`);
  if (range !== undefined) return range;
  const hasSuccess = [...all.keys(), ...others.keys()].some((key) => key.startsWith("2"));
  return isError(status) || !hasSuccess ? all.get("DEFAULT") : undefined;
}

/** A success that no longer comes breaks who waits for it; nobody waits for an error. */
function reportRemoved(c: DocumentComparison, flow: Flow, place: DocumentPlace, status: string): void {
  const what = `status ${status.toLowerCase().replace("xx", "XX")} removed`;
  if (flow === "acknowledgements") reportMove(c, "narrower", flow, "status-removed", place, what);
  else if (isError(status))
    reportFinding(c, "status-removed", { ...place, flow }, what, {
      level: "warning",
      breaks: ["generated clients", "servers"],
      why: "Clients get one error less. Generated code that names it no longer compiles, and servers must not send it.",
    });
  else
    reportFinding(c, "status-removed", { ...place, flow }, what, {
      level: "breaking",
      breaks: ["clients"],
      why: "The success that they wait for never comes.",
    });
}

function reportAdded(c: DocumentComparison, flow: Flow, place: DocumentPlace, status: string): void {
  const what = `status ${status.toLowerCase().replace("xx", "XX")} added`;
  if (flow === "acknowledgements") reportMove(c, "wider", flow, "status-added", place, what);
  else if (isError(status))
    reportFinding(c, "status-added", { ...place, flow }, what, {
      level: "info",
      why: "Clients know an error by its class.",
    });
  else
    reportFinding(c, "status-added", { ...place, flow }, what, {
      level: "breaking",
      breaks: ["clients"],
      why: "Clients get a success that the old document does not describe.",
    });
}

function compareLinks(
  c: DocumentComparison,
  place: DocumentPlace,
  before: Json | undefined,
  after: Json | undefined,
): void {
  const [was, is] = [named(before), named(after)];
  for (const name of new Set([...was.keys(), ...is.keys()])) {
    const [old, now] = [was.get(name), is.get(name)];
    const there = { ...place, flow: "responses" as const };
    const verdict = {
      level: "warning" as const,
      breaks: ["generated clients" as const],
      why: "Whoever follows it by its name or its parameters no longer gets there.",
    };
    if (now === undefined) reportFinding(c, "link", there, `link ${name} removed`, verdict);
    else if (old === undefined)
      reportFinding(c, "link", there, `link ${name} added`, { level: "info", why: "Nobody follows it yet." });
    else
      follow(c, "link", `${place.where}, link ${name}`, old, now, (one, other, where) => {
        const target = ({ operationId, operationRef, parameters, requestBody, server }: JsonObject) =>
          [operationId, operationRef, parameters, requestBody, server].map((part) => part ?? null);
        if (!sameJson(target(one), target(other)))
          reportFinding(c, "link", { ...there, where }, "link leads elsewhere", verdict);
        compareRest(c, { ...there, where }, asObject(one), asObject(other), [
          ...["operationId", "operationRef", "parameters", "requestBody", "server"],
        ]);
      });
  }
}

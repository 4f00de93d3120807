/** Compares parameters and headers: which there are, which must be sent, and how they are written. */
import { asArray, type Json, type JsonObject } from "../../document/json.ts";
import {
  compareRest,
  type DocumentComparison,
  type DocumentPlace,
  follow,
  reportFinding,
  reportMove,
} from "./comparison.ts";
import { typesOf } from "./constraint.ts";
import { isAccepted, readerOf, sentBy } from "./direction.ts";
import { type Document, dereferenced, named } from "./document.ts";
import type { Flow } from "./finding.ts";
import { flatten } from "./flatten.ts";
import { compareContent } from "./message.ts";
import { compareSchemas } from "./schema.ts";
import { compareSunsets, reportRemoval, sunsetKey } from "./sunset.ts";

/** Parameters or headers by their key. */
export type Named = ReadonlyMap<string, Json>;

/** Headers that OpenAPI passes over: others say what they say. */
const unread = ["header accept", "header content-type", "header authorization"];

/**
 * An operation's parameters by key, as `in name`; the name of a header in lower case. One of a path is named by its position, since
 * no client sends its name.
 */
export function comparedParameters(document: Document, list: readonly Json[], path: string): Named {
  const positions = [...path.matchAll(/\{([^}]*)\}/g)].map(([, name]) => name);
  return new Map(
    list.flatMap((one): [string, Json][] => {
      const { in: place, name } = dereferenced(document, one);
      const position = positions.indexOf(String(name));
      if (place === "path" && position >= 0) return [[`path parameter ${position + 1}`, one]];
      const key = `${place} ${place === "header" ? String(name).toLowerCase() : name}`;
      return unread.includes(key) ? [] : [[key, one]];
    }),
  );
}

/** A response's headers by their names in lower case, without `Content-Type`, which OpenAPI passes over. */
export function headersIn(headers: Json | undefined): Named {
  const all = [...named(headers)].map(([name, one]) => [`header ${name.toLowerCase()}`, one] as const);
  return new Map(all.filter(([key]) => key !== "header content-type"));
}

/** Compares parameters or headers. What is gone breaks; what is new breaks where the sender must send it. */
export function compareNamed(
  c: DocumentComparison,
  flow: Flow,
  place: DocumentPlace,
  before: Named,
  after: Named,
): void {
  const moved = new Set<string>();
  for (const [key, was] of before) {
    if (after.has(key)) continue;
    const name = key.slice(key.indexOf(" ") + 1);
    const elsewhere = [...after].find(([other]) => !before.has(other) && other.slice(other.indexOf(" ") + 1) === name);
    const there = { ...place, flow, before: was, after: elsewhere?.[1] ?? place.after };
    if (elsewhere !== undefined && isAccepted(flow)) {
      moved.add(elsewhere[0]);
      const what = `parameter ${name} moved from ${key.split(" ")[0]} to ${elsewhere[0].split(" ")[0]}`;
      reportFinding(c, "parameter-moved", there, what, {
        level: "breaking",
        breaks: [sentBy(flow)],
        why: "It is no longer read where they send it.",
      });
    } else
      reportRemoval(c, "parameter-removed", there, `${key} removed`, held(c.before, was), {
        level: "breaking",
        breaks: [isAccepted(flow) ? sentBy(flow) : readerOf(flow)],
        why: isAccepted(flow) ? "What they send is refused or passed over." : "They no longer find it.",
      });
  }
  for (const [key, is] of after) {
    const was = before.get(key);
    if (was !== undefined) compareValue(c, flow, { ...place, where: `${place.where}, ${key}` }, was, is);
    else if (!moved.has(key)) reportAdded(c, flow, { ...place, before: undefined, after: is }, key, is);
  }
}

/** A parameter with what its schema announces. */
function held(document: Document, value: Json): JsonObject {
  const parameter = dereferenced(document, value);
  const { deprecated, [sunsetKey]: sunset } = flatten(document, parameter.schema);
  return {
    ...(deprecated !== undefined && { deprecated }),
    ...(sunset !== undefined && { [sunsetKey]: sunset }),
    ...parameter,
  };
}

function reportAdded(c: DocumentComparison, flow: Flow, place: DocumentPlace, key: string, is: Json): void {
  const required = dereferenced(c.after, is).required === true;
  const what = `${required ? "required" : "optional"} ${key} added`;
  if (isAccepted(flow)) reportMove(c, required ? "narrower" : "wider", flow, "parameter-added", place, what);
  else
    reportFinding(c, "parameter-added", { ...place, flow }, what, {
      level: "info",
      why: "Readers pass over what they do not know.",
    });
}

function compareValue(c: DocumentComparison, flow: Flow, there: DocumentPlace, was: Json, is: Json): void {
  follow(c, `${flow} parameter`, there.where, was, is, (before, after, where) => {
    const place = { where, before, after };
    const [needed, neededNow] = [before.required === true, after.required === true];
    if (neededNow && !needed) reportMove(c, "narrower", flow, "required", place, "now required");
    if (needed && !neededNow) reportMove(c, "wider", flow, "required", place, "no longer required");
    if (before.in === "path" && before.name !== after.name)
      reportFinding(c, "path-parameter-renamed", { ...place, flow }, `renamed from ${before.name} to ${after.name}`, {
        level: "info",
        bump: "patch",
        why: "A path parameter is sent by its position: every URL stays the same.",
      });
    if (before.content !== undefined && after.content !== undefined)
      compareContent(c, flow, place, before.content, after.content);
    else if (before.content !== undefined || after.content !== undefined)
      reportFinding(c, "serialisation", { ...place, flow }, "content and schema changed places", written(flow));
    else compareSchemas(c, { flow, where, omittable: !(needed && neededNow) }, before.schema, after.schema);
    compareStyle(c, flow, place, before, after);
    compareSunsets(c, { ...place, flow }, before, after);
    const judged = [
      "in",
      "name",
      "required",
      "schema",
      "content",
      "style",
      "explode",
      "allowReserved",
      "allowEmptyValue",
    ];
    compareRest(c, place, before, after, [...judged, sunsetKey]);
  });
}

const written = (flow: Flow) => ({
  level: "breaking" as const,
  breaks: [isAccepted(flow) ? sentBy(flow) : readerOf(flow)],
  why: "The same value is written otherwise.",
});

function compareStyle(
  c: DocumentComparison,
  flow: Flow,
  place: DocumentPlace,
  before: JsonObject,
  after: JsonObject,
): void {
  const [was, is] = [styleOf(before), styleOf(after)];
  const several = [[c.before, before] as const, [c.after, after] as const].some(([document, { schema }]) =>
    typesOf(flatten(document, schema)).some((type) => type === "array" || type === "object"),
  );
  const prefixed = [was.style, is.style].some((style) => style === "label" || style === "matrix");
  if (was.style !== is.style && (several || prefixed))
    reportFinding(c, "serialisation", { ...place, flow }, `style from ${was.style} to ${is.style}`, written(flow));
  else if (was.explode !== is.explode && several)
    reportFinding(
      c,
      "serialisation",
      { ...place, flow },
      `explode from ${was.explode} to ${is.explode}`,
      written(flow),
    );
  for (const key of ["allowEmptyValue", "allowReserved"] as const) {
    const [allowed, allowedNow] = [before[key] === true, after[key] === true];
    if (allowed !== allowedNow)
      reportMove(
        c,
        allowedNow ? "wider" : "narrower",
        flow,
        "serialisation",
        place,
        `${key} from ${allowed} to ${allowedNow}`,
      );
  }
}

function styleOf(parameter: JsonObject): { style: string; explode: boolean } {
  const implied = parameter.in === "query" || parameter.in === "cookie" ? "form" : "simple";
  const style = typeof parameter.style === "string" ? parameter.style : implied;
  return { style, explode: typeof parameter.explode === "boolean" ? parameter.explode : style === "form" };
}

/** The names of a path's parameters and of those that are declared must agree; what does not is left to linters. */
export function inherited(document: Document, item: JsonObject, operation: JsonObject): Json[] {
  const own = asArray(operation.parameters);
  const keyOf = (one: Json) => {
    const { in: place, name } = dereferenced(document, one);
    return `${place} ${name}`;
  };
  const taken = own.map(keyOf);
  return [...asArray(item.parameters).filter((one) => !taken.includes(keyOf(one))), ...own];
}

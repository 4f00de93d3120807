/** Compares two whole documents. */
import { asArray, asObject, type JsonObject, keysOf, sameJson } from "../../document/json.ts";
import { bothWays } from "./both-ways.ts";
import { compareRest, type DocumentComparison, finish, type Judging, reportFinding } from "./comparison.ts";
import { compareComponents } from "./components.ts";
import { type Document, documentOfValue, named, own } from "./document.ts";
import { type DiffFinding, sorted } from "./finding.ts";
import { type DiffLimits, usualLimits } from "./limits.ts";
import { comparedOperations, comparePathItems, reportOperationAdded, reportOperationRemoved } from "./operation.ts";
import { pairPaths } from "./paths.ts";
import type { RuleName } from "./rules.ts";
import { compareSecuritySchemes } from "./security.ts";
import { compareServers } from "./servers.ts";
import { unchangedReferences } from "./unchanged.ts";
import { operationsUsing } from "./used-by.ts";

/**
 * What changed from one OpenAPI document to another, the gravest first, each with whom it breaks and why.
 *
 * Requests and responses differ: accepting less breaks who sends, sending more breaks who reads, be it a client or the receiver
 * of a notification. What cannot be decided is a warning. What is beyond a limit is a finding that breaks.
 */
export function compareDocuments(
  before: Document,
  after: Document,
  judging: Judging,
  limits: DiffLimits = usualLimits,
): DiffFinding[] {
  const c: DocumentComparison = {
    ...{ before, after, judging, findings: new Map(), tasks: [], seen: new Set(), usedBy: new Map() },
    unchanged: unchangedReferences(before, after),
    ...{
      current: "the document",
      limits,
      pairs: 0,
      values: 0,
      search: { steps: 0, most: limits.searchSteps },
      depth: 0,
    },
  };
  const [root, rootNow] = [before.root, after.root];
  const place = { where: "the document", before: root, after: rootNow };
  compareServers(c, place, asArray(root.servers), asArray(rootNow.servers));
  compareSecuritySchemes(c);
  compareWebhooks(c);
  comparePaths(c);
  compareInfo(c, asObject(root.info), asObject(rootNow.info));
  const judged = [
    "openapi",
    "info",
    "servers",
    "security",
    "paths",
    "webhooks",
    "x-webhooks",
    "components",
    "tags",
    "$self",
  ];
  compareRest(c, place, root, rootNow, judged);
  if (!sameJson(root.tags, rootNow.tags))
    reportFinding(c, "words", place, "tags changed", {
      level: "info",
      bump: "patch",
      why: "They are for people only.",
    });
  finish(c);
  compareComponents(c);
  const all = [...c.findings.values()];
  const isLimit = ({ rule }: DiffFinding) => rule === ("incomplete" satisfies RuleName);
  // The same document twice has no change beyond a limit either.
  const findings = all.some(isLimit) && areSame(before, after) ? all.filter((finding) => !isLimit(finding)) : all;
  return sorted(operationsUsing(c, bothWays(findings)));
}

function areSame(before: Document, after: Document): boolean {
  const [files, filesNow] = [before.files, after.files];
  return (
    sameJson(before.root, after.root) &&
    files.size === filesNow.size &&
    [...files].every(([name, value]) => sameJson(value, filesNow.get(name)))
  );
}

/** Compares two contracts that are in memory. */
export function compareContracts(before: JsonObject, after: JsonObject, today = "1970-01-01"): DiffFinding[] {
  const documents = [documentOfValue("the old document", before), documentOfValue("the new document", after)] as const;
  return compareDocuments(...documents, { today, implementers: false });
}

/** The version follows from the changes and is none. */
function compareInfo(c: DocumentComparison, before: JsonObject, after: JsonObject): void {
  const place = { where: "info", before, after };
  for (const key of keysOf(before, after))
    if (key !== "version" && !sameJson(own(before, key), own(after, key)))
      reportFinding(c, "words", place, `${key} changed`, {
        level: "info",
        bump: "patch",
        why: "It is for people only.",
      });
}

/** OpenAPI 3.0 has no webhooks; documents of it write them as `x-webhooks`. */
function compareWebhooks(c: DocumentComparison): void {
  const [was, is] = [c.before, c.after].map(({ root }) => named(root.webhooks ?? root["x-webhooks"]));
  for (const name of new Set([...(was?.keys() ?? []), ...(is?.keys() ?? [])])) {
    const [one, other] = [was?.get(name), is?.get(name)];
    const where = `notification ${name}`;
    // A callback that refers to it need not be compared once more.
    c.seen.add(`receiver item #/webhooks/${name} #/webhooks/${name}`);
    if (one !== undefined && other !== undefined)
      comparePathItems(c, "receiver", { where, path: "", pathNow: "" }, one, other);
    else if (one !== undefined)
      for (const [method, operation] of comparedOperations(c.before, one))
        reportOperationRemoved(
          c,
          "receiver",
          { where: `${method.toUpperCase()} ${where}`, before: operation },
          operation,
        );
    else
      for (const [method, operation] of comparedOperations(c.after, other))
        reportOperationAdded(c, { where: `${method.toUpperCase()} ${where}`, after: operation });
  }
}

function comparePaths(c: DocumentComparison): void {
  const [was, is] = [named(c.before.root.paths), named(c.after.root.paths)];
  for (const [path, pathNow] of pairPaths([...was.keys()], [...is.keys()])) {
    const [one, other] = [was.get(path ?? ""), is.get(pathNow ?? "")];
    if (path !== undefined && pathNow !== undefined && one !== undefined && other !== undefined)
      comparePathItems(c, "service", { where: pathNow, path, pathNow }, one, other);
    else if (path !== undefined)
      for (const [method, operation] of comparedOperations(c.before, one))
        reportOperationRemoved(
          c,
          "service",
          { where: `${method.toUpperCase()} ${path}`, before: operation },
          operation,
        );
    else
      for (const [method, operation] of comparedOperations(c.after, other))
        reportOperationAdded(c, { where: `${method.toUpperCase()} ${pathNow}`, after: operation });
  }
}

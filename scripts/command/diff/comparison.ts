/** The state of a comparison, and how findings get into it. */
import { type Json, type JsonObject, keysOf, refOf, sameJson } from "../../document/json.ts";
import { isAccepted, type Move, readerOf, verdictOf } from "./direction.ts";
import { type Document, dereferenced, own } from "./document.ts";
import type { DiffFinding, DiffVerdict, Flow, Spot } from "./finding.ts";
import { type DiffLimits, type Search, valuesIn } from "./limits.ts";
import type { RuleName } from "./rules.ts";

/** How to judge. `today` is the day on which sunset dates and acceptances are judged, as YYYY-MM-DD. */
export type Judging = { today: string; implementers: boolean };

type Task = { key: string; run: () => void };

/** Two documents under comparison. */
export type DocumentComparison = {
  before: Document;
  after: Document;
  judging: Judging;
  findings: Map<string, DiffFinding & { task: string }>;
  /** What is compared later, once: shared components, by flow. */
  tasks: Task[];
  seen: Set<string>;
  /** References to components that are the same on both sides, with all that they lead to: see `unchanged.ts`. */
  unchanged: ReadonlySet<string>;
  /** Which tasks and operations lead to a task. */
  usedBy: Map<string, Set<string>>;
  /** The task that runs, or the operation. */
  current: string;
  limits: DiffLimits;
  pairs: number;
  values: number;
  search: Search;
  depth: number;
};

/** A place: in words, in which flow, and in the files. */
export type DocumentPlace = { where: string; flow?: Flow; before?: Json | undefined; after?: Json | undefined };

/** Records a finding, once. */
export function reportFinding(
  c: DocumentComparison,
  rule: RuleName,
  place: DocumentPlace,
  what: string,
  verdict: DiffVerdict,
): void {
  const key = JSON.stringify([rule, verdict.level, place.where, place.flow, what]);
  if (c.findings.has(key)) return;
  const { level, breaks = [], why } = verdict;
  const bump = verdict.bump ?? (level === "breaking" ? "major" : "minor");
  const spot = spotOf(place);
  const { where, flow } = place;
  c.findings.set(key, {
    ...{ rule, level, bump, where },
    ...(flow && { flow }),
    ...{ what, breaks, why },
    ...(spot && { spot }),
    task: c.current,
  });
}

function spotOf({ before, after }: DocumentPlace): Spot | undefined {
  if (typeof after === "object" && after !== null) return { side: "new", node: after };
  if (typeof before === "object" && before !== null) return { side: "old", node: before };
  return undefined;
}

/** Records that fewer or more values are allowed than before. */
export function reportMove(
  c: DocumentComparison,
  move: Move,
  flow: Flow,
  rule: RuleName,
  place: Omit<DocumentPlace, "flow">,
  what: string,
): void {
  reportFinding(c, rule, { ...place, flow }, what, verdictOf(move, flow, c.judging.implementers));
}

/**
 * Records that there are fewer or more kinds of a value: entries of a list, or branches of a union. Who accepts them refuses those that are
 * gone. Who reads them is warned of both: it must be prepared for kinds that it does not know.
 */
export function reportKinds(
  c: DocumentComparison,
  move: Move,
  flow: Flow,
  rule: "enum" | "union",
  place: Omit<DocumentPlace, "flow">,
  what: string,
): void {
  const reader = readerOf(flow);
  if (isAccepted(flow)) reportMove(c, move, flow, rule, place, what);
  else
    reportFinding(c, rule, { ...place, flow }, what, {
      level: "warning",
      breaks: reader === "clients" ? ["generated clients"] : [reader],
      why: kindReasons[move],
    });
}

const kindReasons = {
  narrower: "Nobody gets it any more. Generated code that names it no longer compiles.",
  wider: "Readers that know only the listed values meet a new one.",
} as const;

/** Records a change whose meaning cannot be decided. A gate must not let pass what it does not understand. */
export function cannotTell(c: DocumentComparison, place: DocumentPlace, what: string): void {
  const why = "The tool cannot decide whether this allows more or less. Check it yourself.";
  const breaks = place.flow === undefined ? ([] as const) : verdictOf("narrower", place.flow, true).breaks;
  const others = place.flow === undefined ? ([] as const) : verdictOf("wider", place.flow, true).breaks;
  reportFinding(c, "cannot-tell", place, what, {
    level: "warning",
    bump: "major",
    breaks: [...(breaks ?? []), ...(others ?? [])],
    why,
  });
}

/** Compares something shared later, once for each key, so that chains and circles of references need no stack. */
export function later(c: DocumentComparison, key: string, run: () => void): void {
  const users = c.usedBy.get(key) ?? new Set();
  users.add(c.current);
  c.usedBy.set(key, users);
  if (c.seen.has(key)) return;
  c.seen.add(key);
  c.tasks.push({ key, run });
}

/** Counts a pair of schemas. @returns whether there is room for it */
export function countPair(c: DocumentComparison, before: JsonObject, after: JsonObject): boolean {
  const { limits, findings } = c;
  c.pairs += 1;
  c.values += valuesIn(before) + valuesIn(after);
  const limit =
    c.pairs > limits.pairs
      ? `${limits.pairs} pairs of schemas`
      : c.values > limits.values
        ? `${limits.values} values`
        : findings.size >= limits.findings
          ? `${limits.findings} findings`
          : undefined;
  if (limit === undefined) return true;
  incomplete(c, { where: "the document" }, `compared up to the limit of ${limit}, and no further`);
  return false;
}

/** Records that something was not compared. It fails, since anything can be in there. */
export function incomplete(c: DocumentComparison, place: DocumentPlace, what: string): void {
  const why = "A change in what was not compared may break anybody. Compare smaller documents.";
  reportFinding(c, "incomplete", place, what, { level: "breaking", why });
}

/** Runs a comparison under the name of an operation, and then all that it has put off. */
export function finish(c: DocumentComparison): void {
  for (let index = 0; index < c.tasks.length; index += 1) {
    const task = c.tasks[index];
    if (!task) break;
    c.current = task.key;
    task.run();
    // A long queue must not keep what it no longer needs.
    c.tasks[index] = { key: task.key, run: () => undefined };
  }
}

/**
 * Compares two objects that may be references: two references to components later and once, anything else here.
 *
 * @param compare gets both objects and the place: the component's name where both are the same component
 */
export function follow(
  c: DocumentComparison,
  kind: string,
  where: string,
  before: Json | undefined,
  after: Json | undefined,
  compare: (before: JsonObject, after: JsonObject, where: string) => void,
): void {
  const [refBefore, refAfter] = [refOf(before), refOf(after)];
  const run = (place: string) => compare(dereferenced(c.before, before), dereferenced(c.after, after), place);
  if (refBefore === undefined || refAfter === undefined) run(where);
  else if (refBefore === refAfter && sameJson(before, after) && c.unchanged.has(refBefore)) return;
  else later(c, `${kind} ${refBefore} ${refAfter}`, () => run(refBefore === refAfter ? nameOf(refBefore) : where));
}

/** The last part of a reference, which is the component's name. */
export function nameOf(ref: string): string {
  const last = ref.split("/").at(-1) ?? ref;
  return last === "" || last === "#" ? ref : last.replaceAll("~1", "/").replaceAll("~0", "~");
}

const prose = new Set(["title", "summary", "description", "example", "examples", "externalDocs", "$comment"]);

/** Whether a key says something to people only. */
export const isProse = (key: string): boolean => prose.has(key) || key.startsWith("x-");

/**
 * Compares the keys that no other rule compares: words, extensions, and what this comparison does not know.
 *
 * @param flow that of what is not known; words are the same whoever sends them
 */
export function compareRest(
  c: DocumentComparison,
  place: DocumentPlace,
  before: JsonObject,
  after: JsonObject,
  judged: readonly string[],
  flow?: Flow,
): void {
  for (const key of keysOf(before, after)) {
    const [was, is] = [own(before, key), own(after, key)];
    if (judged.includes(key) || sameExamples(c, was, is)) continue;
    if (isProse(key))
      reportFinding(c, "words", place, `${key} changed`, {
        level: "info",
        bump: "patch",
        why: "It is for people only.",
      });
    else if (key === "deprecated") reportDeprecation(c, place, is === true);
    else cannotTell(c, { ...place, ...(flow && { flow }) }, `${key} changed`);
  }
}

function reportDeprecation(c: DocumentComparison, place: DocumentPlace, deprecated: boolean): void {
  if (deprecated) reportFinding(c, "deprecated", place, "deprecated", { level: "info", why: "It still works." });
  else
    reportFinding(c, "deprecated", place, "no longer deprecated", { level: "info", bump: "patch", why: "It stays." });
}

/** The same once examples behind references are looked up. */
function sameExamples(c: DocumentComparison, before: Json | undefined, after: Json | undefined): boolean {
  return sameJson(inlined(c.before, before), inlined(c.after, after));
}

function inlined(document: Document, value: Json | undefined): Json | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const entries = Object.entries(value);
  if (!entries.some(([, one]) => refOf(one))) return value;
  return Object.fromEntries(entries.map(([key, one]) => [key, refOf(one) ? dereferenced(document, one) : one]));
}

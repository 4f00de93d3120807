/** Findings that somebody has accepted, each with a reason and an end. */
import { asArray, isObject, type JsonObject } from "../../document/json.ts";
import { UsageError } from "../command-line.ts";
import { didYouMean } from "../did-you-mean.ts";
import type { DiffFinding } from "./finding.ts";
import { parse } from "./read.ts";
import { diffRules } from "./rules.ts";
import { dayOf } from "./sunset.ts";

/** What is accepted: the findings of a rule at a place; `*` stands for any text in `where` and `what`. */
export type Acceptance = { rule: string; where: string; what?: string; reason: string; until: string };

const keys = ["rule", "where", "what", "reason", "until"];

/** Reads a file of acceptances, a list in YAML or JSON. @throws UsageError that names the entry and its field */
export async function readAcceptances(name: string, text: string): Promise<Acceptance[]> {
  const value = await parse(name, text);
  if (value !== null && !Array.isArray(value)) throw new UsageError(`${name} must be a list of acceptances.`);
  return asArray(value).map((one, index) => {
    const at = `${name}, entry ${index + 1}`;
    if (!isObject(one)) throw new UsageError(`${at} must be an object with rule, where, reason and until.`);
    return read(at, one);
  });
}

function read(at: string, entry: JsonObject): Acceptance {
  for (const key of Object.keys(entry))
    if (!keys.includes(key)) throw new UsageError(`${at}: unknown field ${key}${didYouMean(key, keys)}`);
  const text = (key: string): string => {
    const value = entry[key];
    if (typeof value !== "string" || value.trim() === "") throw new UsageError(`${at}: ${key} must be a text.`);
    return value;
  };
  const [rule, where, reason, until] = [text("rule"), text("where"), text("reason"), text("until")];
  if (!Object.hasOwn(diffRules, rule))
    throw new UsageError(`${at}: no rule ${rule}${didYouMean(rule, Object.keys(diffRules))}`);
  if (dayOf(until) !== until) throw new UsageError(`${at}: until must be a day as YYYY-MM-DD.`);
  return { rule, where, ...(entry.what !== undefined && { what: text("what") }), reason, until };
}

/** The findings with what is accepted marked, and a sentence for each acceptance that is expired or of no use. */
export type Accepted = { findings: DiffFinding[]; expired: string[]; unused: string[] };

/** Applies acceptances. Their last day still counts. */
export function accept(findings: readonly DiffFinding[], acceptances: readonly Acceptance[], today: string): Accepted {
  const used = new Set<Acceptance>();
  const isOver = ({ until }: Acceptance) => until < today;
  const marked = findings.map((finding) => {
    const covering = acceptances.filter((acceptance) => covers(acceptance, finding));
    for (const acceptance of covering) used.add(acceptance);
    const valid = covering.find((acceptance) => !isOver(acceptance));
    return valid ? { ...finding, accepted: { reason: valid.reason, until: valid.until } } : finding;
  });
  const inWords = ({ rule, where }: Acceptance) => `${rule} at ${where}`;
  return {
    findings: marked,
    expired: acceptances
      .filter(isOver)
      .map((one) => `The acceptance of ${inWords(one)} expired on ${one.until}: ${one.reason}`),
    unused: acceptances
      .filter((one) => !used.has(one) && !isOver(one))
      .map((one) => `The acceptance of ${inWords(one)} covers no finding. Remove it.`),
  };
}

function covers({ rule, where, what = "*" }: Acceptance, finding: DiffFinding): boolean {
  const place = finding.flow ? `${finding.where}, in ${finding.flow}` : finding.where;
  return (
    rule === finding.rule && (matches(where, place) || matches(where, finding.where)) && matches(what, finding.what)
  );
}

/** Whether a text is what a pattern with stars says. Each part is looked for once, so no pattern is slow. */
function matches(pattern: string, text: string): boolean {
  const [first = "", ...parts] = pattern.split("*");
  if (parts.length === 0) return text === pattern;
  const last = parts.pop() ?? "";
  if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length) return false;
  let at = first.length;
  for (const part of parts) {
    const found = text.indexOf(part, at);
    if (found < 0 || found + part.length > text.length - last.length) return false;
    at = found + part.length;
  }
  return true;
}

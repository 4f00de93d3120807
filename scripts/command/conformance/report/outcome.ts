/** What came of a run, by operation and documented status: what every form of the report is made from. */
import { operationIds, statusesOf } from "../contract.ts";
import type { Finding, Subject } from "../findings.ts";
import { fixes } from "../fixes.ts";
import { type Rule, rules } from "../rules.ts";
import type { Examined } from "../run.ts";

/** Whether a server answered as described. A status that nothing could provoke is neither passed nor failed. */
export type RuleState = "passed" | "failed" | "not provoked" | "skipped";

/** One operation at one status. */
export type Cell = { status: number; state: RuleState; findings: Finding[] };

/** An operation, or another group: other paths and methods, the notification, and the operational event. */
export type ReportRow = { subject: Subject; cells: Cell[] };

/** Sorts what was found. */
export function outcomeOf({ exchanges, findings, callback, hasEvent }: Examined): ReportRow[] {
  const provoked = new Set(exchanges.map(({ operation, status }) => `${operation ?? "otherPaths"} ${status}`));
  const row = (subject: Subject, documented: readonly number[], stateOf: (status: number) => RuleState): ReportRow => {
    const own = findings.filter((one) => one.subject === subject);
    const statuses = [...new Set([...documented, ...own.map(({ status }) => status)])].sort((a, b) => a - b);
    const cells = statuses.map((status): Cell => {
      const here = own.filter((one) => one.status === status);
      return { status, state: here.length > 0 ? "failed" : stateOf(status), findings: here };
    });
    return { subject, cells };
  };
  const seen = (subject: Subject) => (status: number) =>
    provoked.has(`${subject} ${status}`) ? ("passed" as const) : ("not provoked" as const);
  const ofEvent = callback === "skipped" ? "skipped" : hasEvent ? "passed" : "not provoked";
  return [
    ...operationIds.map((id) => row(id, statusesOf(id), seen(id))),
    row("otherPaths", [404, 405], seen("otherPaths")),
    row("addressActivity", [200], () => (callback === "examined" ? "passed" : "skipped")),
    row("operationalEvent", [200], () => ofEvent),
  ];
}

/** How many cells there are of each state. */
export function countsOf(rows: readonly ReportRow[]): Record<RuleState, number> {
  const counts: Record<RuleState, number> = { passed: 0, failed: 0, "not provoked": 0, skipped: 0 };
  for (const { cells } of rows) for (const { state } of cells) counts[state] += 1;
  return counts;
}

/** The rules that were broken, each once. */
export function brokenRules(findings: readonly Finding[]): Rule[] {
  return (Object.keys(rules) as Rule[]).filter((rule) => findings.some((one) => one.rule === rule));
}

/** The report for programs. */
export function reportJson(examined: Examined): unknown {
  const rows = outcomeOf(examined);
  return {
    server: examined.server,
    startedAt: new Date(examined.startedAt).toISOString(),
    durationMs: examined.durationMs,
    passed: examined.findings.length === 0,
    counts: countsOf(rows),
    brokenRules: brokenRules(examined.findings),
    operations: rows.map(({ subject, cells }) => ({
      operation: subject,
      statuses: cells.map(({ status, state }) => ({ status, state })),
    })),
    findings: examined.findings.map(({ exchange: _, ...finding }) => ({
      ...finding,
      says: rules[finding.rule],
      fix: fixes[finding.rule],
    })),
    ...(examined.cases && { cases: examined.cases }),
    notes: examined.notes,
    notDeleted: examined.left,
  };
}

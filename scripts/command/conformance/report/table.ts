/** The report for people: a table of operations and statuses, then each failure, then what was not tried. */
import type { Finding } from "../findings.ts";
import { fixes } from "../fixes.ts";
import { rules } from "../rules.ts";
import type { Examined } from "../run.ts";
import { type Cell, countsOf, outcomeOf, type ReportRow, type RuleState } from "./outcome.ts";

const marks: Record<RuleState, string> = { passed: "ok", failed: "FAIL", "not provoked": "-", skipped: "skip" };
/** What a subject is called where it is no operation. */
export const names: Record<string, string> = {
  otherPaths: "other paths, methods",
  addressActivity: "the notification",
};

/** The report as text. */
export function reportText(examined: Examined): string {
  const rows = outcomeOf(examined);
  const { passed, failed, "not provoked": not, skipped } = countsOf(rows);
  const skippedTold = skipped > 0 ? "; the notification was skipped" : "";
  return [
    ...tableOf(rows),
    "",
    "ok: passed   FAIL: failed   -: documented, but not provoked   skip: left out",
    ...examined.findings.flatMap(failureOf),
    ...(examined.notes.length > 0 ? ["", "Not provoked:", ...examined.notes.map((note) => `  ${note}`)] : []),
    ...(examined.left.length > 0 ? ["", `Webhooks that could not be deleted: ${examined.left.join(", ")}`] : []),
    "",
    ...(examined.cases ? [`${examined.cases.count} generated cases, --seed ${examined.cases.seed}.`] : []),
    `${passed} passed, ${failed} failed, ${not} not provoked, in ${examined.exchanges.length} requests${skippedTold}.`,
  ].join("\n");
}

function tableOf(rows: readonly ReportRow[]): string[] {
  const statuses = [...new Set(rows.flatMap(({ cells }) => cells.map(({ status }) => status)))].sort((a, b) => a - b);
  const head = statuses.map((status) => (status === 0 ? "none" : String(status)).padStart(5)).join("");
  return [
    `${"".padEnd(24)}${head}`,
    ...rows.map(({ subject, cells }) => {
      const at = new Map(cells.map((cell): [number, Cell] => [cell.status, cell]));
      const marked = statuses.map((status) => markOf(at.get(status)).padStart(5)).join("");
      return `${(names[subject] ?? subject).padEnd(24)}${marked}`.trimEnd();
    }),
  ];
}

const markOf = (cell: Cell | undefined) => (cell ? marks[cell.state] : "");

/** A failure: its rule, what was asked, what should have come, what came, and what to do. */
export function failureOf({ rule, subject, status, by, request, expected, came, requests = [] }: Finding): string[] {
  return [
    "",
    `FAIL  ${rule}  (${names[subject] ?? subject}${status > 0 ? ` ${status}` : ""})`,
    `      ${rules[rule]}`,
    `      request   ${request}  [${by}]`,
    `      expected  ${expected}`,
    `      came      ${came}`,
    `      fix       ${fixes[rule]}`,
    ...requests.map((line) => `      again     ${line}`),
  ].map(printable);
}

/** A server must not be able to write to the terminal. */
function printable(line: string): string {
  return line.replaceAll(/\p{Cc}/gu, "?");
}

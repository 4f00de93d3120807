/** The report for people: a table of operations and statuses, then each failure, then what was not tried. */

import { coloured, type Paint, printable, type Stream } from "../../terminal.ts";
import type { Finding } from "../findings.ts";
import { fixes } from "../fixes.ts";
import { rules } from "../rules.ts";
import type { Examined } from "../run.ts";
import { type Cell, countsOf, outcomeOf, type ReportRow, type RuleState } from "./outcome.ts";

const marks: Record<RuleState, readonly [mark: string, colour: Parameters<Paint>[0]]> = {
  ...{ passed: ["ok", "green"], failed: ["FAIL", "red"] },
  ...{ "not provoked": ["-", "dim"], skipped: ["skip", "yellow"] },
};
/** What a subject is called where it is no operation. */
export const names: Record<string, string> = {
  otherPaths: "other paths, methods",
  addressActivity: "the notification",
  operationalEvent: "the operational event",
};

/** The report as text, with colours where the terminal has some. */
export function reportText(examined: Examined, terminal?: Stream): string {
  const paint: Paint = (colour, text) => coloured(colour, text, terminal);
  const rows = outcomeOf(examined);
  const { passed, failed, "not provoked": not, skipped } = countsOf(rows);
  const skippedTold = skipped > 0 ? "; the notification and the operational event were skipped" : "";
  return [
    ...tableOf(rows, paint),
    "",
    "ok: passed   FAIL: failed   -: documented, but not provoked   skip: left out",
    ...examined.findings.flatMap((finding) => describeFailure(finding, paint)),
    ...(examined.notes.length > 0
      ? ["", "Not provoked:", ...examined.notes.map((note) => `  ${printable(note)}`)]
      : []),
    ...(examined.left.length > 0
      ? ["", `Webhooks that could not be deleted: ${printable(examined.left.join(", "))}`]
      : []),
    "",
    ...(examined.cases ? [`${examined.cases.count} generated cases, --seed ${examined.cases.seed}.`] : []),
    paint(
      failed > 0 ? "red" : "green",
      `${passed} passed, ${failed} failed, ${not} not provoked, in ${examined.exchanges.length} requests${skippedTold}.`,
    ),
  ].join("\n");
}

function tableOf(rows: readonly ReportRow[], paint: Paint): string[] {
  const statuses = [...new Set(rows.flatMap(({ cells }) => cells.map(({ status }) => status)))].sort((a, b) => a - b);
  const head = statuses.map((status) => (status === 0 ? "none" : String(status)).padStart(5)).join("");
  return [
    paint("bold", `${"".padEnd(24)}${head}`),
    ...rows.map(({ subject, cells }) => {
      const at = new Map(cells.map((cell): [number, Cell] => [cell.status, cell]));
      const marked = statuses.map((status) => markOf(at.get(status), paint)).join("");
      return `${(names[subject] ?? subject).padEnd(24)}${marked}`.trimEnd();
    }),
  ];
}

function markOf(cell: Cell | undefined, paint: Paint): string {
  if (!cell) return " ".repeat(5);
  const [mark, colour] = marks[cell.state];
  return paint(colour, mark.padStart(5));
}

/** A failure: its rule, what was asked, what should have come, what came, and what to do. A server cannot write to the terminal by it. */
export const failureOf = (finding: Finding): string[] => describeFailure(finding, (_, text) => text);

function describeFailure(
  { rule, subject, status, by, request, expected, came, requests = [] }: Finding,
  paint: Paint,
): string[] {
  const labelled = [
    ["request", `${request}  [${by}]`],
    ["expected", expected],
    ["came", came],
    ["fix", fixes[rule]],
    ...requests.map((line) => ["again", line] as const),
  ] as const;
  return [
    "",
    `${paint("red", "FAIL")}  ${paint("bold", rule)}  (${names[subject] ?? subject}${status > 0 ? ` ${status}` : ""})`,
    `      ${rules[rule]}`,
    ...labelled.map(([label, text]) => `      ${paint("dim", label.padEnd(8))}  ${printable(text)}`),
  ];
}

/** The report as JUnit XML: a test suite for each operation, and in it a test case for each documented status. */
import { rules } from "../rules.ts";
import type { Examined } from "../run.ts";
import { type Cell, countsOf, outcomeOf, type ReportRow } from "./outcome.ts";
import { failureOf } from "./table.ts";

/** The report as XML. */
export function toJUnit(examined: Examined): string {
  const rows = outcomeOf(examined);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="chain-webhooks-tools conformance" ${totals(rows)}>`,
    ...rows.flatMap(suite),
    "</testsuites>",
    "",
  ].join("\n");
}

function suite(row: ReportRow): string[] {
  return [
    `  <testsuite name="${escaped(row.subject)}" ${totals([row])}>`,
    ...row.cells.flatMap((cell) => testcase(row.subject, cell)),
    "  </testsuite>",
  ];
}

function totals(rows: readonly ReportRow[]): string {
  const { passed, failed, "not provoked": not, skipped } = countsOf(rows);
  return `tests="${passed + failed + not + skipped}" failures="${failed}" errors="0" skipped="${not + skipped}"`;
}

function testcase(subject: string, { status, state, findings }: Cell): string[] {
  const open = `    <testcase classname="${escaped(subject)}" name="${status === 0 ? "an answer" : status}"`;
  if (state === "passed") return [`${open}/>`];
  if (state !== "failed") return [`${open}>`, `      <skipped message="${state}"/>`, "    </testcase>"];
  const broken = [...new Set(findings.map(({ rule }) => rule))];
  const message = broken.map((rule) => `${rule}: ${rules[rule]}`).join(" ");
  const text = findings.flatMap(failureOf).join("\n").trim();
  return [
    `${open}>`,
    `      <failure type="${escaped(broken.join(" "))}" message="${escaped(message)}">${escaped(text)}</failure>`,
    "    </testcase>",
  ];
}

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&apos;" };

/** Text for an element or an attribute; what XML 1.0 cannot hold at all becomes a replacement character. */
export function escaped(text: string): string {
  return text
    .replaceAll(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, "\ufffd")
    .replaceAll(/[&<>"']/g, (char) => entities[char] ?? char);
}

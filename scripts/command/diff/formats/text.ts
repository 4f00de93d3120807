/** The outcome for a terminal. */
import {
  breaksOf,
  counting,
  type DiffOutcome,
  diffSummary,
  type Located,
  placeInDocument,
  usedByOf,
} from "../outcome.ts";

/** Writes the outcome as text. Changes of words are counted, and listed with `all`. */
export function toText(outcome: DiffOutcome, all: boolean): string {
  const lines = [`${outcome.old.name} (${outcome.old.version}) → ${outcome.new.name} (${outcome.new.version})`, ""];
  for (const level of ["breaking", "warning", "info"] as const)
    for (const finding of counting(outcome, level))
      if (all || finding.bump !== "patch") lines.push(...linesOf(finding), "");
  const hidden = counting(outcome, "info").filter(({ bump }) => bump === "patch").length;
  if (hidden > 0 && !all) lines.push(`${hidden} more of words and names only; --all lists them.`, "");
  for (const { accepted, ...finding } of outcome.findings)
    if (accepted)
      lines.push(
        `accepted  ${placeInDocument(finding)}: ${finding.what}`,
        `          Until ${accepted.until}: ${accepted.reason}`,
        "",
      );
  lines.push(...[...outcome.expired, ...outcome.unused].flatMap((sentence) => [sentence, ""]));
  lines.push(diffSummary(outcome));
  return lines.map(printable).join("\n");
}

function linesOf(finding: Located): string[] {
  const { level, what, why, rule, line } = finding;
  const indent = " ".repeat(10);
  const at = line ? `${line.file}${line.line === undefined ? `#${line.pointer}` : `:${line.line}`}  ` : "";
  return [
    `${level.padEnd(10)}${placeInDocument(finding)}: ${what}`,
    ...(level === "info" ? [] : [`${indent}${`${breaksOf(finding)} ${why}`.trimStart()}`]),
    ...(level === "info" || !finding.usedBy ? [] : [`${indent}${usedByOf(finding)}`]),
    `${indent}${at}[${rule}]`,
  ];
}

/** A document must not be able to write control characters to the terminal. */
function printable(line: string): string {
  return line.replaceAll(/[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]/gu, "?");
}

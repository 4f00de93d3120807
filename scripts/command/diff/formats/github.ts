/** The outcome as annotations of a pull request: the commands that GitHub Actions reads from a step's output. */
import { breaksOf, type DiffOutcome, diffSummary, type Located, placeInDocument, usedByOf } from "../outcome.ts";

const commands = { breaking: "error", warning: "warning", info: "notice" } as const;

/** Writes an annotation for each finding that counts. GitHub shows ten of each kind, so changes of words are left out. */
export function toGithub(outcome: DiffOutcome): string {
  const counted = outcome.findings.filter(({ accepted, bump }) => accepted === undefined && bump !== "patch");
  return [
    ...counted.map(annotationOf),
    ...outcome.expired.map((sentence) => `::error title=expired acceptance::${inMessage(sentence)}`),
    ...outcome.unused.map((sentence) => `::warning title=unused acceptance::${inMessage(sentence)}`),
    // A line that begins with two colons would be a command.
    inMessage(diffSummary(outcome)),
  ].join("\n");
}

function annotationOf(finding: Located): string {
  const { level, line, rule, what, why, spot } = finding;
  // Only the new document is in the pull request.
  const place = line && spot?.side === "new" && line.file !== "-" ? { file: line.file, line: line.line } : {};
  const properties = Object.entries({ ...place, title: rule })
    .flatMap(([key, value]) => (value === undefined ? [] : [`${key}=${inProperty(String(value))}`]))
    .join(",");
  const more = level === "info" ? [] : [breaksOf(finding), why, usedByOf(finding)];
  const message = [`${placeInDocument(finding)}: ${what}.`, ...more].filter((part) => part !== "").join(" ");
  return `::${commands[level]} ${properties}::${inMessage(message)}`;
}

const inMessage = (text: string) => text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
const inProperty = (text: string) => inMessage(text).replaceAll(":", "%3A").replaceAll(",", "%2C");

/** The outcome for a changelog or a pull request. */
import { breaksOf, counting, type DiffOutcome, type Located, placeInDocument, usedByOf } from "../outcome.ts";

const titles = { breaking: "Breaking changes", warning: "Warnings", info: "Other changes" } as const;

/** Writes the outcome as Markdown. Changes of words are left out, unless `all` is set. */
export function toMarkdown(outcome: DiffOutcome, all: boolean): string {
  const { version } = outcome.new;
  const lines = [`## ${escaped(outcome.old.version)} → ${escaped(version)}`, ""];
  for (const level of ["breaking", "warning", "info"] as const) {
    const findings = counting(outcome, level).filter(({ bump }) => all || bump !== "patch");
    if (findings.length === 0) continue;
    lines.push(`### ${titles[level]}`, "", ...findings.map(itemOf), "");
  }
  const accepted = outcome.findings.filter((finding) => finding.accepted !== undefined);
  if (accepted.length > 0) lines.push("### Accepted", "", ...accepted.map(acceptedItemOf), "");
  for (const sentence of [...outcome.expired, ...outcome.unused]) lines.push(`> ${escaped(sentence)}`, "");
  if (lines.length === 2) lines.push("Nothing changed.", "");
  return lines.join("\n").trimEnd();
}

function itemOf(finding: Located): string {
  const head = `- **${escaped(placeInDocument(finding))}**: ${escaped(finding.what)}.`;
  if (finding.level === "info") return head;
  const parts = [head, breaksOf(finding), escaped(finding.why), escaped(usedByOf(finding))];
  return parts.filter((part) => part !== "").join(" ");
}

function acceptedItemOf({ accepted, ...finding }: Located): string {
  return `- **${escaped(placeInDocument(finding))}**: ${escaped(finding.what)}. ${escaped(accepted?.reason ?? "")} (until ${accepted?.until})`;
}

/** Text of a document must not become markup, a link, or a mention of a person. */
function escaped(text: string): string {
  return text
    .replaceAll(/[\p{Cc}\u2028\u2029]+/gu, " ")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(/[\\`*_[\]#|~]/g, "\\$&")
    .replaceAll("@", "@\u200B")
    .replaceAll("://", ":\u200B//");
}

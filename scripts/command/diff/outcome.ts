/** What a comparison came to: what each format shows, and what the exit code follows from. */
import type { Bump, DiffFinding, Level } from "./finding.ts";
import { isAtLeast, total } from "./finding.ts";
import type { Line } from "./lines.ts";

/** A finding with its place in the files. */
export type Located = DiffFinding & { line?: Line };

/** A comparison, as the formats show it. */
export type DiffOutcome = {
  old: { name: string; version: string };
  new: { name: string; version: string };
  findings: readonly Located[];
  expired: readonly string[];
  unused: readonly string[];
};

/** Where the exit code becomes 1. */
export type FailOn = "breaking" | "warning" | "none";

/** Findings that count: neither accepted nor only words. */
export const counting = ({ findings }: DiffOutcome, level: Level): Located[] =>
  findings.filter((finding) => finding.level === level && finding.accepted === undefined);

/** Whether the outcome fails. An expired acceptance always does: somebody promised to have looked at it by then. */
export function fails(outcome: DiffOutcome, failOn: FailOn): boolean {
  if (failOn === "none") return false;
  if (outcome.expired.length > 0 || (failOn === "warning" && outcome.unused.length > 0)) return true;
  return outcome.findings.some(({ level, accepted }) => accepted === undefined && isAtLeast(level, failOn));
}

/** The outcome in one sentence. */
export function diffSummary(outcome: DiffOutcome): string {
  const { findings } = outcome;
  if (findings.length === 0) return "Nothing changed.";
  const accepted = findings.filter((finding) => finding.accepted !== undefined).length;
  const counts = [
    `${counting(outcome, "breaking").length} breaking`,
    plural(counting(outcome, "warning").length, "warning"),
    plural(counting(outcome, "info").length, "other change"),
    ...(accepted > 0 ? [`${accepted} accepted`] : []),
  ];
  return `${counts.join(", ")}. As a semantic version: ${bumpOf(outcome) ?? "none"}.`;
}

/** By how much the version must grow, accepted or not. */
export const bumpOf = ({ findings }: DiffOutcome): Bump | undefined => total(findings);

const plural = (count: number, word: string) => `${count} ${word}${count === 1 ? "" : "s"}`;

/** A finding's place in words. */
export const placeInDocument = ({ where, flow }: DiffFinding): string => (flow ? `${where}, in ${flow}` : where);

/** The operations that share what changed, the first few. */
export function usedByOf({ usedBy = [] }: DiffFinding): string {
  if (usedBy.length === 0) return "";
  const more = usedBy.length > 3 ? ` and ${usedBy.length - 3} more` : "";
  return `Used by ${usedBy.slice(0, 3).join(", ")}${more}.`;
}

/** Who breaks, as a sentence; none for what breaks nobody. */
export function breaksOf({ breaks, level }: DiffFinding): string {
  if (level === "info" || breaks.length === 0) return "";
  const parties = breaks.map((party) => (party === "servers" ? "servers that implement it" : party));
  return `${level === "warning" ? "May break" : "Breaks"} ${parties.join(", ")}.`;
}

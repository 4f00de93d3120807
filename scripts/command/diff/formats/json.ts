/** The outcome for programs. */
import { bumpOf, counting, type DiffOutcome } from "../outcome.ts";

/** Writes the outcome as JSON, on several lines. */
export function toJson(outcome: DiffOutcome): string {
  const { findings, ...rest } = outcome;
  const counts = Object.fromEntries(
    (["breaking", "warning", "info"] as const).map((level) => [level, counting(outcome, level).length]),
  );
  const accepted = findings.filter((finding) => finding.accepted !== undefined).length;
  const shown = findings.map(({ spot, line, ...finding }) => ({
    ...finding,
    ...(line && { at: { in: spot?.side, ...line } }),
  }));
  return JSON.stringify(
    { ...rest, bump: bumpOf(outcome) ?? "none", counts: { ...counts, accepted }, findings: shown },
    null,
    2,
  );
}

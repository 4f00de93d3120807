/** What is read as well as written: a reader gets a longer text only where somebody has sent one. */
import type { DiffFinding } from "./finding.ts";

/**
 * A limit of a shared component that was raised in requests as well as in responses is a warning for readers, and no break: an
 * old client that reads back what it wrote stays within the old limit.
 */
export function bothWays<F extends DiffFinding>(findings: readonly F[]): F[] {
  const key = ({ rule, where, what }: DiffFinding) => JSON.stringify([rule, where, what]);
  const isLimit = ({ rule }: DiffFinding) => rule === "limit" || rule === "pattern" || rule === "format";
  const accepted = new Set(findings.filter(({ flow, level }) => flow === "requests" && level === "info").map(key));
  return findings.map((finding) =>
    finding.flow === "responses" && finding.level === "breaking" && isLimit(finding) && accepted.has(key(finding))
      ? {
          ...finding,
          level: "warning",
          bump: "minor",
          why: "Clients send it, too. An old client reads back what it wrote, but also what a newer client writes.",
        }
      : finding,
  );
}

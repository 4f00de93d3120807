/** Which operations lead to a finding in something shared. */
import type { DocumentComparison } from "./comparison.ts";
import type { DiffFinding } from "./finding.ts";

const most = 50;
/** What the search for all findings together may cost: each goes up the same chains. */
const mostSteps = 1_000_000;

/** Adds the operations to findings in shared components. */
export function operationsUsing(
  c: DocumentComparison,
  findings: readonly (DiffFinding & { task: string })[],
): DiffFinding[] {
  const known = new Map<string, string[]>();
  const search = { steps: 0 };
  return findings.map(({ task, ...finding }) => {
    const operations = known.get(task) ?? rootsOf(c, task, search);
    known.set(task, operations);
    const others = operations.filter((operation) => !finding.where.startsWith(operation));
    return others.length > 0 ? { ...finding, usedBy: others } : finding;
  });
}

/** The operations from which a task was reached. */
function rootsOf(c: DocumentComparison, task: string, search: { steps: number }): string[] {
  const roots: string[] = [];
  const seen = new Set([task]);
  // The set grows while it is walked.
  for (const one of seen) {
    const users = c.usedBy.get(one);
    if (!users && one !== "the document") roots.push(one);
    for (const user of users ?? []) seen.add(user);
    search.steps += 1;
    if (roots.length > most || search.steps > mostSteps) break;
  }
  return roots.slice(0, most);
}

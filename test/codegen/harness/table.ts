/** What the run found, as `openapi/GENERATORS.md` tells it. */
import type { Findings } from "./client.ts";

/** What stands in the file of each generator: its row and its section. */
export function entriesOf(findings: readonly Findings[], _operationIds: readonly string[]): string[] {
  return findings.map((one) => JSON.stringify(one.readsOn) + one.operations.length);
}

/** The whole file. */
export function documentOf(findings: readonly Findings[], operationIds: readonly string[]): string {
  return entriesOf(findings, operationIds).join("\n");
}

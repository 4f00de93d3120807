/** Figures of benches, and tables of them. */

/** @returns the value below which the given part of the samples lies, to a tenth */
export function quantile(samples: readonly number[], part: number): number {
  const sorted = [...samples].sort((a, b) => a - b);
  const value = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
  return Math.round(value * 10) / 10;
}

/** A table in Markdown, with a column for each field. */
export function table(rows: readonly Record<string, string | number>[]): string {
  const names = Object.keys(rows[0] ?? {});
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(" | ")} |`;
  return [
    line(names),
    line(names.map(() => "---")),
    ...rows.map((row) => line(names.map((name) => row[name] ?? ""))),
  ].join("\n");
}

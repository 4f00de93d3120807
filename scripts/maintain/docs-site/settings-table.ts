/** The table of settings in docs/configuration.md, which `npm run generate` writes from server/settings/settings.ts. */
type Row = { readonly name: string; readonly fallback: string; readonly meaning: string };

const begin = "<!-- settings: written by npm run generate -->";
const end = "<!-- end of settings -->";

/** @param page the text of docs/configuration.md @returns it with the table of these settings @throws when it has no place for it */
export function withSettings(page: string, rows: readonly Row[]): string {
  const [before, rest] = page.split(begin);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined) throw new Error("docs/configuration.md has no place for settings.");
  const cells = rows.map(({ name, fallback, meaning }) => [`\`${name}\``, asDefault(fallback), meaning]);
  return `${before}${begin}\n\n${table([["variable", "default", "meaning"], ...cells])}\n${end}${after}`;
}

/** A value that can be set is code; words are words. */
const asDefault = (fallback: string) => (/[ `]/.test(fallback) ? fallback : `\`${fallback}\``);

/** Padded, as the formatter would do it. */
function table([head = [], ...rows]: string[][]): string {
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)));
  const line = (cells: string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |\n`;
  return [head, widths.map((width) => "-".repeat(width)), ...rows].map(line).join("");
}

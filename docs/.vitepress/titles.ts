/** The first heading of a page. */
import { readFileSync } from "node:fs";

/** @throws when there is none */
export function titleOf(file: string): string {
  const [, title] = /^# (.+)$/m.exec(readFileSync(file, "utf8")) ?? [];
  if (title === undefined) throw new Error(`${file} has no heading.`);
  return title;
}

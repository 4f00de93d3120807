/** A document of the repository whose commands are run by tests. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

export type Document = {
  text: string;
  /** Its blocks in a language, without the fences. */
  fences(language: string): string[];
  /** Every line of its shell blocks. */
  commands: string[];
};

/** @param name such as `README.md` */
export function readDocument(name: string): Document {
  const text = readFileSync(fileURLToPath(new URL(`../../${name}`, import.meta.url)), "utf8");
  const fences = (language: string) =>
    [...text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, "gms"))].map(([, block = ""]) => block);
  return { text, fences, commands: fences("sh").flatMap((block) => block.trim().split("\n")) };
}

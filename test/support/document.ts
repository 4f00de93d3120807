/** The documents whose commands and blocks are run by tests: README.md, those of the packages, and the guides in docs/. */
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** A fenced block, without its fences. */
export type Block = {
  language: string;
  /** What follows the language, such as the schema's name after `json`. */
  label: string;
  text: string;
  /** The document that it is in. */
  document: string;
};

export type Document = {
  text: string;
  blocks: Block[];
  /** Its blocks in a language. */
  fences(language: string): string[];
  /** Every line of its shell blocks, as it is run in a checkout. */
  commands: string[];
};

/** README.md, those of the packages, and every guide, by path. */
export const documentNames: readonly string[] = [
  ...["README.md", "client/README.md", "scripts/README.md", "server/README.md"],
  ...readdirSync(`${root}/docs`)
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`),
];

/** @param names such as `README.md`; several are read as one */
export function readDocument(...names: readonly string[]): Document {
  const texts = names.map((name) => ({ name, text: readFileSync(`${root}/${name}`, "utf8") }));
  const blocks = texts.flatMap(({ name, text }) =>
    // In a list, a block is indented.
    [...text.matchAll(/^( *)```(\w+) ?(\S*)\n(.*?)^\1```$/gms)].map(
      ([, indent = "", language = "", label = "", block = ""]) => ({
        language,
        label,
        text: block.replaceAll(new RegExp(`^${indent}`, "gm"), ""),
        document: name,
      }),
    ),
  );
  const fences = (language: string) => blocks.filter((block) => block.language === language).map(({ text }) => text);
  const commands = fences("sh").flatMap((block) => block.trim().split("\n").map(inCheckout));
  return { text: texts.map(({ text }) => text).join("\n"), blocks, fences, commands };
}

/** README.md and every guide as one. */
export const readGuides = (): Document => readDocument(...documentNames);

/** The guides show the installed command. In a checkout it is an npm script. */
function inCheckout(command: string): string {
  return command
    .replace("npx chain-webhooks-service serve", "npm start")
    .replace(
      /npx chain-webhooks-(?:service|tools) (\w+)( |$)/,
      (_, name: string, rest: string) => `npm run cli ${name}${rest && " -- "}`,
    );
}

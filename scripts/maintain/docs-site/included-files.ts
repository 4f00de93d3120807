/** Guides show files of examples/ as they are: a block that is labelled with a file's path, such as `go examples/receivers/go/main.go`. */

/** A fenced block with such a label. */
const block = /^(```\w+ (examples\/\S+)\n).*?^```$/gms;

/** @param page a guide's Markdown @param read returns the text of a file of the repository @returns it with today's text of the files */
export function withFiles(page: string, read: (path: string) => string): string {
  return page.replaceAll(block, (_, begin: string, path: string) => `${begin}${read(path).trimEnd()}\n\`\`\``);
}

/** llms.txt: the pages for readers that are programs, as https://llmstxt.org describes it. */
import { join } from "node:path";
import { groups, home, type Page } from "../../../docs/.vitepress/pages.ts";
import { titleOf } from "../../../docs/.vitepress/titles.ts";
import { describedOperations, readContract } from "./operations.ts";

/** @param docs the guides' folder */
export function llmsText(docs: string): string {
  const line = ({ name, description }: Page) =>
    `- [${titleOf(join(docs, `${name}.md`))}](/docs/${name}.md): ${description}`;
  const sections = groups.map(({ title, pages }) => `## ${title}\n\n${pages.map(line).join("\n")}\n`);
  const operations = describedOperations(readContract()).map(
    ({ id, summary, method, path }) =>
      `- [${summary}](/docs/reference/${id}.md): ${path ? `${method} ${path}` : "sent to a webhook's URL"}\n`,
  );
  return `# Chain Webhooks

> ${home.description} At least once, in order, numbered without gaps, and retracted when a block leaves the chain.

${sections.join("\n")}
## Reference

- [OpenAPI 3.1](/openapi.json): the contract, the single source of every shape, with examples.
- [The same in YAML](/openapi.yaml)
- [API reference](/docs/reference.md): matching, delivery, limits and errors, and the operations in a table.
${operations.join("")}`;
}

/** What the site's search finds a page by: its text, its description, and words that readers use for what it is about. */
import type { MarkdownEnv, MarkdownRenderer } from "vitepress";
import type { Page } from "./pages.ts";

/** @param pages the guides by their names @returns what VitePress asks for the HTML to index of a page */
export function searchable(pages: ReadonlyMap<string, Page>) {
  return (source: string, env: MarkdownEnv, markdown: MarkdownRenderer): string => {
    const html = markdown.render(source, env);
    const { operation, description, tryIt } = env.frontmatter ?? {};
    const page = pages.get(env.relativePath.replace(/\.md$/, ""));
    const examples: { title: string }[] = tryIt?.bodies ?? [];
    const about = [page?.description ?? description, page?.words, ...examples.map(({ title }) => title)].filter(
      Boolean,
    );
    // An operation is found by its operationId, and by what its examples do. Their values would find each page by the words of all others.
    const named = operation
      ? html.replace(/(<h1.*?)(?= <a )/, `$1 (${operation})`).replaceAll(/<pre.*?<\/pre>/gs, "")
      : html;
    return named.replace("</h1>", `</h1><p>${about.join(" ")}</p>`);
  };
}

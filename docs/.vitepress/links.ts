/** Guides link to files of the repository, which the site does not have: there such a link is plain text. */
import type { MarkdownRenderer } from "vitepress";

export function textOnlyOutside(markdown: MarkdownRenderer): void {
  markdown.core.ruler.push("text-only-outside", ({ tokens }) => {
    for (const { children } of tokens) {
      if (!children) continue;
      let outside = false;
      for (const token of children) {
        if (token.type === "link_open") outside = token.attrGet("href")?.startsWith("../") ?? false;
        const isLink = token.type === "link_open" || token.type === "link_close";
        if (outside && isLink) Object.assign(token, { type: "text", content: "" });
      }
    }
  });
}

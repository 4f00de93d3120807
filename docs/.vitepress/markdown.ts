/** Where the site shows a guide otherwise than GitHub does. */
import type { MarkdownRenderer } from "vitepress";

/** Guides link to files of the repository, which the site does not have: there such a link is plain text. */
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

/** The corner of a table is no heading of anything. A screen reader would name one, and have nothing to say. */
export function noEmptyHeads(markdown: MarkdownRenderer): void {
  markdown.core.ruler.push("no-empty-heads", ({ tokens }) => {
    tokens.forEach((token, index) => {
      const [text, end] = tokens.slice(index + 1);
      if (token.type === "th_open" && text?.content === "") for (const each of [token, end]) if (each) each.tag = "td";
    });
  });
}

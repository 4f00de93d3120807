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

/** A row about a setting has a link of its own, such as /configuration#DATABASE_URL. */
export function linkableRows(markdown: MarkdownRenderer): void {
  markdown.core.ruler.push("linkable-rows", ({ tokens }) => {
    const seen = new Set<string>();
    tokens.forEach((row, index) => {
      const [cell, text] = tokens.slice(index + 1);
      const [, name] = /^`([A-Z][A-Z\d_]+)`$/.exec(text?.content ?? "") ?? [];
      if (row.type !== "tr_open" || cell?.type !== "td_open" || name === undefined || seen.has(name)) return;
      seen.add(name);
      row.attrSet("id", name);
    });
  });
}

/** Code in a table may go on below after a sign between words, so that a long name does not push other columns off the screen. */
export function breakableCells(markdown: MarkdownRenderer): void {
  markdown.core.ruler.push("breakable-cells", ({ tokens }) => {
    tokens.forEach(({ type }, index) => {
      if (type !== "td_open" && type !== "th_open") return;
      for (const code of tokens[index + 1]?.children ?? []) {
        if (code.type !== "code_inline") continue;
        const html = markdown.utils.escapeHtml(code.content).replaceAll(/(?<=\w)[_,/.:=-]+(?=[\w{<$])/g, "$&<wbr>");
        Object.assign(code, { type: "html_inline", content: `<code v-pre>${html}</code>` });
      }
    });
  });
}

/**
 * A picture that has a dark form follows the site's switch, as `<picture>` cannot: it knows only the system's. On a phone it is as large as its
 * letters need, and moves inside its box.
 */
export function picturesByTheme(markdown: MarkdownRenderer): void {
  markdown.core.ruler.push("pictures-by-theme", ({ tokens }) => {
    for (const token of tokens) {
      if (token.type !== "html_block") continue;
      token.content = token.content.replace(
        /^<picture>\s*<source media="\(prefers-color-scheme: dark\)" srcset="(.*?)">\s*<img src="(.*?)" (.*?)>\s*<\/picture>/s,
        (_, dark: string, light: string, rest: string) => {
          const form = (name: string, src: string) => `<img class="only-${name}" src="${src}" ${rest}>`;
          return `<div class="drawn" tabindex="0">${form("light", light)}${form("dark", dark)}</div>`;
        },
      );
    }
  });
}

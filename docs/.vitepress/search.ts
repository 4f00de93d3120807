/** What the site's search finds a page by: its text, its description, and words that readers use for what it is about. */
import type { MarkdownEnv, MarkdownRenderer } from "vitepress";
import type { Page } from "./pages.ts";

/** What VitePress indexes: a heading, those above it, and the text below it. */
type Section = { anchor: string; titles: string[]; text: string };

/** @param pages the guides by their names @returns what VitePress asks for the HTML to index of a page */
export function searchable(pages: ReadonlyMap<string, Page>) {
  return (source: string, env: MarkdownEnv, markdown: MarkdownRenderer): string => {
    const html = markdown.render(source, env);
    const { operation, description, tryIt } = env.frontmatter ?? {};
    const examples: { title: string }[] = tryIt?.bodies ?? [];
    const page = pages.get(env.relativePath.replace(/\.md$/, ""));
    const about = [page?.description ?? description, ...examples.map(({ title }) => title)].filter(Boolean);
    // An operation is found by its operationId, and by what its examples do. Their values would find each page by the words of all others.
    const named = operation
      ? html.replace(/(<h1.*?)(?= <a )/, `$1 (${operation})`).replaceAll(/<pre.*?<\/pre>/gs, "")
      : html;
    return named.replace("</h1>", `</h1><p>${about.join(" ")}</p>`);
  };
}

/** @param words of the page's sections, by their anchors @throws when a section that has words is not there */
export function sectionsOf(html: string, words: Readonly<Record<string, string>> = {}): Section[] {
  const [, ...parts] = html.split(/<h([1-6]).*?>(.*?)<a .*? href="#(.*?)".*?<\/h\1>/s);
  const above: string[] = [];
  const sections: Section[] = [];
  for (let at = 0; at < parts.length; at += 4) {
    const [level = "", heading = "", anchor = "", below = ""] = parts.slice(at, at + 4);
    const shown = withoutTags(heading).trim();
    above.length = Number(level) - 1;
    const meant = words[anchor] ?? (at === 0 ? words[""] : undefined);
    sections.push({
      anchor,
      titles: [...above.filter(Boolean), meant ? titleWith(shown, `${shown} ${meant}`) : shown],
      text: withoutTags(below),
    });
    above.push(shown);
  }
  const anchors = new Set(["", ...sections.map(({ anchor }) => anchor)]);
  const unknown = Object.keys(words).filter((anchor) => !anchors.has(anchor));
  if (unknown.length > 0) throw new Error(`${above[0]} has words for sections that are not there: ${unknown}.`);
  return [...sections, ...settingsIn(html, above[0] ?? "")];
}

/** A setting is looked for by its name, so its row is a section of its own, with the link that `linkableRows` gave it. */
function settingsIn(html: string, page: string): Section[] {
  return [...html.matchAll(/<tr id="(.*?)">(.*?)<\/tr>/gs)].map(([, name = "", cells = ""]) => ({
    anchor: name,
    // A name of several words is not found as a title is, or RETRY_SCHEDULE would come before all that explains retries.
    titles: [titleWith(page, `${name} ${name}`), titleWith(name, name.includes("_") ? "" : name)],
    text: `${name} ${withoutTags(cells)}`,
  }));
}

/**
 * A title that is shown and found by different words. One that a reader means a section by must weigh as much as its title: as much text
 * weighs, another section that mentions the word often comes first. MiniSearch indexes what `toString` returns, and stores JSON.
 */
function titleWith(shown: string, found: string): string {
  return Object.assign(new String(found), { toJSON: () => shown }) as unknown as string;
}

const withoutTags = (html: string) => html.replaceAll(/<[^>]*>/g, " ");

/** The site of the guides: one page a file, local search, light and dark. Nothing in it comes from elsewhere. */
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitepress";
import { textOnlyOutside } from "./links.ts";
import { groups, home } from "./pages.ts";
import { recordedBlocks } from "./theme/home/recorded-blocks.ts";
import { titleOf } from "./titles.ts";

const docs = join(dirname(fileURLToPath(import.meta.url)), "..");
const descriptions = new Map(
  [home, ...groups.flatMap(({ pages }) => pages)].map((page) => [page.name, page.description]),
);
/** The home page is as wide as its picture. GitHub would show these as a table, if they were in the page. */
const widePage = { pageClass: "home", sidebar: false, aside: false, outline: false, next: false };

export default defineConfig({
  lang: "en-GB",
  title: "Chain Webhooks",
  base: "/docs/",
  cacheDir: join(docs, "../node_modules/.cache/vitepress"),
  srcExclude: ["site/**"],
  cleanUrls: true,
  metaChunk: true,
  head: [["link", { rel: "icon", href: "data:," }]],
  markdown: { languageAlias: { haproxy: "nginx" }, config: (markdown) => void markdown.use(textOnlyOutside) },
  vite: { plugins: [recordedBlocks()] },
  transformPageData: ({ relativePath }) => ({
    description: descriptions.get(relativePath.replace(/\.md$/, "")) ?? "",
    ...(relativePath === "index.md" && { frontmatter: { ...widePage } }),
  }),
  themeConfig: {
    search: { provider: "local" },
    outline: "deep",
    externalLinkIcon: true,
    nav: [
      { text: "Quick start", link: "/quick-start" },
      { text: "API reference", link: "/reference", target: "_self" },
    ],
    sidebar: [
      ...groups.map(({ title, pages }) => ({
        text: title,
        items: pages.map(({ name }) => ({ text: titleOf(join(docs, `${name}.md`)), link: `/${name}` })),
      })),
      { text: "Look up", items: [{ text: "API reference", link: "/reference", target: "_self" }] },
    ],
  },
});

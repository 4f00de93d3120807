/** The site of the guides: one page a file, local search, light and dark. Nothing in it comes from elsewhere. */
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitepress";
import { licencesOf, packagesOf } from "../../scripts/maintain/bundle-libraries.ts";
import { readContract } from "../../scripts/maintain/docs-site/operations.ts";
import { operationsByTag } from "../../scripts/maintain/docs-site/reference.ts";
import { breakableCells, linkableRows, noEmptyHeads, picturesByTheme, textOnlyOutside } from "./markdown.ts";
import { groups, home } from "./pages.ts";
import { searchable, sectionsOf } from "./search.ts";
import { recordedBlocks } from "./theme/home/recorded-blocks.ts";
import { titleOf } from "./titles.ts";

const docs = join(dirname(fileURLToPath(import.meta.url)), "..");
const pages = new Map([home, ...groups.flatMap((group) => group.pages)].map((page) => [page.name, page]));
const nameOf = (file: string) => relative(docs, file).replace(/\.md$/, "");
/** The home page is as wide as its picture. GitHub would show these as a table, if they were in the page. */
const widePage = { pageClass: "home", sidebar: false, aside: false, outline: false, next: false };

/** Puts the licences of all packages that the site's scripts have something of next to them. */
const licences = {
  name: "licences",
  async generateBundle(
    this: { emitFile(file: { type: "asset"; fileName: string; source: string }): void },
    _options: unknown,
    made: Record<string, { type: "asset" } | { type: "chunk"; moduleIds: string[] }>,
  ) {
    const modules = Object.values(made).flatMap((file) => (file.type === "chunk" ? file.moduleIds : []));
    const source = await licencesOf(packagesOf(modules.sort()));
    this.emitFile({ type: "asset", fileName: "assets/site.js.LICENSE.txt", source });
  },
};

export default defineConfig({
  lang: "en-GB",
  title: "Chain Webhooks",
  base: "/docs/",
  cacheDir: join(docs, "../node_modules/.cache/vitepress"),
  srcExclude: ["site/**"],
  // Its page has been at /reference since there was one.
  rewrites: { "reference/index.md": "reference.md" },
  cleanUrls: true,
  metaChunk: true,
  head: [["link", { rel: "icon", href: "data:," }]],
  // Pages are some 10 kB; those that a reader may open next would be 100 kB more before the first is read.
  router: { prefetchLinks: false },
  markdown: {
    // VitePress' own have colours that are too pale to be read.
    theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" },
    languageAlias: { haproxy: "nginx" },
    config: (markdown) =>
      void markdown.use(textOnlyOutside).use(noEmptyHeads).use(linkableRows).use(breakableCells).use(picturesByTheme),
  },
  vite: { plugins: [recordedBlocks(), licences] },
  transformPageData: ({ relativePath, description }) => ({
    description: pages.get(relativePath.replace(/\.md$/, ""))?.description ?? description,
    ...(relativePath === "index.md" && { frontmatter: { ...widePage } }),
  }),
  themeConfig: {
    search: {
      provider: "local",
      options: {
        _render: searchable(pages),
        miniSearch: { _splitIntoSections: (file, html) => sectionsOf(html, pages.get(nameOf(file))?.words) },
      },
    },
    outline: "deep",
    externalLinkIcon: true,
    nav: [
      { text: "Quick start", link: "/quick-start" },
      { text: "API reference", link: "/reference", activeMatch: "^/reference" },
    ],
    sidebar: {
      "/reference": [
        { text: "← Guides", link: "/quick-start" },
        { text: "Overview", link: "/reference" },
        ...operationsByTag(readContract()).map(({ tag, operations }) => ({
          text: tag,
          items: operations.map(({ id, summary }) => ({ text: summary, link: `/reference/${id}` })),
        })),
      ],
      "/": [
        ...groups.map((group) => ({
          text: group.title,
          items: group.pages.map(({ name }) => ({ text: titleOf(join(docs, `${name}.md`)), link: `/${name}` })),
        })),
        { text: "Look up", items: [{ text: "API reference", link: "/reference" }] },
      ],
    },
  },
});

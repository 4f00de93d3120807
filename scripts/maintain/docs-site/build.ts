/**
 * Builds the site into docs/site/: VitePress' pages of the guides and of the reference, each with its Markdown next to it, and llms.txt. It
 * takes 25 s of processor time, so a site that was built from the same files stays.
 */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFile, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { siteFolder } from "../../../server/api/documents.ts";
import { llmsText } from "./llms-text.ts";
import { contractOfReference } from "./operations.ts";
import { referenceFolder, withoutMarkup, writeReference } from "./reference.ts";

const docs = dirname(siteFolder);
const { resolve } = createRequire(import.meta.url);
const vitepress = resolve("vitepress/package.json");
const cache = join(docs, "../node_modules/.cache");
const stamp = "built-from";

/** As its command does, but with a folder for what is temporary that no other build uses. */
const vitepressBuild = `import { build } from "vitepress";
const [docs, outDir, tempDir] = process.argv.slice(1);
await build(docs, { outDir, onAfterConfigResolve: (config) => void (config.tempDir = tempDir) });`;

/** @param signal to give up, which leaves the site as it was @returns the folder */
export async function buildSite(signal?: AbortSignal): Promise<string> {
  const sources = await sourcesOfSite();
  const builtFrom = () => readFile(join(siteFolder, stamp), "utf8").catch(() => undefined);
  if ((await builtFrom()) === sources) return siteFolder;
  // Elsewhere first, so that the folder is whole at any time, and several processes can build it.
  await mkdir(cache, { recursive: true });
  const work = await mkdtemp(join(cache, "site-"));
  const made = join(work, "site");
  try {
    await writeReference(docs);
    const args = ["--input-type=module", "--eval", vitepressBuild, docs, made, join(work, "temporary")];
    await promisify(execFile)(process.execPath, args, { cwd: dirname(docs), signal });
    const guides = (await readdir(docs)).filter((name) => name.endsWith(".md"));
    for (const guide of guides) await copyFile(join(docs, guide), join(made, guide));
    for (const page of await readdir(join(docs, referenceFolder))) {
      const markdown = withoutMarkup(await readFile(join(docs, referenceFolder, page), "utf8"));
      await writeFile(join(made, page === "index.md" ? "reference.md" : join(referenceFolder, page)), markdown);
    }
    // VitePress' own, for hosts of static files.
    for (const unused of ["404.html", "hashmap.json"]) await rm(join(made, unused), { force: true });
    await writeFile(join(made, "llms.txt"), llmsText(docs));
    await writeFile(join(made, stamp), sources);
    await rm(siteFolder, { recursive: true, force: true });
    // Another process may have put the same there in between.
    await rename(made, siteFolder).catch(async (error) => {
      if ((await builtFrom()) !== sources) throw error;
    });
  } finally {
    await rm(work, { recursive: true, force: true });
  }
  return siteFolder;
}

/** What the home page runs and shows besides its own files. */
const runByHome = ["client/receiver", "generated", "server/matching", "test/data/mainnet", "test/data/mainnet-traced"];

/** A hash of everything that the site is made from. */
async function sourcesOfSite(): Promise<string> {
  const ours = dirname(fileURLToPath(import.meta.url));
  const files = [vitepress, contractOfReference];
  for (const folder of [docs, ours, ...runByHome.map((path) => join(docs, "..", path))]) {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    files.push(...entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name)));
  }
  const hash = createHash("sha256");
  for (const file of files.filter((each) => !/^(site|reference)\//.test(relative(docs, each))).sort())
    hash.update(relative(docs, file)).update(await readFile(file));
  return hash.digest("hex");
}

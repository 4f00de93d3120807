/**
 * Builds the site into docs/site/: VitePress' pages of the guides, each guide's Markdown next to its page, the reference, and llms.txt. It
 * takes 18 s of processor time, so a site that was built from the same files stays.
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
import { buildReference, contractOfReference } from "./reference.ts";

const docs = dirname(siteFolder);
const { resolve } = createRequire(import.meta.url);
const vitepress = resolve("vitepress/package.json");
const redocly = resolve("@redocly/cli/package.json");
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
    const args = ["--input-type=module", "--eval", vitepressBuild, docs, made, join(work, "temporary")];
    await promisify(execFile)(process.execPath, args, { cwd: dirname(docs), signal });
    await buildReference(join(made, "reference.html"));
    // Of Redoc and what it is made of, which are in the page.
    await copyFile(join(dirname(redocly), "THIRD_PARTY_NOTICES"), join(made, "reference.LICENSE.txt"));
    const guides = (await readdir(docs)).filter((name) => name.endsWith(".md"));
    for (const guide of guides) await copyFile(join(docs, guide), join(made, guide));
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
  const files = [vitepress, redocly, contractOfReference];
  for (const folder of [docs, ours, ...runByHome.map((path) => join(docs, "..", path))]) {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    files.push(...entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name)));
  }
  const hash = createHash("sha256");
  for (const file of files.filter((each) => !relative(docs, each).startsWith("site/")).sort())
    hash.update(relative(docs, file)).update(await readFile(file));
  return hash.digest("hex");
}

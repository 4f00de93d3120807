/**
 * Builds the site into docs/site/: VitePress' pages of the guides, each guide's Markdown next to its page, the reference, and llms.txt. It
 * takes 17 s of processor time, so a site that was built from the same files stays.
 */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { chmod, copyFile, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
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

/** @param signal to give up, which leaves the site as it was @returns the folder */
export async function buildSite(signal?: AbortSignal): Promise<string> {
  const sources = await sourcesOfSite();
  const before = await readFile(join(siteFolder, stamp), "utf8").catch(() => undefined);
  if (before === sources) return siteFolder;
  // Elsewhere first, so that the folder is whole at any time.
  await mkdir(cache, { recursive: true });
  const made = await mkdtemp(join(cache, "site-"));
  try {
    const bin = join(dirname(vitepress), "bin/vitepress.js");
    const how = { cwd: dirname(docs), signal };
    await promisify(execFile)(process.execPath, [bin, "build", docs, "--outDir", made], how);
    await buildReference(join(made, "reference.html"));
    // Of Redoc and what it is made of, which are in the page.
    await copyFile(join(dirname(redocly), "THIRD_PARTY_NOTICES"), join(made, "reference.LICENSE.txt"));
    const guides = (await readdir(docs)).filter((name) => name.endsWith(".md"));
    for (const guide of guides) await copyFile(join(docs, guide), join(made, guide));
    // VitePress' own, for hosts of static files.
    for (const unused of ["404.html", "hashmap.json"]) await rm(join(made, unused), { force: true });
    await writeFile(join(made, "llms.txt"), llmsText(docs));
    await writeFile(join(made, stamp), sources);
    await chmod(made, 0o755);
    await rm(siteFolder, { recursive: true, force: true });
    await rename(made, siteFolder);
  } finally {
    await rm(made, { recursive: true, force: true });
  }
  return siteFolder;
}

/** A hash of everything that the site is made from. */
async function sourcesOfSite(): Promise<string> {
  const ours = dirname(fileURLToPath(import.meta.url));
  const files = [vitepress, redocly, contractOfReference];
  for (const folder of [docs, ours]) {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    files.push(...entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name)));
  }
  const hash = createHash("sha256");
  for (const file of files.filter((each) => !relative(docs, each).startsWith("site/")).sort())
    hash.update(relative(docs, file)).update(await readFile(file));
  return hash.digest("hex");
}

/**
 * The service's programs as JavaScript, compiled once for a run of tests. A service starts from it in half the processor time that it
 * takes from the sources (0.6 instead of 1.1 s), and tests that kill and restart one do little else. `npm start`, which compiles at
 * each start, is tested with the README.
 */
import { cp, mkdir, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { sharedJanitor } from "../../scripts/local/janitor.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const folders = ["client", "generated", "server", "scripts/command", "scripts/document"];
/** An import of one of our own modules. */
const ownModule = /(\bfrom\s*|\bimport\s*\(?\s*)"(\.[^"]+)\.ts"/g;

/** The arguments with which Node starts the service: compiled where a run of tests has done so, else from the sources. */
export function serviceArguments(): string[] {
  const folder = process.env.TEST_PROGRAMS;
  return folder ? [join(folder, "server/main.js")] : ["--import", "tsx", "server/main.ts"];
}

/** The arguments with which Node runs `chain-webhooks`: compiled or from the sources, as above. */
export function commandArguments(...args: string[]): string[] {
  const folder = process.env.TEST_PROGRAMS;
  return folder
    ? [join(folder, "scripts/command/cli.js"), ...args]
    : ["--import", "tsx", "scripts/command/cli.ts", ...args];
}

/** Compiles them for the processes of this one, into a folder like the repository. @returns what removes it */
export async function compilePrograms(): Promise<() => Promise<void>> {
  const janitor = await sharedJanitor();
  const target = janitor.makeFolder("chain-webhooks-programs-");
  const remove = async () => {
    delete process.env.TEST_PROGRAMS;
    await rm(target, { recursive: true, force: true });
    janitor.forgetFolder(target);
  };
  try {
    const sources: string[] = [];
    for (const path of ["package.json", "scripts/package.json"]) await cp(join(root, path), join(target, path));
    await symlink(join(root, "node_modules"), join(target, "node_modules"));
    for (const folder of folders)
      for (const entry of await readdir(join(root, folder), { recursive: true, withFileTypes: true })) {
        const path = join(entry.parentPath, entry.name);
        if (extname(path) === ".ts") sources.push(path);
        else if (entry.isFile()) await cp(path, join(target, path.slice(root.length)));
      }
    const options = { outdir: target, outbase: root, bundle: false, format: "esm", target: "node20" } as const;
    const { outputFiles } = await build({ ...options, entryPoints: sources, write: false, logLevel: "silent" });
    for (const { path, text } of outputFiles) {
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, text.replaceAll(ownModule, '$1"$2.js"'));
    }
    process.env.TEST_PROGRAMS = target;
    return remove;
  } catch (error) {
    await remove();
    throw error;
  }
}

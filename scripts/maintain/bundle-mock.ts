/**
 * Bundles the mock's handlers for Mock Service Worker into one module that needs neither Node nor another package. It is the mock's own code. What that
 * uses of Node is in `scripts/command/mock/page/node.ts`; what of Node nothing reaches is empty.
 */
import { readFile, writeFile } from "node:fs/promises";
import { builtinModules } from "node:module";
import { dirname, join } from "node:path";
import { build, type Plugin } from "esbuild";
import { licencesOf, packagesOf } from "./bundle-libraries.ts";

export const mockInPage = "scripts/command/mock/page/msw";
const ofNode = "scripts/command/mock/page/node.ts";

/** @param root the project's folder @param target the folder of the package */
export async function bundleMock(root: string, target: string): Promise<void> {
  const outfile = join(target, `${mockInPage}.js`);
  const { metafile } = await build({
    ...{ absWorkingDir: root, entryPoints: [`${mockInPage}.ts`], outfile, allowOverwrite: true, metafile: true },
    ...{ bundle: true, minify: true, format: "esm", platform: "browser", target: "es2022", legalComments: "none" },
    define: { "import.meta.url": '"file:///"' },
    inject: [join(root, ofNode)],
    plugins: [withoutNode(join(root, ofNode))],
    logLevel: "error",
  });
  const used = Object.entries(Object.values(metafile.outputs)[0]?.inputs ?? {}).filter(
    ([, one]) => one.bytesInOutput > 0,
  );
  await writeFile(`${outfile}.LICENSE.txt`, await licencesOf(packagesOf(used.map(([path]) => path))));
}

/** What `node.ts` has of Node's modules, and of a package that is compiled when it is loaded. */
const given = new Set([
  ...["node:crypto", "node:fs/promises", "node:module", "node:net", "node:timers/promises", "hash-wasm"],
]);
const builtins = new Set([...builtinModules, ...builtinModules.map((name) => `node:${name}`)]);

function withoutNode(replacement: string): Plugin {
  return {
    name: "without-node",
    setup({ onResolve, onLoad, resolve }) {
      onResolve({ filter: /./ }, async ({ path, kind, ...from }) => {
        if (from.pluginData === "resolved" || kind === "entry-point") return undefined;
        if (given.has(path)) return { path, namespace: "given", sideEffects: false };
        if (builtins.has(path)) return { path, namespace: "empty", sideEffects: false };
        const { importer, resolveDir } = from;
        const found = await resolve(path, { kind, importer, resolveDir, pluginData: "resolved" });
        // None of our modules does anything when it is imported.
        return found.errors.length > 0 ? undefined : { path: found.path, sideEffects: false };
      });
      // As CommonJS, of which an import that nothing uses may be missing.
      const contents = `module.exports = require(${JSON.stringify(replacement)});`;
      onLoad({ filter: /./, namespace: "given" }, () => ({ contents, resolveDir: dirname(replacement) }));
      onLoad({ filter: /./, namespace: "empty" }, () => ({ contents: "module.exports = {};" }));
      // Here its hash comes from a library that is there at once. Not every bundler of a page takes a module that waits.
      onLoad({ filter: /server[\\/]contract[\\/]checksum\.ts$/ }, async ({ path }) => {
        const text = await readFile(path, "utf8");
        if (!text.includes("await createKeccak(")) throw new Error(`${path} no longer waits for its hash.`);
        return { contents: text.replace("await createKeccak(", "createKeccak("), loader: "ts" };
      });
    },
  };
}

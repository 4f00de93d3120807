/** Bundles for the browser what somebody imports from the package. */
import { build } from "esbuild";

/** A bundle, and what went into it. */
export type Bundle = {
  code: string;
  /** Paths of the files in it, from `folder`. */
  files: string[];
  /** All that they import, Node's own modules too. */
  imports: string[];
};

/**
 * Bundles and minifies, for a page that finds the exports in a global variable.
 *
 * @param folder where packages are looked for
 * @param contents the text of a module
 */
export async function bundleFor(folder: string, contents: string, globalName: string): Promise<Bundle> {
  const { metafile, outputFiles } = await build({
    absWorkingDir: folder,
    stdin: { contents, resolveDir: folder },
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    format: "iife",
    globalName,
    platform: "browser",
    target: "es2022",
  });
  const inputs = Object.entries(metafile.inputs).filter(([file]) => file !== "<stdin>");
  return {
    code: outputFiles[0]?.text ?? "",
    files: inputs.map(([file]) => file),
    imports: inputs.flatMap(([, { imports }]) => imports.map(({ path }) => path)),
  };
}

/** Type-checks code that is in no file of its own: the reference's samples, and the guides' blocks. */
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** @param files texts by name @returns the compiler's complaints, by the project's own rules */
export function complaints(files: ReadonlyMap<string, string>): string[] {
  const config = ts.readConfigFile(join(root, "tsconfig.json"), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent({ ...config.config, include: [] }, ts.sys, root);
  const host = ts.createCompilerHost(options);
  const texts = new Map([...files].map(([name, text]) => [join(root, "test/docs", `${name}.sample.ts`), text]));
  const { fileExists, readFile, getSourceFile } = host;
  host.fileExists = (path) => texts.has(path) || fileExists(path);
  host.readFile = (path) => texts.get(path) ?? readFile(path);
  host.getSourceFile = (path, ...rest) => {
    const text = texts.get(path);
    // The format that Node would give a file of this package.
    if (text === undefined) return getSourceFile(path, ...rest);
    return ts.createSourceFile(path, text, {
      languageVersion: ts.ScriptTarget.ES2023,
      impliedNodeFormat: ts.ModuleKind.ESNext,
    });
  };
  const program = ts.createProgram([...texts.keys()], options, host);
  return ts.getPreEmitDiagnostics(program).map(({ file, messageText }) => {
    const where = file ? `${file.fileName.slice(dirname(file.fileName).length + 1)}: ` : "";
    return where + ts.flattenDiagnosticMessageText(messageText, "\n");
  });
}

/** What several generators share, made once: installed packages, a newer Node, and all that openapi-generator makes. */
import { cpSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { generateClients } from "../../../scripts/maintain/clients/openapi-generator.ts";
import { documents, type Generator } from "./generator.ts";
import { run } from "./run.ts";

export const generatorsFolder = fileURLToPath(new URL("../generators/", import.meta.url));
export const generatedFolder = fileURLToPath(new URL("../../../generated/", import.meta.url));
const limitMs = 8 * 60_000;
/** For generators that ask for Node 22.18 or later; npm has it as a package without scripts. */
const node = { atLeast: [22, 18], package: `node-${process.platform}-${process.arch}@24.21.0` } as const;

/** Makes something in a folder that is not there yet. @returns where the result is */
type Make = (folder: string, env: NodeJS.ProcessEnv) => Promise<string>;

const install = {
  npm: "npm ci --ignore-scripts",
  // A virtual environment with exactly what is pinned.
  python: "python3 -m venv venv && venv/bin/pip install --quiet --no-compile --no-deps --requirement requirements.txt",
};

/** The packages of `generators/npm/` or `generators/python/`. */
export const packagesOf =
  (kind: keyof typeof install): Make =>
  async (folder, env) => {
    cpSync(join(generatorsFolder, kind), folder, { recursive: true });
    await run({ of: `${kind} packages`, name: "fetching them", command: install[kind], cwd: folder, env, limitMs });
    return folder;
  };

/** What openapi-generator makes for these generators, in one JVM: a folder for each, with what it is asked for. */
export const madeByOpenapiGenerator =
  (generators: readonly Generator[]): Make =>
  async (folder, env) => {
    const wanted = generators.flatMap(({ id, made = {} }) =>
      Object.entries(made).map(([name, options]) => [`${id}/${name}`, options] as const),
    );
    return generateClients(folder, {
      wanted: new Map(wanted),
      document: join(generatedFolder, documents["3.0"]),
      step: (step) => run({ of: "openapi-generator", ...step, env, limitMs }),
    });
  };

/** @returns the folder of a Node that is new enough for every generator */
export const newerNode: Make = async (folder, env) => {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  const [least, leastMinor] = node.atLeast;
  if (major > least || (major === least && minor >= leastMinor)) return dirname(process.execPath);
  mkdirSync(folder);
  const command = `npm install --prefix . --ignore-scripts --no-package-lock ${node.package}`;
  await run({ of: "a newer Node", name: "fetching it", command, cwd: folder, env, limitMs });
  return join(folder, "node_modules", node.package.replace(/@.*/, ""), "bin");
};

/** Where clients are made: a temporary folder with a copy of each project, and the tools that several of them share. */
import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { sharedJanitor } from "../../../scripts/local/janitor.ts";
import { documents, type Generator } from "./generator.ts";
import { run } from "./run.ts";

const generatorsFolder = fileURLToPath(new URL("../generators/", import.meta.url));
const generatedFolder = fileURLToPath(new URL("../../../generated/", import.meta.url));
const minutes = 60_000;
/** For generators that ask for Node 22.18 or later; npm has it as a package without scripts. */
const newerNode = { atLeast: [22, 18], package: `node-${process.platform}-${process.arch}@24.21.0` } as const;

/** A temporary folder in which clients are made. */
export type Workshop = {
  /** Copies a generator's project, with the documents beside it. @returns the folder, and the environment of its commands */
  open(generator: Generator): Promise<{ folder: string; env: NodeJS.ProcessEnv }>;
  /** Removes everything. */
  close(): Promise<void>;
};

/** Makes one. */
export async function makeWorkshop(): Promise<Workshop> {
  const janitor = await sharedJanitor();
  const root = mkdtempSync(join(tmpdir(), "chain-webhooks-codegen-"));
  janitor.watchFolder(root);
  const made = new Map<string, Promise<string>>();
  const once = (name: string, make: (folder: string) => Promise<string>) => {
    const folder = join(root, name);
    const done = made.get(name) ?? make(folder);
    made.set(name, done);
    return done;
  };
  return {
    async open({ id, needs, shared, newerNode: wantsNewerNode }) {
      for (const tool of needs) await mustHave(tool);
      const folder = join(root, id);
      cpSync(join(generatorsFolder, id), folder, { recursive: true });
      for (const name of Object.values(documents)) cpSync(join(generatedFolder, name), join(folder, name));
      const env: NodeJS.ProcessEnv = { ...process.env, NO_COLOR: "1", CI: "true" };
      // What vitest sets for itself would put the programs into a test's mode.
      for (const name of ["NODE_ENV", "VITEST", "TEST", "NODE_OPTIONS"]) delete env[name];
      if (shared) symlinkSync(await once(shared, openapiGenerator), join(folder, "openapi-generator-cli.jar"));
      // Not in the project, whose sources are looked through.
      env.CARGO_TARGET_DIR = join(root, "cargo-target", id);
      env.PATH = `${join(folder, "venv/bin")}:${env.PATH}`;
      if (wantsNewerNode) env.PATH = `${await once("node", nodeFolder)}:${env.PATH}`;
      return { folder, env };
    },
    async close() {
      rmSync(root, { recursive: true, force: true });
      janitor.forgetFolder(root);
    },
  };
}

/** @throws with the tool's name when it is not on the machine, or does not run */
async function mustHave(tool: string): Promise<void> {
  const ask = tool === "go" ? "version" : "--version";
  await promisify(execFile)(tool, [ask]).catch((cause: Error) => {
    throw new Error(`${tool} is needed and cannot be run; --only leaves out what needs it. ${cause.message}`, {
      cause,
    });
  });
}

async function openapiGenerator(folder: string): Promise<string> {
  cpSync(join(generatorsFolder, "openapi-generator"), folder, { recursive: true });
  const command = "mvn -q -B dependency:copy-dependencies -DoutputDirectory=. -Dmdep.stripVersion=true";
  await run({ name: "fetching openapi-generator", command, cwd: folder, env: process.env, limitMs: 5 * minutes });
  return join(folder, "openapi-generator-cli.jar");
}

async function nodeFolder(folder: string): Promise<string> {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  const [least, leastMinor] = newerNode.atLeast;
  if (major > least || (major === least && minor >= leastMinor)) return dirname(process.execPath);
  mkdirSync(folder);
  const command = `npm install --prefix . --ignore-scripts --no-package-lock ${newerNode.package}`;
  await run({ name: "fetching a newer Node", command, cwd: folder, env: process.env, limitMs: 5 * minutes });
  return join(folder, "node_modules", newerNode.package.replace(/@.*/, ""), "bin");
}

/** Where clients are made: a temporary folder with a copy of each project, and what several of them share. */
import { execFile } from "node:child_process";
import { cpSync, mkdirSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { sharedJanitor } from "../../../scripts/local/janitor.ts";
import { documents, type Generator } from "./generator.ts";
import { generatedFolder, generatorsFolder, madeByOpenapiGenerator, newerNode, packagesOf } from "./shared.ts";

/** A temporary folder in which clients are made. */
export type Workshop = {
  /** Copies a generator's project, with the documents next to it. @returns the folder, and the environment of its commands */
  open(generator: Generator): Promise<{ folder: string; env: NodeJS.ProcessEnv }>;
  /** Removes everything. */
  close(): Promise<void>;
};

/** Makes one. @param generators those that will be opened in it */
export async function makeWorkshop(generators: readonly Generator[]): Promise<Workshop> {
  const janitor = await sharedJanitor();
  const root = janitor.makeFolder("chain-webhooks-codegen-");
  const shared = new Map<string, Promise<string>>();
  const once = (name: string, make: (folder: string, env: NodeJS.ProcessEnv) => Promise<string>) => {
    const done = shared.get(name) ?? make(join(root, "shared", name), environment());
    shared.set(name, done);
    return done;
  };
  mkdirSync(join(root, "shared"));
  return {
    async open({ id, needs, packages, made, newerNode: wantsNewerNode }) {
      for (const tool of needs) await mustHave(tool);
      const folder = join(root, id);
      cpSync(join(generatorsFolder, id), folder, { recursive: true });
      for (const name of Object.values(documents)) cpSync(join(generatedFolder, name), join(folder, name));
      const env = environment();
      if (made) {
        const clients = await once("openapi-generator", madeByOpenapiGenerator(generators));
        for (const name of Object.keys(made)) renameSync(join(clients, id, name), join(folder, name));
      }
      if (packages) {
        const installed = await once(packages, packagesOf(packages));
        if (packages === "npm") {
          // Says that the program is a module, too.
          cpSync(join(installed, "package.json"), join(folder, "package.json"));
          symlinkSync(join(installed, "node_modules"), join(folder, "node_modules"));
        } else env.PATH = `${join(installed, "venv/bin")}:${env.PATH}`;
      }
      // All Rust projects build the same packages. Not in the project, whose sources are looked through.
      env.CARGO_TARGET_DIR ??= join(root, "cargo-target");
      if (wantsNewerNode) env.PATH = `${await once("node", newerNode)}:${env.PATH}`;
      return { folder, env };
    },
    async close() {
      rmSync(root, { recursive: true, force: true });
      janitor.forgetFolder(root);
    },
  };
}

/** That of every command. */
export function environment(): NodeJS.ProcessEnv {
  const env: NodeJS.ProcessEnv = { ...process.env, NO_COLOR: "1", CI: "true" };
  // What vitest sets for itself would put the programs into a test's mode.
  for (const name of ["NODE_ENV", "VITEST", "TEST", "NODE_OPTIONS"]) delete env[name];
  // These JVMs live for seconds. Without the optimising compiler Kotlin's takes 16 s of processor time, with it 35 s.
  env.JAVA_TOOL_OPTIONS = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC";
  return env;
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

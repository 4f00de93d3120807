/** Which contracts were released, and which one a change is compared with. */
import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { isObject, type Json, type JsonObject } from "../../document/json.ts";
import { compareVersions } from "./version.ts";

const run = promisify(execFile);
const contractPath = "generated/openapi.json";

/** The published document of a release, as it is kept in openapi/releases/VERSION/. */
export type ReleasedContract = { version: string; contract: JsonObject };

/** Where the document of a release is kept. It is written by `npm run release`, and never changed. */
export const releasedPath = (version: string): string => `openapi/releases/${version}/openapi.json`;

/** @param folder of the project @returns what was released, the oldest first; nothing before the first release */
export async function releasedContracts(folder: string): Promise<ReleasedContract[]> {
  const names = await readdir(join(folder, "openapi/releases")).catch(() => []);
  const versions = names.filter((name) => /^\d+\.\d+\.\d+$/.test(name)).sort(compareVersions);
  return Promise.all(
    versions.map(async (version) => {
      const path = releasedPath(version);
      return { version, contract: contractIn(await readFile(join(folder, path), "utf8"), path) };
    }),
  );
}

/** A contract to compare with. `name` says in words which that is; `released` that others may rely on it. */
export type Baseline = { name: string; contract: JsonObject; released: boolean };

/** That there is nothing to compare with, and why. */
export type NoBaseline = { missing: string };

/**
 * The contract to compare with: at a git reference; without one the newest in openapi/releases/, and as long as there is
 * none that of the first commit that has a contract, which binds nobody. Where git or its history is not at hand, as in an
 * unpacked archive or a shallow clone, it says so.
 *
 * @param folder of the project.
 * @throws when a reference was given and it, or the contract in it, is not there.
 */
export async function findBaseline(folder: string, reference?: string): Promise<Baseline | NoBaseline> {
  if (reference?.startsWith("-")) throw new Error(`${reference} is not a git reference.`);
  if (reference) return { name: reference, contract: await contractAt(folder, reference), released: true };
  try {
    return await lastRelease(folder);
  } catch (error) {
    return { missing: (error as Error).message };
  }
}

async function lastRelease(folder: string): Promise<Baseline | NoBaseline> {
  const last = (await releasedContracts(folder)).at(-1);
  if (last) return { name: `the release ${last.version}`, contract: last.contract, released: true };
  if ((await git(folder, "rev-parse", "--is-shallow-repository")).trim() === "true")
    return { missing: "nothing is released yet, and this clone is shallow. `git fetch --unshallow` gets its history" };
  const added = ["log", "--diff-filter=A", "--reverse", "--format=%H", "--", contractPath];
  const [commit] = (await git(folder, ...added)).split("\n");
  if (!commit) return { missing: `nothing is released yet, and no commit has ${contractPath}` };
  const name = `${commit.slice(0, 7)}, the first commit with a contract`;
  return { name, contract: await contractAt(folder, commit), released: false };
}

const contractAt = async (folder: string, ref: string) =>
  contractIn(await git(folder, "show", `${ref}:${contractPath}`), `${contractPath} at ${ref}`);

function contractIn(text: string, name: string): JsonObject {
  const contract: Json = JSON.parse(text);
  if (!isObject(contract)) throw new Error(`${name} is not an object.`);
  return contract;
}

/** Runs git in a folder. @returns what it prints @throws with what it says */
export async function git(folder: string, ...args: string[]): Promise<string> {
  try {
    return (await run("git", args, { cwd: folder, maxBuffer: 64 * 1024 * 1024 })).stdout;
  } catch (error) {
    const { stderr = "" } = error as { stderr?: string };
    throw new Error(`git ${args.at(-1)}: ${stderr.trim() || (error as Error).message}`, { cause: error });
  }
}

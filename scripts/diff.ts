/**
 * Compares the contract with the last release, and refuses a change that breaks somebody unless the major version has grown.
 *
 *     npm run diff              with the newest v* tag
 *     npm run diff -- v1.2.0    with any git reference
 */
import { readFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { total } from "./diff/comparison.ts";
import { compareContracts } from "./diff/contract.ts";
import { releasedContract } from "./diff/release.ts";
import { judgeVersion } from "./diff/version.ts";
import { asObject, isObject, type Json } from "./document/json.ts";
import { redocly, withTemporaryFolder } from "./generate.ts";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "..");

/** The contract as it stands in openapi/, not as it was generated last, so that a stale bundle hides nothing. */
async function currentContract(): Promise<Json> {
  return withTemporaryFolder(async (folder) => {
    const path = join(folder, "openapi.json");
    await redocly("bundle", "v1", "--output", path);
    return JSON.parse(await readFile(path, "utf8"));
  });
}

try {
  const [released, current] = await Promise.all([releasedContract(root, process.argv[2]), currentContract()]);
  if (!isObject(current)) throw new Error("The contract is not an object.");
  const changes = compareContracts(released.contract, current);
  console.log(`Compared with ${released.name}.\n`);
  for (const { rating, where, what } of changes) console.log(`${rating.padEnd(7)}${where}: ${what}`);
  const versions = [released.contract, current].map((contract) => String(asObject(contract.info).version));
  const verdict = judgeVersion(total(changes), versions[0] ?? "", versions[1] ?? "");
  console.log(`${changes.length > 0 ? "\n" : ""}${verdict.message}`);
  process.exitCode = verdict.refused ? 1 : 0;
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 2;
}

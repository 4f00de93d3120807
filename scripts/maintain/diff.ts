/**
 * Compares the contract with the last release, and refuses a change that breaks somebody unless the major version has grown.
 * As long as nothing is released it only informs, and where git has nothing to compare with it says so; neither fails.
 *
 *     npm run diff              with the newest v* tag
 *     npm run diff -- v1.2.0    with any git reference
 */
import { readFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { asObject, isObject, type Json, type JsonObject } from "../document/json.ts";
import { redocly } from "../document/redocly.ts";
import { withTemporaryFolder } from "../document/temporary-folder.ts";
import { total } from "./diff/comparison.ts";
import { compareContracts } from "./diff/contract.ts";
import { type Baseline, findBaseline } from "./diff/release.ts";
import { judgeVersion } from "./diff/version.ts";
import { openAnswers } from "./open-answers.ts";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");

/** The published contract, made from openapi/ and not read from generated/, so that a stale bundle hides nothing. */
async function currentContract(): Promise<JsonObject> {
  return withTemporaryFolder(async (folder) => {
    const path = join(folder, "openapi.json");
    await redocly("bundle", "v1", "--output", path);
    const closed: Json = JSON.parse(await readFile(path, "utf8"));
    if (!isObject(closed)) throw new Error("The contract is not an object.");
    return openAnswers(closed);
  });
}

/** Tells what changed. @returns whether that is refused */
function report({ name, contract, released }: Baseline, current: JsonObject): boolean {
  const changes = compareContracts(contract, current);
  if (!released)
    console.log("Nothing is released yet: no v* tag leads here. What follows informs, and refuses nothing.");
  console.log(`Compared with ${name}.\n`);
  for (const { rating, where, what } of changes) console.log(`${rating.padEnd(7)}${where}: ${what}`);
  if (changes.length > 0) console.log();
  const rating = total(changes);
  const versionOf = (document: JsonObject) => String(asObject(document.info).version);
  const verdict = released
    ? judgeVersion(rating, versionOf(contract), versionOf(current))
    : { refused: false, message: rating ? `In all ${rating}; nobody relies on it yet.` : "Nothing changed." };
  console.log(verdict.message);
  return verdict.refused;
}

try {
  const [baseline, current] = await Promise.all([findBaseline(root, process.argv[2]), currentContract()]);
  if ("missing" in baseline) console.log(`The contract was not compared with a release: ${baseline.missing}.`);
  else process.exitCode = report(baseline, current) ? 1 : 0;
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 2;
}

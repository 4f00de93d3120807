/**
 * Compares the contract with the last release, and refuses a change that breaks somebody unless the major version has grown.
 * As long as nothing is released it only informs, and where git has nothing to compare with it says so; neither fails.
 *
 *     npm run diff              with the newest of openapi/releases/
 *     npm run diff -- v1.2.0    with any git reference
 *     npm run diff -- OLD NEW   any two documents, as `chain-webhooks-tools diff` does
 */
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { run as compareDocuments } from "../command/commands/diff.ts";
import { compareContracts } from "../command/diff/contract.ts";
import { total } from "../command/diff/finding.ts";
import { placeInDocument } from "../command/diff/outcome.ts";
import { asObject, type JsonObject } from "../document/json.ts";
import { withTemporaryFolder } from "../document/temporary-folder.ts";
import { type Baseline, findBaseline } from "./diff/release.ts";
import { judgeVersion } from "./diff/version.ts";
import { publishedDocument } from "./published-document.ts";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");

/** Made from openapi/ and not read from generated/, so that a stale bundle hides nothing. */
const currentContract = () => withTemporaryFolder((folder) => publishedDocument(join(folder, "openapi.json")));

/** Prints what changed. @returns whether that is refused */
function report({ name, contract, released }: Baseline, current: JsonObject): boolean {
  const changes = compareContracts(contract, current, new Date().toISOString().slice(0, 10));
  if (!released)
    console.log(
      "Nothing is released yet: openapi/releases/ has no version. What follows informs, and refuses nothing.",
    );
  console.log(`Compared with ${name}.\n`);
  for (const change of changes) console.log(`${change.bump.padEnd(7)}${placeInDocument(change)}: ${change.what}`);
  if (changes.length > 0) console.log();
  const rating = total(changes);
  const versionOf = (document: JsonObject) => String(asObject(document.info).version);
  const verdict = released
    ? judgeVersion(rating, versionOf(contract), versionOf(current))
    : { refused: false, message: rating ? `In all ${rating}; nobody relies on it yet.` : "Nothing changed." };
  console.log(verdict.message);
  return verdict.refused;
}

async function gate(): Promise<void> {
  const [baseline, current] = await Promise.all([findBaseline(root, process.argv[2]), currentContract()]);
  if ("missing" in baseline) console.log(`The contract was not compared with a release: ${baseline.missing}.`);
  else process.exitCode = report(baseline, current) ? 1 : 0;
}

const args = process.argv.slice(2);
try {
  if (args.length > 1) process.exitCode = await compareDocuments(args);
  else await gate();
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 2;
}

/**
 * What can be checked without running the service: the contract, what is generated from it, format, lint, licences and types.
 * `npm run check [-- PART OF A NAME…]` runs some of the checks; `npm run check -- changed` generates, checks and tests what changed.
 */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { availableParallelism } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { redocly } from "../document/redocly.ts";
import { withTemporaryFolder } from "../document/temporary-folder.ts";
import { changedFiles } from "./changed/files.ts";
import { nearestTests } from "./changed/nearest-tests.ts";
import { generate } from "./generate.ts";
import { assertAcceptable, installedAlong } from "./supply-chain/installed-along.ts";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const run = promisify(execFile);
const resolvePackage = (name: string) => createRequire(import.meta.url).resolve(name);

type Check = { name: string; check: () => Promise<void> };

const checks: readonly Check[] = [
  { name: "the contract follows its rules", check: async () => void (await redocly("lint", "v1")) },
  {
    name: "the workflows are Arazzo, of operations that there are",
    check: async () => void (await redocly("lint", "openapi/workflows.arazzo.yaml")),
  },
  { name: "the contract's score", check: compareScore },
  { name: "generated/ is what the contract makes", check: compareGenerated },
  { name: "format and lint", check: () => lint(".") },
  {
    name: "licences and install scripts of what is installed along",
    check: async () => assertAcceptable(await installedAlong()),
  },
  { name: "types", check: checkTypes },
];

const lint = (...files: string[]) =>
  node(resolvePackage("@biomejs/biome/bin/biome"), "check", "--error-on-warnings", ...files);

/** Only what changed since the last time is checked again, which takes 2 s of processor instead of 9. */
function checkTypes(): Promise<void> {
  const record = join(root, "node_modules/.cache/chain-webhooks/types.tsbuildinfo");
  return node(resolvePackage("typescript/bin/tsc"), "-p", ".", "--incremental", "--tsBuildInfoFile", record);
}

async function node(script: string, ...args: string[]): Promise<void> {
  try {
    await run(process.execPath, [script, ...args], { cwd: root, maxBuffer: 64 * 1024 * 1024 });
  } catch (error) {
    const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string };
    throw new Error(`${stdout}${stderr}`.trim(), { cause: error });
  }
}

/** 92.8 with Redocly CLI 2.77; what it lacks to 100 is the payload's depth, and schemas that several operations share. */
const leastScore = 92;
/** The published document is what readers have. The source composes, which the score takes for polymorphism. */
const scored = "generated/openapi.json";

async function compareScore(): Promise<void> {
  const printed = await redocly("score", scored, "--format", "json");
  const score = JSON.parse(printed.slice(printed.indexOf("{"), printed.lastIndexOf("}") + 1)) as {
    agentReadiness: number;
    subscores: Record<string, number>;
  };
  const full = ["documentationQuality", "exampleCoverage", "errorClarity", "identifierClarity", "polymorphismClarity"];
  const lost = full.filter((name) => (score.subscores[name] ?? 0) < 1);
  if (lost.length > 0) throw new Error(`Less than all of it has ${lost.join(", ")}. See: npx redocly score ${scored}`);
  if (score.agentReadiness < leastScore)
    throw new Error(
      `The score is ${score.agentReadiness}, and must be at least ${leastScore}. See: npx redocly score ${scored}`,
    );
}

async function compareGenerated(): Promise<void> {
  await withTemporaryFolder(async (fresh) => {
    await generate(fresh);
    const folder = join(root, "generated");
    const recursive = { recursive: true };
    const names = new Set([...(await readdir(fresh, recursive)), ...(await readdir(folder, recursive))]);
    const read = (path: string) => readFile(path, "utf8").catch(() => undefined);
    const stale: string[] = [];
    for (const name of names)
      if ((await read(join(fresh, name))) !== (await read(join(folder, name)))) stale.push(name);
    if (stale.length > 0)
      throw new Error(`Stale: ${stale.map((name) => `generated/${name}`).join(", ")}. Run: npm run generate`);
  });
}

/** The checks that a change needs, and the tests nearest to it. What is generated is written first, since the rest depends on it. */
async function checksOfChange(): Promise<Check[]> {
  const before = await changedFiles(root);
  const isOfContract = (path: string) => /^(openapi|generated)\/|^scripts\/(maintain|document)\//.test(path);
  if (before.some(isOfContract))
    await report({ name: "generate", check: async () => void (await generate(join(root, "generated"))) });
  const changed = await changedFiles(root);
  const present = changed.filter((path) => existsSync(join(root, path)));
  const code = present.filter((path) => /\.(m?[jt]s|json|md)$/.test(path));
  const needed = (name: string) => checks.filter((check) => check.name.includes(name));
  const { tests: nearest, further } = await nearestTests(root, await trackedFiles(), changed, 5);
  const long = nearest.filter((path) => path.endsWith(".long.test.ts"));
  const tests = nearest.filter((path) => !long.includes(path));
  const broken = present.flatMap((path) => /^test\/conformance\/broken\/(.+)\.ts$/.exec(path)?.[1] ?? []);
  if (long.length > 0) console.log(`Not run, since they take minutes: npx vitest run ${long.join(" ")}`);
  if (further > 0) console.log(`${further} more test files reach the change; npm run test:all runs them, too.`);
  return [
    ...(changed.some((path) => path.startsWith("openapi/")) ? [...needed("its rules"), ...needed("workflows")] : []),
    ...(changed.includes("package-lock.json") ? needed("licences") : []),
    ...(code.length > 0
      ? [{ name: `format and lint of ${code.length} files`, check: () => lint("--no-errors-on-unmatched", ...code) }]
      : []),
    ...(tests.length > 0
      ? [{ name: tests.join(" "), check: () => node(vitest, "run", "--reporter=dot", ...tests) }]
      : []),
    ...(broken.length > 0
      ? [
          {
            name: `conformance refuses ${broken.join(" ")}`,
            check: () => node(vitest, ...conformance, broken.join("|")),
          },
        ]
      : []),
    ...(changed.some((path) => path.endsWith(".ts")) ? needed("types") : []),
  ];
}

const vitest = join(root, "node_modules/vitest/vitest.mjs");
const conformance = ["run", "--reporter=dot", "--config", "test/conformance/vitest.config.ts", "-t"];

async function trackedFiles(): Promise<string[]> {
  const { stdout } = await run("git", ["ls-files", "--cached", "--others", "--exclude-standard"], { cwd: root });
  return stdout.split("\n").filter((path) => path !== "" && existsSync(join(root, path)));
}

let failed = 0;

async function report({ name, check }: Check): Promise<void> {
  const began = performance.now();
  console.log(`begins  ${name}`);
  try {
    await check();
    console.log(`ok      ${name} (${((performance.now() - began) / 1_000).toFixed(0)} s)`);
  } catch (error) {
    failed += 1;
    console.error(`FAILED  ${name}\n\n${(error as Error).message}\n`);
  }
}

const asked = process.argv.slice(2);
const named = () => checks.filter(({ name }) => asked.length === 0 || asked.some((part) => name.includes(part)));
const isOfChange = asked.length === 1 && asked[0] === "changed";
const wanted = isOfChange ? await checksOfChange() : named();
if (wanted.length === 0 && isOfChange) console.log("Nothing has changed that a check or a test is for.");
if (wanted.length === 0 && !isOfChange) {
  failed = 1;
  console.error(`No check is named so; there are:\n${checks.map(({ name }) => `  ${name}`).join("\n")}`);
}
// The longest are the last of them, and each is a process of its own.
const waiting = [...wanted].reverse();
const next = async (): Promise<void> => {
  const check = waiting.shift();
  if (check) await report(check).then(next);
};
await Promise.all(Array.from({ length: availableParallelism() }, next));
process.exitCode = failed === 0 ? 0 : 1;

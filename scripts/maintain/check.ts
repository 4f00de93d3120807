/**
 * Everything that can be told without running the service: the contract, what is made from it, format, lint, licences and types.
 * `npm run check [-- PART OF A NAME…]` makes some of the checks.
 */
import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { redocly } from "../document/redocly.ts";
import { withTemporaryFolder } from "../document/temporary-folder.ts";
import { generate } from "./generate.ts";
import { assertAcceptable, installedAlong } from "./supply-chain/installed-along.ts";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const run = promisify(execFile);
const resolvePackage = (name: string) => createRequire(import.meta.url).resolve(name);

const checks: readonly { name: string; check: () => Promise<void> }[] = [
  { name: "the contract follows its rules", check: async () => void (await redocly("lint", "v1")) },
  {
    name: "the workflows are Arazzo, of operations that there are",
    check: async () => void (await redocly("lint", "openapi/workflows.arazzo.yaml")),
  },
  { name: "the contract's score", check: compareScore },
  { name: "generated/ is what the contract makes", check: compareGenerated },
  {
    name: "format and lint",
    check: () => node(resolvePackage("@biomejs/biome/bin/biome"), "check", "--error-on-warnings", "."),
  },
  {
    name: "licences and install scripts of what is installed along",
    check: async () => assertAcceptable(await installedAlong()),
  },
  { name: "types", check: () => node(resolvePackage("typescript/bin/tsc"), "-p", ".") },
];

async function node(script: string, ...args: string[]): Promise<void> {
  try {
    await run(process.execPath, [script, ...args], { cwd: root, maxBuffer: 64 * 1024 * 1024 });
  } catch (error) {
    const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string };
    throw new Error(`${stdout}${stderr}`.trim(), { cause: error });
  }
}

/** 91.0 with Redocly CLI 2.77; what it lacks to 100 is the payload's depth, and schemas that several operations share. */
const leastScore = 91;

async function compareScore(): Promise<void> {
  const printed = await redocly("score", "v1", "--format", "json");
  const score = JSON.parse(printed.slice(printed.indexOf("{"), printed.lastIndexOf("}") + 1)) as {
    agentReadiness: number;
    subscores: Record<string, number>;
  };
  const full = ["documentationQuality", "exampleCoverage", "errorClarity", "identifierClarity", "polymorphismClarity"];
  const lost = full.filter((name) => (score.subscores[name] ?? 0) < 1);
  if (lost.length > 0) throw new Error(`Less than all of it has ${lost.join(", ")}. See: npx redocly score v1`);
  if (score.agentReadiness < leastScore)
    throw new Error(
      `The score is ${score.agentReadiness}, and must be at least ${leastScore}. See: npx redocly score v1`,
    );
}

async function compareGenerated(): Promise<void> {
  await withTemporaryFolder(async (fresh) => {
    await generate(fresh);
    const folder = join(root, "generated");
    const names = new Set([...(await readdir(fresh)), ...(await readdir(folder))]);
    const read = (path: string) => readFile(path, "utf8").catch(() => undefined);
    const stale: string[] = [];
    for (const name of names)
      if ((await read(join(fresh, name))) !== (await read(join(folder, name)))) stale.push(name);
    if (stale.length > 0)
      throw new Error(`Stale: ${stale.map((name) => `generated/${name}`).join(", ")}. Run: npm run generate`);
  });
}

const asked = process.argv.slice(2);
const wanted = checks.filter(({ name }) => asked.length === 0 || asked.some((part) => name.includes(part)));
let failed = 0;
if (wanted.length === 0) {
  failed = 1;
  console.error(`No check is named so; there are:\n${checks.map(({ name }) => `  ${name}`).join("\n")}`);
}
for (const { name, check } of wanted) {
  try {
    await check();
    console.log(`ok      ${name}`);
  } catch (error) {
    failed += 1;
    console.error(`FAILED  ${name}\n\n${(error as Error).message}\n`);
  }
}
process.exitCode = failed === 0 ? 0 : 1;

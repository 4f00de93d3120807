/**
 * What oasdiff says of each edit of the shop, next to Redocly and ours. It needs Go, and fetches oasdiff from the Go module proxy.
 *
 *     node --import tsx test/contract/other-tools.ts               the table, with the differences counted, and who is right about each
 *     node --import tsx test/contract/other-tools.ts -- --write    also writes edits/others.json
 */
import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { withTemporaryFolder } from "../../scripts/document/temporary-folder.ts";
import { differences } from "./edits/differences.ts";
import { writePairs } from "./edits/shop.ts";
import { shopEdits } from "./edits/shop-edits.ts";

const oasdiff = "github.com/oasdiff/oasdiff@v1.36.0";
const run = promisify(execFile);
const levels = ["none", "info", "warning", "breaking"];
const file = new URL("edits/others.json", import.meta.url);

/** 0 where oasdiff finds nothing, else as it grades: 1 information, 2 a warning, 3 an error. */
async function oasdiffLevel(program: string, folder: string, index: number): Promise<string> {
  const paths = [join(folder, `${index}.old.json`), join(folder, `${index}.new.json`)];
  const { stdout } = await run(program, ["changelog", ...paths, "--format", "json"], { maxBuffer: 16 * 1024 * 1024 });
  const found = (JSON.parse(stdout || "[]") ?? []) as { level: number }[];
  return levels[Math.max(0, ...found.map(({ level }) => level))] ?? "none";
}

await withTemporaryFolder(async (folder) => {
  // The folder is removed with what Go has downloaded, which it would make read-only.
  const env = { ...process.env, GOPATH: join(folder, "go"), GOBIN: folder, GOFLAGS: "-modcacherw" };
  await run("go", ["install", oasdiff], { env, maxBuffer: 16 * 1024 * 1024 });
  writePairs(folder, shopEdits);
  await run(process.execPath, [fileURLToPath(new URL("redocly-ratings.mjs", import.meta.url)), folder], {
    maxBuffer: 64 * 1024 * 1024,
  });
  const rows: Record<string, { redocly: string; oasdiff: string }> = {};
  for (const [index, [name]] of shopEdits.entries()) {
    const report = JSON.parse(readFileSync(join(folder, `${index}.report.json`), "utf8")) as { bump?: string };
    rows[name] = {
      redocly: report.bump ?? "none",
      oasdiff: await oasdiffLevel(join(folder, "oasdiff"), folder, index),
    };
  }
  for (const [name, level] of shopEdits) {
    const { right = "", why = "" } = differences.find(({ edits }) => edits.includes(name)) ?? {};
    console.log([level, rows[name]?.redocly, rows[name]?.oasdiff, name, right, why].join("\t"));
  }
  const count = (isSo: (row: { redocly: string; oasdiff: string }) => boolean, of: "breaking" | "harmless") =>
    shopEdits.filter(([name, level]) => {
      const row = rows[name];
      const belongs = of === "breaking" ? level === "breaking" : level === "info" || level === "none";
      return row !== undefined && belongs && isSo(row);
    }).length;
  console.log(
    `\nOf the edits that break somebody, Redocly passes ${count(({ redocly }) => redocly !== "major", "breaking")}`,
  );
  console.log(`and oasdiff ${count((row) => row.oasdiff === "info" || row.oasdiff === "none", "breaking")}.`);
  console.log(`Of those that break nobody, Redocly refuses ${count(({ redocly }) => redocly === "major", "harmless")}`);
  console.log(`and oasdiff ${count((row) => row.oasdiff === "breaking", "harmless")}.`);
  if (process.argv.includes("--write")) writeFileSync(file, `${JSON.stringify(rows, null, 2)}\n`);
});

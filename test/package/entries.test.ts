/** Every entry point of the installed package: its types in both module resolutions of today, and what it does in Node. */
import { execFile } from "node:child_process";
import { copyFile, readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { packageProject as project } from "../support/installed-package.ts";

const run = promisify(execFile);
const tsc = createRequire(import.meta.url).resolve("typescript/bin/tsc");
// Declarations of the package, and of what it builds on, are checked too: some seconds on an idle machine.
const patienceMs = 180_000;
const strict = ["--strict", "--exactOptionalPropertyTypes", "--noUncheckedIndexedAccess", "--target", "es2022"];

/** Compiles the stranger's file in the project, declarations of the package and of what it builds on included. */
async function compile(...options: string[]): Promise<string> {
  await copyFile(new URL("stranger.ts", import.meta.url), join(project, "stranger.ts"));
  const args = [tsc, "stranger.ts", ...strict, "--resolveJsonModule", ...options];
  return run(process.execPath, args, { cwd: project }).then(
    () => "",
    (error: { stdout: string }) => error.stdout,
  );
}

test("a TypeScript project type-checks with it under nodenext, and then runs in Node", {
  timeout: patienceMs,
}, async () => {
  expect(await compile("--module", "nodenext", "--moduleResolution", "nodenext")).toBe("");
  const { stdout } = await run(process.execPath, ["stranger.js"], { cwd: project });
  expect(stdout).toBe("every entry point works\n");
});

test("a TypeScript project type-checks with it under bundler", { timeout: patienceMs }, async () => {
  expect(await compile("--module", "esnext", "--moduleResolution", "bundler", "--noEmit")).toBe("");
});

test("the stranger uses every entry point, a guide lists it, and it stands for one in the sources", async () => {
  const used = await readFile(new URL("stranger.ts", import.meta.url), "utf8");
  const manifest = JSON.parse(await readFile(new URL("../../package.json", import.meta.url), "utf8"));
  const guide = await readFile(new URL("../../docs/clients.md", import.meta.url), "utf8");
  const { paths } = JSON.parse(await readFile(new URL("../../tsconfig.json", import.meta.url), "utf8")).compilerOptions;
  for (const [entry, target] of Object.entries<string | { default: string }>(manifest.exports)) {
    const name = `chain-webhooks${entry.slice(1)}`;
    const file = (typeof target === "string" ? target : target.default)
      .replace("./dist/", "./")
      .replace(/\.js$/, ".ts");
    if (name === "chain-webhooks/package.json") continue;
    const named = entry === "./schemas/*" ? "notification.json" : "notification.fungible-transfer.json";
    expect(used).toContain(`"${name.replace("*", named)}"`);
    expect(guide).toContain(`| \`${name}\` `);
    if (!file.endsWith(".yaml")) expect(paths[name]).toEqual([file]);
  }
});

test("a page's project needs neither the types of Node nor those of Express", { timeout: patienceMs }, async () => {
  const text = 'export { createWebhooksClient, type webhooks, verifyNotification } from "chain-webhooks";\n';
  const config = { files: ["page.ts"], compilerOptions: { types: [], lib: ["es2022", "dom", "dom.iterable"] } };
  await writeFile(join(project, "page.ts"), text);
  await writeFile(join(project, "page.json"), JSON.stringify(config));
  const args = [tsc, "-p", "page.json", ...strict, "--noEmit", "--module", "esnext", "--moduleResolution", "bundler"];
  const { stdout } = await run(process.execPath, [...args, "--listFilesOnly"], { cwd: project });
  expect(stdout).not.toMatch(/@types|dist\/server/);
  await run(process.execPath, args, { cwd: project });
});

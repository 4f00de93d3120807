/** The types of the installed packages, in both module resolutions of today. */
import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { implementerProject as project } from "../support/installed-package.ts";
import { compileStranger, strict, tsc } from "./stranger-project.ts";

const run = promisify(execFile);
// Declarations of the package, and of what it builds on, are checked too: some seconds on an idle machine.
const patienceMs = 180_000;

test.each([
  { resolution: "nodenext", module: "nodenext" },
  { resolution: "bundler", module: "esnext" },
])(
  "a TypeScript project type-checks with it under $resolution",
  { timeout: patienceMs },
  async ({ resolution, module }) => {
    expect(await compileStranger("typed.ts", "--module", module, "--moduleResolution", resolution, "--noEmit")).toBe(
      "",
    );
  },
);

test("a page's project needs neither the types of Node nor those of Express", { timeout: patienceMs }, async () => {
  const text = 'export { createWebhooksClient, type webhooks, verifyNotification } from "chain-webhooks";\n';
  const config = { files: ["page.ts"], compilerOptions: { types: [], lib: ["es2022", "dom", "dom.iterable"] } };
  await writeFile(join(project, "page.ts"), text);
  await writeFile(join(project, "page.json"), JSON.stringify(config));
  const args = [tsc, "-p", "page.json", ...strict, "--noEmit", "--module", "esnext", "--moduleResolution", "bundler"];
  const { stdout } = await run(process.execPath, [...args, "--listFilesOnly"], { cwd: project });
  expect(stdout).not.toMatch(/@types|chain-webhooks[^/]*\/server/);
  await run(process.execPath, args, { cwd: project });
});

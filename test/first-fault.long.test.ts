/** A hook that runs out of time says so, and nothing else: what follows from it would hide it. */
import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));
const late = `import { afterAll, beforeAll, test } from "vitest";
let api;
beforeAll(async () => { await new Promise(() => undefined); api = { close: () => undefined }; }, 100);
afterAll(() => api.close());
afterAll(() => { throw new Error("the folder is still there"); });
test("never runs", () => undefined);
`;

test("a hook's time-out is shown without what it leaves undefined, and with other faults", async () => {
  const folder = await mkdtemp(join(root, "node_modules/.vitest-hook-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, "late.test.js"), late);
  const config = `import { shared } from "${join(root, "vitest.config.ts")}";
export default { test: { ...shared, include: ["late.test.js"], exclude: [], setupFiles: [] } };`;
  await writeFile(join(folder, "vitest.config.ts"), config);
  const vitest = join(createRequire(import.meta.url).resolve("vitest/package.json"), "../vitest.mjs");
  const said = await new Promise<string>((resolve) => {
    execFile(
      process.execPath,
      [vitest, "run", "--no-color", "--root", folder],
      { cwd: root },
      (_error, stdout, stderr) => resolve(stdout + stderr),
    );
  });
  expect(said).toContain("Hook timed out in 100ms");
  expect(said).toContain("the folder is still there");
  expect(said).not.toContain("Cannot read properties of undefined");
});

test("every configuration of tests uses what shows it so", async () => {
  const configurations = (await readdir(join(root, "test"))).map((name) =>
    join(root, "test", name, "vitest.config.ts"),
  );
  for (const path of configurations) {
    const text = await readFile(path, "utf8").catch(() => undefined);
    if (text !== undefined) expect(text, path).toMatch(/\.\.\.(shared|ofProject)|runner: shared\.runner/);
  }
});

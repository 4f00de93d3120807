/** `npm run check` notices when generated/ is not what the contract makes. */
import { execFile } from "node:child_process";
import { appendFile, cp, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));
let copy: string;

beforeAll(async () => {
  copy = await mkdtemp(join(tmpdir(), "chain-webhooks-check-"));
  for (const name of [
    "openapi",
    "generated",
    "scripts",
    "server",
    "redocly.yaml",
    "package.json",
    "package-lock.json",
    "biome.json",
  ]) {
    await cp(join(root, name), join(copy, name), { recursive: true });
  }
  await symlink(join(root, "node_modules"), join(copy, "node_modules"));
});
afterAll(() => rm(copy, { recursive: true, force: true }));

/** @param names of the checks to make, or parts of them */
function check(...names: string[]): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      ["--import", "tsx", "scripts/maintain/check.ts", ...names],
      { cwd: copy },
      (error, stdout, stderr) => {
        resolve({ code: error ? 1 : 0, output: stdout + stderr });
      },
    );
  });
}

test("a generated file that was edited is named, and so is one that the contract does not make", async () => {
  expect((await check("generated")).output).toContain("ok      generated/ is what the contract makes");
  await appendFile(join(copy, "generated/operations.ts"), "// edited\n");
  await appendFile(join(copy, "generated/more.ts"), "");
  const { code, output } = await check("generated");
  expect(code).toBe(1);
  expect(output).toMatch(/Stale: generated\/operations\.ts, generated\/more\.ts\. Run: npm run generate/);
});

test("an example that does not fit its schema fails", async () => {
  const example = join(copy, "openapi/examples/update-webhook.pause.json");
  const { writeFile } = await import("node:fs/promises");
  await writeFile(example, '{ "summary": "Pause", "value": { "status": "paused" } }\n');
  const { output } = await check("follows its rules");
  expect(output).toContain("FAILED  the contract follows its rules");
  expect(output).toContain("no-invalid-media-type-examples");
});

test("an unknown check is refused, with the names of the checks", async () => {
  const { code, output } = await check("speling");
  expect(code).toBe(1);
  expect(output).toContain("No check is named so; there are:");
  expect(output).toContain("generated/ is what the contract makes");
});

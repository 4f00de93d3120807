/** `npm run diff` compares with the last release. It lists the changes, and fails for a breaking one in the same major version. */
import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { releasedPath } from "../../scripts/maintain/diff/release.ts";
import { judgeVersion } from "../../scripts/maintain/diff/version.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const run = promisify(execFile);
let copy: string;

const git = (...args: string[]) =>
  run("git", ["-c", "user.name=test", "-c", "user.email=test@example.com", "-c", "commit.gpgsign=false", ...args], {
    cwd: copy,
  });

beforeAll(async () => {
  copy = await mkdtemp(join(tmpdir(), "chain-webhooks-diff-"));
  for (const name of ["openapi", "generated", "scripts", "client", "server", "redocly.yaml", "package.json"])
    await cp(join(root, name), join(copy, name), { recursive: true });
  await git("init", "--quiet");
  await git("add", "--all", ".");
  await git("commit", "--quiet", "--message", "The contract");
  await symlink(join(root, "node_modules"), join(copy, "node_modules"));
});
// Each run starts the Redocly CLI: 2 s by itself, five times that beside other test runs on two cores.
afterAll(() => rm(copy, { recursive: true, force: true }));

async function diff(...args: string[]): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    const command = ["--import", "tsx", "scripts/maintain/diff.ts", ...args];
    execFile(process.execPath, command, { cwd: copy }, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code) : 0, output: stdout + stderr });
    });
  });
}

async function editContract(from: string, to: string): Promise<void> {
  const path = join(copy, "openapi/openapi.yaml");
  const text = await readFile(path, "utf8");
  expect(text).toContain(from);
  await writeFile(path, text.replace(from, to));
}

test("a contract that is as it was has no change", async () => {
  const { code, output } = await diff("HEAD");
  expect(output).toContain("Compared with HEAD.\n\nNothing changed.");
  expect(code).toBe(0);
});

test("without a release it reports that nothing is released, and lists the changes for information", async () => {
  await editContract("pattern: ^[1-9][0-9]{0,18}$", "pattern: ^[1-9][0-9]{0,9}$");
  const { code, output } = await diff();
  await editContract("pattern: ^[1-9][0-9]{0,9}$", "pattern: ^[1-9][0-9]{0,18}$");
  expect(output).toMatch(
    /^Nothing is released yet: .*\nCompared with [0-9a-f]{7}, the first commit with a contract\.\n\n/,
  );
  expect(output).toMatch(/^major +ChainId, in requests: pattern/m);
  expect(output).toContain("In all major; nobody relies on it yet.");
  expect(code).toBe(0);
});

test("without git's history it reports that nothing was compared, and succeeds", async () => {
  await rename(join(copy, ".git"), join(copy, "history"));
  const { code, output } = await diff();
  await rename(join(copy, "history"), join(copy, ".git"));
  expect(output).toMatch(/^The contract was not compared with a release: git .*not a git repository/);
  expect(code).toBe(0);
});

test("it compares with the last release, and a major change needs a major version", async () => {
  const kept = join(copy, releasedPath("1.10.0"));
  await mkdir(dirname(kept), { recursive: true });
  await cp(join(copy, "generated/openapi.json"), kept);
  const base = await version();
  await editContract("pattern: ^[1-9][0-9]{0,18}$", "pattern: ^[1-9][0-9]{0,8}$");
  const refused = await diff();
  expect(refused.output).toContain("Compared with the release 1.10.0.");
  expect(refused.output).toMatch(/^major +ChainId, in requests: pattern from \S+ to \S+$/m);
  expect(refused.output).toContain(`In all major; info.version is ${base} and must be`);
  expect(refused.code).toBe(1);

  await editContract(`version: ${base}`, `version: ${Number(base.split(".")[0]) + 1}.0.0`);
  const allowed = await diff();
  expect(allowed.output).toContain(`In all major; info.version grew from ${base}`);
  expect(allowed.code).toBe(0);
});

test("a reference that git does not know is reported, with exit code 2", async () => {
  const { code, output } = await diff("v9");
  expect(output).toContain("v9");
  expect(code).toBe(2);
});

async function version(): Promise<string> {
  return JSON.parse(await readFile(join(copy, "generated/openapi.json"), "utf8")).info.version;
}

test.each([
  ["major", "1.4.2", "1.5.0", true, "In all major; info.version is 1.5.0 and must be 2.0.0."],
  ["major", "1.4.2", "2.0.0-rc.1", false, "In all major; info.version grew from 1.4.2 to 2.0.0-rc.1."],
  ["minor", "1.4.2", "1.4.3", false, "In all minor; info.version is 1.4.3 and should be 1.5.0."],
  ["minor", "1.4.2", "1.5.0", false, "In all minor; info.version grew from 1.4.2 to 1.5.0."],
  ["patch", "1.4.2", "1.4.2", false, "In all patch; info.version is 1.4.2 and should be 1.4.3."],
  [undefined, "1.4.2", "1.4.2", false, "Nothing changed."],
] as const)("%s from %s to %s: refused %s", (rating, before, after, refused, message) => {
  expect(judgeVersion(rating, before, after)).toEqual({ refused, message });
});

/** Which contract `npm run diff` compares with: the last release, or the first contract, or none at hand. */
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";
import { findBaseline, releasedPath } from "../../scripts/maintain/diff/release.ts";

const run = promisify(execFile);
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "chain-webhooks-baseline-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const me = ["-c", "user.name=test", "-c", "user.email=test@example.com", "-c", "commit.gpgsign=false"];
const git = (...args: string[]) => run("git", [...me, ...args], { cwd: folder });

/** Commits a contract of a version; without one, everything but a contract. */
async function commit(version?: string): Promise<void> {
  await mkdir(join(folder, "generated"), { recursive: true });
  const path = join(folder, "generated/openapi.json");
  if (version) await writeFile(path, JSON.stringify({ info: { version } }));
  else await rm(path, { force: true });
  await git("add", "--all", ".");
  await git("commit", "--quiet", "--allow-empty", "--message", version ?? "none");
}

async function start(...versions: (string | undefined)[]): Promise<void> {
  await git("init", "--quiet");
  for (const version of versions) await commit(version);
}

/** Keeps a contract as that of a release. */
async function release(version: string): Promise<void> {
  const path = join(folder, releasedPath(version));
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, JSON.stringify({ info: { version } }));
}

test("the first commit that has a contract, as long as nothing is released", async () => {
  await start(undefined, "1.0.0", "1.1.0");
  const name = expect.stringMatching(/^[0-9a-f]{7}, the first commit with a contract$/);
  const contract = { info: { version: "1.0.0" } };
  expect(await findBaseline(folder)).toEqual({ name, contract, released: false });
});

test("the newest release by its version, without a need for git", async () => {
  for (const version of ["1.9.0", "1.10.0", "1.2.11"]) await release(version);
  const contract = { info: { version: "1.10.0" } };
  expect(await findBaseline(folder)).toEqual({ name: "the release 1.10.0", contract, released: true });
});

test("the reference given, whatever is released", async () => {
  await start("1.0.0", "1.1.0");
  await release("1.0.5");
  const contract = { info: { version: "1.0.0" } };
  expect(await findBaseline(folder, "HEAD~1")).toEqual({ name: "HEAD~1", contract, released: true });
  await expect(findBaseline(folder, "--help")).rejects.toThrow("--help is not a git reference.");
  await expect(findBaseline(folder, "v9")).rejects.toThrow("v9");
});

test("none in a shallow clone, which says how to get it", async () => {
  await start("1.0.0", "1.1.0");
  const clone = join(folder, "clone");
  await git("clone", "--quiet", "--depth", "1", `file://${folder}`, clone);
  expect(await findBaseline(clone)).toEqual({ missing: expect.stringMatching(/this clone is shallow.*--unshallow/) });
});

test("none without git, without a commit and without a contract", async () => {
  expect(await findBaseline(folder)).toEqual({ missing: expect.stringContaining("not a git repository") });
  await git("init", "--quiet");
  expect(await findBaseline(folder)).toEqual({ missing: expect.stringContaining("does not have any commits") });
  await commit();
  expect(await findBaseline(folder)).toEqual({
    missing: expect.stringMatching(/^nothing is released.* no commit has/),
  });
});

/** Which contract `npm run diff` compares with: the last release that leads here, or the first contract, or none at hand. */
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";
import { findBaseline } from "../../scripts/maintain/diff/release.ts";

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

test("the first commit that has a contract, as long as no v* tag leads here", async () => {
  await start(undefined, "1.0.0", "1.1.0");
  await git("switch", "--quiet", "--create", "elsewhere");
  await commit("2.0.0");
  await git("tag", "v2.0.0");
  await git("switch", "--quiet", "-");
  const name = expect.stringMatching(/^[0-9a-f]{7}, the first commit with a contract$/);
  const contract = { info: { version: "1.0.0" } };
  expect(await findBaseline(folder)).toEqual({ name, contract, released: false });
});

test("the newest tag by its version, a release before its candidates", async () => {
  await start("1.9.0");
  await git("tag", "v1.9.0");
  await commit("1.10.0");
  await git("tag", "v1.10.0");
  await git("tag", "v1.10.0-rc.1");
  const contract = { info: { version: "1.10.0" } };
  expect(await findBaseline(folder)).toEqual({ name: "the release v1.10.0", contract, released: true });
});

test("the reference given, whatever the tags", async () => {
  await start("1.0.0", "1.1.0");
  await git("tag", "v1.1.0");
  const contract = { info: { version: "1.0.0" } };
  expect(await findBaseline(folder, "HEAD~1")).toEqual({ name: "HEAD~1", contract, released: true });
  await expect(findBaseline(folder, "--help")).rejects.toThrow("--help is not a git reference.");
  await expect(findBaseline(folder, "v9")).rejects.toThrow("v9");
});

test("none in a shallow clone, which says how to get it", async () => {
  await start("1.0.0", "1.1.0");
  const clone = join(folder, "clone");
  await git("clone", "--quiet", "--depth", "1", `file://${folder}`, clone);
  expect(await findBaseline(clone)).toEqual({ missing: expect.stringMatching(/^this clone is shallow.*--unshallow/) });
});

test("the release in a shallow clone that has it", async () => {
  await start("1.0.0");
  await git("tag", "v1.0.0");
  const clone = join(folder, "clone");
  await git("clone", "--quiet", "--depth", "1", `file://${folder}`, clone);
  expect(await findBaseline(clone)).toMatchObject({ name: "the release v1.0.0", released: true });
});

test("none without git, without a commit, without a contract, and with a release that has none", async () => {
  expect(await findBaseline(folder)).toEqual({ missing: expect.stringContaining("not a git repository") });
  await git("init", "--quiet");
  expect(await findBaseline(folder)).toEqual({ missing: expect.stringContaining("HEAD") });
  await commit();
  expect(await findBaseline(folder)).toEqual({ missing: expect.stringMatching(/^there is no v\* tag, and no commit/) });
  await git("tag", "v1.0.0");
  expect(await findBaseline(folder)).toEqual({ missing: expect.stringContaining("v1.0.0:generated/openapi.json") });
});

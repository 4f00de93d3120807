/** What `npm run release` refuses before it builds anything, what it says then, and that it leaves everything as it was. */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { releasedPath } from "../../scripts/maintain/diff/release.ts";
import {
  adoptCommit,
  branchOf,
  copyCommit,
  repositoryUrl,
  taggedCommit,
  writeCommit,
} from "../../scripts/maintain/release/checkout.ts";
import { copyProject, type ProjectCopy } from "../support/project-copy.ts";

let folder: string;
let copy: ProjectCopy;
let first: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "chain-webhooks-refused-"));
  copy = await copyProject(join(folder, "project"));
  first = await copy.git("rev-parse", "HEAD");
});
afterEach(async () => {
  expect(await copy.git("tag")).toBe("");
  expect(existsSync(join(copy.folder, "dist/release"))).toBe(false);
  await copy.git("reset", "--quiet", "--hard", first);
  await copy.git("clean", "--quiet", "--force", "-d");
});
afterAll(() => rm(folder, { recursive: true }));

const refused = async (...args: string[]) => {
  const { code, stderr } = await copy.release(args);
  expect(code).toBe(1);
  return stderr.trim();
};

/** Puts a section on top of the changelog, and a release below it. */
async function released(version: string, section: string): Promise<void> {
  const [before = "", ...sections] = (await copy.read("CHANGELOG.md")).split(/^## .*$/m);
  await copy.write("CHANGELOG.md", `${before}${section}## ${version} (2026-11-27)${sections.join("")}`);
}

const contract = async () => JSON.parse(await copy.read("generated/openapi.json"));
const keep = (version: string, document: unknown) =>
  copy.write(releasedPath(version), JSON.stringify(document, null, 2));

test("a dirty tree, with each file that is changed or new", async () => {
  await copy.write("README.md", "changed\n");
  await copy.write("docs/new.md", "# New\n");
  for (const args of [["--dry"], []])
    expect(await refused(...args)).toBe(
      "The working tree has changes, and a release has only what is committed. Commit, stash or remove them:\n\n M README.md\n?? docs/new.md",
    );
});

test("a breaking change that the changelog does not name, with what breaks, whom, and what to do", async () => {
  const before = await contract();
  before.paths["/v1/chains"].get.parameters = [{ name: "page", in: "query", schema: { type: "integer" } }];
  before.paths["/v1/labels"] = before.paths["/v1/chains"];
  delete before.paths["/v1/chains"];
  await keep("1.0.0", before);
  await released("1.0.0", "## Not released yet\n\n**For clients**\n\n- Something.\n\n");
  await copy.commit();
  const said = await refused("--dry");
  expect(said).toMatch(
    /^The contract breaks what 1\.0\.0 promised, and CHANGELOG\.md does not say so:\n\nmajor {2}GET \/v1\/labels/,
  );
  expect(said).toMatch(/\n {7}Breaks .*clients/);
  expect(said).toMatch(/in a group \*\*Breaking\*\*, what users must do\.\nThe version is then 2\.0\.0\.$/);
});

test("an option that there is not", async () => {
  expect(await refused("--dri")).toMatch(/^Unknown option '--dri'/);
});

test("a version that does not follow from the changes", async () => {
  const before = await contract();
  delete before.paths["/v1/chains"];
  await keep("1.0.0", before);
  await released("1.0.0", "## 1.0.1 (not released yet)\n\n**Fixed**\n\n- Something.\n\n");
  await copy.commit();
  expect(await refused("--dry")).toBe(
    'CHANGELOG.md says 1.0.1. After 1.0.0, with minor changes, it must say 1.1.0 or 2.0.0, or "## Not released yet".',
  );
});

test("a generated document that is not what the contract makes", async () => {
  const stale = await contract();
  stale.info.summary = "Something else.";
  await copy.write("generated/openapi.json", JSON.stringify(stale, null, 2));
  await copy.commit();
  expect(await refused("--dry")).toContain("generated/ is not what openapi/ makes. Run npm run generate");
});

test("a changelog that says released, where the contract has gone on", async () => {
  await released("1.0.0", "");
  const before = await contract();
  before.info.summary = "Something else.";
  await keep("1.0.0", before);
  await copy.commit();
  expect(await refused("--dry")).toContain(
    "CHANGELOG.md says that 1.0.0 is released, but generated/openapi.json is not openapi/releases/1.0.0/openapi.json.",
  );
});

test("a release on no branch, unless it is dry, and packages that were packed before, unless it is", async () => {
  await copy.git("checkout", "--quiet", "--detach");
  expect(await refused()).toContain("HEAD is detached");
  await copy.git("checkout", "--quiet", "main");
  const { code, stderr } = await copy.release([], { PACKAGE_TARBALLS: folder });
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: "PACKAGE_TARBALLS is for --dry: a release has what is built from its commit.\n",
  });
});

test("an installation that is not what the lockfile says, whose parts would get into the packages", async () => {
  const { packages } = JSON.parse(await copy.read("package-lock.json"));
  const { version } = packages["node_modules/vue"];
  const lock = (await copy.read("package-lock.json")).replace(
    /("node_modules\/vue": \{\s+"version": ")[^"]+/,
    (_, before: string) => `${before}98.7.6`,
  );
  await copy.write("package-lock.json", lock);
  await copy.commit();
  expect(await refused("--dry")).toBe(
    `node_modules is not what package-lock.json says, and parts of it get into the packages. Run npm ci. It must be:\n\nvue 98.7.6, and not ${version}`,
  );
});

test("missing programs of other languages, before anything is built", async () => {
  const programs = join(folder, "programs");
  await mkdir(programs);
  for (const name of ["git", "sh", "npm", "java", "mvn"]) {
    const { stdout } = await promisify(execFile)("sh", ["-c", `command -v ${name} || true`]);
    if (stdout !== "") await symlink(stdout.trim(), join(programs, name));
  }
  const { code, stdout, stderr } = await copy.release(["--dry"], { PATH: programs });
  expect(code).toBe(1);
  expect(stderr).toMatch(
    /^The other languages' packages are made by programs that are not here: .*cargo.*--without-clients\.\n$/,
  );
  expect(stdout).not.toContain("Building");
});

test("a commit has its own bytes in a release, whatever line ends git writes here", async () => {
  await copy.git("config", "core.autocrlf", "true");
  const files = join(folder, "line-ends");
  await copyCommit(copy.folder, files);
  await copy.git("config", "--unset", "core.autocrlf");
  expect(await readFile(join(files, "README.md"), "utf8")).not.toContain("\r");
});

test("a version whose tag is there, before anything is built", async () => {
  const { version } = JSON.parse(await copy.read("package.json"));
  await copy.git("tag", `v${version}`);
  for (const args of [["--dry"], []])
    expect(await refused(...args)).toContain(`The tag v${version} is there already, at ${first.slice(0, 7)}`);
  await copy.git("tag", "--delete", `v${version}`);
});

test("a package names the repository that publishes it, without which npm refuses provenance", async () => {
  vi.stubEnv("GITHUB_REPOSITORY", "");
  expect(await repositoryUrl(copy.folder)).toBe(undefined);
  for (const origin of ["git@github.com:acme/webhooks.git", "https://github.com/acme/webhooks"]) {
    await copy.git("remote", "add", "origin", origin);
    expect(await repositoryUrl(copy.folder)).toBe("git+https://github.com/acme/webhooks.git");
    await copy.git("remote", "remove", "origin");
  }
  vi.stubEnv("GITHUB_SERVER_URL", "https://github.com");
  vi.stubEnv("GITHUB_REPOSITORY", "acme/other");
  const url = await repositoryUrl(copy.folder);
  expect(url).toBe("git+https://github.com/acme/other.git");

  const repository = { type: "git", url };
  const manifest = JSON.parse(await copy.read("package.json"));
  await copy.write("package.json", JSON.stringify({ ...manifest, repository }));
  const build = ["--import", "tsx", "scripts/maintain/build.ts", "chain-webhooks"];
  await promisify(execFile)(process.execPath, build, { cwd: copy.folder });
  expect(JSON.parse(await copy.read("dist/chain-webhooks/package.json"))).toMatchObject({ repository });
});

test("the commit of a release has its files and nothing of what was built; what came after it is not that release", async () => {
  const files = join(folder, "files");
  await copyCommit(copy.folder, files);
  const parent = await copy.git("rev-parse", "HEAD");
  await rm(join(files, "README.md"));
  const commit = await writeCommit(copy.folder, files, { parent, message: "Release 7.0.0" });
  expect(await copy.git("rev-parse", "HEAD")).toBe(parent);
  expect(await copy.git("diff", "--name-status", parent, commit)).toBe("D\tREADME.md");
  await adoptCommit(copy.folder, commit, "v7.0.0");
  expect(await copy.git("log", "-1", "--format=%s %H")).toBe(`Release 7.0.0 ${commit}`);
  expect(await branchOf(copy.folder)).toBe("main");
  expect(await copy.git("status", "--porcelain")).toBe("");
  expect(await taggedCommit(copy.folder, "v7.0.0")).toBe(commit);
  expect(await taggedCommit(copy.folder, "v7.0.1")).toBe(undefined);

  await released("7.0.0", "");
  await keep("7.0.0", await contract());
  await copy.commit();
  expect(await refused("--dry")).toContain(
    `CHANGELOG.md has nothing that is not released yet, and 7.0.0 is another commit, ${commit.slice(0, 7)}. Begin a section "## Not released yet".`,
  );
  await copy.git("tag", "--delete", "v7.0.0");
});

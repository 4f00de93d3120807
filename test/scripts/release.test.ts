/** The rules of a release: its version, its changelog, where its version is written, and what the documents say of each contract. */
import { execFile } from "node:child_process";
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Bump, DiffFinding } from "../../scripts/command/diff/finding.ts";
import { releasedContracts } from "../../scripts/maintain/diff/release.ts";
import { contractChanges } from "../../scripts/maintain/docs-site/contract-changes.ts";
import { packedClients, packedFolder } from "../../scripts/maintain/release/archive.ts";
import {
  changelogSections,
  nextVersion,
  releasedChangelog,
  writeVersion,
} from "../../scripts/maintain/release/version.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const read = (path: string) => readFile(join(root, path), "utf8");

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "chain-webhooks-release-rules-"));
});
afterAll(() => rm(folder, { recursive: true }));

const finding = (bump: Bump): DiffFinding => ({
  ...{ rule: "limit", level: bump === "major" ? "breaking" : "info", bump, where: "POST /orders body.item" },
  ...{ flow: "requests", what: "maxLength from 200 to 100", breaks: bump === "major" ? ["clients"] : [] },
  why: "The server takes less.",
});
const section = (text: string, version?: string) => ({ text, ...(version && { version }) });
const [breaking, added, fixed] = ["**Breaking**\n\n- a", "**For clients**\n\n- b", "**Fixed**\n\n- c"];

describe("the version", () => {
  test.each([
    ["fixes alone are a patch", fixed, undefined, "1.4.3"],
    ["something new is a minor version", `${added}\n\n${fixed}`, undefined, "1.5.0"],
    ["what has no group is something new", `- d\n\n${fixed}`, undefined, "1.5.0"],
    ["a fix of words in the contract stays a patch", fixed, "patch", "1.4.3"],
    ["an addition to the contract is more than a fix", fixed, "minor", "1.5.0"],
    ["what breaks, and says so, is a major version", `${breaking}\n\n${added}`, "major", "2.0.0"],
    ["what breaks outside of the contract, too", breaking, undefined, "2.0.0"],
  ] as const)("%s", (_, text, bump, version) => {
    expect(nextVersion(section(text), bump ? [finding("patch"), finding(bump)] : [], "1.4.2")).toBe(version);
  });

  test("before the first release it is the heading's, or 1.0.0", () => {
    expect(nextVersion(section("- all of it", "0.9.0"), [], undefined)).toBe("0.9.0");
    expect(nextVersion(section("- all of it"), [], undefined)).toBe("1.0.0");
  });

  test("a break that the changelog does not name is refused, whatever version its heading has", () => {
    for (const version of [undefined, "1.5.0", "2.0.0"])
      expect(() => nextVersion(section(added, version), [finding("minor"), finding("major")], "1.4.2")).toThrow(
        `The contract breaks what 1.4.2 promised, and CHANGELOG.md does not say so:

major  POST /orders body.item, in requests: maxLength from 200 to 100
       Breaks clients. The server takes less.

Take this back, since within /v1 there are only additions. Or say in CHANGELOG.md, in a group **Breaking**, what users must do.
The version is then 2.0.0.`,
      );
  });

  test("a heading may ask for more, not for less, and skips nothing", () => {
    expect(nextVersion(section(added, "1.5.0"), [], "1.4.2")).toBe("1.5.0");
    expect(nextVersion(section(fixed, "2.0.0"), [], "1.4.2")).toBe("2.0.0");
    for (const version of ["1.4.2", "1.4.3", "1.6.0", "1.5.1", "3.0.0"])
      expect(() => nextVersion(section(added, version), [], "1.4.2"), version).toThrow(
        `CHANGELOG.md says ${version}. After 1.4.2, with minor changes, it must say 1.5.0 or 2.0.0, or "## Not released yet".`,
      );
  });

  test("nothing to say is nothing to release", () => {
    expect(() => nextVersion(section("**For clients**"), [finding("minor")], "1.4.2")).toThrow("lists no change");
  });
});

describe("the changelog", () => {
  test("ours has sections in the form that a release reads, of which only the first is not released", async () => {
    const [first, ...others] = changelogSections(await read("CHANGELOG.md"));
    expect(first?.text).toMatch(/^- \S/m);
    for (const { date } of others) expect(date).toMatch(/^\d{4}-\d\d-\d\d$/);
  });

  test("a release gives the first section its version and day, and leaves the rest", () => {
    const text = "# Changelog\n\nWords.\n\n## Not released yet\n\n- new\n\n## 1.0.0 (2026-11-27)\n\n- old\n";
    const released = releasedChangelog(text, "1.1.0", "2027-01-31");
    expect(released).toBe(text.replace("Not released yet", "1.1.0 (2027-01-31)"));
    expect(changelogSections(released)).toEqual([
      { version: "1.1.0", date: "2027-01-31", text: "- new" },
      { version: "1.0.0", date: "2026-11-27", text: "- old" },
    ]);
  });

  test.each(["## 1.1 (not released yet)", "## Unreleased", "## 1.0.0 (yesterday)"])("%s is refused", (heading) => {
    expect(() => changelogSections(`# Changelog\n\n${heading}\n\n- a\n`)).toThrow(`has the heading "${heading}"`);
  });

  test("only the first section may be without a day", () => {
    const text = "# C\n\n## 1.1.0 (2027-01-31)\n\n- a\n\n## 1.0.0 (not released yet)\n\n- b\n";
    expect(() => changelogSections(text)).toThrow('has the heading "## 1.0.0 (not released yet)"');
  });
});

test("the version is the same wherever it is written, and no page names another", async () => {
  const { version } = JSON.parse(await read("package.json")) as { version: string };
  const files = ["package.json", "package-lock.json", "openapi/openapi.yaml", "openapi/workflows.arazzo.yaml"];
  files.push("deploy/helm/chain-webhooks/Chart.yaml", "docs/deploy.md", "examples/stacks/package.json");
  for (const file of files) {
    await mkdir(dirname(join(folder, "project", file)), { recursive: true });
    await writeFile(join(folder, "project", file), await read(file));
  }
  await writeVersion(join(folder, "project"), version);
  for (const file of files) expect(await readFile(join(folder, "project", file), "utf8"), file).toBe(await read(file));

  await writeVersion(join(folder, "project"), "98.76.54");
  for (const file of files) expect(await readFile(join(folder, "project", file), "utf8"), file).toMatch(/98\.76\.54/);
  const guides = (await readdir(join(root, "docs")))
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`);
  const named = /chain-webhooks(?:-tools|-service|-chart)?[@:-]\d+\.\d+\.\d+/g;
  for (const page of [
    "README.md",
    "SECURITY.md",
    "client/README.md",
    "scripts/README.md",
    "server/README.md",
    ...guides,
  ])
    if (!files.includes(page)) expect((await read(page)).match(named) ?? [], page).toEqual([]);
});

describe("docs/changes.md", () => {
  const document = (version: string, paths: Record<string, string>) => ({
    openapi: "3.1.0",
    info: { title: "Shop", version },
    paths: Object.fromEntries(
      Object.entries(paths).map(([path, operationId]) => [
        path,
        { get: { operationId, summary: `Do ${operationId}`, responses: { "200": { description: "Done." } } } },
      ]),
    ),
    webhooks: { shipped: { post: { operationId: "shipped", summary: "Sent", responses: {} } } },
  });
  const one = document("1.0.0", { "/orders": "listOrders" });
  const two = document("1.1.0", { "/orders": "listOrders", "/labels": "listLabels" });
  const three = document("1.2.0", { "/orders": "listOrders", "/labels": "listLabels", "/parcels": "listParcels" });

  test("is as npm run generate writes it", async () => {
    const current = JSON.parse(await read("generated/openapi.json"));
    const history = { released: await releasedContracts(root), current, changelog: await read("CHANGELOG.md") };
    expect(contractChanges(history)).toBe(await read("docs/changes.md"));
  });

  test("lists what the first version has, before and after its release", () => {
    const before = contractChanges({
      released: [],
      current: one,
      changelog: "# C\n\n## 1.0.0 (not released yet)\n\n- a\n",
    });
    expect(before).toContain("## 1.0.0 (not released yet)\n\nThe first version.\n");
    expect(before).toContain("| `GET /orders` | Do listOrders |\n| `shipped`, a notification | Sent |\n");
    const released = [{ version: "1.0.0", contract: one }];
    const after = contractChanges({ released, current: one, changelog: "# C\n\n## 1.0.0 (2026-11-27)\n\n- a\n" });
    expect(after).toBe(before.replace("not released yet", "2026-11-27"));
  });

  test("says what each version changed, the newest first, and what is not released yet", () => {
    const released = [
      { version: "1.0.0", contract: one },
      { version: "1.1.0", contract: two },
    ];
    const changelog =
      "# C\n\n## Not released yet\n\n- c\n\n## 1.1.0 (2027-01-31)\n\n- b\n\n## 1.0.0 (2026-11-27)\n\n- a\n";
    const page = contractChanges({ released, current: three, changelog });
    expect(page.match(/^## .*$/gm)).toEqual([
      "## 1.1.0 → not released yet",
      "## 1.0.0 → 1.1.0 (2027-01-31)",
      "## 1.0.0 (2026-11-27)",
    ]);
    expect(page).toContain("- **GET /parcels**");
    expect(page).toContain("- **GET /labels**");
    expect(contractChanges({ released, current: two, changelog })).not.toContain("not released yet");
  });
});

describe("archives", () => {
  const unpacked = async (archive: Buffer) => {
    const target = await mkdtemp(join(folder, "unpacked-"));
    await writeFile(`${target}.tgz`, archive);
    await promisify(execFile)("tar", ["-xzf", `${target}.tgz`, "-C", target]);
    return target;
  };

  test("hold each file with its bytes and rights, what links lead to, and are the same each time", async () => {
    const source = join(folder, "source");
    const deep = join("a".repeat(60), "b".repeat(60));
    await mkdir(join(source, deep), { recursive: true });
    await writeFile(join(source, "run.sh"), "#!/bin/sh\n");
    await chmod(join(source, "run.sh"), 0o755);
    await writeFile(join(source, deep, "c.txt"), "x".repeat(1025));
    await symlink("run.sh", join(source, "link"));
    const packed = await packedFolder(source, "top");
    expect(await packedFolder(source, "top")).toEqual(packed);
    const target = join(await unpacked(packed), "top");
    expect((await readdir(target)).sort()).toEqual(["a".repeat(60), "link", "run.sh"].sort());
    expect(await readFile(join(target, deep, "c.txt"), "utf8")).toBe("x".repeat(1025));
    expect((await promisify(execFile)(join(target, "link"))).stdout).toBe("");
    await mkdir(join(source, "d".repeat(120)));
    await writeFile(join(source, "d".repeat(120), "e".repeat(120)), "");
    await expect(packedFolder(source, "top")).rejects.toThrow("is too long for an archive");
  });

  test("of other languages' packages are named by language and version, and refused with another version", async () => {
    const clients = join(folder, "clients");
    expect(await packedClients(clients, "1.0.0")).toEqual([]);
    await mkdir(join(clients, "python/source"), { recursive: true });
    await mkdir(join(clients, "go"));
    await writeFile(join(clients, "python/source/pyproject.toml"), 'version = "1.0.0"\n');
    await writeFile(join(clients, "go/go.mod"), "module example.com/client\n");
    const packed = await packedClients(clients, "1.0.0");
    expect(packed.map(({ language }) => language)).toEqual(["go", "python"]);
    const python = await unpacked(packed[1]?.archive ?? Buffer.alloc(0));
    expect(await readdir(join(python, "chain-webhooks-client-python-1.0.0"))).toEqual(["source"]);
    await expect(packedClients(clients, "1.1.0")).rejects.toThrow(
      "pyproject.toml of the client for python does not name the version 1.1.0.",
    );
  });
});

/**
 * A whole `npm run release -- --dry`, in a copy of the project: what it makes, by those who read it: sha256sum, Helm, CycloneDX' own schemas. And the
 * workflow that publishes. Not seen here: registries, a container engine, and GitHub, which alone runs the workflow and signs provenance.
 *
 * `PACKAGE_TARBALLS=FOLDER` names packages that are packed already. Without, the dry run builds them, and tries all of test/package.
 */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Ajv } from "ajv";
import addFormats from "ajv-formats";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import type { CommandResult } from "../support/command.ts";
import { copyProject, type ProjectCopy } from "../support/project-copy.ts";
import { actionlint, cycloneDxSchemas, helm } from "./tools.ts";

const execute = promisify(execFile);
const root = fileURLToPath(new URL("../..", import.meta.url));
const packages = ["chain-webhooks", "chain-webhooks-tools", "chain-webhooks-service"];

let folder: string;
let copy: ProjectCopy;
let result: CommandResult;
let version: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "chain-webhooks-dry-run-"));
  copy = await copyProject(join(folder, "project"));
  const { PACKAGE_TARBALLS } = process.env;
  // One of another language, which are made elsewhere.
  const tarballs = PACKAGE_TARBALLS && join(folder, "tarballs");
  if (tarballs) {
    await cp(PACKAGE_TARBALLS, tarballs, { recursive: true });
    await mkdir(join(tarballs, "clients/go"), { recursive: true });
    await writeFile(join(tarballs, "clients/go/go.mod"), "module example.com/client\n");
  }
  result = await copy.release(["--dry"], tarballs ? { PACKAGE_TARBALLS: tarballs } : {});
  version = JSON.parse(await copy.read("package.json")).version;
}, 1_200_000);
afterAll(() => rm(folder, { recursive: true }));

const made = (name = "") => join(copy.folder, "dist/release", name);
const bill = async (name: string) => JSON.parse(await readFile(made(`${name}-${version}.cdx.json`), "utf8"));

test("it makes every part, says what is left to do, and changes nothing else", async () => {
  expect(result).toMatchObject({ code: 0, stderr: "" });
  const client = process.env.PACKAGE_TARBALLS ? [`chain-webhooks-client-go-${version}.tar.gz`] : [];
  const files = packages.flatMap((name) => [`${name}-${version}.cdx.json`, `${name}-${version}.tgz`]);
  const others = [`chain-webhooks-chart-${version}.tgz`, `chain-webhooks-openapi-${version}.json`, ...client];
  const expected = [...files, ...others, "NOTES.md", "SHA256SUMS", "SUMMARY.md"];
  expect((await readdir(made())).sort()).toEqual(expected.sort());
  const summary = await readFile(made("SUMMARY.md"), "utf8");
  expect(result.stdout).toContain(summary);
  for (const file of expected.slice(0, -1)) if (file !== "SUMMARY.md") expect(summary).toContain(`| ${file} | `);
  expect(summary).toContain("Nothing was committed, tagged or published.");
  expect(summary).toContain(`npm run release\ngit push --atomic origin main v${version}\n`);
  for (const name of packages) expect(summary).toContain(`npm publish ./dist/release/${name}-${version}.tgz\n`);
  expect(summary).toMatch(/The image is (built here as|not built, since no container engine answers here)/);
  expect(await copy.git("status", "--porcelain")).toBe("");
  expect(await copy.git("tag")).toBe("");
});

test("sha256sum finds each file as it was made", async () => {
  const { stdout } = await execute("sha256sum", ["--check", "--strict", "SHA256SUMS"], { cwd: made() });
  const checked = stdout.trim().split("\n");
  expect(checked.every((line) => line.endsWith(": OK"))).toBe(true);
  // All but itself, and the two that are words.
  expect(checked.length).toBe((await readdir(made())).length - 3);
});

test("CycloneDX' own schema takes each bill of materials", async () => {
  const schemas = await cycloneDxSchemas();
  const read = async (name: string) =>
    JSON.parse(await readFile(join(schemas, `${name}.SNAPSHOT.schema.json`), "utf8"));
  const ajv = new Ajv({ strict: false, allErrors: true });
  addFormats.default(ajv);
  for (const format of ["iri-reference", "idn-email"]) ajv.addFormat(format, true);
  for (const name of ["spdx", "jsf-0.82"])
    ajv.addSchema(await read(name), `http://cyclonedx.org/schema/${name}.SNAPSHOT.schema.json`);
  const validate = ajv.compile(await read("bom-1.6"));
  for (const name of packages) {
    validate(await bill(name));
    expect(validate.errors ?? [], name).toEqual([]);
  }
  expect(validate({ ...(await bill("chain-webhooks")), serialNumber: "1" })).toBe(false);
});

test("a bill of materials has what npm installs along, and what is bundled", async () => {
  for (const name of packages) {
    const project = join(folder, `installs-${name}`);
    await mkdir(project);
    await writeFile(join(project, "package.json"), "{}");
    const quick = ["--package-lock-only", "--omit=peer", "--no-audit", "--no-fund", "--prefer-offline", "--silent"];
    await execute("npm", ["install", ...quick, made(`${name}-${version}.tgz`)], { cwd: project });
    const lock = JSON.parse(await readFile(join(project, "package-lock.json"), "utf8"));
    const installed = Object.entries<{ peer?: boolean }>(lock.packages)
      .filter(([path, { peer }]) => path !== "" && path !== `node_modules/${name}` && !peer)
      .map(([path]) => path.slice(path.lastIndexOf("node_modules/") + 13));
    const { components, dependencies, metadata } = await bill(name);
    const listed: string[] = components.map((one: { name: string }) => one.name);
    expect(
      installed.filter((each) => !listed.includes(each)),
      name,
    ).toEqual([]);
    const refs = new Set([metadata.component, ...components].map((one) => one["bom-ref"]));
    const used = dependencies.flatMap(({ ref, dependsOn }: { ref: string; dependsOn: string[] }) => [
      ref,
      ...dependsOn,
    ]);
    expect(
      used.filter((ref: string) => !refs.has(ref)),
      name,
    ).toEqual([]);
    const tarball = await readFile(made(`${name}-${version}.tgz`));
    const content = createHash("sha256").update(tarball).digest("hex");
    expect(metadata.component.hashes).toEqual([{ alg: "SHA-256", content }]);
  }
  const names = (await bill("chain-webhooks-service")).components.map((one: { name: string }) => one.name);
  expect(names).toEqual(expect.arrayContaining(["ox", "viem", "pg", "express", "vue", "vitepress", "minisearch"]));
  for (const absent of ["vitest", "@redocly/cli"]) expect(names).not.toContain(absent);
});

test("Helm takes the chart as it is packed", async () => {
  const archive = made(`chain-webhooks-chart-${version}.tgz`);
  const { stdout } = await execute(await helm(), ["show", "chart", archive]);
  expect(parse(stdout)).toMatchObject({ name: "chain-webhooks", version, appVersion: version });
  const values = [
    "image.repository=registry.example.com/chain-webhooks",
    "secret.existing=secret",
    "monitoring.enabled=true",
  ];
  const options = [...values.flatMap((value) => ["--set", value]), "--kube-version", "1.30.0"];
  await execute(await helm(), ["lint", "--strict", archive, ...options]);
  const rendered = await execute(await helm(), ["template", "webhooks", archive, ...options]);
  const kinds = parseAllDocuments(rendered.stdout).map((document) => document.toJS()?.kind);
  // The alert rules are links in the repository.
  expect(kinds).toEqual(expect.arrayContaining(["Deployment", "Service", "PrometheusRule"]));
});

test("the notes are the changelog's section, and the document is the contract", async () => {
  const notes = await readFile(made("NOTES.md"), "utf8");
  expect(notes.length).toBeGreaterThan(10);
  expect(await copy.read("CHANGELOG.md")).toContain(notes.split("\n\n")[0]);
  expect(await readFile(made(`chain-webhooks-openapi-${version}.json`), "utf8")).toBe(
    await copy.read("generated/openapi.json"),
  );
});

test.runIf(process.env.PACKAGE_TARBALLS)(
  "a package that does not run is refused, and nothing is left to publish",
  async () => {
    const broken = join(folder, "broken");
    await cp(process.env.PACKAGE_TARBALLS ?? "", broken, { recursive: true });
    const [name = ""] = (await readdir(broken)).filter((each) => /^chain-webhooks-\d.*\.tgz$/.test(each));
    await execute("tar", ["-xzf", name], { cwd: broken });
    await rm(join(broken, "package/client/receiver/index.js"));
    await rm(join(broken, name));
    await execute("tar", ["-czf", name, "package"], { cwd: broken });
    await rm(join(broken, "package"), { recursive: true });
    const { code, stdout, stderr } = await copy.release(["--dry"], { PACKAGE_TARBALLS: broken });
    expect(code).toBe(1);
    expect(stderr).toMatch(/^A package does not install or run as it must:\n/);
    expect(stderr).toContain("client/receiver/index.js");
    expect(stdout).not.toContain("The last step");
    expect(existsSync(made())).toBe(false);
  },
);

describe("the workflow", () => {
  const path = join(root, ".github/workflows/release.yml");
  type Job = {
    permissions: Record<string, string>;
    environment?: string;
    if?: string;
    steps: { uses?: string; run?: string }[];
  };
  const read = async () => {
    const text = await readFile(path, "utf8");
    return { text, workflow: parse(text) as { permissions: object; jobs: Record<string, Job> } };
  };

  test("actionlint finds nothing", async () => {
    const { stdout } = await execute(await actionlint(), ["-no-color", path]);
    expect(stdout).toBe("");
  });

  test("every action is pinned to a commit, with its version beside it", async () => {
    const { text } = await read();
    const actions = text.match(/^.*\buses:.*$/gm) ?? [];
    expect(actions.length).toBeGreaterThan(5);
    expect(actions.filter((line) => !/ uses: actions\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line))).toEqual([]);
  });

  test("the job that runs the project's code can write nothing; those that publish need a tag and approval", async () => {
    const { workflow } = await read();
    expect(workflow.permissions).toEqual({});
    const { make, ...others } = workflow.jobs;
    expect(make?.permissions).toEqual({ contents: "read" });
    for (const [name, job] of Object.entries(others)) {
      expect(job.environment, name).toBe("release");
      expect(job.if === undefined ? name : job.if, name).toMatch(/^(github|github\.event_name == 'push')$/);
      for (const { run = "" } of job.steps) expect(run, name).not.toMatch(/npm (ci|install|run|exec)|npx |node /);
    }
    const publishes = others.npm?.steps.map(({ run }) => run ?? "").join("");
    for (const name of packages) expect(publishes).toContain(name);
    expect(publishes).toContain("--provenance");
  });
});

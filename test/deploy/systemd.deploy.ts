/**
 * deploy/systemd/ by systemd's own tools. Not seen here: a unit that runs, so whether a filter of system calls stops Node, and whether a
 * setting reaches it.
 */
import { execFile } from "node:child_process";
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseEnv, promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newKey } from "../../server/settings/keyring.ts";
import { expectSettings, longestStop } from "./settings.ts";

const execute = promisify(execFile);
const source = fileURLToPath(new URL("../../deploy/systemd", import.meta.url));
const installed = "/opt/chain-webhooks";

let folder: string;
let unit: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "chain-webhooks-deploy-"));
  const bin = join(folder, "node_modules/.bin");
  await mkdir(bin, { recursive: true });
  await writeFile(join(bin, "chain-webhooks-service"), "#!/bin/sh\n");
  await chmod(join(bin, "chain-webhooks-service"), 0o755);
  const text = await readFile(join(source, "chain-webhooks@.service"), "utf8");
  unit = join(folder, "chain-webhooks@.service");
  await writeFile(unit, text.replaceAll(installed, folder));
});
afterAll(() => rm(folder, { recursive: true }));

test("systemd accepts the unit without a word", async () => {
  const { stdout, stderr } = await execute("systemd-analyze", ["verify", "--man=no", unit]);
  expect(stdout + stderr).toBe("");
});

test("a unit has time to stop", async () => {
  const [, seconds] = /^TimeoutStopSec=(\d+)$/m.exec(await readFile(unit, "utf8")) ?? [];
  expect(Number(seconds)).toBeGreaterThanOrEqual(longestStop);
});

test("systemd rates what the unit may do as safe", async () => {
  const { stdout } = await execute("systemd-analyze", ["security", "--offline=true", "--no-pager", unit]);
  const [, level] = /Overall exposure level for \S+: ([\d.]+) /.exec(stdout) ?? [];
  expect(Number(level)).toBeLessThan(1.5);
});

test("each role has its settings, and roles on one machine have their own ports", async () => {
  const read = async (name: string) => {
    const found: Record<string, string | undefined> = parseEnv(await readFile(join(source, name), "utf8"));
    return Object.fromEntries(Object.entries(found).map(([key, value]) => [key, value ?? ""]));
  };
  const shared = await read("settings.env");
  // The operator's to fill in.
  expect(shared.SECRET_KEY).toBe("");
  const roles = (await readdir(source))
    .flatMap((name) => /^(\w+)\.env$/.exec(name)?.[1] ?? [])
    .filter((name) => name !== "settings");
  expect(roles.toSorted()).toEqual(["api", "deliver", "follow", "read"]);
  const used: number[] = [];
  for (const role of roles) {
    const blocks = role === "read" && { BLOCKS: "nats://one.example,two.example" };
    const env = { ROLES: role, ...shared, SECRET_KEY: newKey(), ...blocks, ...(await read(`${role}.env`)) };
    const { metrics, port, roles: taken } = expectSettings(env, role);
    expect([...taken]).toEqual([role]);
    used.push(metrics?.port ?? 0, ...(role === "api" ? [port] : []));
  }
  expect(new Set(used).size).toBe(5);
  expect(used).not.toContain(0);
});

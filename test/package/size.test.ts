/** What the installed packages add to a page and to a disk: little, and to a page nothing of the server. */
import { lstat, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { bundleFor } from "../support/bundle.ts";
import { implementerProject, operatorProject, receiverProject as project } from "../support/installed-package.ts";

const allowed = /^node_modules\/(chain-webhooks\/(client|generated)|openapi-fetch)\//;
const gzipped = (code: string) => gzipSync(code, { level: 9 }).length;

/** A module that each entry must have. */
const moduleOf: Readonly<Record<string, string>> = {
  "chain-webhooks": "generated/operations.js",
  "chain-webhooks/client": "generated/operations.js",
  "chain-webhooks/consumer": "client/consumer/postgres.js",
  "chain-webhooks/receiver": "generated/validate-notification.js",
};

test.each([
  { entry: "chain-webhooks/client", mostBytes: 10 * 1024 },
  { entry: "chain-webhooks/receiver", mostBytes: 15 * 1024 },
  { entry: "chain-webhooks/consumer", mostBytes: 25 * 1024 },
  // The client and the receiver together, each of which has its own bound above.
  { entry: "chain-webhooks", mostBytes: 19 * 1024 },
])(
  "$entry is under $mostBytes bytes, minified and gzipped, without the server or Node",
  async ({ entry, mostBytes }) => {
    const { code, files, imports } = await bundleFor(project, `export * from "${entry}";`, "exported");
    expect(files).toContain(`node_modules/chain-webhooks/${moduleOf[entry]}`);
    expect([...files, ...imports].filter((path) => !allowed.test(path))).toEqual([]);
    expect(gzipped(code)).toBeLessThan(mostBytes);
  },
);

test("the mock for MSW is one module, under 120 KB minified and gzipped, without a package or Node, and compiles nothing in a page", async () => {
  const { code, files, imports } = await bundleFor(project, `export * from "chain-webhooks/msw";`, "exported");
  expect(files).toEqual(["node_modules/chain-webhooks/scripts/command/mock/page/msw.js"]);
  expect(imports).toEqual([]);
  expect(code).not.toMatch(/new Function\b|\beval\(/);
  expect(gzipped(code)).toBeLessThan(120 * 1024);
});

test("a bundler keeps only the imported parts of the main entry", async () => {
  const whole = await bundleFor(project, `export * from "chain-webhooks/receiver";`, "exported");
  const part = await bundleFor(project, `export { verifyNotification } from "chain-webhooks";`, "exported");
  expect(gzipped(part.code)).toBeLessThanOrEqual(gzipped(whole.code));
});

const mebibyte = 1024 * 1024;

test.each([
  { who: "receives notifications", folder: project, most: 5, mebibytes: 6 },
  // 8 of these are the site, with a page for each operation and the index of its search.
  { who: "implements the API, or tests against the mock", folder: implementerProject, most: 115, mebibytes: 42 },
  { who: "runs the service", folder: operatorProject, most: 130, mebibytes: 45 },
])("whoever $who installs at most $most packages and $mebibytes MiB", async ({ folder, most, mebibytes }) => {
  const { packages } = JSON.parse(await readFile(join(folder, "node_modules/.package-lock.json"), "utf8"));
  expect(Object.keys(packages).length).toBeLessThanOrEqual(most);
  // Beside the optional peers, which other tests put there meanwhile.
  const bytes = await Promise.all(Object.keys(packages).map((path) => bytesOnDisk(join(folder, path))));
  expect(bytes.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(mebibytes * mebibyte);
});

/** What a folder takes in blocks of 4 KiB, packages inside it aside. */
async function bytesOnDisk(folder: string): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true });
  const sizes = entries.map(async (entry) => {
    if (entry.name === "node_modules") return 0;
    const path = join(folder, entry.name);
    return entry.isDirectory() ? bytesOnDisk(path) : Math.ceil((await lstat(path)).size / 4096) * 4096;
  });
  return (await Promise.all(sizes)).reduce((sum, each) => sum + each, 4096);
}

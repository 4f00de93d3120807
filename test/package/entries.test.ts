/** Every entry point of the installed package, and what it does in Node. */
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { packageProject as project } from "../support/installed-package.ts";
import { compileStranger } from "./stranger-project.ts";

test("it runs in Node", async () => {
  expect(await compileStranger("stranger.ts", "--noCheck", "--module", "nodenext")).toBe("");
  const { stdout } = await promisify(execFile)(process.execPath, ["stranger.js"], { cwd: project });
  expect(stdout).toBe("every entry point works\n");
});

test("the stranger uses every entry point, a guide lists it, and it stands for one in the sources", async () => {
  const used = await readFile(new URL("stranger.ts", import.meta.url), "utf8");
  const manifest = JSON.parse(await readFile(new URL("../../package.json", import.meta.url), "utf8"));
  const guide = await readFile(new URL("../../docs/clients.md", import.meta.url), "utf8");
  const { paths } = JSON.parse(await readFile(new URL("../../tsconfig.json", import.meta.url), "utf8")).compilerOptions;
  for (const [entry, target] of Object.entries<string | { default: string }>(manifest.exports)) {
    const name = `chain-webhooks${entry.slice(1)}`;
    const file = (typeof target === "string" ? target : target.default)
      .replace("./dist/", "./")
      .replace(/\.js$/, ".ts");
    if (name === "chain-webhooks/package.json") continue;
    const named = entry === "./schemas/*" ? "notification.json" : "notification.fungible-transfer.json";
    expect(used).toContain(`"${name.replace("*", named)}"`);
    expect(guide).toContain(`| \`${name}\` `);
    if (!file.endsWith(".yaml")) expect(paths[name]).toEqual([file]);
  }
});

/** Every entry point of the installed package, and what it does in Node. */
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { implementerProject as project } from "../support/installed-package.ts";
import { compileStranger } from "./stranger-project.ts";

test("it runs in Node", async () => {
  expect(await compileStranger("stranger.ts", "--noCheck", "--module", "nodenext")).toBe("");
  const { stdout } = await promisify(execFile)(process.execPath, ["stranger.js"], { cwd: project });
  expect(stdout).toBe("every entry point works\n");
});

const workspaces = { "chain-webhooks": "client", "chain-webhooks-tools": "scripts" };

/** One file of each entry that is a folder. */
const ofFolder: Readonly<Record<string, string>> = {
  "./schemas/*": "notification.json",
  "./examples/*": "notification.fungible-transfer.json",
  "./collections/*": "chain-webhooks.postman_collection.json",
};

test.each(Object.entries(workspaces))(
  "the stranger uses every entry point of %s, a guide lists it, and it stands for one in the sources",
  async (name, workspace) => {
    const read = (path: string) => readFile(new URL(`../../${path}`, import.meta.url), "utf8");
    const used = (await read("test/package/stranger.ts")) + (await read("test/package/peers.ts"));
    const { exports } = JSON.parse(await read(`${workspace}/package.json`));
    const guide = await read("docs/clients.md");
    const { paths } = JSON.parse(await read("tsconfig.json")).compilerOptions;
    for (const [entry, target] of Object.entries<string | { default: string }>(exports)) {
      const imported = `${name}${entry.slice(1)}`;
      const file = (typeof target === "string" ? target : target.default).replace(/\.js$/, ".ts");
      if (entry === "./package.json") continue;
      expect(used).toContain(`"${imported.replace("*", ofFolder[entry] ?? "")}"`);
      expect(guide).toContain(`| \`${imported}\` `);
      if (!file.endsWith(".yaml")) expect(paths[imported]).toEqual([file]);
    }
  },
);

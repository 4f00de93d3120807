/**
 * The store in SQLite by a driver that npm has, installed here, since nothing else needs it: `better-sqlite3`, and with a Node that it does not
 * run on `libsql`. Each has an SQLite of its own, and a process that loads both hangs.
 */
import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, test } from "vitest";
import { sharedJanitor } from "../../../scripts/local/janitor.ts";
import { readDocument } from "../../support/document.ts";
import { behavesAsASqliteStore, type Sqlite } from "./store-behaviour.ts";

const drivers = { newer: { name: "better-sqlite3", version: "13.2.0" }, older: { name: "libsql", version: "0.5.29" } };
const isNewer = Number.parseInt(process.versions.node, 10) >= 22;

describe.each([isNewer ? drivers.newer : drivers.older])("in SQLite, by $name", ({ name, version }) => {
  let folder: string;
  beforeAll(async () => {
    const janitor = await sharedJanitor();
    folder = janitor.makeFolder("chain-webhooks-drivers-");
    const options = ["--no-audit", "--no-fund", "--ignore-scripts", "--prefix", folder];
    await promisify(execFile)("npm", ["install", ...options, `${name}@${version}`], { cwd: folder });
    return async () => {
      const { rm } = await import("node:fs/promises");
      await rm(folder, { recursive: true, force: true });
      janitor.forgetFolder(folder);
    };
  });

  // By default they wait five seconds for a lock, and the process with them.
  const options = { timeout: 0 };
  behavesAsASqliteStore({
    open(path) {
      const Database = createRequire(join(folder, "package.json"))(name) as new (path: string, of: object) => Sqlite;
      return new Database(path, options);
    },
    program: (path) => `
        import { createRequire } from "node:module";
        const Database = createRequire(${JSON.stringify(join(folder, "package.json"))})("${name}");
        const database = new Database(${JSON.stringify(path)}, ${JSON.stringify(options)});`,
  });
});

test("the guide names the drivers that were tried", () => {
  for (const { name, version } of Object.values(drivers))
    expect(readDocument("docs/consumer.md").text).toContain(`\`${name}\` ${version}`);
});

/** The installed package in Bun and in Deno: its client on the service, and its receiver with what the service sends. */
import { execFile } from "node:child_process";
import { copyFile, mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { createKey } from "../../server/store/accounts/keys.ts";
import { assertReceives, type Start } from "../receivers/harness/assert-receives.ts";
import { freePort } from "../support/free-port.ts";
import { receiverProject } from "../support/installed-package.ts";
import { startWorld, testChainId, type World } from "../support/service.ts";
import { endAll, start } from "../support/shell.ts";

/** Their packages hold the programs, one for each kind of machine. Neither needs its install script. */
const runtimes = [
  { name: "Bun", version: "bun@1.4.5", scope: "@oven", program: "bin/bun", serve: "", ready: /Started/ },
  {
    name: "Deno",
    version: "deno@2.9.6",
    scope: "@deno",
    program: "deno",
    serve: "serve --allow-env --allow-net --host 127.0.0.1 --port $PORT",
    ready: /Listening on/,
  },
];
const quick = ["--ignore-scripts", "--prefer-offline", "--no-package-lock", "--no-audit", "--no-fund", "--silent"];
const folder = join(receiverProject, "runtimes");
let world: World;

beforeAll(async () => {
  await copyFile(new URL("runtimes/program.ts", import.meta.url), join(receiverProject, "program.ts"));
  await mkdir(folder);
  const install = ["install", "--prefix", folder, ...quick, ...runtimes.map(({ version }) => version)];
  [world] = await Promise.all([startWorld(), promisify(execFile)("npm", install, { cwd: folder })]);
});
afterEach(endAll);
afterAll(() => world?.stop());

test.each(runtimes)("$name calls the service with the client, and receives what it sends", async (runtime) => {
  const { name, scope, program, serve, ready } = runtime;
  const [machine = ""] = await readdir(join(folder, "node_modules", scope));
  const { key } = await createKey(world.service.database.pool, { account: name, scopes: ["read", "write"] });
  const begin: Start = async (secret) => {
    const port = await freePort();
    const env = {
      ...{ PORT: String(port), WEBHOOK_SECRET: secret, CHAIN_ID: testChainId },
      ...{ BASE_URL: world.service.url ?? "", API_KEY: key },
      ...{ NO_COLOR: "1", DENO_DIR: join(folder, "deno"), DENO_NO_UPDATE_CHECK: "1" },
    };
    const command = `cd '${receiverProject}' && exec '${join(folder, "node_modules", scope, machine, program)}' ${serve} program.ts`;
    const { output } = await start("sh", ["-c", command], ready, env);
    expect(output()).toMatch(/^the client works$/m);
    return { url: `http://127.0.0.1:${port}/hooks`, output };
  };
  await assertReceives(world, runtimes.indexOf(runtime), begin);
});

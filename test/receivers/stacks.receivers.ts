/**
 * The programs of `examples/stacks/` hold against the deliveries of the service: in the real frameworks, at the versions that the guide names, with
 * the packed package.
 */

import { once } from "node:events";
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { sharedJanitor } from "../../scripts/local/janitor.ts";
import { run } from "../codegen/harness/run.ts";
import { freePort } from "../support/free-port.ts";
import { startWorld, type World } from "../support/service.ts";
import { end, start } from "../support/shell.ts";
import { assertReceives } from "./harness/assert-receives.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const examples = fileURLToPath(new URL("../../examples/stacks/", import.meta.url));
const limitMs = 8 * 60_000;
const quick = "--ignore-scripts --prefer-offline --no-audit --no-fund --silent";

/** A program, and how it is started. */
type Stack = {
  name: string;
  file: string;
  command?: string;
  path?: string;
  prepare?: () => Promise<unknown>;
};

const tsx = (file: string) => `node --import tsx ${file}`;
const lambda = (name: string, shape: string): Stack => ({
  ...{ name, file: "lambda.ts" },
  command: `${tsx("lambda-gateway.ts")} ${shape}`,
});
const startNext = "node_modules/.bin/next start next --hostname 127.0.0.1";

const stacks: readonly Stack[] = [
  { name: "Express", file: "express.ts" },
  { name: "Express behind a parser", file: "express-parsed.ts" },
  { name: "Fastify", file: "fastify.ts" },
  { name: "Hono", file: "hono.ts" },
  { name: "Hono after a middleware that reads the body", file: "hono-parsed.ts" },
  { name: "Koa", file: "koa.ts" },
  { name: "Koa behind a parser", file: "koa-parsed.ts" },
  { name: "NestJS", file: "nest.ts" },
  { name: "NestJS in a controller", file: "nest-controller.ts" },
  { name: "NestJS on Fastify", file: "nest-fastify.ts" },
  { name: "Next.js, app", file: "next/app/hooks/route.ts", command: startNext, prepare: buildNext },
  {
    name: "Next.js, pages",
    file: "next/pages/api/hooks.ts",
    command: startNext,
    prepare: buildNext,
    path: "/api/hooks",
  },
  lambda("AWS Lambda, a function URL, and API Gateway with payload 2.0", "function-url"),
  lambda("AWS Lambda, a function URL, and API Gateway with payload 2.0, in base64", "function-url-base64"),
  lambda("AWS Lambda, API Gateway with payload 1.0", "rest-api"),
  lambda("AWS Lambda, API Gateway with payload 1.0, in base64", "rest-api-base64"),
  lambda("AWS Lambda, a load balancer", "load-balancer"),
  {
    name: "Cloudflare Workers",
    file: "worker.ts",
    command: "node_modules/.bin/workerd serve worker.capnp --socket-addr http=127.0.0.1:$PORT",
    prepare: bundleWorker,
  },
  {
    name: "Firebase",
    file: "firebase.ts",
    command:
      "node --import tsx node_modules/.bin/functions-framework --source=firebase.ts --target=hooks --host=127.0.0.1",
  },
];

let built: Promise<unknown> | undefined;
/** Without the secret, as where it is built. */
function buildNext(): Promise<unknown> {
  built ??= inFolder("next build", "node_modules/.bin/next build next");
  return built;
}

let world: World;
let folder: string;
const running: Awaited<ReturnType<typeof start>>["child"][] = [];

const inFolder = (name: string, command: string) =>
  run({ name, command, cwd: folder, env: { ...process.env, NEXT_TELEMETRY_DISABLED: "1" }, limitMs });

beforeAll(async () => {
  const janitor = await sharedJanitor();
  folder = janitor.makeFolder("chain-webhooks-stacks-");
  cpSync(examples, folder, { recursive: true });
  cpSync(new URL("stacks", import.meta.url), folder, { recursive: true });
  const tarballs = process.env.PACKAGE_TARBALLS ?? (await pack());
  const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const [tarball = ""] = readdirSync(tarballs).filter((name) => /^chain-webhooks-\d/.test(name));
  manifest.dependencies["chain-webhooks"] = `file:${join(tarballs, tarball)}`;
  writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
  [world] = await Promise.all([startWorld(), inFolder("npm", `npm install ${quick}`)]);
}, limitMs);

afterEach(async () => {
  for (const child of running.splice(0)) await end(child);
});

afterAll(async () => {
  await world?.stop();
  rmSync(folder, { recursive: true, force: true });
  (await sharedJanitor()).forgetFolder(folder);
});

test("they compile in strict mode, by the frameworks' own types", () => inFolder("tsc", "node_modules/.bin/tsc -p ."));

test("notify reaches an app of each kind", async () => {
  expect(await inFolder("notify", tsx("notify.ts"))).toMatch(/^8 kinds of targets$/m);
});

test.each(stacks.map((stack, index) => ({ ...stack, index })))(
  "$name receives what the service sends, and refuses everything else",
  async ({ name, file, index, ...stack }) => {
    const { command = tsx(file), path = "/hooks", prepare } = stack;
    await prepare?.();
    await assertReceives(world, index % 10, async (secret) => {
      const port = await freePort();
      const env = { PORT: String(port), WEBHOOK_SECRET: secret, NO_COLOR: "1", NEXT_TELEMETRY_DISABLED: "1" };
      const begin = `cd '${folder}' && echo begun && exec ${command}`;
      const { child, output } = await start("sh", ["-c", begin], /begun/, env);
      running.push(child);
      while (!(await isOpen(port))) if (child.exitCode !== null) throw new Error(`${name} ended. ${output()}`);
      return { url: `http://127.0.0.1:${port}${path}`, output };
    });
  },
);

/** The package of this checkout, as users get it. @returns the folder of its tarball */
async function pack(): Promise<string> {
  const tarballs = join(folder, "tarballs");
  mkdirSync(tarballs);
  const command = `npm run -s build -- chain-webhooks && npm pack --silent --pack-destination '${tarballs}' ./dist/chain-webhooks`;
  await run({ name: "npm pack", command, cwd: root, env: process.env, limitMs });
  return tarballs;
}

async function isOpen(port: number): Promise<boolean> {
  await sleep(50);
  const socket = connect(port, "127.0.0.1");
  const opened = await once(socket, "connect").then(
    () => true,
    () => false,
  );
  socket.destroy();
  return opened;
}

/** As `wrangler deploy` does: one module. */
async function bundleWorker(): Promise<void> {
  const [entry, outfile] = [join(folder, "worker.ts"), join(folder, "worker.js")];
  await build({ entryPoints: [entry], bundle: true, format: "esm", outfile, absWorkingDir: folder });
}

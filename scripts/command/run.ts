/** The command line tool. It loads only the module of the command that it runs. */
import { manifest } from "../../server/base/optional-peers.ts";
import { didYouMean } from "./did-you-mean.ts";

type Command = {
  summary: string;
  load: () => Promise<{ run(args: string[]): Promise<number> }>;
};

const commands: Readonly<Record<string, Command>> = {
  serve: { summary: "Run the service.", load: () => import("./commands/serve.ts") },
  keys: { summary: "Create, list and revoke API keys.", load: () => import("./commands/keys.ts") },
  accounts: {
    summary: "List accounts, set their quotas, and move them.",
    load: () => import("./commands/accounts.ts"),
  },
  cells: { summary: "List cells, and write the map for their proxies.", load: () => import("./commands/cells.ts") },
  secrets: { summary: "Encrypt the signing secrets of a service.", load: () => import("./commands/secrets.ts") },
  "check-database": {
    summary: "Check that a PostgreSQL keeps what the service relies on.",
    load: () => import("./commands/check-database.ts"),
  },
  mock: { summary: "Serve a mock of the API that also sends notifications.", load: () => import("./commands/mock.ts") },
  trigger: { summary: "Send an example notification to an endpoint.", load: () => import("./commands/trigger.ts") },
  listen: {
    summary: "Print and forward the notifications that arrive.",
    load: () => import("./commands/listen.ts"),
  },
  conformance: {
    summary: "Test an implementation against the contract.",
    load: () => import("./commands/conformance.ts"),
  },
  diff: {
    summary: "Compare two versions of any OpenAPI document.",
    load: () => import("./commands/diff.ts"),
  },
  mcp: {
    summary: "Give an agent tools for the API (Model Context Protocol).",
    load: () => import("./commands/mcp.ts"),
  },
  docs: { summary: "Serve the guides and the API reference.", load: () => import("./commands/docs.ts") },
};

const help = `Blockchain event webhooks, contract first.

Usage:
  chain-webhooks COMMAND [options]

Commands:
${Object.entries(commands)
  .map(([name, { summary }]) => `  ${name.padEnd(15)} ${summary}`)
  .join("\n")}

Options:
  -h, --help     Show help. Add it after a command for that command's options.
  -V, --version  Show the version.

Exit codes: 0 for success, 1 for a failure, 2 for a wrong argument, 3 when an optional package is missing. The last line says how to
install it.`;

/** Runs the tool. @param args without the names of node and of the tool. @returns the exit code */
export async function run(args: string[]): Promise<number> {
  const [name, ...rest] = args;
  if (name === undefined) return say(console.error, help, 2);
  if (name === "--help" || name === "-h") return say(console.log, help, 0);
  if (name === "--version" || name === "-V" || name === "version") return say(console.log, manifest.version, 0);
  if (name === "help") return rest[0] === undefined ? say(console.log, help, 0) : loadAndRun(rest[0], ["--help"]);
  if (!name.startsWith("-")) return loadAndRun(name, rest);
  return misused(`Unknown option ${name}${didYouMean(name, ["--help", "--version"])}`);
}

async function loadAndRun(name: string, args: string[]): Promise<number> {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command)
    return misused(`Unknown command ${name}${didYouMean(name, [...Object.keys(commands), "help", "version"])}`);
  const { run } = await command.load();
  return run(args);
}

const misused = (sentence: string) => say(console.error, `${sentence} See --help.`, 2);

function say(print: (text: string) => void, text: string, code: number): number {
  print(text);
  return code;
}

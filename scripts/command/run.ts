/** The command line tool: finds the verb, loads what that one needs, and runs it. */
import { manifest } from "../../server/optional-peers.ts";
import { didYouMean } from "./did-you-mean.ts";

type Verb = {
  /** For the list in the help. */
  summary: string;
  load: () => Promise<{ run(args: string[]): Promise<number> }>;
};

const verbs: Readonly<Record<string, Verb>> = {
  serve: { summary: "runs the service", load: () => import("./verbs/serve.ts") },
  keys: { summary: "makes, lists and revokes the API keys of a service", load: () => import("./verbs/keys.ts") },
  accounts: { summary: "lists accounts, and sets how much each may have", load: () => import("./verbs/accounts.ts") },
  secrets: { summary: "encrypts the signing secrets of a service", load: () => import("./verbs/secrets.ts") },
  mock: { summary: "serves a mock of the API, which sends notifications too", load: () => import("./verbs/mock.ts") },
  trigger: { summary: "sends an example notification to an endpoint", load: () => import("./verbs/trigger.ts") },
  listen: {
    summary: "shows the notifications that arrive, and passes them on",
    load: () => import("./verbs/listen.ts"),
  },
  conformance: { summary: "holds an implementation to the contract", load: () => import("./verbs/conformance.ts") },
  docs: { summary: "serves the guides and the API reference", load: () => import("./verbs/docs.ts") },
};

const help = `Blockchain event webhooks, contract first.

Usage:
  chain-webhooks VERB [options]

Verbs:
${Object.entries(verbs)
  .map(([name, { summary }]) => `  ${name.padEnd(12)} ${summary}`)
  .join("\n")}

Options:
  -h, --help     shows this, and behind a verb what that one takes; so does help [VERB]
  -V, --version  shows the version

The exit code is 0 when all went well, 1 when something failed, 2 for a command that cannot be understood, and 3 when a package is
missing that is not installed along: the last line says how to install it.`;

/** Runs the tool. @param args without the names of node and of the tool. @returns the exit code */
export async function run(args: string[]): Promise<number> {
  const [name, ...rest] = args;
  if (name === undefined) return say(console.error, help, 2);
  if (name === "--help" || name === "-h") return say(console.log, help, 0);
  if (name === "--version" || name === "-V" || name === "version") return say(console.log, manifest.version, 0);
  if (name === "help") return rest[0] === undefined ? say(console.log, help, 0) : runVerb(rest[0], ["--help"]);
  if (!name.startsWith("-")) return runVerb(name, rest);
  return misused(`There is no option ${name}${didYouMean(name, ["--help", "--version"])}`);
}

async function runVerb(name: string, args: string[]): Promise<number> {
  const verb = Object.hasOwn(verbs, name) ? verbs[name] : undefined;
  if (!verb) return misused(`There is no verb ${name}${didYouMean(name, [...Object.keys(verbs), "help", "version"])}`);
  const { run } = await verb.load();
  return run(args);
}

const misused = (sentence: string) => say(console.error, `${sentence} --help tells more.`, 2);

function say(print: (text: string) => void, text: string, code: number): number {
  print(text);
  return code;
}

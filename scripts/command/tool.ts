/** A command line tool of several commands. It loads only the module of the command that it runs. */
import { manifest } from "../../server/base/optional-peers.ts";
import type { Command } from "./command-line.ts";
import { completionOf, shells } from "./completion.ts";
import { didYouMean } from "./did-you-mean.ts";

type LoadedCommand = {
  summary: string;
  load: () => Promise<{ command: Command; run(args: string[]): Promise<number> }>;
};

/** The packages that have commands, and which. */
const packages = {
  "chain-webhooks-service": ["serve", "demo", "keys", "accounts", "cells", "secrets", "check-database"],
  "chain-webhooks-tools": [
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
} as const;

type Package = keyof typeof packages;

/** The commands of a package. */
export type CommandsOf<P extends Package> = Readonly<Record<(typeof packages)[P][number], LoadedCommand>>;

/**
 * @param name how the tool is called
 * @returns what runs it with the arguments that follow the names of node and of the tool, and resolves with the exit code
 */
export function toolOf(
  name: string,
  table: Readonly<Record<string, LoadedCommand>>,
): (args: string[]) => Promise<number> {
  // A shell completes the first word, which must not be that of another program.
  const canComplete = !name.includes(" ");
  const completionHelp = `Print completion for a shell: ${shells.join(", ")}.

Usage:
  ${name} completion SHELL

The first line of what it prints says where to put it.`;
  const help = `Blockchain event webhooks, contract first.

Usage:
  ${name} COMMAND [options]

Commands:
${Object.entries(table)
  .map(([command, { summary }]) => `  ${command.padEnd(15)} ${summary}`)
  .join("\n")}
${canComplete ? `  ${"completion".padEnd(15)} Print completion for ${shells.join(", ")}: source <(${name} completion bash)\n` : ""}
Options:
  -h, --help     Show help. Add it after a command for that command's options.
  -V, --version  Show the version.

Exit codes: 0 for success, 1 for a failure, 2 for a wrong argument, 3 when an optional package is missing. The last line says how to
install it.`;

  async function complete([shell, ...others]: readonly string[]): Promise<number> {
    if (shell === "--help" || shell === "-h") return say(console.log, completionHelp, 0);
    const known = shells.find((each) => each === shell);
    if (known === undefined || others.length > 0) return misused(`completion takes one of ${shells.join(", ")}.`);
    const commands = Object.entries(table).map(async ([command, { summary, load }]) => {
      const { options, actions = {} } = (await load()).command;
      return { name: command, summary, options, actions };
    });
    return say(console.log, completionOf(known, name, await Promise.all(commands)), 0);
  }

  async function loadAndRun(command: string, args: string[]): Promise<number> {
    const found = Object.hasOwn(table, command) ? table[command] : undefined;
    if (found) return (await found.load()).run(args);
    const other = Object.entries(packages).find(([, commands]) => commands.some((each) => each === command))?.[0];
    if (other) return say(console.error, `${command} is a command of another package: npx ${other} ${command}`, 2);
    return misused(
      `Unknown command ${command}${didYouMean(command, [...Object.keys(table), ...(canComplete ? ["completion"] : []), "help", "version"])}`,
    );
  }

  return async ([command, ...rest]) => {
    if (command === undefined) return say(console.error, help, 2);
    if (command === "--help" || command === "-h") return say(console.log, help, 0);
    if (command === "--version" || command === "-V" || command === "version")
      return say(console.log, manifest.version, 0);
    if (command === "help") {
      if (rest[0] === undefined) return say(console.log, help, 0);
      return rest[0] === "completion" && canComplete ? complete(["--help"]) : loadAndRun(rest[0], ["--help"]);
    }
    if (command === "completion" && canComplete) return complete(rest);
    if (!command.startsWith("-")) return loadAndRun(command, rest);
    return misused(`Unknown option ${command}${didYouMean(command, ["--help", "--version"])}`);
  };
}

const misused = (sentence: string) => say(console.error, `${sentence} See --help.`, 2);

function say(print: (text: string) => void, text: string, code: number): number {
  print(text);
  return code;
}

/** A command line tool of several commands. It loads only the module of the command that it runs. */
import { manifest } from "../../server/base/optional-peers.ts";
import { didYouMean } from "./did-you-mean.ts";

type Command = {
  summary: string;
  load: () => Promise<{ run(args: string[]): Promise<number> }>;
};

/** The packages that have commands, and which. */
const packages = {
  "chain-webhooks-service": ["serve", "demo", "keys", "accounts", "cells", "secrets", "check-database"],
  "chain-webhooks-tools": ["mock", "trigger", "listen", "conformance", "diff", "mcp", "docs"],
} as const;

type Package = keyof typeof packages;

/** The commands of a package. */
export type CommandsOf<P extends Package> = Readonly<Record<(typeof packages)[P][number], Command>>;

/**
 * @param name how the tool is called
 * @returns what runs it with the arguments that follow the names of node and of the tool, and resolves with the exit code
 */
export function toolOf(name: string, table: Readonly<Record<string, Command>>): (args: string[]) => Promise<number> {
  const help = `Blockchain event webhooks, contract first.

Usage:
  ${name} COMMAND [options]

Commands:
${Object.entries(table)
  .map(([command, { summary }]) => `  ${command.padEnd(15)} ${summary}`)
  .join("\n")}

Options:
  -h, --help     Show help. Add it after a command for that command's options.
  -V, --version  Show the version.

Exit codes: 0 for success, 1 for a failure, 2 for a wrong argument, 3 when an optional package is missing. The last line says how to
install it.`;

  async function loadAndRun(command: string, args: string[]): Promise<number> {
    const found = Object.hasOwn(table, command) ? table[command] : undefined;
    if (found) return (await found.load()).run(args);
    const other = Object.entries(packages).find(([, commands]) => commands.some((each) => each === command))?.[0];
    if (other) return say(console.error, `${command} is a command of another package: npx ${other} ${command}`, 2);
    return misused(`Unknown command ${command}${didYouMean(command, [...Object.keys(table), "help", "version"])}`);
  }

  return async ([command, ...rest]) => {
    if (command === undefined) return say(console.error, help, 2);
    if (command === "--help" || command === "-h") return say(console.log, help, 0);
    if (command === "--version" || command === "-V" || command === "version")
      return say(console.log, manifest.version, 0);
    if (command === "help") return rest[0] === undefined ? say(console.log, help, 0) : loadAndRun(rest[0], ["--help"]);
    if (!command.startsWith("-")) return loadAndRun(command, rest);
    return misused(`Unknown option ${command}${didYouMean(command, ["--help", "--version"])}`);
  };
}

const misused = (sentence: string) => say(console.error, `${sentence} See --help.`, 2);

function say(print: (text: string) => void, text: string, code: number): number {
  print(text);
  return code;
}

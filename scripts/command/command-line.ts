/** What all commands share: help, arguments, and failures as a sentence and an exit code. */
import { type ParseArgsConfig, parseArgs } from "node:util";
import { exitCodeOf, plainMessage } from "../../server/base/errors.ts";
import { didYouMean } from "./did-you-mean.ts";

/** A command that cannot be understood: exit code 2. Its sentence names what is wrong. */
export class UsageError extends Error {}

/** A failure that its sentence explains: exit code 1, without a stack trace. */
export class CommandError extends Error {}

type Options = NonNullable<ParseArgsConfig["options"]>;
type Arguments<O extends Options> = ReturnType<
  typeof parseArgs<{ args: string[]; options: O; allowPositionals: true }>
>;

/** A command: what it prints for `--help`, and its other options. */
export type Command<O extends Options> = { help: string; options: O };

/**
 * Parses the arguments and runs a command.
 *
 * @param act does the work and resolves with the exit code
 * @returns the exit code: that of `act`, 0 for `--help`, 1 for a failure, 2 for a command that cannot be understood, 3 where a
 * package is missing
 */
export async function runCommand<O extends Options>(
  { help, options }: Command<O>,
  args: string[],
  act: (given: Arguments<O>) => Promise<number>,
): Promise<number> {
  try {
    if (args.some((arg) => arg === "--help" || arg === "-h")) {
      console.log(help);
      return 0;
    }
    return await act(parse(args, options));
  } catch (error) {
    if (error instanceof UsageError) {
      console.error(`${error.message} See --help.`);
      return 2;
    }
    console.error(error instanceof CommandError ? error.message : (plainMessage(error) ?? error));
    return exitCodeOf(error);
  }
}

function parse<O extends Options>(args: string[], options: O): Arguments<O> {
  try {
    return parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    if (error instanceof Error && "code" in error && String(error.code).startsWith("ERR_PARSE_ARGS"))
      throw new UsageError(misunderstood(error.message, options), { cause: error });
    throw error;
  }
}

/** Node's own message in our words: it runs over several lines, and does not say which option was meant. */
function misunderstood(message: string, options: Options): string {
  const [, given = ""] = /'(?:-\w, )?(--?[^\s'=]*)/.exec(message) ?? [];
  const known = Object.keys(options).map((name) => `--${name}`);
  const option = options[given.slice(2)];
  if (!option) return `Unknown option ${given}${didYouMean(given, known)}`;
  if (option.type === "boolean") return `${given} takes no value.`;
  return `${given} needs a value; one that begins with - is written ${given}=VALUE.`;
}

/** @throws UsageError when there are any, for commands that take options only. */
export function noOperands(positionals: readonly string[]): void {
  if (positionals.length > 0) throw new UsageError(`Unexpected argument "${positionals[0]}". Options start with "--".`);
}

/** Reads the value of an option that is a whole number. @throws UsageError */
export function wholeNumberOption(name: string, text: string, { from, to }: { from: number; to: number }): number {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= from && value <= to) return value;
  throw new UsageError(`--${name} must be a whole number from ${from} to ${to}.`);
}

/** Reads the value of an option that is a URL. @throws UsageError */
export function httpUrlOption(name: string, text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === "http:" || url?.protocol === "https:") return url;
  throw new UsageError(`--${name} must be an http or https URL.`);
}

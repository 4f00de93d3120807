/** What all commands share: help, arguments, and failures as a sentence and an exit code. */
import { type ParseArgsConfig, parseArgs } from "node:util";
import { exitCodeOf, plainMessage } from "../../server/base/errors.ts";
import { didYouMean } from "./did-you-mean.ts";

/** A command that cannot be understood: exit code 2. Its sentence names what is wrong. */
export class UsageError extends Error {}

/** A failure that its sentence explains: exit code 1, without a stack trace. */
export class CommandError extends Error {}

type Option = NonNullable<ParseArgsConfig["options"]>[string] & {
  /** What it does, in a sentence or two, without its default. */
  help: string;
  /** Its value as help shows it, such as `URL`. Completion offers files for `FILE`. */
  value?: string;
  /** The only values that it may have. */
  oneOf?: readonly string[];
};

/** The options of a command. Each is described here once: parsing, help and completion come from it. */
export type CommandOptions = Readonly<Record<string, Option>>;
type Arguments<O extends CommandOptions> = ReturnType<
  typeof parseArgs<{ args: string[]; options: O; allowPositionals: true }>
>;

/** What a command takes. */
export type Command<O extends CommandOptions = CommandOptions> = {
  /** The beginning of its help: what it does, and how it is called. */
  intro: string;
  options: O;
  /** The end of its help. */
  notes?: string;
  /** The commands of the command, such as `list`, each with the options that it takes. */
  actions?: Readonly<Record<string, readonly (keyof O & string)[]>>;
};

type Described = { intro: string; options: CommandOptions; notes?: string | undefined };

const widest = 132;

/** What `--help` prints, in lines of at most 132 characters. */
export function helpOf({ intro, options, notes }: Described): string {
  const entries = Object.entries(options).map(([name, option]) => {
    const { help, value = "", oneOf, default: fallback } = option;
    const values = oneOf && !oneOf.every((one) => help.includes(one)) ? ` One of ${oneOf.join(", ")}.` : "";
    const unset = typeof fallback === "string" && !help.includes("Default:") ? ` Default: ${fallback}.` : "";
    return { name: `--${name} ${value}`.trimEnd(), text: `${help}${values}${unset}` };
  });
  entries.push({ name: "-h, --help", text: "Show this help." });
  const column = Math.max(...entries.map(({ name }) => name.length).filter((length) => length <= 20)) + 4;
  const lines = entries.flatMap(({ name, text }) => {
    const [first = "", ...more] = wrapped(text, widest - column);
    const indented = more.map((line) => " ".repeat(column) + line);
    const head = `  ${name}`;
    return head.length + 2 > column
      ? [head, " ".repeat(column) + first, ...indented]
      : [head.padEnd(column) + first, ...indented];
  });
  return `${intro}\n\nOptions:\n${lines.join("\n")}${notes === undefined ? "" : `\n\n${notes}`}`;
}

function wrapped(text: string, width: number): string[] {
  const lines = [""];
  for (const word of text.split(" ")) {
    const longer = `${lines.at(-1)} ${word}`.trimStart();
    if (longer.length <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

/**
 * Reads which of its commands a command must run, such as `list`.
 *
 * @returns its name, and the operands after it
 * @throws UsageError for one that there is not, and for an option of another one
 */
export function actionOf<Name extends string>(
  actions: Readonly<Record<Name, readonly string[]>>,
  { values, positionals: [given = "", ...operands] }: { values: object; positionals: string[] },
): { action: Name; operands: string[] } {
  const names = Object.keys(actions) as Name[];
  const action = names.find((name) => name === given);
  if (action === undefined) {
    const meant = given === "" ? "." : `, not ${given}${didYouMean(given, names)}`;
    throw new UsageError(`The command must be ${names.slice(0, -1).join(", ")} or ${names.at(-1)}${meant}`);
  }
  const misplaced = Object.keys(values).find((name) => !actions[action].includes(name));
  if (misplaced !== undefined) throw new UsageError(`${action} does not take --${misplaced}.`);
  return { action, operands };
}

/**
 * Parses the arguments and runs a command.
 *
 * @param act does the work and resolves with the exit code
 * @returns the exit code: that of `act`, 0 for `--help`, 1 for a failure, 2 for a command that cannot be understood, 3 where a
 * package is missing
 */
export async function runCommand<O extends CommandOptions>(
  command: Command<O>,
  args: string[],
  act: (given: Arguments<O>) => Promise<number>,
): Promise<number> {
  try {
    if (args.some((arg) => arg === "--help" || arg === "-h")) {
      console.log(helpOf(command));
      return 0;
    }
    return await act(parse(args, command.options));
  } catch (error) {
    if (error instanceof UsageError) {
      console.error(`${error.message} See --help.`);
      return 2;
    }
    console.error(error instanceof CommandError ? error.message : (plainMessage(error) ?? error));
    return exitCodeOf(error);
  }
}

function parse<O extends CommandOptions>(args: string[], options: O): Arguments<O> {
  try {
    return parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    if (error instanceof Error && "code" in error && String(error.code).startsWith("ERR_PARSE_ARGS"))
      throw new UsageError(misunderstood(error.message, options), { cause: error });
    throw error;
  }
}

/** Node's own message in our words: it runs over several lines, and does not say which option was meant. */
function misunderstood(message: string, options: CommandOptions): string {
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

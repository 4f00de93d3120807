/** What the run has to know of a receiver: where it is, and what it takes. Its commands are those that its first comment shows. */
import { readFileSync } from "node:fs";
import { basename } from "node:path";

/** A program that must be on the machine, with how it shows its version. */
export type Tool = readonly [program: string, ...ask: string[]];

export type ReceiverProgram = {
  name: string;
  /** The file that receives, below the folder that is copied. */
  file: string;
  /** The first one's version is reported. */
  needs: readonly [Tool, ...Tool[]];
  /** What verifies the signature, for the report. */
  verifiedBy: string;
  /** What it says when it listens. */
  ready?: RegExp;
  /** For what would go to the whole machine, or take longer than a test needs. */
  env?: Readonly<Record<string, string>>;
};

/** The secret stands before the command that starts the receiver. */
const secret = /^WEBHOOK_SECRET=whsec_… /;

/** The commands of a file's first comment, which a reader would type: those that prepare, and the one that starts the receiver. */
export function commandsOf(path: string): { prepare: string[]; start: string } {
  const commands = readFileSync(path, "utf8")
    .split(/^(?!<\?php|"""|\s*$|\/\/|#|(?:\t| {4}))/m)[0]
    ?.split("\n")
    .flatMap((line) => /^(?:\/\/!?|#)?(?:\t| {3,})(\S.*)$/.exec(line)?.[1] ?? []);
  const start = commands?.pop();
  if (!commands || !start || !secret.test(start))
    throw new Error(`The first comment of ${basename(path)} must end in a command that starts it.`);
  return { prepare: commands, start: start.replace(secret, "exec ") };
}

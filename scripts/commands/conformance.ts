/** Holds a place in the list of verbs for the runner of the conformance suite. */
import { CommandError, runCommand } from "./command-line.ts";

const help = `Holds an implementation to the contract.

Usage:
  chain-webhooks conformance BASE_URL --key KEY`;

/** Runs `conformance`. @returns the exit code */
export function run(args: string[]): Promise<number> {
  return runCommand({ help, options: { key: { type: "string" } } }, args, async () => {
    throw new CommandError("There is no conformance suite in this build.");
  });
}

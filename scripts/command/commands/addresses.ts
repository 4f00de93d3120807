/** Makes the addresses of a webhook equal to those of a file, through the API. */
import { once } from "node:events";
import { createReadStream, type ReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { apiNotes, apiOptions, webhookId, withApi } from "../api-client.ts";
import { CommandError, type CommandOptions, runCommand, UsageError } from "../command-line.ts";
import { printList } from "../terminal.ts";

const options = {
  ...apiOptions,
  webhook: { type: "string", value: "ID", help: "The webhook, in place of the argument." },
  file: { type: "string", value: "FILE", help: "A text file with an address on each line; - for standard input." },
  "allow-empty": { type: "boolean", help: "Accept a file without addresses: the webhook then watches none." },
} as const satisfies CommandOptions;

/** What `addresses` takes. */
export const command = {
  intro: `Make the addresses of a webhook equal to those of a file, through the API. Only the difference is sent.

Usage:
  chain-webhooks-tools addresses sync WEBHOOK_ID --file FILE [--allow-empty]`,
  options,
  notes: `All of the difference holds from one block on. Repeat the command after a failure, or as often as you like. Contracts that a factory
created stay. In the file, empty lines count for nothing, and so do repeated addresses and their letter case.

${apiNotes}`,
};

/** Runs `addresses`. @returns the exit code */
export function run(args: string[]): Promise<number> {
  return runCommand(command, args, async ({ values, positionals }) => {
    const [action, ...operands] = positionals;
    if (action !== "sync")
      throw new UsageError(`The command must be addresses sync${action ? `, not ${action}` : ""}.`);
    const { webhook, file, json = false, "allow-empty": allowEmpty = false } = values;
    const id = webhookId("addresses sync", webhook === undefined ? operands : [webhook, ...operands]);
    if (file === undefined) throw new UsageError("addresses sync needs --file FILE.");
    const report = await withApi(values, (client) => client.syncAddresses(id, linesOf(file), { allowEmpty })).catch(
      (error: unknown) => {
        // No address, or none at all: the command's own input.
        if (error instanceof TypeError) throw new CommandError(error.message, { cause: error });
        throw error;
      },
    );
    const { added, removed, unchanged, effectiveFromBlock, requests } = report;
    printList(
      { rows: [{ added, removed, unchanged, "from block": effectiveFromBlock ?? "", requests }], json: report },
      json,
    );
    return 0;
  });
}

async function* linesOf(file: string): AsyncGenerator<string> {
  const input = file === "-" ? process.stdin : await open(file);
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    const address = line.trim();
    if (address !== "") yield address;
  }
}

/** @throws UsageError unless the file can be read */
async function open(file: string): Promise<ReadStream> {
  const input = createReadStream(file);
  await once(input, "open").catch((error: Error) => {
    throw new UsageError(`--file must be a file that can be read: ${error.message}`);
  });
  return input;
}

/** The guides and the reference on their own. */
import express, { type Express } from "express";
import { documents } from "../../../server/api/documents.ts";
import { exact } from "../../../server/contract/enforce.ts";
import { errorMapper, nothingAnswered } from "../../../server/contract/error-mapper.ts";
import { type CommandOptions, noOperands, runCommand, wholeNumberOption } from "../command-line.ts";
import { serve } from "../serving.ts";

const options = {
  port: { type: "string", default: "4030", value: "PORT", help: "Port to listen on; 0 picks a free one." },
  host: { type: "string", default: "127.0.0.1", value: "HOST", help: "Address to listen on." },
} as const satisfies CommandOptions;

/** What `docs` takes. */
export const command = {
  intro: `Serve the guides and the API reference.

Usage:
  chain-webhooks-tools docs [options]`,
  options,
  notes: `A running service and the mock also have them at /docs. There the reference can try each operation.

Exit codes: 0 after Ctrl-C, 1 when it cannot listen, 2 for a wrong argument.`,
};

/** Runs `docs` until SIGINT or SIGTERM. @returns the exit code */
export function run(args: string[]): Promise<number> {
  return runCommand(command, args, async ({ values, positionals }) => {
    noOperands(positionals);
    const port = wholeNumberOption("port", values.port, { from: 0, to: 65_535 });
    await serve(await createDocs(), { port, host: values.host }, (url) => {
      console.log(`The API reference is at ${url}/docs/reference`);
      console.log(`It is listening at ${url}/docs`);
    });
    return 0;
  });
}

/** The server of `docs`. @throws when a document is missing */
export async function createDocs(): Promise<Express> {
  return exact(express())
    .use((await documents()).router)
    .use(
      nothingAnswered,
      errorMapper(({ message, cause }) => console.error(message, cause)),
    );
}

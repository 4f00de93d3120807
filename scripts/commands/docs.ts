/** Serves the docs page as the service does at `/docs`, for reading and for looking at a change of the contract. */
import { fileURLToPath } from "node:url";
import express from "express";
import { documents } from "../../server/http/documents.ts";
import { noOperands, runCommand, wholeNumber } from "./command-line.ts";
import { serve } from "./serving.ts";

const help = `Serves the docs page, and tells which file it is: one that needs nothing else, to be put on any host.

Usage:
  chain-webhooks docs [options]

Options:
  --port PORT  where to listen; any free port unless given
  --host HOST  on which address; 127.0.0.1 unless given
  -h, --help   shows this

It ends at Ctrl-C with exit code 0; with 1 when it cannot listen, and 2 for a command that cannot be understood.`;

const options = {
  port: { type: "string", default: "0" },
  host: { type: "string", default: "127.0.0.1" },
} as const;

const page = fileURLToPath(new URL("../../generated/docs.html", import.meta.url));

/** Runs `docs` until SIGINT or SIGTERM. @returns the exit code */
export function run(args: string[]): Promise<number> {
  return runCommand({ help, options }, args, async ({ values, positionals }) => {
    noOperands(positionals);
    const port = wholeNumber("port", values.port, { from: 0, to: 65_535 });
    await serve(express().use(await documents()), { port, host: values.host }, (url) => {
      console.log(`The page is one file, ${page}`);
      console.log(`and is served at ${url}/docs until you press Ctrl-C.`);
    });
    return 0;
  });
}

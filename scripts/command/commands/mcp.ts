/** Gives an agent tools for the API, by the Model Context Protocol over standard input and output. */
import { waitForSignal } from "../../../server/base/shutdown-signal.ts";
import { type CommandOptions, noOperands, runCommand, UsageError } from "../command-line.ts";
import type { ApiAccess } from "../mcp/api.ts";
import { loadSdk } from "../mcp/sdk.ts";

const options = {
  "allow-write": {
    type: "boolean",
    default: false,
    help: "Also call operations that can change something. Without it such a call only says what it would do.",
  },
} as const satisfies CommandOptions;

/** What `mcp` takes. */
export const command = {
  intro: `Give an agent tools for the API: search, describe and call operations, explain why a transaction did or did not notify, and
list failing webhooks. It speaks the Model Context Protocol over standard input and output; an agent's host starts it.

Usage:
  BASE_URL=URL API_KEY=KEY chain-webhooks-tools mcp [options]`,
  options,
  notes: `Variables:
  BASE_URL       The address of the API.
  API_KEY        The API key; one with the scope read is enough to read. It is not an option, since others can see a command's options.

No answer, error or log holds the key, or a signing secret.

Exit codes: 0 when the input ends, 1 for a failure, 2 for a wrong argument or variable, 3 when the SDK of the protocol is not installed.`,
};

/** Runs `mcp` until its input ends, SIGINT or SIGTERM. @returns the exit code */
export function run(args: string[]): Promise<number> {
  return runCommand(command, args, async ({ values, positionals }) => {
    noOperands(positionals);
    const access = readAccess(process.env);
    const sdk = loadSdk();
    const [{ createMcpServer }, { serveStdio }] = await Promise.all([
      import("../mcp/server.ts"),
      import("../mcp/stdio.ts"),
    ]);
    const shutdown = waitForSignal();
    const allowWrite = values["allow-write"];
    // Standard output is the protocol's.
    const log = (line: string) => console.error(line);
    const server = createMcpServer({ sdk, access, allowWrite, log });
    log(
      `Serving ${access.baseUrl} to an agent over standard input and output, ${allowWrite ? "writes allowed" : "reads only"}.`,
    );
    const streams = { input: process.stdin, output: process.stdout };
    await serveStdio(sdk, server, streams, { stop: shutdown.received, log });
    shutdown.ignore();
    return 0;
  });
}

function readAccess({ BASE_URL: baseUrl, API_KEY: apiKey }: NodeJS.ProcessEnv): ApiAccess {
  if (!baseUrl) throw new UsageError("The variable BASE_URL must be set: the address of the API.");
  if (!apiKey) throw new UsageError("The variable API_KEY must be set: the API key.");
  return { baseUrl, apiKey };
}

/** The guides and the reference on their own: to read them, and to try a server that is elsewhere. */
import { fileURLToPath } from "node:url";
import { httpUrl, noOperands, runCommand, wholeNumber } from "../command-line.ts";
import { createDocs } from "../docs/app.ts";
import { serve } from "../serving.ts";

const page = fileURLToPath(new URL("../../../generated/docs.html", import.meta.url));

const help = `Serves the guides and the API reference, and passes what is tried in it on to a running server.

Usage:
  chain-webhooks docs [options]

Options:
  --server URL  where "Try it" calls the API; http://127.0.0.1:3000 unless given, where chain-webhooks serve has it.
                The mock is at http://127.0.0.1:4010
  --port PORT   where to listen; 4030 unless given, 0 for any free port
  --host HOST   on which address; 127.0.0.1 unless given
  -h, --help    shows this

A running server has them at /docs too. The reference is one file, to be put on any host.

It ends at Ctrl-C with exit code 0; with 1 when it cannot listen, and 2 for a command that cannot be understood.`;

const options = {
  server: { type: "string", default: "http://127.0.0.1:3000" },
  port: { type: "string", default: "4030" },
  host: { type: "string", default: "127.0.0.1" },
} as const;

/** Runs `docs` until SIGINT or SIGTERM. @returns the exit code */
export function run(args: string[]): Promise<number> {
  return runCommand({ help, options }, args, async ({ values, positionals }) => {
    noOperands(positionals);
    const port = wholeNumber("port", values.port, { from: 0, to: 65_535 });
    const server = httpUrl("server", values.server);
    await serve(await createDocs(server), { port, host: values.host }, (url) => {
      console.log(`The reference is one file: ${page}`);
      console.log(`It is listening at ${url}/docs; "Try it" calls ${server.href}`);
    });
    return 0;
  });
}

/** The guides and the reference on their own: to read them, and to try a server that is elsewhere. */
import { fileURLToPath } from "node:url";
import { hostNames, httpUrlOption, noOperands, runCommand, wholeNumberOption } from "../command-line.ts";
import { createDocs } from "../docs/app.ts";
import { serve } from "../serving.ts";

const page = fileURLToPath(new URL("../../../generated/docs.html", import.meta.url));

const help = `Serve the guides and the API reference. Its "Try it" console calls a running server.

Usage:
  chain-webhooks docs [options]

Options:
  --server URL  The API that "Try it" calls. Default: http://127.0.0.1:3000, the default of chain-webhooks serve.
                The mock is at http://127.0.0.1:4010.
  --port PORT   Port to listen on; 0 picks a free one. Default: 4030.
  --host HOST   Address to listen on. Default: 127.0.0.1.
  --allow-host NAME
                A name besides localhost by which "Try it" may be used; may be repeated.
  -h, --help    Show this help.

The reference is a single file; the command prints its path. A running service also has them at /docs.

Exit codes: 0 after Ctrl-C, 1 when it cannot listen, 2 for a wrong argument.`;

const options = {
  server: { type: "string", default: "http://127.0.0.1:3000" },
  port: { type: "string", default: "4030" },
  host: { type: "string", default: "127.0.0.1" },
  "allow-host": { type: "string", multiple: true },
} as const;

/** Runs `docs` until SIGINT or SIGTERM. @returns the exit code */
export function run(args: string[]): Promise<number> {
  return runCommand({ help, options }, args, async ({ values, positionals }) => {
    noOperands(positionals);
    const port = wholeNumberOption("port", values.port, { from: 0, to: 65_535 });
    const server = httpUrlOption("server", values.server);
    await serve(
      await createDocs(server, { allowHosts: hostNames("allow-host", values["allow-host"] ?? []) }),
      { port, host: values.host },
      (url) => {
        console.log(`The reference is one file: ${page}`);
        console.log(`It is listening at ${url}/docs; "Try it" calls ${server.href}`);
      },
    );
    return 0;
  });
}

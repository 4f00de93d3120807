/** A mock of the API, for those who write a client or a receiver before there is a service to try it on. */
import { pino } from "pino";
import { noOperands, runCommand, wholeNumber } from "../command-line.ts";
import { createMock } from "../mock/app.ts";
import { createCallbacks } from "../mock/callbacks.ts";
import { exampleSecret } from "../notifications/secret.ts";
import { serve } from "../serving.ts";

const help = `Serves a mock of the API: requests are checked as the service checks them, and answers are the contract's examples.

Usage:
  chain-webhooks mock [options]

Options:
  --port PORT  where to listen; 4010 unless given, 0 for any free port
  --host HOST  on which address; 127.0.0.1 unless given
  -h, --help   shows this

Any x-service-api-key will do. The same request has the same answer; the header Prefer chooses another one: code=404 or
example=wallet. Nothing is kept: there is a webhook of every id.

createWebhook answers, and then sends a notification to the url of its body, private addresses included, signed with
${exampleSecret}, which is what getWebhookSecret answers.

It ends at Ctrl-C with exit code 0; with 1 when it cannot listen, 2 for a command that cannot be understood, and 3 when Prism is not
installed.`;

const options = {
  port: { type: "string", default: "4010" },
  host: { type: "string", default: "127.0.0.1" },
} as const;

/** Runs `mock` until SIGINT or SIGTERM. @returns the exit code */
export function run(args: string[]): Promise<number> {
  return runCommand({ help, options }, args, async ({ values, positionals }) => {
    noOperands(positionals);
    const port = wholeNumber("port", values.port, { from: 0, to: 65_535 });
    const callbacks = await createCallbacks(console.log);
    const app = await createMock({ callbacks, say: console.log, log: pino({ level: "error" }, pino.destination(2)) });
    await serve(app, { port, host: values.host }, (url) => {
      console.log(`The mock is listening at ${url}; its docs are at ${url}/docs.`);
    });
    await callbacks.close();
    return 0;
  });
}

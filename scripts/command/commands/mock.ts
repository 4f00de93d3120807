/** A mock of the API, for those who write a client or a receiver before there is a service to try it on. */
import { pino } from "pino";
import { noOperands, runCommand, wholeNumber } from "../command-line.ts";
import { createMock } from "../mock/app.ts";
import { createCallbacks } from "../mock/callbacks.ts";
import { exampleSecret } from "../notifications/secret.ts";
import { serve } from "../serving.ts";

const help = `Serve a mock of the API. It checks requests as the service does, and answers with the contract's examples.

Usage:
  chain-webhooks mock [options]

Options:
  --port PORT  Port to listen on; 0 picks a free one. Default: 4010.
  --host HOST  Address to listen on. Default: 127.0.0.1.
  -h, --help   Show this help.

Any x-service-api-key is valid. The same request always gets the same answer; the header Prefer selects another one, such as
code=404 or example=wallet. The mock stores nothing: every id has a webhook.

After createWebhook the mock sends a notification to the url of the request, also at a private address. It is signed with
${exampleSecret}, the secret that getWebhookSecret returns.

Exit codes: 0 after Ctrl-C, 1 when it cannot listen, 2 for a wrong argument, 3 when Prism is not installed.`;

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

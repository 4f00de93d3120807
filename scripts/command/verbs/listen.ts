/** Shows the notifications that arrive, verified, and passes them on, so that one sees them before there is a handler. */

import { httpUrl, noOperands, runCommand, webhookSecret, wholeNumber } from "../command-line.ts";
import { createListener } from "../notifications/listener.ts";
import { serve } from "../serving.ts";

const help = `Receives notifications, prints a line for each, and passes them on unchanged.

Usage:
  chain-webhooks listen [options]

Options:
  --forward-to URL  passes each request on to this URL, with its headers and its bytes, and answers the sender with
                    what came back; 502 when nothing came. Without it, the answer is 204, or 400 for what does not verify
  --secret SECRET   verifies with this one; without it nothing is verified, and every line says so
  --json            prints each body whole as one line of JSON on the standard output; the lines go to the standard error
  --port PORT       where to listen; 4020 unless given, 0 for any free port
  --host HOST       on which address; 127.0.0.1 unless given
  -h, --help        shows this

It ends at Ctrl-C with exit code 0; with 1 when it cannot listen, and 2 for a command that cannot be understood.`;

const options = {
  "forward-to": { type: "string" },
  secret: { type: "string" },
  json: { type: "boolean", default: false },
  port: { type: "string", default: "4020" },
  host: { type: "string", default: "127.0.0.1" },
} as const;

/** Runs `listen` until SIGINT or SIGTERM. @returns the exit code */
export function run(args: string[]): Promise<number> {
  return runCommand({ help, options }, args, async ({ values, positionals }) => {
    noOperands(positionals);
    const port = wholeNumber("port", values.port, { from: 0, to: 65_535 });
    const forwardTo = values["forward-to"] === undefined ? undefined : httpUrl("forward-to", values["forward-to"]).href;
    const secret = values.secret === undefined ? undefined : webhookSecret(values.secret);
    const say = values.json ? console.error : console.log;

    const show = (line: string, body: unknown) => {
      say(printable(`${new Date().toTimeString().slice(0, 8)}  ${line}`));
      if (values.json) console.log(JSON.stringify(body));
    };
    await serve(createListener({ secret, forwardTo, show }), { port, host: values.host }, (url) => {
      say(`Listening at ${url}, ${forwardTo ? `passing on to ${forwardTo}` : "passing nothing on"}.`);
      if (secret === undefined) say("Without --secret nothing is verified.");
    });
    return 0;
  });
}

/** Whoever can send a request must not be able to write to the terminal. */
function printable(line: string): string {
  return line.replaceAll(/\p{Cc}/gu, "?");
}

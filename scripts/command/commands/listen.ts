/**
 * Shows the notifications that arrive, verified, and passes them on, so that one sees them before there is a handler. With a webhook it reads them
 * from its feed instead, so that none has to arrive.
 */

import { waitForSignal } from "../../../server/base/shutdown-signal.ts";
import { apiOptions, withApi } from "../api-client.ts";
import {
  type CommandOptions,
  httpUrlOption,
  noOperands,
  runCommand,
  UsageError,
  wholeNumberOption,
} from "../command-line.ts";
import { followAndForward } from "../notifications/follow.ts";
import { createListener } from "../notifications/listener.ts";
import { webhookSecret } from "../notifications/secret.ts";
import { serve } from "../serving.ts";
import { coloured } from "../terminal.ts";

const options = {
  "forward-to": {
    type: "string",
    value: "URL",
    help: "Forward each request, with its headers and bytes, and return the answer to the sender; 502 without an answer. Without this option the answer is 204, or 400 for a notification that does not verify.",
  },
  secret: {
    type: "string",
    value: "SECRET",
    help: "Verify signatures with this secret. Without it nothing is verified, and every line says so.",
  },
  json: {
    type: "boolean",
    default: false,
    help: "Print each body as one line of JSON to standard output, and everything else to standard error.",
  },
  webhook: {
    type: "string",
    value: "ID",
    help: "Read the notifications of this webhook from the API, and listen to nothing: no URL has to be public. Each is forwarded with the signature that it would be sent with.",
  },
  after: {
    type: "string",
    value: "SEQUENCE",
    help: "With --webhook: begin after this sequence; 0 for the first that is kept. Default: what is new.",
  },
  "base-url": apiOptions["base-url"],
  key: apiOptions.key,
  port: { type: "string", default: "4020", value: "PORT", help: "Port to listen on; 0 picks a free one." },
  host: { type: "string", default: "127.0.0.1", value: "HOST", help: "Address to listen on." },
} as const satisfies CommandOptions;

/** What `listen` takes. */
export const command = {
  intro: `Receive notifications, print a line for each, and forward them unchanged.

Usage:
  chain-webhooks-tools listen [options]
  chain-webhooks-tools listen --webhook ID [--forward-to URL] [options]`,
  options,
  notes: `Exit codes: 0 after Ctrl-C, 1 when it cannot listen or the API refuses, 2 for a wrong argument or variable.`,
};

/** Runs `listen` until SIGINT or SIGTERM. @returns the exit code */
export function run(args: string[]): Promise<number> {
  return runCommand(command, args, async ({ values, positionals }) => {
    noOperands(positionals);
    const port = wholeNumberOption("port", values.port, { from: 0, to: 65_535 });
    const forwardTo =
      values["forward-to"] === undefined ? undefined : httpUrlOption("forward-to", values["forward-to"]).href;
    const { webhook } = values;
    if (webhook === undefined && values.after !== undefined) throw new UsageError("--after must come with --webhook.");
    const secret = values.secret === undefined ? undefined : webhookSecret(values.secret);
    const say = values.json ? console.error : console.log;
    const terminal = values.json ? process.stderr : process.stdout;

    const show = (line: string, body: unknown) => {
      say(`${coloured("dim", new Date().toTimeString().slice(0, 8), terminal)}  ${line}`);
      if (values.json) console.log(JSON.stringify(body));
    };
    if (webhook !== undefined) {
      if (secret !== undefined) throw new UsageError("--secret must be left out with --webhook, whose own is used.");
      const after =
        values.after === undefined ? undefined : wholeNumberOption("after", values.after, { from: 0, to: 999_999_999 });
      const shutdown = waitForSignal();
      const ending = new AbortController();
      void shutdown.received.then(() => ending.abort());
      const { signal } = ending;
      await withApi(values, (client) =>
        followAndForward(client, { id: webhook, after, forwardTo, show, say, terminal, signal }),
      ).finally(shutdown.ignore);
      return 0;
    }
    await serve(createListener({ secret, forwardTo, show, terminal }), { port, host: values.host }, (url) => {
      say(`Listening at ${url}, ${forwardTo ? `passing on to ${forwardTo}` : "passing nothing on"}.`);
      if (secret === undefined) say(coloured("yellow", "Without --secret nothing is verified.", terminal));
    });
    return 0;
  });
}

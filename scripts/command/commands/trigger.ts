/** Sends example notifications to an endpoint, signed, so that a handler can be tried without a chain or the service. */
import { randomUUID } from "node:crypto";
import { uuidV5 } from "../../../server/matching/message-id.ts";
import { type CommandOptions, httpUrlOption, runCommand, UsageError, wholeNumberOption } from "../command-line.ts";
import { didYouMean } from "../did-you-mean.ts";
import { loadScenarios, type Scenario } from "../notifications/scenarios.ts";
import { exampleSecret, webhookSecret } from "../notifications/secret.ts";
import { sendNotification } from "../notifications/send.ts";
import { coloured, printable, printList } from "../terminal.ts";

const options = {
  to: { type: "string", value: "URL", help: "The endpoint, http or https." },
  secret: {
    type: "string",
    default: exampleSecret,
    value: "SECRET",
    help: "The signing secret. The mock uses this one, too.",
  },
  count: {
    type: "string",
    default: "1",
    value: "N",
    help: "Send N notifications one after the other, numbered from 1.",
  },
  batch: { type: "string", value: "N", help: "Send them in batches of up to N, as to a webhook with metadata.batch." },
  "webhook-id": { type: "string", value: "UUID", help: "The webhookId of the payload. Default: the example's." },
  fresh: {
    type: "boolean",
    default: false,
    help: "Give each notification a new messageId. Otherwise each run of a scenario sends the same ones, like a retry.",
  },
  list: { type: "boolean", default: false, help: "List the scenarios." },
  json: { type: "boolean", default: false, help: "With --list: print one JSON array." },
} as const satisfies CommandOptions;

/** What `trigger` takes. */
export const command = {
  intro: `Send example notifications to an endpoint, signed as the service signs them.

Usage:
  chain-webhooks-tools trigger SCENARIO --to URL [options]
  chain-webhooks-tools trigger --list [--json]`,
  options,
  notes: `Exit codes: 0 when every answer was a 2xx, 1 when one was not, 2 for a wrong argument.`,
};

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Runs `trigger`. @returns the exit code */
export function run(args: string[]): Promise<number> {
  return runCommand(command, args, async ({ values, positionals }) => {
    const scenarios = await loadScenarios();
    if (values.list) {
      printList({ rows: scenarios.map(({ name, summary }) => ({ name, summary })) }, values.json);
      return 0;
    }
    if (values.json) throw new UsageError("--json must come with --list.");
    const { notification } = findScenario(scenarios, positionals);
    if (values.to === undefined) throw new UsageError("There must be --to URL, where to send it.");
    const to = httpUrlOption("to", values.to).href;
    const secret = webhookSecret(values.secret);
    const count = wholeNumberOption("count", values.count, { from: 1, to: 1_000_000 });
    const webhookId = (values["webhook-id"] ?? notification.webhookId).toLowerCase();
    if (!uuid.test(webhookId)) throw new UsageError("--webhook-id must be a UUID.");

    const size = values.batch === undefined ? 1 : wholeNumberOption("batch", values.batch, { from: 1, to: 100 });
    let accepted = 0;
    for (let sequence = 1; sequence <= count; sequence += size) {
      const messages = Array.from({ length: Math.min(size, count - sequence + 1) }, (_, index) => {
        const messageId = values.fresh ? randomUUID() : messageIdOf(notification.messageId, sequence + index);
        return { ...notification, webhookId, messageId };
      });
      const [first] = messages;
      if (!first) break;
      const outcome = await sendNotification({
        ...{ to, sequence, secret },
        notification: values.batch === undefined ? first : messages,
      });
      const result = coloured(outcome.accepted ? "green" : "red", printable(outcome.description));
      for (const [index, { messageId }] of messages.entries())
        console.log(`${sequence + index}  ${messageId}  ${result}  ${coloured("dim", `${outcome.durationMs} ms`)}`);
      if (outcome.accepted) accepted += messages.length;
    }
    return accepted === count ? 0 : 1;
  });
}

/** The first is the example itself; those after it are other notifications, and the same ones in every run. */
function messageIdOf(exampleId: string, sequence: number): string {
  return sequence === 1 ? exampleId : uuidV5(exampleId, String(sequence));
}

function findScenario(scenarios: readonly Scenario[], [name, ...more]: readonly string[]): Scenario {
  const known = scenarios.map((scenario) => scenario.name).join(", ");
  if (name === undefined) throw new UsageError(`There must be a scenario: ${known}.`);
  if (more.length > 0) throw new UsageError("There must be one scenario only.");
  const scenario = scenarios.find((each) => each.name === name);
  if (!scenario) {
    const meant = didYouMean(
      name,
      scenarios.map((each) => each.name),
    ).replace(/\.$/, `; there are ${known}.`);
    throw new UsageError(`There is no scenario ${name}${meant}`);
  }
  return scenario;
}

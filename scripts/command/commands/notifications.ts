/** Lists the notifications of a webhook, and sends one again, through the API. */
import type { OperationResult } from "../../../client/index.ts";
import type { components } from "../../../generated/types.ts";
import { apiNotes, apiOptionNames, apiOptions, moment, webhookId, withApi } from "../api-client.ts";
import { actionOf, type CommandOptions, runCommand, UsageError, wholeNumberOption } from "../command-line.ts";
import { printList } from "../terminal.ts";

type NotificationRecord = OperationResult<"listNotifications">["notifications"][number];

const statuses = [
  "pending",
  "delivered",
  "failed",
] as const satisfies readonly components["schemas"]["NotificationStatus"][];

const options = {
  ...apiOptions,
  status: { type: "string", value: "STATUS", oneOf: statuses, help: "Only notifications with this status." },
  after: {
    type: "string",
    value: "SEQUENCE",
    help: "Only those after this sequence; the oldest come first. Default: 0.",
  },
  limit: { type: "string", value: "N", help: "At most N of them. Default: 100." },
} as const satisfies CommandOptions;

const actions = { list: [...apiOptionNames, "status", "after", "limit"], resend: apiOptionNames } as const;

/** What `notifications` takes. */
export const command = {
  intro: `List the notifications of a webhook, and send one again, through the API.

Usage:
  chain-webhooks-tools notifications list WEBHOOK_ID [--status STATUS] [--after SEQUENCE] [--limit N]
  chain-webhooks-tools notifications resend WEBHOOK_ID MESSAGE_ID

Commands:
  list    Show what was recorded for the webhook, by sequence, with the last answer of its endpoint.
  resend  Send one again, with the same messageId and sequence.`,
  options,
  actions,
  notes: apiNotes,
};

/** Runs `notifications`. @returns the exit code */
export function run(args: string[]): Promise<number> {
  return runCommand(command, args, async (given) => {
    const { action, operands } = actionOf(actions, given);
    const { json = false, status: wanted, limit: most = "100", after, ...values } = given.values;
    if (action === "resend") {
      const [id, messageId, ...others] = operands;
      if (id === undefined || messageId === undefined || others.length > 0)
        throw new UsageError("resend takes the id of a webhook and a messageId.");
      const record = await withApi(values, (client) => client.resendNotification({ path: { id, messageId } }));
      printList({ rows: [rowOf(record)], json: record }, json);
      return 0;
    }
    const id = webhookId(action, operands);
    const limit = wholeNumberOption("limit", most, { from: 1, to: 1_000_000 });
    const afterSequence =
      after === undefined ? 0 : wholeNumberOption("after", after, { from: 0, to: Number.MAX_SAFE_INTEGER });
    const status = statuses.find((each) => each === wanted);
    if (wanted !== undefined && status === undefined)
      throw new UsageError(`--status must be one of ${statuses.join(", ")}.`);
    const found = await withApi(values, async (client) => {
      const records: NotificationRecord[] = [];
      const query = { pageSize: Math.min(limit, 100), afterSequence, ...(status && { status }) };
      for await (const page of client.pages("listNotifications", { path: { id }, query })) {
        records.push(...page.notifications);
        if (records.length > limit) break;
      }
      return records;
    });
    const shown = found.slice(0, limit);
    printList({ rows: shown.map(rowOf), json: shown, none: "There are no notifications." }, json);
    if (found.length > limit) console.error(`There are more: --after ${shown.at(-1)?.sequence} shows them.`);
    return 0;
  });
}

function rowOf(record: NotificationRecord) {
  const { messageId, sequence, status, blockNumber, removed, attemptCount, recordedAt, lastAttempt } = record;
  return {
    sequence,
    messageId,
    status,
    block: blockNumber,
    kind: removed ? "retraction" : "",
    attempts: attemptCount,
    "last answer": lastAttempt?.responseStatus ?? lastAttempt?.errorClass ?? "",
    recorded: moment(recordedAt),
  };
}

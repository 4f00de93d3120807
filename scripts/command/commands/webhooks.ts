/** Lists, creates, pauses, resumes and deletes the webhooks of an account, through the API. */
import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import type { OperationResult, WebhooksClient } from "../../../client/index.ts";
import type { components } from "../../../generated/types.ts";
import { apiNotes, apiOptionNames, apiOptions, moment, webhookId, withApi } from "../api-client.ts";
import { actionOf, CommandError, type CommandOptions, runCommand, UsageError } from "../command-line.ts";
import { printList } from "../terminal.ts";

type Webhook = OperationResult<"getWebhook">;
type WebhookCreate = components["schemas"]["WebhookCreate"];

const statuses = ["active", "inactive"] as const satisfies readonly components["schemas"]["WebhookStatus"][];

const options = {
  ...apiOptions,
  status: { type: "string", value: "STATUS", oneOf: statuses, help: "Only webhooks with this status." },
  url: { type: "string", value: "URL", help: "Where notifications go." },
  "feed-only": { type: "boolean", help: "Send nothing: notifications are read from the feed. In place of --url." },
  "chain-id": { type: "string", value: "ID", help: "The chain, such as 43114." },
  address: { type: "string", multiple: true, value: "ADDRESS", help: "An address to watch. May be repeated." },
  "event-signature": {
    type: "string",
    multiple: true,
    value: "HASH",
    help: "Only logs with this topic0. May be repeated.",
  },
  "from-block": {
    type: "string",
    value: "NUMBER",
    help: "Start in the past: notify of this block and all later ones, in order.",
  },
  "history-mode": {
    type: "string",
    value: "MODE",
    help: "How to read the past: complete (default), headers, or logs, which is fastest and proves least.",
  },
  name: { type: "string", value: "NAME", help: "A name for people." },
  "include-logs": { type: "boolean", help: "Notify of logs, too." },
  "include-internal-txs": { type: "boolean", help: "Notify of internal transactions, too." },
  body: {
    type: "string",
    value: "FILE",
    help: "The whole webhook as JSON, as createWebhook takes it; - for standard input. Other options replace its fields.",
  },
} as const satisfies CommandOptions;

const actions = {
  list: [...apiOptionNames, "status"],
  create: [
    ...apiOptionNames,
    ...([
      "url",
      "feed-only",
      "chain-id",
      "address",
      "event-signature",
      "from-block",
      "history-mode",
      "name",
      "include-logs",
      "include-internal-txs",
      "body",
    ] as const),
  ],
  pause: apiOptionNames,
  resume: apiOptionNames,
  secret: apiOptionNames,
  delete: apiOptionNames,
} as const;

/** What `webhooks` takes. */
export const command = {
  intro: `List, create, pause and delete webhooks, through the API.

Usage:
  chain-webhooks-tools webhooks list [--status STATUS]
  chain-webhooks-tools webhooks create --url URL --chain-id ID --address ADDRESS [options]
  chain-webhooks-tools webhooks create --feed-only --chain-id ID --address ADDRESS [options]
  chain-webhooks-tools webhooks create --body FILE [options]
  chain-webhooks-tools webhooks pause|resume|secret|delete ID

Commands:
  list    Show the webhooks of the key's account, the newest first.
  create  Create a webhook, and show it.
  pause   Set its status to inactive. What is recorded waits; later activity is not notified.
  resume  Set its status to active. It notifies from the next block on.
  secret  Print the secret that its notifications are signed with.
  delete  Delete it for good, with its pending notifications.`,
  options,
  actions,
  notes: apiNotes,
};

/** Runs `webhooks`. @returns the exit code */
export function run(args: string[]): Promise<number> {
  return runCommand(command, args, async (given) => {
    const { action, operands } = actionOf(actions, given);
    const { values } = given;
    const asJson = values.json ?? false;
    if (action === "list" || action === "create") {
      if (operands.length > 0)
        throw new UsageError(`Unexpected argument "${operands[0]}". ${action} takes options only.`);
      const body = action === "create" ? await bodyOf(values) : undefined;
      await withApi(values, async (client) => {
        if (body === undefined) return list(client, statusOption(values.status), asJson);
        show(await client.createWebhook({ body }), asJson);
      });
      return 0;
    }
    const id = webhookId(action, operands);
    await withApi(values, async (client) => {
      if (action === "secret") {
        const secret = await client.getWebhookSecret({ path: { id } });
        console.log(asJson ? JSON.stringify(secret, null, 2) : secret.secret);
      } else if (action === "delete") {
        const webhook = await client.deleteWebhook({ path: { id } });
        if (asJson) show(webhook, asJson);
        else console.error(`The webhook ${id} is deleted.`);
      } else {
        const status = action === "pause" ? "inactive" : "active";
        show(await client.updateWebhook({ path: { id }, body: { status } }), asJson);
      }
    });
    return 0;
  });
}

function statusOption(given: string | undefined): (typeof statuses)[number] | undefined {
  const status = statuses.find((each) => each === given);
  if (given !== undefined && status === undefined) throw new UsageError(`--status must be ${statuses.join(" or ")}.`);
  return status;
}

async function list(client: WebhooksClient, status: (typeof statuses)[number] | undefined, asJson: boolean) {
  const webhooks: Webhook[] = [];
  for await (const page of client.pages("listWebhooks", { query: { ...(status && { status }) } }))
    webhooks.push(...page.webhooks);
  printList({ rows: webhooks.map(rowOf), json: webhooks, none: "There are no webhooks." }, asJson);
}

function show(webhook: Webhook, asJson: boolean): void {
  printList({ rows: [rowOf(webhook)], json: webhook }, asJson);
}

function rowOf({ id, status, chainId, addressCount, url, name, createdAt, failingSince }: Webhook) {
  return {
    id,
    status: status === "active" && failingSince !== undefined ? "failing" : status,
    chain: chainId,
    addresses: addressCount,
    created: moment(createdAt),
    url: url ?? "(feed only)",
    ...(name !== "" && { name }),
  };
}

type CreateValues = {
  [Name in "url" | "chain-id" | "from-block" | "history-mode" | "name" | "body"]?: string | undefined;
} & { [Name in "address" | "event-signature"]?: string[] | undefined } & {
  [Name in "feed-only" | "include-logs" | "include-internal-txs"]?: boolean | undefined;
};

/** The API says what is wrong or missing in it, so nothing is checked here. */
async function bodyOf(values: CreateValues): Promise<WebhookCreate> {
  const { url, "chain-id": chainId, name, address, "event-signature": eventSignatures, body: file } = values;
  const isDelivered = url !== undefined || values["feed-only"];
  if (file === undefined && (!isDelivered || chainId === undefined || address === undefined))
    throw new UsageError("create needs --url or --feed-only, --chain-id and --address, or --body.");
  const whole = file === undefined ? {} : await readJson(file);
  return {
    eventType: "address_activity",
    ...whole,
    ...(url !== undefined && { url }),
    ...(values["feed-only"] && { delivery: "feed" }),
    ...(chainId !== undefined && { chainId }),
    ...(values["from-block"] !== undefined && { fromBlock: values["from-block"] }),
    ...(values["history-mode"] !== undefined && { historyMode: values["history-mode"] }),
    ...(name !== undefined && { name }),
    ...(values["include-logs"] && { includeLogs: true }),
    ...(values["include-internal-txs"] && { includeInternalTxs: true }),
    metadata: {
      ...whole.metadata,
      ...(address && { addresses: address }),
      ...(eventSignatures && { eventSignatures }),
    },
  } as WebhookCreate;
}

async function readJson(file: string): Promise<Partial<WebhookCreate>> {
  const content = await (file === "-" ? text(process.stdin) : readFile(file, "utf8")).catch((error: Error) => {
    throw new CommandError(`--body: ${error.message}.`);
  });
  try {
    const value: unknown = JSON.parse(content);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  } catch {
    // It is no object either.
  }
  throw new UsageError("--body must be a file with a JSON object.");
}

/** The commands that call the API, by the package's own client: where the API is, the key, and failures as a sentence. */
import { createWebhooksClient, type WebhooksClient, WebhooksError } from "../../client/index.ts";
import { CommandError, type CommandOptions, UsageError } from "./command-line.ts";
import { printable } from "./terminal.ts";

/** The options that all of them take. */
export const apiOptions = {
  "base-url": { type: "string", value: "URL", help: "The address of the API. Default: the variable BASE_URL." },
  key: {
    type: "string",
    value: "KEY",
    help: "The API key. Default: the variable API_KEY, which other users of this machine cannot read.",
  },
  json: { type: "boolean", help: "Print JSON: a list as one array, anything else as the API returns it." },
} as const satisfies CommandOptions;

/** Their names, for the actions of a command. */
export const apiOptionNames = ["base-url", "key", "json"] as const;

/** How each such help ends. */
export const apiNotes = `Variables:
  BASE_URL       The address of the API, such as http://127.0.0.1:3000.
  API_KEY        The API key. The command only needs that, and no database.

Exit codes: 0 for success, 1 when the API refuses or cannot be reached, 2 for a wrong argument or variable.`;

type ApiValues = { "base-url"?: string | undefined; key?: string | undefined };

/**
 * Calls the API for a command.
 *
 * @throws UsageError without an address or a key, CommandError when a call fails
 */
export async function withApi<T>(values: ApiValues, act: (client: WebhooksClient) => Promise<T>): Promise<T> {
  const baseUrl = values["base-url"] ?? process.env.BASE_URL;
  const apiKey = values.key ?? process.env.API_KEY;
  if (!baseUrl) throw new UsageError("--base-url or the variable BASE_URL must be the address of the API.");
  if (!apiKey) throw new UsageError("--key or the variable API_KEY must be an API key.");
  try {
    return await act(clientOf(baseUrl, apiKey));
  } catch (error) {
    if (error instanceof WebhooksError) throw new CommandError(sentenceOf(error, baseUrl), { cause: error });
    throw error;
  }
}

function clientOf(baseUrl: string, apiKey: string): WebhooksClient {
  try {
    return createWebhooksClient({ baseUrl, apiKey });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(reason.replace("baseUrl", "BASE_URL").replace("apiKey", "API_KEY"), { cause: error });
  }
}

function sentenceOf({ code, message, body }: WebhooksError, baseUrl: string): string {
  if (body) return printable(body.message);
  if (code === "network_error" || code === "timeout") return `${message} Is the API at ${baseUrl}?`;
  return message;
}

/** The one operand that is the identifier of a webhook. @throws UsageError */
export function webhookId(action: string, [id, ...others]: readonly string[]): string {
  if (id === undefined || others.length > 0) throw new UsageError(`${action} takes the id of one webhook.`);
  return id;
}

/** Whole seconds are enough in a table. */
export function moment(ms: number | undefined): string {
  return ms === undefined ? "" : `${new Date(ms).toISOString().slice(0, 19)}Z`;
}

/** The tool that explains why a transaction was or was not notified, by the service's own explanation, for each webhook. */
import type { components } from "../../../../generated/types.ts";
import { loadContract } from "../../../../server/contract/contract.ts";
import { type ToolAnswer, ToolFailure } from "../answers.ts";
import type { Api } from "../api.ts";
import { explained } from "../explain/sentences.ts";
import { readOnly, type Tool, type ToolSurroundings } from "../tool.ts";

type Webhook = components["schemas"]["Webhook"];

/** For each, the service reads the transaction's block. */
const webhooksPerCall = 10;
const maxDetails = 3;

const uuid = "^[0-9a-fA-F]{8}-([0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}$";

/** `explain_transaction`. */
export const explainTransaction: Tool = {
  name: "explain_transaction",
  title: "Explain why a transaction did or did not notify",
  description:
    "Says for each webhook, or for one, whether a transaction was notified, with what outcome, and if not, why. The matching rule itself decides.",
  inputSchema: {
    type: "object",
    required: ["txHash"],
    additionalProperties: false,
    properties: {
      txHash: { type: "string", pattern: "^0x[0-9a-fA-F]{64}$", description: "The transaction's hash." },
      webhookId: {
        type: "string",
        pattern: uuid,
        description: "Only this webhook. Default: all of the account, ten a call.",
      },
      chainId: { type: "string", pattern: "^[1-9][0-9]{0,18}$", description: "Only webhooks on this chain." },
      pageToken: { type: "string", maxLength: 512, description: "The next webhooks, as the last answer says." },
    },
  },
  annotations: readOnly(true),
  run: (args, surroundings) => explain(args as ExplainArguments, surroundings),
};

type ExplainArguments = { txHash: string; webhookId?: string; chainId?: string; pageToken?: string };

async function explain(args: ExplainArguments, { api, signal }: ToolSurroundings): Promise<ToolAnswer> {
  const { webhooks, nextPageToken } = await webhooksFor(api, args, signal);
  const wanted = webhooks.filter(({ chainId }) => args.chainId === undefined || chainId === args.chainId);
  const results: Result[] = [];
  for (const webhook of wanted) results.push(await explainFor(api, webhook, args, signal));
  const says = results.map((each) => each.says);
  if (results.length === 0) says.push("No webhook to look at: there is none, or none on this chain.");
  if (results.some((each) => each.isNotSeen)) says.push(await notSeen());
  if (nextPageToken) says.push("There are more webhooks. Call again with the pageToken of the data.");
  const data = { webhooks: results.map((each) => each.data), ...(nextPageToken && { pageToken: nextPageToken }) };
  return { says: says.join("\n\n"), data };
}

async function webhooksFor(api: Api, { webhookId, pageToken }: ExplainArguments, signal: AbortSignal) {
  if (webhookId !== undefined) {
    const webhook = await api.read("getWebhook", { path: { id: webhookId } }, signal);
    return { webhooks: [webhook], nextPageToken: undefined };
  }
  return api.read("listWebhooks", { query: { pageSize: webhooksPerCall, ...(pageToken && { pageToken }) } }, signal);
}

type Result = { says: string; data: object; isNotSeen: boolean };

async function explainFor(
  api: Api,
  webhook: Webhook,
  { txHash, webhookId }: ExplainArguments,
  signal: AbortSignal,
): Promise<Result> {
  const { id, name, url, metadata, ...state } = webhook;
  const about = { id, name, url, ...state, eventSignatures: metadata.eventSignatures };
  try {
    const explanation = await api.read("explainWebhook", { path: { id }, query: { txHash } }, signal);
    const details = [];
    for (const { messageId } of explanation.notifications.slice(0, maxDetails)) {
      const { payload: _, ...detail } = await api.read("getNotification", { path: { id, messageId } }, signal);
      details.push(detail);
    }
    const { notifications, ...rest } = explanation;
    const data = { webhook: about, explanation: rest, notifications: [...details, ...notifications.slice(maxDetails)] };
    return { says: explained(webhook, explanation).join("\n- "), data, isNotSeen: explanation.matches === false };
  } catch (error) {
    // Of many webhooks, some may be on chains that do not have the transaction.
    if (webhookId !== undefined || !(error instanceof ToolFailure)) throw error;
    const says = `Webhook ${id} on chain ${state.chainId} is not explained. ${error.message}`;
    return { says, data: { webhook: about, error: error.data, notifications: [] }, isNotSeen: false };
  }
}

/** What the contract says is never seen. */
async function notSeen(): Promise<string> {
  const { info } = (await loadContract()) as unknown as { info: { description: string } };
  return info.description.slice(info.description.indexOf("# What is not seen"));
}

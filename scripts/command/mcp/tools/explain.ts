/** The tool that explains why a transaction was or was not notified. It combines what the API offers; nothing else is read. */
import type { components } from "../../../../generated/types.ts";
import { loadContract } from "../../../../server/contract/contract.ts";
import type { Answer } from "../answers.ts";
import type { Api } from "../api.ts";
import { notificationsOf, type Webhook, watchedAmong } from "../explain/evidence.ts";
import { heldBack, type Known, notified, notNotified } from "../explain/reasons.ts";
import { participantsIn, type Receipt, receiptSchema } from "../explain/receipt.ts";
import { readOnly, type Surroundings, type Tool } from "../tool.ts";

/** Each costs a page of notifications at least. */
const webhooksPerCall = 10;
const maxDetails = 3;
/** A transaction has one notification, and a retraction for each time its block left the chain. */
const maxSentences = 20;

const uuid = "^[0-9a-fA-F]{8}-([0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}$";

/** `explain_transaction`. */
export const explainTransaction: Tool = {
  name: "explain_transaction",
  title: "Explain why a transaction did or did not notify",
  description: [
    "Says for each webhook, or for one, whether a transaction was notified, with what outcome, and if not, why.",
    "Pass the transaction's receipt, if a node can be asked for it: then the matching rule itself is applied.",
  ].join(" "),
  inputSchema: {
    type: "object",
    required: ["txHash"],
    additionalProperties: false,
    properties: {
      txHash: { type: "string", pattern: "^0x[0-9a-fA-F]{64}$", description: "The transaction's hash." },
      receipt: receiptSchema,
      webhookId: {
        type: "string",
        pattern: uuid,
        description: "Only this webhook. Default: all of the account, ten a call.",
      },
      chainId: { type: "string", pattern: "^[1-9][0-9]{0,18}$", description: "Only webhooks on this chain." },
      pageToken: { type: "string", maxLength: 512, description: "The next webhooks, as the last answer says." },
      afterSequence: {
        type: "integer",
        minimum: 0,
        description: "With webhookId: where to go on, as the last answer says.",
      },
    },
  },
  annotations: readOnly(true),
  refuse({ txHash, receipt, webhookId, afterSequence }) {
    const given = (receipt as Partial<Receipt> | undefined)?.transactionHash;
    if (typeof given === "string" && typeof txHash === "string" && given.toLowerCase() !== txHash.toLowerCase())
      return { says: "receipt.transactionHash must be txHash.", failed: true };
    if (afterSequence !== undefined && webhookId === undefined)
      return { says: "afterSequence needs webhookId.", failed: true };
    return undefined;
  },
  run: (args, surroundings) => explain(args as ExplainArguments, surroundings),
};

type ExplainArguments = {
  txHash: string;
  receipt?: Receipt;
  webhookId?: string;
  chainId?: string;
  pageToken?: string;
  afterSequence?: number;
};

async function explain(args: ExplainArguments, { api, signal }: Surroundings): Promise<Answer> {
  const { chains } = await api.read("listChains", {}, signal);
  const { webhooks, nextPageToken } = await webhooksFor(api, args, signal);
  const known = args.receipt && {
    block: BigInt(args.receipt.blockNumber),
    participants: participantsIn(args.receipt),
  };
  const wanted = webhooks.filter(({ chainId }) => args.chainId === undefined || chainId === args.chainId);
  const explained = [];
  for (const webhook of wanted) {
    const chain = chains.find(({ chainId }) => chainId === webhook.chainId);
    explained.push(await explainFor(api, webhook, chain, { ...args, known }, signal));
  }
  const says = explained.map((each) => each.says);
  if (explained.length === 0) says.push("No webhook to look at: there is none, or none on this chain.");
  if (explained.some((each) => each.notMatched)) says.push(await notSeen());
  if (nextPageToken) says.push("There are more webhooks. Call again with the pageToken of the data.");
  const data = { webhooks: explained.map((each) => each.data), ...(nextPageToken && { pageToken: nextPageToken }) };
  return { says: says.join("\n\n"), data };
}

async function webhooksFor(api: Api, { webhookId, pageToken }: ExplainArguments, signal: AbortSignal) {
  if (webhookId !== undefined) {
    const webhook = await api.read("getWebhook", { path: { id: webhookId } }, signal);
    return { webhooks: [webhook], nextPageToken: undefined };
  }
  return api.read("listWebhooks", { query: { pageSize: webhooksPerCall, ...(pageToken && { pageToken }) } }, signal);
}

type Explained = { says: string; data: object; notMatched: boolean };

async function explainFor(
  api: Api,
  webhook: Webhook,
  chain: components["schemas"]["Chain"] | undefined,
  { txHash, afterSequence = 0, known }: ExplainArguments & { known: Known | undefined },
  signal: AbortSignal,
): Promise<Explained> {
  const { id, name, url, metadata, ...state } = webhook;
  const search = { id, txHash: txHash.toLowerCase(), afterSequence };
  const { records, searchedTo } = await notificationsOf(api, search, signal);
  const details = [];
  for (const { messageId } of records.slice(0, maxDetails)) {
    const { payload: _, ...detail } = await api.read("getNotification", { path: { id, messageId } }, signal);
    details.push(detail);
  }
  const goOn =
    searchedTo === undefined
      ? []
      : [
          `Searched up to sequence ${searchedTo}. To go on, call again with webhookId ${id} and afterSequence ${searchedTo}.`,
        ];
  const about = { id, name, url, ...state, eventSignatures: metadata.eventSignatures };
  if (records.length > 0) {
    const waits = records.some(({ status }) => status === "pending") ? heldBack(webhook) : [];
    const says = [`Webhook ${id} was notified.`, ...records.slice(0, maxSentences).map(notified), ...waits, ...goOn];
    return { says: says.join("\n- "), data: { webhook: about, notifications: details }, notMatched: false };
  }
  const watched = known && (await watchedAmong(api, webhook, known.participants.addresses, signal));
  const { reasons, matches } = notNotified(webhook, chain, known, watched);
  const verdict = searchedTo === undefined ? "was not notified" : "has no notification of it so far in the search";
  const says = [`Webhook ${id} ${verdict}.`, ...reasons, ...goOn];
  return { says: says.join("\n- "), data: { webhook: about, chain, notifications: [] }, notMatched: matches !== true };
}

/** What the contract says is never seen. */
async function notSeen(): Promise<string> {
  const { info } = (await loadContract()) as unknown as { info: { description: string } };
  return info.description.slice(info.description.indexOf("# What is not seen"));
}

/**
 * Writes the contract's examples of notifications, previews and explanations in openapi/examples/: real transactions, recorded from
 * mainnet, put through the service's own code: `npm run generate examples`.
 */
import { readFile, writeFile } from "node:fs/promises";
import {
  buildEvent,
  eventText,
  finalityText,
  notificationText,
  ownEventText,
  retractionText,
} from "../../server/matching/event.ts";
import { glacierText } from "../../server/matching/glacier.ts";
import { messageIdOf } from "../../server/matching/message-id.ts";
import type { WebhookOptions } from "../../server/matching/new-webhook.ts";
import { knownTokens } from "../command/mock/chain/known-tokens.ts";
import { recordedBundle } from "../local/recorded.ts";
import { exampleExplanations } from "./explanation-examples.ts";

const folder = new URL("../../openapi/examples/", import.meta.url);

type Source = {
  summary: string;
  /** The example of a webhook that gets the notification: it decides on the variant. */
  webhook:
    | "non-fungible-transfer"
    | "multi-token-transfer"
    | "wallet"
    | "internal-transactions"
    | "decoded-logs"
    | "batches"
    | "finality"
    | "token-transfers"
    | "glacier";
  /** A recorded block, and the transaction's position in it. */
  block: string;
  transactionIndex: number;
  /** It follows the first notification of the same transaction. */
  follows?: "as retraction" | "when final";
};

/** On Ethereum, a block is final after two epochs, which is 64 blocks at least. */
const blocksUntilFinal = 64;

const sources: Record<string, Source> = {
  "non-fungible-transfer": {
    summary: "A non-fungible token was transferred; the transaction's other logs come along",
    webhook: "non-fungible-transfer",
    block: "mainnet/18951424",
    transactionIndex: 33,
  },
  "multi-token-transfer": {
    summary: "A thousand of one token of a multi-token contract (ERC-1155) were minted, by one TransferSingle",
    webhook: "multi-token-transfer",
    block: "mainnet/18951424",
    transactionIndex: 28,
  },
  "fungible-transfer": {
    summary: "A fungible token was transferred; its proxy delegates to the implementation",
    webhook: "internal-transactions",
    block: "mainnet-traced/19933122",
    transactionIndex: 27,
  },
  "native-transfer": {
    summary: "One ether was transferred, which emits no log",
    webhook: "wallet",
    block: "mainnet/20000000",
    transactionIndex: 121,
  },
  "contract-creation": {
    summary: "A contract was created: `to` is all zero",
    webhook: "wallet",
    block: "mainnet/4662649",
    transactionIndex: 31,
  },
  "failed-transaction": {
    summary: "A transaction failed: `txStatus` is 0",
    webhook: "wallet",
    block: "mainnet/18951424",
    transactionIndex: 44,
  },
  "internal-transactions": {
    summary: "A contract passed on the ether it was sent, by internal transactions",
    webhook: "internal-transactions",
    block: "mainnet-traced/12244000",
    transactionIndex: 120,
  },
  "decoded-logs": {
    summary: "A non-fungible token was transferred, and each transfer among the logs is decoded",
    webhook: "decoded-logs",
    block: "mainnet/18951424",
    transactionIndex: 33,
  },
  "token-transfers": {
    summary: "Ether was wrapped and swapped for 400 USDC: the transfers, with names and amounts in whole tokens",
    webhook: "token-transfers",
    block: "mainnet-traced/12244000",
    transactionIndex: 88,
  },
  finalized: {
    summary:
      "The transfer of one ether is final: `finalized` is true, and `confirmations` is how many blocks are on top",
    webhook: "finality",
    block: "mainnet/20000000",
    transactionIndex: 121,
    follows: "when final",
  },
  retraction: {
    summary: "The non-fungible transfer is retracted, because its block left the chain",
    webhook: "non-fungible-transfer",
    block: "mainnet/18951424",
    transactionIndex: 33,
    follows: "as retraction",
  },
};

/** In Glacier's form. */
const inGlaciersForm: Record<string, Source> = {
  "token-transfers": {
    summary: "Ether was wrapped and swapped for 400 USDC; a log with three topics has no `topic3`",
    webhook: "glacier",
    block: "mainnet-traced/12244000",
    transactionIndex: 88,
  },
  retraction: {
    summary: "The swap is retracted, because its block left the chain",
    webhook: "glacier",
    block: "mainnet-traced/12244000",
    transactionIndex: 88,
    follows: "as retraction",
  },
};

const batch = {
  summary: "Ether moved at two wallets of one block: two notifications in one POST",
  sources: [121, 122].map(
    (transactionIndex): Omit<Source, "summary"> => ({
      webhook: "batches",
      block: "mainnet/20000000",
      transactionIndex,
    }),
  ),
};

/** The example notifications: the text of each file by its name. */
export async function exampleNotifications(): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  for (const [name, source] of Object.entries(sources)) {
    const example = { summary: source.summary, value: await notification(source) };
    texts.set(`notification.${name}.json`, `${JSON.stringify(example, null, 2)}\n`);
  }
  for (const [name, source] of Object.entries(inGlaciersForm)) {
    const example = { summary: source.summary, value: await notification(source) };
    texts.set(`glacier-notification.${name}.json`, `${JSON.stringify(example, null, 2)}\n`);
  }
  const value = await Promise.all(batch.sources.map(notification));
  texts.set("notifications.batch.json", `${JSON.stringify({ summary: batch.summary, value }, null, 2)}\n`);
  return texts;
}

async function notification({ webhook, block, transactionIndex, follows }: Omit<Source, "summary">): Promise<unknown> {
  const { id: webhookId, includeLogs, includeInternalTxs, metadata, compatibility } = await webhookExample(webhook);
  const { includeTransfers = false } = metadata;
  const variant = { chainId: "1", includeLogs, includeInternalTxs, includeTransfers, tokens: knownTokens };
  const event = buildEvent(recordedBundle(block), transactionIndex, variant);
  const { blockHash, txHash: transactionHash } = event.transaction;
  const messageId = messageIdOf({ webhookId, blockHash, transactionHash, occurrence: follows ? 1 : 0 });
  const texts = {
    "as retraction": retractionText,
    "when final": (text: string) => finalityText(text, { confirmations: blocksUntilFinal, finalized: true }),
  };
  const text = ownEventText(eventText(event), metadata.abi);
  const stored = { webhookId, messageId, eventText: follows ? texts[follows](text) : text };
  return JSON.parse(compatibility ? glacierText(stored) : notificationText(stored));
}

type WebhookExample = {
  value: {
    id: string;
    includeLogs: boolean;
    includeInternalTxs: boolean;
    compatibility?: WebhookOptions["compatibility"];
    metadata: Pick<WebhookOptions, "abi" | "includeTransfers">;
  };
};

async function webhookExample(name: string): Promise<WebhookExample["value"]> {
  const text = await readFile(new URL(`webhook.${name}.json`, folder), "utf8");
  return (JSON.parse(text) as WebhookExample).value;
}

/** @returns the names of what it wrote */
export async function writeExamples(): Promise<string[]> {
  const examples = [...(await exampleNotifications()), ...exampleExplanations()];
  for (const [name, text] of examples) await writeFile(new URL(name, folder), text);
  return examples.map(([name]) => name);
}

/**
 * Builds a notification's event from a block bundle. From then on the event is text: stored once for each transaction and variant, and shared
 * by all webhooks with that variant. Only what a webhook's own ABI says of the logs is added where it is sent or shown.
 */
import type { components } from "../../generated/types.ts";
import { type CompiledAbi, compileAbi, decodeLog, newAllowance } from "./abi.ts";
import {
  createdContract,
  hasFailed,
  internalTransactions,
  receiverOf,
  senderOf,
  transactionAt,
  zeroAddress,
} from "./bundle.ts";
import type { WebhookFilter, WebhookOptions } from "./new-webhook.ts";
import { decimal, integer, seconds } from "./quantities.ts";
import { payloadTransfers, type TokenBook } from "./transfers.ts";
import type { BlockBundle, Hex, WireLog, WireReceipt } from "./wire.ts";

type Transaction = components["schemas"]["Transaction"];

/**
 * Without internal transactions. Fields are in the order of the contract.
 *
 * @throws if the transaction lacks its receipt
 */
export function payloadTransaction(bundle: BlockBundle, transactionIndex: number, chainId: string): Transaction {
  const { block } = bundle;
  const { transaction, receipt } = transactionAt(bundle, transactionIndex);
  const type = integer(transaction.type);
  const feeMarket = type >= 2;
  return {
    blockHash: block.hash.toLowerCase(),
    blockNumber: decimal(block.number),
    from: senderOf(transaction, receipt) ?? zeroAddress,
    to: receiverOf(transaction, receipt) ?? zeroAddress,
    gas: decimal(transaction.gas),
    gasPrice: decimal(transaction.gasPrice ?? receipt.effectiveGasPrice),
    maxFeePerGas: feeMarket ? decimal(transaction.maxFeePerGas) : "0",
    maxPriorityFeePerGas: feeMarket ? decimal(transaction.maxPriorityFeePerGas) : "0",
    txHash: transaction.hash.toLowerCase(),
    ...(receipt.status == null ? {} : { txStatus: hasFailed(receipt) ? "0" : "1" }),
    input: transaction.input?.toLowerCase() ?? "0x",
    nonce: decimal(transaction.nonce),
    transactionIndex,
    value: decimal(transaction.value),
    type,
    chainId,
    receiptCumulativeGasUsed: decimal(receipt.cumulativeGasUsed),
    receiptGasUsed: decimal(receipt.gasUsed),
    receiptEffectiveGasPrice: decimal(receipt.effectiveGasPrice ?? transaction.gasPrice),
    receiptRoot: (stateRoot(receipt) ?? block.receiptsRoot).toLowerCase(),
    contractAddress: createdContract(receipt) ?? zeroAddress,
    blockTimestamp: seconds(block.timestamp),
  };
}

/** Anything but 32 bytes, such as `0x` since Byzantium, is no root. */
function stateRoot({ root }: WireReceipt): string | undefined {
  return root?.length === 66 ? root : undefined;
}

export type AddressActivityEvent = components["schemas"]["AddressActivityEvent"];
type Log = components["schemas"]["Log"];

/** What changes an event's stored text: the options of a webhook, and the chain. */
export type EventVariant = {
  /** In decimal digits. */
  chainId: string;
  includeLogs: boolean;
  includeInternalTxs: boolean;
  /** Absent counts as false. */
  includeTransfers?: boolean;
  /** What is known of the tokens that were transferred. */
  tokens?: TokenBook | undefined;
};

/**
 * The event of one transaction, its fields in the order of the contract.
 *
 * @param transactionIndex from 0
 * @throws if the bundle lacks the receipt, or the trace of internal transactions
 */
export function buildEvent(
  bundle: BlockBundle,
  transactionIndex: number,
  { chainId, includeLogs, includeInternalTxs, includeTransfers, tokens }: EventVariant,
): AddressActivityEvent {
  const transaction = payloadTransaction(bundle, transactionIndex, chainId);
  if (includeInternalTxs) transaction.internalTransactions = internalTransactions(bundle, transactionIndex);
  if (includeTransfers)
    Object.assign(transaction, payloadTransfers(bundle, transactionIndex, { includeInternalTxs, tokens }));
  if (!includeLogs) return { transaction };
  const { receipt } = transactionAt(bundle, transactionIndex);
  return {
    transaction,
    logs: receipt.logs.map((log, logIndex) => payloadLog(log, { transactionIndex, logIndex })),
  };
}

/** The order of the fields is that in which `decodedInParts` reads them. */
function payloadLog({ address, topics, data }: WireLog, place: { transactionIndex: number; logIndex: number }): Log {
  const topic = (position: number) => topics[position]?.toLowerCase() ?? null;
  return {
    address: address.toLowerCase(),
    topic0: topic(0),
    topic1: topic(1),
    topic2: topic(2),
    topic3: topic(3),
    data: data.toLowerCase(),
    ...place,
    removed: false,
  };
}

export function eventText(event: AddressActivityEvent): string {
  return JSON.stringify(event);
}

/**
 * The event as a webhook gets it: with its logs, if it has any, decoded by the webhook's ABI. That never changes, so the text is the same
 * whenever it is made.
 *
 * @param eventText from `eventText`, `finalityText` or `retractionText`
 */
export function ownEventText(eventText: string, abi: WebhookOptions["abi"] | undefined): string {
  return atOnce(ownEventInParts(eventText, abi));
}

/** The same, with a pause after each part, so that others are served meanwhile. */
export function* ownEventInParts(
  eventText: string,
  abi: WebhookOptions["abi"] | undefined,
): Generator<undefined, string> {
  return abi ? yield* decodedInParts(eventText, compileAbi(abi)) : eventText;
}

/** @returns the text that is made part by part, without a pause */
export function atOnce(parts: Generator<undefined, string>): string {
  for (;;) {
    const { done, value } = parts.next();
    if (done) return value;
  }
}

/** In characters: to parse, convert and write them takes about half a millisecond. */
export const partCharacters = 32_768;

/**
 * Adds to logs what an ABI says of them. A log that no event fits is not parsed, since an event may have thousands of logs, and megabytes.
 * In the text of a log are only hex, numbers and nulls, so its first brace ends it; in that of an event no text holds an unescaped quote.
 */
function* decodedInParts(eventText: string, abi: CompiledAbi): Generator<undefined, string> {
  const opening = ',"logs":[';
  const logs = eventText.indexOf(opening);
  if (logs < 0) return eventText;
  const allowance = newAllowance();
  const topic0 = '"topic0":"';
  let text = "";
  let copied = 0;
  let pausedAt = logs;
  for (let from = logs + opening.length; eventText[from] === "{"; ) {
    const end = eventText.indexOf("}", from);
    const topic = eventText.indexOf(topic0, from) + topic0.length;
    if (topic < end && abi.fragments.has(eventText.slice(topic, topic + 66))) {
      const fields = decodeLog(abi, wireLog(JSON.parse(eventText.slice(from, end + 1)) as Log), allowance);
      const [added] = Object.entries(fields);
      if (added) {
        text += `${eventText.slice(copied, end)},"${added[0]}":${JSON.stringify(added[1])}`;
        copied = end;
      }
      if (end - pausedAt >= partCharacters) {
        pausedAt = end;
        yield;
      }
    }
    // Behind the brace is a comma, or the end of the list.
    from = end + 2;
  }
  return text + eventText.slice(copied);
}

/** A log of a payload as a node returns it. */
export function wireLog({ address, topic0, topic1, topic2, topic3, data }: Log): WireLog {
  const topics = [topic0, topic1, topic2, topic3].flatMap((topic) => (topic === null ? [] : [topic as Hex]));
  return { address: address as Hex, topics, data: data as Hex, logIndex: "0x0" };
}

/** What the event of a webhook with a finality says of it. */
type StatedFinality = { confirmations: number; finalized: boolean };

/**
 * The same event with what it says of finality. That comes first: the store looks for it in long texts of which it reads no more.
 *
 * @param eventText from `eventText`
 */
export function finalityText(eventText: string, { confirmations, finalized }: StatedFinality): string {
  return `{${finalized ? finalizedField : ""}"confirmations":${confirmations},${eventText.slice(1)}`;
}

const finalizedField = '"finalized":true,';

/** How the text of a finalized event begins. */
export const finalizedStart = `{${finalizedField}`;

/** The event that retracts another: the same with `removed: true`, in its logs, too, and without what it says of finality. */
export function retractionText(eventText: string): string {
  const { transaction, logs } = JSON.parse(eventText) as AddressActivityEvent;
  const removedLogs = logs && { logs: logs.map((log) => ({ ...log, removed: true })) };
  return JSON.stringify({ transaction, ...removedLogs, removed: true } satisfies AddressActivityEvent);
}

/** The exact body of a notification. @param notification.eventText from `eventText` or `retractionText`; goes in unchanged */
export function notificationText(notification: { webhookId: string; messageId: string; eventText: string }): string {
  return `${openingOf(notification.webhookId)}${restOf(notification)}`;
}

/** The exact body of a batch: an array of notifications, each as it would be alone. */
export function batchText(
  webhookId: string,
  notifications: readonly { messageId: string; eventText: string }[],
): string {
  const opening = openingOf(webhookId);
  let text = "";
  for (const notification of notifications) text += `${text === "" ? "[" : ","}${opening}${restOf(notification)}`;
  return `${text}]`;
}

function openingOf(webhookId: string): string {
  return `{"webhookId":${JSON.stringify(webhookId)},"eventType":"address_activity","messageId":`;
}

function restOf({ messageId, eventText }: { messageId: string; eventText: string }): string {
  return `${JSON.stringify(messageId)},"event":${eventText}}`;
}

/** @param tokens needed by those with `includeTransfers` alone */
export function variantOf(
  { includeLogs, includeInternalTxs, options }: Omit<WebhookFilter, "id" | "eventSignatures">,
  { chainId, tokens }: { chainId: string; tokens: TokenBook | undefined },
): EventVariant {
  return {
    chainId,
    includeLogs,
    includeInternalTxs,
    includeTransfers: options?.includeTransfers ?? false,
    tokens,
  };
}

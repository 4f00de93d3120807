/**
 * Builds a notification's event from a block bundle. From then on the event is text: stored once for each transaction and variant, shared
 * by all webhooks with that variant, and sent unchanged.
 */
import type { components } from "../../generated/types.ts";
import { type CompiledAbi, decodeLog } from "./abi.ts";
import { transactionAt } from "./bundle.ts";
import { internalTransactions } from "./internal-transactions.ts";
import { payloadTransaction } from "./transaction.ts";
import { payloadTransfers, type TokenBook } from "./transfer-payload.ts";
import type { BlockBundle, WireLog } from "./wire.ts";

export type AddressActivityEvent = components["schemas"]["AddressActivityEvent"];
type Log = components["schemas"]["Log"];

/** What changes an event's text: the options of a webhook, and the chain. */
export type EventVariant = {
  /** In decimal digits. */
  chainId: string;
  includeLogs: boolean;
  includeInternalTxs: boolean;
  /** The events to decode. */
  abi?: CompiledAbi | undefined;
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
  { chainId, includeLogs, includeInternalTxs, includeTransfers, abi, tokens }: EventVariant,
): AddressActivityEvent {
  const transaction = payloadTransaction(bundle, transactionIndex, chainId);
  if (includeInternalTxs) transaction.internalTransactions = internalTransactions(bundle, transactionIndex);
  if (includeTransfers)
    Object.assign(transaction, payloadTransfers(bundle, transactionIndex, { includeInternalTxs, tokens }));
  if (!includeLogs) return { transaction };
  const { receipt } = transactionAt(bundle, transactionIndex);
  return {
    transaction,
    logs: receipt.logs.map((log, logIndex) => payloadLog(log, { transactionIndex, logIndex, abi })),
  };
}

function payloadLog(
  log: WireLog,
  { transactionIndex, logIndex, abi }: { transactionIndex: number; logIndex: number; abi: CompiledAbi | undefined },
): Log {
  const { address, topics, data } = log;
  const decoded = abi && decodeLog(abi, log);
  const topic = (position: number) => topics[position]?.toLowerCase() ?? null;
  return {
    address: address.toLowerCase(),
    topic0: topic(0),
    topic1: topic(1),
    topic2: topic(2),
    topic3: topic(3),
    data: data.toLowerCase(),
    transactionIndex,
    logIndex,
    removed: false,
    ...(decoded && { decoded }),
  };
}

export function eventText(event: AddressActivityEvent): string {
  return JSON.stringify(event);
}

/** What the event of a webhook with a finality says of it. */
export type StatedFinality = { confirmations: number; finalized: boolean };

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

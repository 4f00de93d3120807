/** The participants of a block's transactions, and how they take part: all that the matching rule needs. */
import { createdContract, hasFailed, receiverOf, senderOf, standingFrames, transactionAt } from "./bundle.ts";
import type { BlockBundle, WireLog, WireReceipt, WireTransaction } from "./wire.ts";

/** The participants of one transaction. All hex is in lower case. */
export type TransactionParticipants = {
  transactionHash: string;
  /** From 0. */
  transactionIndex: number;
  /** From, to, created contract, and the logs' emitters and indexed arguments. */
  addresses: ReadonlySet<string>;
  /** Those that are only in call frames. Empty if the bundle has no traces. */
  internalAddresses: ReadonlySet<string>;
  /** In chain order. Empty if the transaction failed. */
  logs: readonly LogParticipants[];
};

type LogParticipants = {
  /** Null for a log without topics. */
  topic0: string | null;
  /** The emitter and the indexed arguments that are addresses. */
  addresses: readonly string[];
};

/**
 * The participants of each transaction, in chain order.
 *
 * @throws if a transaction lacks its receipt, or its trace in a bundle with traces
 */
export function participantsByTransaction(bundle: BlockBundle): TransactionParticipants[] {
  return bundle.block.transactions.map((_, transactionIndex) => participantsAt(bundle, transactionIndex));
}

/**
 * The distinct participants of all transactions. They are the addresses of `participantsByTransaction`, which most blocks do not need.
 *
 * @throws what `participantsByTransaction` throws
 */
export function participantsOf(bundle: BlockBundle): string[] {
  const participants = new Set<string>();
  const add = (address: string) => participants.add(address);
  for (const index of bundle.block.transactions.keys()) {
    const { transaction, receipt } = transactionAt(bundle, index);
    eachParty(transaction, receipt, add);
    for (const log of standingLogs(receipt)) eachOfLog(log, add);
    if (bundle.traces) eachInternal(bundle, index, add);
  }
  return [...participants];
}

function participantsAt(bundle: BlockBundle, transactionIndex: number): TransactionParticipants {
  const { transaction, receipt } = transactionAt(bundle, transactionIndex);
  const addresses = new Set<string>();
  eachParty(transaction, receipt, (address) => addresses.add(address));
  const logs = standingLogs(receipt).map(logParticipants);
  for (const log of logs) for (const address of log.addresses) addresses.add(address);
  const internalAddresses = new Set<string>();
  if (bundle.traces) eachInternal(bundle, transactionIndex, (address) => internalAddresses.add(address));
  for (const address of addresses) internalAddresses.delete(address);
  return { transactionHash: transaction.hash.toLowerCase(), transactionIndex, addresses, internalAddresses, logs };
}

function logParticipants(log: WireLog): LogParticipants {
  const addresses: string[] = [];
  // A log has at most four topics. For so few, a list is cheaper than a set.
  eachOfLog(log, (address) => addresses.includes(address) || addresses.push(address));
  return { topic0: log.topics[0]?.toLowerCase() ?? null, addresses };
}

/** Called with an address in lower case, possibly more than once. */
type OnAddress = (address: string) => unknown;

function eachParty(transaction: WireTransaction, receipt: WireReceipt, onAddress: OnAddress): void {
  const sender = senderOf(transaction, receipt);
  if (sender) onAddress(sender);
  const receiver = receiverOf(transaction, receipt);
  if (receiver) onAddress(receiver);
  const created = createdContract(receipt);
  if (created) onAddress(created);
}

/** A failed transaction has no logs, whatever a node returns. */
const standingLogs = (receipt: WireReceipt): readonly WireLog[] => (hasFailed(receipt) ? [] : receipt.logs);

function eachOfLog({ address, topics }: WireLog, onAddress: OnAddress): void {
  onAddress(address.toLowerCase());
  for (let position = 1; position < topics.length; position += 1) {
    const argument = addressIn(topics[position] ?? "");
    if (argument !== undefined) onAddress(argument);
  }
}

function eachInternal(bundle: BlockBundle, index: number, onAddress: OnAddress): void {
  for (const { from, to } of standingFrames(bundle, index)) {
    onAddress(from.toLowerCase());
    if (to) onAddress(to.toLowerCase());
  }
}

/** A topic is an address if the first 12 of its 32 bytes are zero. */
export function addressIn(topic: string): string | undefined {
  return topic.startsWith(padding) && addressTopic.test(topic) ? `0x${topic.slice(-40).toLowerCase()}` : undefined;
}

/** Most other topics differ in the beginning, which is faster to check than the expression. */
const padding = `0x${"0".repeat(24)}`;
const addressTopic = /^0x0{24}[0-9a-fA-F]{40}$/;

/** Tells who takes part in a block's transactions, and how: all that the matching rule looks at. */
import { createdContract, hasFailed, receiverOf, senderOf, transactionAt } from "./bundle.ts";
import { standingFrames } from "./call-frames.ts";
import type { BlockBundle, WireLog, WireReceipt, WireTransaction } from "./wire.ts";

/** What one transaction offers to match. All hex is in lower case. */
export type TransactionActivity = {
  transactionHash: string;
  /** The position in the block, from 0. */
  transactionIndex: number;
  /** Who takes part as from, to, created contract, emitter or indexed argument of a log. */
  addresses: ReadonlySet<string>;
  /** Who takes part only as a party of a call frame. Empty when the bundle had no traces. */
  internalAddresses: ReadonlySet<string>;
  /** The logs in chain order. Empty when the transaction failed. */
  logs: readonly LogActivity[];
};

/** What one log offers to match. */
export type LogActivity = {
  /** Null for a log without topics. */
  topic0: string | null;
  /** The emitter and the indexed arguments that are addresses. */
  addresses: readonly string[];
};

/**
 * The activity of a block's transactions, in chain order.
 *
 * @throws when a transaction lacks its receipt, or its trace where the bundle has traces.
 */
export function activitiesOf(bundle: BlockBundle): TransactionActivity[] {
  return bundle.block.transactions.map((_, transactionIndex) => activityAt(bundle, transactionIndex));
}

/**
 * The distinct addresses that take part in any of a block's transactions, in whatever way: those that its activity has, without
 * making it, since of most blocks nobody wants more.
 *
 * @throws what `activitiesOf` throws
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

function activityAt(bundle: BlockBundle, transactionIndex: number): TransactionActivity {
  const { transaction, receipt } = transactionAt(bundle, transactionIndex);
  const addresses = new Set<string>();
  eachParty(transaction, receipt, (address) => addresses.add(address));
  const logs = standingLogs(receipt).map(logActivity);
  for (const log of logs) for (const address of log.addresses) addresses.add(address);
  const internalAddresses = new Set<string>();
  if (bundle.traces) eachInternal(bundle, transactionIndex, (address) => internalAddresses.add(address));
  for (const address of addresses) internalAddresses.delete(address);
  return { transactionHash: transaction.hash.toLowerCase(), transactionIndex, addresses, internalAddresses, logs };
}

function logActivity(log: WireLog): LogActivity {
  const addresses: string[] = [];
  // A log has four topics at most, for which a list takes less than a set.
  eachOfLog(log, (address) => addresses.includes(address) || addresses.push(address));
  return { topic0: log.topics[0]?.toLowerCase() ?? null, addresses };
}

/** Told of an address, in lower case, maybe more than once. */
type Found = (address: string) => unknown;

function eachParty(transaction: WireTransaction, receipt: WireReceipt, found: Found): void {
  const sender = senderOf(transaction, receipt);
  if (sender) found(sender);
  const receiver = receiverOf(transaction, receipt);
  if (receiver) found(receiver);
  const created = createdContract(receipt);
  if (created) found(created);
}

/** A transaction that failed has left no logs, whatever a node gives. */
const standingLogs = (receipt: WireReceipt): readonly WireLog[] => (hasFailed(receipt) ? [] : receipt.logs);

function eachOfLog({ address, topics }: WireLog, found: Found): void {
  found(address.toLowerCase());
  for (let position = 1; position < topics.length; position += 1) {
    const argument = addressIn(topics[position] ?? "");
    if (argument !== undefined) found(argument);
  }
}

function eachInternal(bundle: BlockBundle, index: number, found: Found): void {
  for (const { from, to } of standingFrames(bundle, index)) {
    found(from.toLowerCase());
    if (to) found(to.toLowerCase());
  }
}

/** The address that a topic is, when its first 12 of 32 bytes are zero. */
function addressIn(topic: string): string | undefined {
  return topic.startsWith(padding) && addressTopic.test(topic) ? `0x${topic.slice(-40).toLowerCase()}` : undefined;
}

/** Most topics that are no address differ from one in the beginning, which is found out faster than by the expression. */
const padding = `0x${"0".repeat(24)}`;
const addressTopic = /^0x0{24}[0-9a-fA-F]{40}$/;

/** Tells who takes part in a block's transactions, and how: all that the matching rule looks at. */
import { createdContract, hasFailed, senderOf, transactionAt } from "./bundle.ts";
import { standingFrames } from "./call-frames.ts";
import type { BlockBundle, WireLog } from "./wire.ts";

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

/** The distinct addresses that take part in any of the transactions, in whatever way. */
export function participantsOf(activities: readonly TransactionActivity[]): string[] {
  const participants = new Set<string>();
  for (const { addresses, internalAddresses } of activities) {
    for (const address of addresses) participants.add(address);
    for (const address of internalAddresses) participants.add(address);
  }
  return [...participants];
}

function activityAt(bundle: BlockBundle, transactionIndex: number): TransactionActivity {
  const { transaction, receipt } = transactionAt(bundle, transactionIndex);
  const addresses = new Set<string>();
  const sender = senderOf(transaction, receipt);
  if (sender) addresses.add(sender);
  if (transaction.to) addresses.add(transaction.to.toLowerCase());
  const created = createdContract(receipt);
  if (created) addresses.add(created);
  const logs = hasFailed(receipt) ? [] : receipt.logs.map(logActivity);
  for (const log of logs) for (const address of log.addresses) addresses.add(address);
  const internalAddresses = bundle.traces ? parties(bundle, transactionIndex) : new Set<string>();
  for (const address of addresses) internalAddresses.delete(address);
  return { transactionHash: transaction.hash.toLowerCase(), transactionIndex, addresses, internalAddresses, logs };
}

function logActivity({ address, topics }: WireLog): LogActivity {
  const addresses = [address.toLowerCase()];
  for (let position = 1; position < topics.length; position += 1) {
    const argument = addressIn(topics[position] ?? "");
    // A log has four topics at most, for which a list takes less than a set.
    if (argument !== undefined && !addresses.includes(argument)) addresses.push(argument);
  }
  return { topic0: topics[0]?.toLowerCase() ?? null, addresses };
}

/** The address that a topic is, when its first 12 of 32 bytes are zero. */
function addressIn(topic: string): string | undefined {
  return topic.startsWith(padding) && addressTopic.test(topic) ? `0x${topic.slice(-40).toLowerCase()}` : undefined;
}

/** Most topics that are no address differ from one in the beginning, which is found out faster than by the expression. */
const padding = `0x${"0".repeat(24)}`;
const addressTopic = /^0x0{24}[0-9a-fA-F]{40}$/;

function parties(bundle: BlockBundle, index: number): Set<string> {
  const addresses = new Set<string>();
  for (const { from, to } of standingFrames(bundle, index)) {
    addresses.add(from.toLowerCase());
    if (to) addresses.add(to.toLowerCase());
  }
  return addresses;
}

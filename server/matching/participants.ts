/** Tells who takes part in a block's transactions, and how: all that the matching rule looks at. */
import { createdContract, hasFailed, transactionAt } from "./bundle.ts";
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
  // A system transaction may come from nobody.
  if (transaction.from) addresses.add(transaction.from.toLowerCase());
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
  const addresses = new Set([address.toLowerCase()]);
  for (const topic of topics.slice(1))
    if (addressTopic.test(topic)) addresses.add(`0x${topic.slice(-40).toLowerCase()}`);
  return { topic0: topics[0]?.toLowerCase() ?? null, addresses: [...addresses] };
}

/** A topic whose first 12 of 32 bytes are zero, as in an address padded on the left. */
const addressTopic = /^0x0{24}[0-9a-fA-F]{40}$/;

function parties(bundle: BlockBundle, index: number): Set<string> {
  const addresses = new Set<string>();
  for (const { from, to } of standingFrames(bundle, index)) {
    addresses.add(from.toLowerCase());
    if (to) addresses.add(to.toLowerCase());
  }
  return addresses;
}

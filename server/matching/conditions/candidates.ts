/**
 * What of a block conditions may hold for: its transactions, and each log, transfer and pair of both. Values are read into columns once, when
 * they are first compared, and each text gets a number. So what thousands of webhooks compare takes nanoseconds each.
 */
import { receiverOf, senderOf, transactionAt } from "../bundle.ts";
import type { TransactionParticipants } from "../participants.ts";
import { nativeTransfersAt, type Transfer, tokenTransfers } from "../transfers.ts";
import type { BlockBundle, WireLog, WireReceipt, WireTransaction } from "../wire.ts";
import { type Column, type ColumnSource, createColumns } from "./columns.ts";

export type Candidate = {
  transactionIndex: number;
  transaction: WireTransaction;
  receipt: WireReceipt;
  sender: string | undefined;
  receiver: string | undefined;
  /** Within the transaction; null without a log. */
  logIndex: number | null;
  log?: WireLog;
  topic0: string | null;
  transfer?: Transfer;
  /** Of a call frame below the top one. */
  isInternal: boolean;
  /** What the log says, by the shape of an event; null where it does not fit. Pairs of one log share it. */
  decoded: Map<string, Readonly<Record<string, unknown>> | null>;
};

export type Candidates = {
  /** A place in here names a candidate. */
  readonly all: readonly Candidate[];
  /** The transaction itself, without log and transfer. */
  transaction(index: number): number;
  /** Its logs and transfers, in the order of the chain. */
  activity(transaction: TransactionParticipants): readonly number[];
  /** The same by the addresses that take part in them. */
  byAddress(transaction: TransactionParticipants): ReadonlyMap<string, readonly number[]>;
  column(source: ColumnSource): Column;
  /** The number of a text in columns. */
  idOf(text: string): number;
};

type Activity = { all: number[]; byAddress: Map<string, number[]> };

export function createCandidates(bundle: BlockBundle): Candidates {
  const all: Candidate[] = [];
  const transactions = new Map<number, number>();
  const activities = new Map<number, Activity>();
  const columns = createColumns(all);

  function transaction(index: number): number {
    const known = transactions.get(index);
    if (known !== undefined) return known;
    const { transaction, receipt } = transactionAt(bundle, index);
    const parties = { sender: senderOf(transaction, receipt), receiver: receiverOf(transaction, receipt) };
    const bare = { logIndex: null, topic0: null, isInternal: false, decoded: new Map() };
    const at = all.push({ transactionIndex: index, transaction, receipt, ...parties, ...bare }) - 1;
    transactions.set(index, at);
    return at;
  }

  function activityOf({ transactionIndex, logs }: TransactionParticipants): Activity {
    const known = activities.get(transactionIndex);
    if (known) return known;
    const activity: Activity = { all: [], byAddress: new Map() };
    activities.set(transactionIndex, activity);
    const bare = all[transaction(transactionIndex)];
    if (!bare) throw new Error(`The transaction ${transactionIndex} has no candidate.`);
    const add = (candidate: Candidate, addresses: readonly string[]) => {
      const at = all.push(candidate) - 1;
      activity.all.push(at);
      const { from, to } = candidate.transfer ?? {};
      for (const address of addresses) put(activity.byAddress, address, at);
      for (const address of [from, to])
        if (address !== undefined && !addresses.includes(address)) put(activity.byAddress, address, at);
    };
    const transfers = new Map<number | null, Transfer[]>();
    for (const transfer of tokenTransfers(bare.receipt)) {
      const ofLog = transfers.get(transfer.logIndex);
      if (ofLog) ofLog.push(transfer);
      else transfers.set(transfer.logIndex, [transfer]);
    }
    for (const [logIndex, { topic0, addresses }] of logs.entries()) {
      const log = bare.receipt.logs[logIndex];
      if (!log) throw new Error(`The transaction ${transactionIndex} has no log ${logIndex}.`);
      const ofLog: Candidate = { ...bare, log, logIndex, topic0, decoded: new Map() };
      const moved = transfers.get(logIndex);
      if (!moved) add(ofLog, addresses);
      for (const transfer of moved ?? []) add({ ...ofLog, transfer }, addresses);
    }
    const own = nativeTransfersAt(bundle, transactionIndex, false);
    for (const transfer of own) add({ ...bare, transfer }, []);
    // The transaction's own come first.
    const internal = bundle.traces ? nativeTransfersAt(bundle, transactionIndex, true).slice(own.length) : [];
    for (const transfer of internal) add({ ...bare, transfer, isInternal: true }, []);
    return activity;
  }

  return {
    all,
    transaction,
    activity: (transaction) => activityOf(transaction).all,
    byAddress: (transaction) => activityOf(transaction).byAddress,
    ...columns,
  };
}

/** An address that is both ends of a transfer is there once. */
function put(byAddress: Map<string, number[]>, address: string, at: number): void {
  const places = byAddress.get(address);
  if (!places) byAddress.set(address, [at]);
  else if (places.at(-1) !== at) places.push(at);
}

/**
 * What of a block conditions may hold for: its transactions, and each log, transfer and pair of both. Values are read into columns once, when
 * they are first compared, and each text gets a number. So what thousands of webhooks compare takes nanoseconds each.
 */
import { receiverOf, senderOf, transactionAt } from "../bundle.ts";
import type { Efforts } from "../effort.ts";
import type { TransactionParticipants } from "../participants.ts";
import { type NativeTransfer, nativeTransfersAt, type TransferMade, tokenTransfers } from "../transfers.ts";
import type { BlockBundle, WireLog, WireReceipt, WireTransaction } from "../wire.ts";

/** The fields of one, apart from where its values come from, since a block has thousands. */
export type Candidate = {
  transactionIndex: number;
  of: CandidateTransaction;
  /** Within the transaction; null without a log. */
  logIndex: number | null;
  log: WireLog | undefined;
  topic0: string | null;
  transfer: TransferMade | undefined;
  /** Those who take part in it: the log's participants, or the native transfer's parties. The zero address of a `Deposit` is none. */
  parties: readonly string[];
  /** Of a call frame below the top one. */
  isInternal: boolean;
};

type CandidateTransaction = {
  transaction: WireTransaction;
  receipt: WireReceipt;
  sender: string | undefined;
  receiver: string | undefined;
  /** Counts, for the whole block, how many words of logs were decoded. */
  decoded: { words: number };
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
  /** Some candidates that many webhooks share, found once, and what conditions hold for. @param kind names them */
  shared(kind: string, find: () => readonly number[]): SharedCandidates;
  /** The number of each one's topic0, by place: `noTopic` without one, `internalTopic` for a call frame's. */
  readonly topics: readonly number[];
  topicId(topic0: string): number;
  /** How many words of logs were decoded. */
  readonly decoded: { words: number };
  /** What each account costs, if that is counted. */
  readonly efforts: Efforts | undefined;
  column(source: ColumnSource): Column;
  /** The number of a text in columns. */
  idOf(text: string): number;
};

/** Results are by the conditions' tree. */
type SharedCandidates = { places: readonly number[]; results: Map<object, readonly TransactionParticipants[]> };

type Activity = { all: number[]; byAddress: Map<string, number[]> | undefined };

export const [noTopic, internalTopic] = [0, 1];

const bare = { logIndex: null, log: undefined, topic0: null, transfer: undefined, parties: [], isInternal: false };

export function createCandidates(bundle: BlockBundle, efforts?: Efforts): Candidates {
  const decoded = { words: 0 };
  const all: Candidate[] = [];
  const topics: number[] = [];
  const topicIds = new Map<string, number>();
  const transactions = new Map<number, number>();
  const activities = new Map<number, Activity>();
  const columns = createColumns(all);
  const allShared = new Map<string, SharedCandidates>();

  function topicId(topic0: string): number {
    const known = topicIds.get(topic0) ?? internalTopic + 1 + topicIds.size;
    topicIds.set(topic0, known);
    return known;
  }

  function add(candidate: Candidate): number {
    const { topic0, isInternal } = candidate;
    topics.push(topic0 !== null ? topicId(topic0) : isInternal ? internalTopic : noTopic);
    return all.push(candidate) - 1;
  }

  function transaction(transactionIndex: number): number {
    const known = transactions.get(transactionIndex);
    if (known !== undefined) return known;
    const { transaction, receipt } = transactionAt(bundle, transactionIndex);
    const parties = { sender: senderOf(transaction, receipt), receiver: receiverOf(transaction, receipt) };
    const at = add({ transactionIndex, of: { transaction, receipt, ...parties, decoded }, ...bare });
    transactions.set(transactionIndex, at);
    return at;
  }

  function activityOf({ transactionIndex, logs }: TransactionParticipants): Activity {
    const known = activities.get(transactionIndex);
    if (known) return known;
    const activity: Activity = { all: [], byAddress: undefined };
    activities.set(transactionIndex, activity);
    const of = all[transaction(transactionIndex)]?.of;
    if (!of) throw new Error(`The transaction ${transactionIndex} has no candidate.`);
    const addActive = (candidate: Candidate) => activity.all.push(add(candidate));
    const transfers = tokenTransfers(of.receipt);
    let next = 0;
    for (const [logIndex, { topic0, addresses: parties }] of logs.entries()) {
      const log = of.receipt.logs[logIndex];
      const first = next;
      // Transfers are in the order of their logs.
      for (; transfers[next]?.logIndex === logIndex; next += 1)
        addActive({
          transactionIndex,
          of,
          logIndex,
          log,
          topic0,
          transfer: transfers[next],
          parties,
          isInternal: false,
        });
      if (next === first)
        addActive({ transactionIndex, of, logIndex, log, topic0, transfer: undefined, parties, isInternal: false });
    }
    const own = nativeTransfersAt(bundle, transactionIndex, false);
    const addNative = (transfer: NativeTransfer, isInternal: boolean) =>
      addActive({ transactionIndex, of, ...bare, transfer, parties: transfer.parties, isInternal });
    for (const transfer of own) addNative(transfer, false);
    // The transaction's own come first.
    const internal = bundle.traces ? nativeTransfersAt(bundle, transactionIndex, true).slice(own.length) : [];
    for (const transfer of internal) addNative(transfer, true);
    return activity;
  }

  function byAddress(participants: TransactionParticipants): Map<string, number[]> {
    const activity = activityOf(participants);
    if (activity.byAddress) return activity.byAddress;
    const byAddress = new Map<string, number[]>();
    for (const at of activity.all) for (const address of all[at]?.parties ?? []) put(byAddress, address, at);
    activity.byAddress = byAddress;
    return byAddress;
  }

  return {
    all,
    topics,
    topicId,
    decoded,
    efforts,
    transaction,
    activity: (transaction) => activityOf(transaction).all,
    byAddress,
    shared(kind, find) {
      const shared = allShared.get(kind) ?? { places: find(), results: new Map() };
      allShared.set(kind, shared);
      return shared;
    },
    ...columns,
  };
}

/** An address that takes part in several ways is there once. */
function put(byAddress: Map<string, number[]>, address: string, at: number): void {
  const places = byAddress.get(address);
  if (!places) byAddress.set(address, [at]);
  else if (places.at(-1) !== at) places.push(at);
}

/** How a value is read. Those with the same key share a column. */
export type ColumnSource = { key: string; read(candidate: Candidate): string | undefined };

export type Column = {
  /** Makes room for all candidates that there are by now. */
  grow(): void;
  /** By place: the numbers of texts, `absent` where one lacks the field, `unread` before `readAt`. */
  ids: Int32Array;
  /** @returns the number of the text */
  readAt(at: number): number;
  /** By place: integers rounded to 53 bits, which keeps their order; NaN where a candidate lacks the field, `unrounded` before `roundAt`. */
  rounded: Float64Array;
  roundAt(at: number): number;
  /** An integer that was rounded. */
  exactAt(at: number): bigint;
};

/** The number of no text. */
export const absent = -1;
export const unread = -2;
/** No integer. */
export const unrounded = Number.POSITIVE_INFINITY;

function createColumns(candidates: readonly Candidate[]): {
  column(source: ColumnSource): Column;
  idOf(text: string): number;
} {
  const texts: string[] = [];
  const numberedTexts = new Map<string, number>();
  const columns = new Map<string, Column>();
  const integers: (bigint | undefined)[] = [];

  function idOf(text: string): number {
    const known = numberedTexts.get(text);
    if (known !== undefined) return known;
    numberedTexts.set(text, texts.length);
    return texts.push(text) - 1;
  }

  function integerOf(id: number): bigint {
    const known = integers[id] ?? BigInt(texts[id] ?? "");
    integers[id] = known;
    return known;
  }

  function createColumn({ read }: ColumnSource): Column {
    const idAt = (at: number) => {
      const known = column.ids[at] ?? unread;
      return known === unread ? column.readAt(at) : known;
    };
    const column: Column = {
      ids: new Int32Array(0),
      rounded: new Float64Array(0),
      grow() {
        const { ids, rounded } = column;
        if (ids.length >= candidates.length) return;
        // And then some, since a block's come one transaction after the other.
        const length = Math.max(candidates.length, 2 * ids.length);
        column.ids = new Int32Array(length).fill(unread);
        column.ids.set(ids);
        column.rounded = new Float64Array(length).fill(unrounded);
        column.rounded.set(rounded);
      },
      readAt(at) {
        const candidate = candidates[at];
        const text = candidate && read(candidate);
        const id = text === undefined ? absent : idOf(text);
        column.ids[at] = id;
        return id;
      },
      roundAt(at) {
        const id = idAt(at);
        const number = id === absent ? Number.NaN : Number(integerOf(id));
        column.rounded[at] = number;
        return number;
      },
      exactAt: (at) => integerOf(idAt(at)),
    };
    return column;
  }

  return {
    idOf,
    column(source) {
      const known = columns.get(source.key) ?? createColumn(source);
      columns.set(source.key, known);
      return known;
    },
  };
}

/** What previews and explanations are made of, as the rooms hand it on: what the rule says of transactions, and what is on record of them. */
import type { components } from "../../generated/types.ts";

type Schemas = components["schemas"];

/** A transaction as the rule answers it, and the text of its event where it matches and payloads are wanted. */
export type AnsweredTransaction = Omit<Schemas["PreviewedTransaction"], "payload"> & {
  /** With `not_yet_effective`, the first block for which an address is watched by which it matches; its own if one of its logs names it. */
  fromBlock?: string;
  eventText?: string;
};

/** What a webhook would be notified of in a block: of all of it, or of one transaction. */
export type BlockAnswer = {
  /** In seconds since the epoch. */
  blockTimestamp: number;
  transactionCount: number;
  matchCount: number;
  /** The one transaction, whether it matches or not; else the first that match. */
  transactions: AnsweredTransaction[];
};

/** A block as it is on the chain now. */
export type AskedBlock = { blockNumber: number; blockHash: string };

/** What is on record of a webhook and a transaction. */
export type OnRecord = {
  webhook: Pick<Schemas["Webhook"], "id" | "status" | "statusSince" | "effectiveFromBlock">;
  /** The blocks for which it was active before: from the first up to before `to`. */
  activeBefore: readonly { from: number; to: number }[];
  /** The newest block recorded for it. */
  followed: number | undefined;
  /** Whether another block than the transaction's is recorded at its number. */
  isOnOtherBranch: boolean;
  /** In ms since the epoch. */
  stoppedSince: number | undefined;
  /** Of an address that was added with its past, whether the replay that brings it has done the block; if not, the newest that it has done. */
  past?: { isDone: true } | { isDone: false; replayed: number | undefined } | undefined;
  /** Whether a notification waits until its block is deep enough. */
  isHeld: boolean;
  /** How many blocks that takes, if it is known. */
  missingBlocks?: number;
  /** In the order of their sequence. */
  notifications: readonly Schemas["NotificationRecord"][];
  /** Older notifications are no longer kept, in ms since the epoch. */
  keptSince: number;
};

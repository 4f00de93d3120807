/**
 * Derives a notification's identifier from its content. So restarts, retries and replays arrive at the same identifier, and a receiver can
 * recognise what it has seen. Never change the derivation: receivers would take old notifications for new ones.
 */
import { uuidV5 } from "./uuid-v5.ts";

/** Our own namespace, drawn once at random. */
const namespace = "cd89128f-8776-4928-8964-98723da77637";

/** What identifies a notification, in any letter case. */
export type NotificationIdentity = {
  webhookId: string;
  blockHash: string;
  transactionHash: string;
  /** How often this transaction of this block was notified or retracted for the webhook before. */
  occurrence: number;
};

/**
 * The `messageId`: the UUIDv5, in our namespace, of `webhookId/blockHash/transactionHash/occurrence` in lower case, the
 * occurrence in decimal digits.
 */
export function messageIdOf({ webhookId, blockHash, transactionHash, occurrence }: NotificationIdentity): string {
  return uuidV5(namespace, `${webhookId}/${blockHash}/${transactionHash}/${occurrence}`.toLowerCase());
}

/** A batch's `webhook-id`: the UUIDv5, in our namespace, of its messageIds with a comma between. The same batch has the same one at each attempt. */
export function batchIdOf(messageIds: readonly string[]): string {
  return uuidV5(namespace, messageIds.join(","));
}

/**
 * Makes the identifier of a notification from what it tells, so that restarts, retries and replays come to the same one and a
 * receiver can tell what it has seen. Never change how it is made: receivers would take old notifications for new ones.
 */
import { uuidV5 } from "./uuid-v5.ts";

/** Our own namespace, drawn once at random. */
const namespace = "cd89128f-8776-4928-8964-98723da77637";

/** What a notification is identified by. Letter case does not count. */
export type NotificationIdentity = {
  webhookId: string;
  blockHash: string;
  transactionHash: string;
  /** How many times before this transaction of this block was notified or retracted for the webhook, from 0. */
  occurrence: number;
};

/**
 * The `messageId`: the UUIDv5, in our namespace, of `webhookId/blockHash/transactionHash/occurrence` in lower case, the
 * occurrence in decimal digits.
 */
export function messageIdOf({ webhookId, blockHash, transactionHash, occurrence }: NotificationIdentity): string {
  return uuidV5(namespace, `${webhookId}/${blockHash}/${transactionHash}/${occurrence}`.toLowerCase());
}

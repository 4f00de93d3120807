/** Which notifications of a webhook go into one POST, and when it is sent. Only endpoint.ts decides with this. */
import type { WebhookOptions } from "../matching/new-webhook.ts";
import { type NotificationQueue, ownTextOf, type QueuedNotification } from "./queued-notification.ts";

/** How a webhook wants its notifications together. */
export type Batch = NonNullable<WebhookOptions["batch"]>;

/** In bytes. A batch ends before its body would be larger; a larger notification is sent alone. The contract states it. */
const bodyLimit = 1_048_576;
/** What surrounds an event in the body is shorter: the names, two UUIDs and the separator. */
const surroundingBytes = 180;

/** What may share a POST: first attempts, retries, or what clients asked for. A failed resend must not make a retry fail. */
function kindOf({ source, trigger }: QueuedNotification): string {
  return source.from === "retries" ? trigger : "first";
}

/** Takes the next POST's notifications. They are consecutive, so a receiver can tell each one's sequence from the first. */
export function takeBatch(
  queue: NotificationQueue,
  { maxItems }: Batch,
  abi: WebhookOptions["abi"] | undefined,
): QueuedNotification[] {
  let bytes = 0;
  return queue.takeWhile((notification, before) => {
    const last = before.at(-1);
    if (!last || before.length >= maxItems || notification.sequence !== last.sequence + 1) return false;
    if (kindOf(notification) !== kindOf(last)) return false;
    if (before.length === 1) bytes = bytesOf(last, abi);
    bytes += bytesOf(notification, abi);
    return bytes <= bodyLimit;
  });
}

function bytesOf(notification: QueuedNotification, abi: WebhookOptions["abi"] | undefined): number {
  return Buffer.byteLength(ownTextOf(notification, abi)) + surroundingBytes;
}

/**
 * How long the next POST may still wait for more notifications, in ms: from when its first one was read. Counted from its recording, a
 * backlog would go out in small pieces, although it fills every batch in a moment.
 *
 * @param now by `performance.now()`
 */
export function patienceMs(queue: NotificationQueue, { maxItems, maxWaitMs }: Batch, now: number): number {
  const { first } = queue;
  const isFull = queue.size >= maxItems || queue.characters >= bodyLimit;
  if (!first || isFull || first.source.from === "retries") return 0;
  return (first.queuedAt ?? now) + maxWaitMs - now;
}

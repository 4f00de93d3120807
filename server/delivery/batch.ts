/** Which notifications of a webhook go into one POST, and when it is sent. Only endpoint.ts decides with this. */
import type { WebhookOptions } from "../new-webhook.ts";
import type { NotificationQueue, QueuedNotification } from "./queued-notification.ts";

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

/** Takes the next POST's notifications, in the order of their sequence. */
export function takeBatch(queue: NotificationQueue, { maxItems }: Batch): QueuedNotification[] {
  let bytes = 0;
  const taken = queue.takeWhile((notification, before) => {
    const last = before.at(-1);
    if (!last || before.length >= maxItems || kindOf(notification) !== kindOf(last)) return false;
    if (before.length === 1) bytes = bytesOf(last);
    bytes += bytesOf(notification);
    return bytes <= bodyLimit;
  });
  return taken[0]?.source.from === "retries" ? taken.sort((a, b) => a.sequence - b.sequence) : taken;
}

function bytesOf({ eventText }: QueuedNotification): number {
  return Buffer.byteLength(eventText) + surroundingBytes;
}

/** How long the next POST may still wait for more notifications, in ms. @param now the database's time, in ms since the epoch */
export function patienceMs(queue: NotificationQueue, { maxItems, maxWaitMs }: Batch, now: number): number {
  const { first } = queue;
  const isFull = queue.size >= maxItems || queue.characters >= bodyLimit;
  if (!first || isFull || first.source.from === "retries") return 0;
  // The two clocks differ by up to a round trip.
  return Math.min(maxWaitMs, first.recordedAtMs + maxWaitMs - now);
}

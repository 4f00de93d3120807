/** A notification in memory on its way to its endpoint, and the queue in which an endpoint's notifications wait. */
import { atOnce, ownEventInParts } from "../matching/event.ts";
import type { WebhookOptions } from "../matching/new-webhook.ts";
import type { AttemptsSoFar } from "../store/delivery/due-retries.ts";
import type { NotificationRow } from "../store/delivery/feed.ts";
import type { AccountShares } from "./accounts.ts";
import type { OutboxEntry } from "./cursor.ts";

export type QueuedNotification = NotificationRow &
  AttemptsSoFar & {
    /** The event's JSON as it is stored. */
    eventText: string;
    /** The same with what the webhook's ABI says of its logs, once it was made. */
    ownText?: string;
    source: NotificationSource;
    /** For a retry: when it was due, in ms since the epoch by the database's clock. */
    dueAtMs?: number;
    /** When it was queued, by `performance.now()`; only where notifications share a POST. */
    queuedAt?: number;
  };

/** Where it was read. First attempts come from the outbox or the backlog, later ones from the retries. */
export type NotificationSource = { from: "outbox"; entry: OutboxEntry } | { from: "backlog" } | { from: "retries" };

/** The event as it is sent. It is made at the notification's turn, for which its account waited. */
export function ownTextOf(notification: WithOwnText, abi: WebhookOptions["abi"] | undefined): string {
  return atOnce(ownTextInParts(notification, abi));
}

/** The same, with a pause after each part. */
export function* ownTextInParts(
  notification: WithOwnText,
  abi: WebhookOptions["abi"] | undefined,
): Generator<undefined, string> {
  if (!abi) return notification.eventText;
  notification.ownText ??= yield* ownEventInParts(notification.eventText, abi);
  return notification.ownText;
}

type WithOwnText = Pick<QueuedNotification, "eventText" | "ownText">;

/** A notification without any attempt. */
export function firstAttempt(row: NotificationRow, eventText: string, source: NotificationSource): QueuedNotification {
  return { ...row, attemptsMade: 0, step: 0, trigger: "schedule", eventText, source };
}

/** First in, first out. It counts what its account has in memory. */
export class NotificationQueue {
  readonly #account: AccountShares;
  readonly #waiting: QueuedNotification[] = [];
  #characters = 0;
  #retries = 0;

  constructor(account: AccountShares) {
    this.#account = account;
  }

  get size(): number {
    return this.#waiting.length;
  }

  /** Of the events that wait. */
  get characters(): number {
    return this.#characters;
  }

  /** How many of them are retries. */
  get retries(): number {
    return this.#retries;
  }

  get first(): QueuedNotification | undefined {
    return this.#waiting[0];
  }

  add(notification: QueuedNotification): void {
    this.#waiting.push(notification);
    this.#count(notification, 1);
  }

  /** @returns the first one alone */
  take(): QueuedNotification[] {
    const first = this.#waiting.shift();
    if (!first) return [];
    this.#count(first, -1);
    return [first];
  }

  /** Takes the first one, and those after it while each `fits` after those before. */
  takeWhile(fits: (notification: QueuedNotification, taken: readonly QueuedNotification[]) => boolean) {
    let count = 0;
    const taken: QueuedNotification[] = [];
    for (const notification of this.#waiting) {
      if (count > 0 && !fits(notification, taken)) break;
      taken.push(notification);
      this.#count(notification, -1);
      count += 1;
    }
    this.#waiting.splice(0, count);
    return taken;
  }

  takeAll(): QueuedNotification[] {
    return this.takeWhile(() => true);
  }

  #count({ eventText, source }: QueuedNotification, sign: 1 | -1): void {
    if (source.from === "retries") this.#retries += sign;
    this.#characters += sign * eventText.length;
    this.#account.notifications.add(sign);
    this.#account.characters.add(sign * eventText.length);
  }
}

/** A notification in memory on its way to its endpoint, and the queue in which an endpoint's notifications wait. */
import type { AttemptsSoFar } from "../store/delivery/due-retries.ts";
import type { NotificationRow } from "../store/delivery/feed.ts";
import type { Account } from "./account.ts";
import type { StreamEntry } from "./stream-window.ts";

export type QueuedNotification = NotificationRow &
  AttemptsSoFar & {
    /** The event's JSON, exactly as it is sent. */
    eventText: string;
    source: NotificationSource;
    /** For a retry: when it was due, in ms since the epoch by the database's clock. */
    dueAtMs?: number;
  };

/** Where it was read. First attempts come from the stream or the backlog, later ones from the retries. */
export type NotificationSource = { from: "stream"; entry: StreamEntry } | { from: "backlog" } | { from: "retries" };

/** A notification without any attempt. */
export function firstAttempt(row: NotificationRow, eventText: string, source: NotificationSource): QueuedNotification {
  return { ...row, attemptsMade: 0, step: 0, trigger: "schedule", eventText, source };
}

/** First in, first out. It counts what its account holds in memory. */
export class NotificationQueue {
  readonly #account: Account;
  readonly #waiting: QueuedNotification[] = [];

  constructor(account: Account) {
    this.#account = account;
  }

  get size(): number {
    return this.#waiting.length;
  }

  add(notification: QueuedNotification): void {
    this.#waiting.push(notification);
    this.#account.notifications.add(1);
    this.#account.characters.add(notification.eventText.length);
  }

  take(): QueuedNotification | undefined {
    const first = this.#waiting.shift();
    if (!first) return undefined;
    this.#account.notifications.add(-1);
    this.#account.characters.add(-first.eventText.length);
    return first;
  }

  takeAll(): QueuedNotification[] {
    for (const { eventText } of this.#waiting) this.#account.characters.add(-eventText.length);
    this.#account.notifications.add(-this.#waiting.length);
    return this.#waiting.splice(0);
  }
}

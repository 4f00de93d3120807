/**
 * One webhook's endpoint in memory, and the only owner of its state. Others read it, and change it through its methods. A notification
 * passes `enqueue` or `skip`, then `begin`, `finish` and `settle`. `park` sends what waits back to the tables.
 */
import type { EndpointRecord } from "../store/delivery/endpoint-states.ts";
import { type Account, hasMemory } from "./account.ts";
import { Backlog, type BacklogPage, type EndpointState } from "./backlog.ts";
import { type EndpointSettings, type EndpointTarget, settingsOf } from "./endpoint-settings.ts";
import type { Outcome } from "./exchange.ts";
import { adjustPace, isResting, openPace, queueLimit, type Speed, speedOf } from "./pace.ts";
import { NotificationQueue, type QueuedNotification } from "./queued-notification.ts";
import { ReservedRetries } from "./reserved-retries.ts";
import type { Shard } from "./shard.ts";
import type { SigningKey } from "./signature.ts";
import type { StreamEntry } from "./stream-window.ts";

export class Endpoint {
  readonly webhookId: string;
  readonly chainId: string;
  readonly shard: Shard;
  readonly account: Account;
  #settings: EndpointSettings;
  #pace;
  /** Whether the last attempt failed. */
  #isFailing: boolean;
  #inFlight = 0;
  readonly #queue: NotificationQueue;
  readonly #backlog: Backlog;
  readonly #retries: ReservedRetries;
  /** In which of its account's queues it waits for a turn; see turns.ts. */
  readonly #waits: Record<Speed, boolean> = { quick: false, new: false, slow: false };

  constructor(record: EndpointRecord, shard: Shard, account: Account) {
    const { webhookId, chainId, failing, backlogFrom } = record;
    this.webhookId = webhookId;
    this.chainId = chainId;
    this.shard = shard;
    this.account = account;
    this.#settings = settingsOf(record);
    this.#pace = openPace(failing);
    this.#isFailing = failing;
    this.#queue = new NotificationQueue(account);
    this.#backlog = new Backlog({ backlogFrom, failing });
    this.#retries = new ReservedRetries(shard);
  }

  get target(): EndpointTarget {
    return this.#settings.target;
  }

  get keys(): readonly SigningKey[] {
    return this.#settings.keys;
  }

  get isActive(): boolean {
    return this.#settings.isActive;
  }

  get isFailing(): boolean {
    return this.#isFailing;
  }

  get isResting(): boolean {
    return isResting(this.#pace);
  }

  get speed(): Speed {
    return speedOf(this.#pace);
  }

  /** How many notifications wait in memory. */
  get queued(): number {
    return this.#queue.size;
  }

  /** Whether the endpoint can take one more exchange. */
  get isFree(): boolean {
    return this.#settings.isActive && this.#inFlight < this.#pace.limit;
  }

  /** Whether the stream's next notification goes into memory; otherwise call `skip`. */
  get takesFromStream(): boolean {
    if (this.#backlog.isParked || !this.isActive) return false;
    return this.#queue.size < queueLimit(this.#pace) && hasMemory(this.account);
  }

  /** Its backlog, as far as others may see it. */
  get backlog(): Pick<Backlog, "isParked" | "hasSkipped" | "readAt" | "recorded"> {
    return this.#backlog;
  }

  /** How many notifications of the backlog to read now. @param now by `performance.now()` */
  backlogWanted(now: number): number {
    if (!this.#backlog.isParked || this.#queue.size >= this.#pace.limit) return 0;
    return this.isFree && this.#pace.restUntil <= now ? queueLimit(this.#pace) : 0;
  }

  /** Whether forgetting it loses and delays nothing. */
  get isIdle(): boolean {
    if (this.#inFlight + this.#queue.size + this.#retries.size > 0) return false;
    const hasBacklogToRead = this.isActive && this.#backlog.isParked;
    return !hasBacklogToRead && this.#backlog.isSaved(this.#isFailing);
  }

  /** Queues a notification behind the others. A retry must have been reserved. */
  enqueue(notification: QueuedNotification): void {
    if (notification.source.from !== "retries") this.#backlog.addUnsettled(notification.sequence);
    this.#queue.add(notification);
  }

  /** Leaves the stream's next notification, and those after it, to the backlog. */
  skip(sequence: number, entry: StreamEntry): void {
    this.#backlog.skip(sequence, entry);
  }

  /** Begins to read a page of the backlog. @param now by `performance.now()` */
  openPage(now: number): BacklogPage {
    return this.#backlog.openPage(now);
  }

  /**
   * Queues what a page of the backlog holds.
   *
   * @param last the page's last sequence; undefined for an empty page
   * @param isEnd whether the backlog holds no more up to where the stream has been read
   * @returns false if the endpoint was parked meanwhile, so that the page is void
   */
  enqueuePage(
    page: BacklogPage,
    notifications: readonly QueuedNotification[],
    { last, isEnd }: { last: number | undefined; isEnd: boolean },
  ): boolean {
    if (!this.#backlog.isCurrent(page)) return false;
    for (const notification of notifications) this.enqueue(notification);
    this.#backlog.closePage(last, isEnd);
    return true;
  }

  /** Reserves a retry that is due. @param limit of retries in memory @returns false if it must wait, or is known already */
  reserveRetry(sequence: number, limit: number): boolean {
    if (!this.isActive || this.#retries.size >= Math.min(limit, queueLimit(this.#pace))) return false;
    // The first attempt may be on record without this process knowing it, and a client may have asked for a resend.
    if (this.#retries.has(sequence) || this.#backlog.isUnsettled(sequence)) return false;
    this.#retries.add(sequence);
    return true;
  }

  /** Gives back a reserved retry that was not queued. */
  releaseRetry(sequence: number): void {
    this.#retries.release(sequence);
  }

  /** @returns the queue to join for a turn; undefined if nothing can be sent, or it waits there already */
  joinQueue(): Speed | undefined {
    const { speed } = this;
    if (this.#waits[speed] || this.#queue.size === 0 || !this.isFree) return undefined;
    this.#waits[speed] = true;
    return speed;
  }

  leaveQueue(speed: Speed): void {
    this.#waits[speed] = false;
  }

  /** @returns the next notification to send, which is then in flight */
  begin(): QueuedNotification | undefined {
    const notification = this.isFree ? this.#queue.take() : undefined;
    if (notification) this.#inFlight += 1;
    return notification;
  }

  /**
   * Ends an exchange.
   *
   * @param outcome undefined if it was aborted
   * @param url where it was sent to
   * @returns whether the endpoint is gone. It then gets nothing more, even before that is on record
   */
  finish(outcome: Pick<Outcome, "errorClass" | "status" | "durationMs"> | undefined, url: string): boolean {
    this.#inFlight -= 1;
    if (!outcome) return false;
    this.#isFailing = outcome.errorClass !== undefined;
    adjustPace(this.#pace, !this.#isFailing, outcome.durationMs, performance.now());
    const isGone = outcome.status === 410 && url === this.target.url;
    if (isGone) this.#deactivate();
    return isGone;
  }

  /** An attempt is on record, or can never be. */
  settle({ source, sequence }: Pick<QueuedNotification, "source" | "sequence">): void {
    if (source.from === "stream") source.entry.done = true;
    if (source.from === "retries") this.#retries.settle(sequence);
    else this.#backlog.settle(sequence);
  }

  /** Sends everything that has not begun back to the backlog and the retries. */
  park(): void {
    this.#backlog.cancelPage();
    for (const { sequence, source } of this.#queue.takeAll()) {
      if (source.from === "retries") this.#retries.release(sequence);
      else this.#backlog.putBack(sequence, source);
    }
  }

  /** Takes over changed settings. */
  refresh(record: EndpointRecord): void {
    if (record.url !== this.target.url) this.#pace.proven = false;
    this.#settings = settingsOf(record);
    if (this.#backlog.recorded?.failing && !record.failing) {
      this.#backlog.clearFailure();
      this.#isFailing = false;
      this.#pace = openPace(false);
    }
    if (!this.isActive) this.park();
  }

  /** Begins to write what the tables must hold about it; see backlog.ts. */
  beginSave(exactly: boolean): { state: EndpointState; confirm: () => void } | undefined {
    return this.#backlog.beginSave(this.#isFailing, exactly);
  }

  /** The webhook is deleted: nothing is owed any more. */
  drop(): void {
    this.#deactivate();
    this.#backlog.drop();
  }

  /** The shard has another owner, which reads again what waits here. */
  close(): void {
    this.#queue.takeAll();
    this.#settings = { ...this.#settings, isActive: false };
  }

  #deactivate(): void {
    this.#settings = { ...this.#settings, isActive: false };
    this.park();
  }
}

/**
 * One webhook's endpoint in memory, and the only owner of its state. Others read it, and change it through its methods. A notification
 * passes `enqueue` or `skip`, then `begin`, `finish` and `settle`. `park` sends what waits back to the tables.
 *
 * An ordered webhook has one POST in flight. When it fails, everything else waits in the tables until its retry was accepted (order.ts).
 */
import type { EndpointRecord } from "../store/delivery/endpoint-states.ts";
import { type Account, hasMemory } from "./account.ts";
import { Backlog, type BacklogPage, type EndpointState } from "./backlog.ts";
import { type Batch, patienceMs, takeBatch } from "./batch.ts";
import { type EndpointSettings, type EndpointTarget, settingsOf } from "./endpoint-settings.ts";
import type { Outcome } from "./exchange.ts";
import { Order, type OrderedAttempt } from "./order.ts";
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
  /** Its webhook's events, which never change. */
  readonly abi: EndpointRecord["abi"];
  /** Undefined if each notification has its own POST. */
  readonly batch: Batch | undefined;
  /** Undefined unless the webhook is ordered. */
  readonly #order: Order | undefined;
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
  /** Until when its next batch waits for more, by `performance.now()`. */
  #gathersUntil = 0;
  /** The same for a batch that was parked meanwhile. It is not read before. */
  #parkedUntil = 0;

  constructor(record: EndpointRecord, shard: Shard, account: Account) {
    const { webhookId, chainId, failing, backlogFrom } = record;
    this.webhookId = webhookId;
    this.chainId = chainId;
    this.shard = shard;
    this.account = account;
    this.abi = record.abi;
    this.batch = record.batch;
    this.#order = record.waiting && new Order(record.waiting);
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

  /** How many POSTs what waits in memory comes to. */
  get queuedPosts(): number {
    return this.#queue.size / (this.batch?.maxItems ?? 1);
  }

  /** Whether the endpoint can take one more exchange. */
  get isFree(): boolean {
    return this.#settings.isActive && this.#inFlight < (this.#order ? 1 : this.#pace.limit);
  }

  /** Whether its next batch waits for more notifications. */
  get isGathering(): boolean {
    return this.#gathersUntil > 0 && this.#gathersUntil > performance.now();
  }

  get isOrdered(): boolean {
    return this.#order !== undefined;
  }

  /** Whether a notification of an ordered webhook waits for its retry, and all later ones with it. */
  get isHeld(): boolean {
    return this.#order?.isHeld ?? false;
  }

  /** Grows when something happens to the order; for `confirmOrder`. */
  get orderMark(): number {
    return this.#order?.mark ?? 0;
  }

  /** Whether the stream's next notification goes into memory; otherwise call `skip`. */
  get takesFromStream(): boolean {
    if (this.#backlog.isParked || !this.isActive || this.isHeld) return false;
    return this.#queue.size < this.#queueLimit && hasMemory(this.account);
  }

  /** Its backlog, as far as others may see it. */
  get backlog(): Pick<Backlog, "isParked" | "hasSkipped" | "readAt" | "recorded"> {
    return this.#backlog;
  }

  /** How many notifications of the backlog to read now. @param now by `performance.now()` */
  backlogWanted(now: number): number {
    if (!this.#backlog.isParked || this.queuedPosts >= this.#pace.limit) return 0;
    if (this.isHeld || this.#parkedUntil > now) return 0;
    return this.isFree && this.#pace.restUntil <= now ? this.#queueLimit : 0;
  }

  /** How many notifications to keep in memory. Of batches, two for each that may be in flight. */
  get #queueLimit(): number {
    return this.batch ? this.batch.maxItems * Math.max(2, 2 * this.#pace.limit) : queueLimit(this.#pace);
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
    if (this.batch) notification.queuedAt = performance.now();
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
  reserveRetry({ sequence, trigger }: Pick<QueuedNotification, "sequence" | "trigger">, limit: number): boolean {
    const most = this.batch ? Math.max(limit, this.batch.maxItems) : Math.min(limit, queueLimit(this.#pace));
    if (!this.isActive || this.#retries.size >= most) return false;
    // The first attempt may be on record without this process knowing it, and a client may have asked for a resend.
    if (this.#retries.has(sequence) || this.#backlog.isUnsettled(sequence)) return false;
    if (trigger === "schedule" && !this.#isNext(sequence)) return false;
    this.#retries.add(sequence);
    return true;
  }

  /** Whether this retry may be queued behind those that are. */
  #isNext(sequence: number): boolean {
    if (!this.#order) return true;
    if (!this.#order.has(sequence)) {
      this.#order.hold(sequence);
      this.park();
    }
    return this.#order.isNext(sequence, (before) => this.#retries.isReserved(before));
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

  /** How long its next POST waits for more notifications, in ms; not above 0 if it can be sent. @param now by `performance.now()` */
  gather(now: number): number {
    const waitMs = this.batch ? patienceMs(this.#queue, this.batch, now) : 0;
    this.#gathersUntil = waitMs > 0 ? now + waitMs : 0;
    return waitMs;
  }

  /** @returns the notifications of the next POST, which are then in flight; none if there is nothing to send */
  begin(): readonly QueuedNotification[] {
    if (!this.isFree) return [];
    // A retry may have been found that was not known to be waited for.
    if (this.isHeld && this.#queue.first?.source.from !== "retries") this.park();
    const notifications = this.batch ? takeBatch(this.#queue, this.batch, this.abi) : this.#queue.take();
    if (notifications.length > 0) this.#inFlight += 1;
    return notifications;
  }

  /**
   * Ends an exchange.
   *
   * @param outcome undefined if it was aborted
   * @param url where it was sent to
   * @param attempts of its notifications
   * @returns whether the endpoint is gone. It then gets nothing more, even before that is on record
   */
  finish(
    outcome: Pick<Outcome, "errorClass" | "status" | "durationMs"> | undefined,
    url: string,
    attempts: readonly OrderedAttempt[],
  ): boolean {
    this.#inFlight -= 1;
    if (!outcome) return false;
    this.#isFailing = outcome.errorClass !== undefined;
    adjustPace(this.#pace, !this.#isFailing, outcome.durationMs, performance.now());
    this.#order?.conclude(attempts);
    if (this.#order) for (const { sequence } of attempts) this.#retries.finish(sequence);
    const isGone = outcome.status === 410 && url === this.target.url;
    if (isGone) this.#deactivate();
    // What is queued behind it waits in the tables, however long that takes.
    else if (this.isHeld && this.#isFailing) this.park();
    return isGone;
  }

  /** An attempt is on record, or can never be. @param attempt undefined if it can never be on record */
  settle(
    { source, sequence }: Pick<QueuedNotification, "source" | "sequence">,
    attempt: OrderedAttempt | undefined,
  ): void {
    if (source.from === "stream") source.entry.done = true;
    if (source.from === "retries") this.#retries.settle(sequence);
    else this.#backlog.settle(sequence);
    this.#order?.settle(sequence, attempt);
  }

  /** Takes over which retries the tables hold: retention may have ended. @param mark `orderMark` before they were read */
  confirmOrder(mark: number, waiting: readonly number[]): void {
    this.#order?.confirm(mark, waiting);
  }

  /** Sends everything that has not begun back to the backlog and the retries. */
  park(): void {
    this.#backlog.cancelPage();
    this.#parkedUntil = this.#gathersUntil;
    this.#gathersUntil = 0;
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

/**
 * One webhook's endpoint in memory, and the only owner of its state. Others read it, and change it through its methods. A notification
 * passes `enqueue` or `skip`, then `begin`, `finish` and `settle`. `park` sends what waits back to the tables.
 *
 * An ordered webhook has one POST in flight. When it fails, everything else waits in the tables until its retry was accepted (order.ts). A
 * batch waits a little for more notifications, so that they share a POST. And a POST waits where the webhook has a rate of its own.
 */
import { createSecretKey, type KeyObject } from "node:crypto";
import type { WebhookOptions } from "../../matching/new-webhook.ts";
import type { EndpointRecord } from "../../store/delivery/endpoint-states.ts";
import { type AccountShares, hasMemory, type Speed } from "../accounts.ts";
import type { OutboxEntry } from "../cursor.ts";
import { NotificationQueue, ownTextOf, type QueuedNotification } from "../queued-notification.ts";
import type { Shard } from "../shard.ts";
import { Backlog, type BacklogPage, type EndpointState } from "./backlog.ts";
import { Order, type OrderedAttempt } from "./order.ts";
import { EndpointPace, OwnRate } from "./pace.ts";

/** How a webhook wants its notifications together. */
type Batch = NonNullable<WebhookOptions["batch"]>;

/** What the outcome of an exchange says of the endpoint. `errorClass` is undefined for a success. */
type ExchangeEnd = { errorClass?: string; status?: number; durationMs: number };

export class Endpoint {
  readonly webhookId: string;
  readonly chainId: string;
  readonly shard: Shard;
  readonly account: AccountShares;
  /** Its webhook's events, which never change. */
  readonly abi: EndpointRecord["abi"];
  /** Whose form its notifications have, which never changes either. */
  readonly compatibility: EndpointRecord["compatibility"];
  /** Undefined if each notification has its own POST. */
  readonly batch: Batch | undefined;
  /** Undefined unless the webhook is ordered. */
  readonly #order: Order | undefined;
  #settings: EndpointSettings;
  #pace: EndpointPace;
  readonly #rate: OwnRate;
  /** Whether the last attempt failed. */
  #isFailing: boolean;
  #inFlight = 0;
  /** How many retries are in flight or not yet on record. */
  #retriesBegun = 0;
  readonly #queue: NotificationQueue;
  readonly #backlog: Backlog;
  readonly #retries: ReservedRetries;
  /** In which of its account's queues it waits for a turn; see sender.ts. */
  readonly #waits: Record<Speed, boolean> = { quick: false, new: false, slow: false };
  /** Until when its next POST waits, by `performance.now()`: a batch for more notifications, others for the webhook's own rate. */
  #gathersUntil = 0;
  /** The same for what was parked meanwhile. It is not read before. */
  #parkedUntil = 0;

  constructor(record: EndpointRecord, shard: Shard, account: AccountShares) {
    const { webhookId, chainId, failing, backlogFrom } = record;
    this.webhookId = webhookId;
    this.chainId = chainId;
    this.shard = shard;
    this.account = account;
    this.abi = record.abi;
    this.compatibility = record.compatibility;
    this.batch = record.batch;
    this.#order = record.waiting && new Order(record.waiting);
    this.#settings = settingsOf(record);
    this.#pace = new EndpointPace(failing);
    this.#rate = new OwnRate(record.maxPerSecond);
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

  get sharedKeys(): readonly SigningKey[] {
    return this.#settings.sharedKeys;
  }

  get headers(): readonly string[] {
    return this.#settings.headers;
  }

  get operational(): EndpointSettings["operational"] {
    return this.#settings.operational;
  }

  get isActive(): boolean {
    return this.#settings.isActive;
  }

  get isFailing(): boolean {
    return this.#isFailing;
  }

  get isResting(): boolean {
    return this.#pace.isResting;
  }

  get speed(): Speed {
    return this.#pace.speed;
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

  /** Whether its next POST waits; see `gather`. */
  get isGathering(): boolean {
    return this.#gathersUntil > 0 && this.#gathersUntil > performance.now();
  }

  get isOrdered(): boolean {
    return this.#order !== undefined;
  }

  /** Whether a notification of an ordered webhook waits for its retry, and all later ones with it. */
  get awaitsRetry(): boolean {
    return this.#order?.awaitsRetry ?? false;
  }

  /** Grows when something happens to the order; for `confirmOrder`. */
  get orderMark(): number {
    return this.#order?.mark ?? 0;
  }

  /** Whether the outbox's next notification goes into memory; otherwise call `skip`. */
  get takesFromOutbox(): boolean {
    if (this.#backlog.isParked || !this.isActive || this.awaitsRetry) return false;
    return this.#queue.size < this.#queueLimit && hasMemory(this.account);
  }

  /** Its backlog, as far as others may see it. */
  get backlog(): Pick<Backlog, "isParked" | "hasSkipped" | "readAt" | "recorded"> {
    return this.#backlog;
  }

  /** How many notifications of the backlog to read now. @param now by `performance.now()` */
  backlogWanted(now: number): number {
    if (!this.#backlog.isParked || this.awaitsRetry || this.#parkedUntil > now) return 0;
    // Where the owner limits the rate, retries wait for long. The backlog must not wait for all of them.
    const before = this.#rate.limit === undefined ? 0 : this.#queue.retries;
    const posts = (this.#queue.size - before) / (this.batch?.maxItems ?? 1);
    if (posts >= Math.min(this.#pace.limit, this.#ownLimit)) return 0;
    return this.isFree && this.#pace.restUntil <= now ? this.#queueLimit : 0;
  }

  /** How many notifications to keep in memory: of batches, two for each that may be in flight; and no more than a second's POSTs at its own rate. */
  get #queueLimit(): number {
    const posts = this.batch ? Math.max(2, 2 * this.#pace.limit) : this.#pace.queueLimit;
    return Math.min(posts, Math.max(2, this.#ownLimit)) * (this.batch?.maxItems ?? 1);
  }

  /** How many POSTs the webhook's owner allows in a second. */
  get #ownLimit(): number {
    return this.#rate.limit ?? Number.POSITIVE_INFINITY;
  }

  /** Whether forgetting it loses and delays nothing. */
  get isIdle(): boolean {
    if (this.#inFlight + this.#queue.size + this.#retries.size > 0) return false;
    if (!this.#rate.isUnused(performance.now())) return false;
    const hasBacklogToRead = this.isActive && this.#backlog.isParked;
    return !hasBacklogToRead && this.#backlog.isSaved(this.#isFailing);
  }

  /** Queues a notification after the others. A retry must have been reserved. */
  enqueue(notification: QueuedNotification): void {
    if (notification.source.from !== "retries") this.#backlog.addUnsettled(notification.sequence);
    if (this.batch) notification.queuedAt = performance.now();
    this.#queue.add(notification);
  }

  /** Leaves the outbox's next notification, and those after it, to the backlog. */
  skip(sequence: number, entry: OutboxEntry): void {
    this.#backlog.skip(sequence, entry);
  }

  /** Begins to read a page of the backlog. @param now by `performance.now()` */
  openPage(now: number): BacklogPage {
    return this.#backlog.openPage(now);
  }

  /**
   * Queues a page of the backlog.
   *
   * @param last the page's last sequence; undefined for an empty page
   * @param isEnd whether the backlog has no more up to where the outbox has been read
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
    const most = this.batch ? Math.max(limit, this.batch.maxItems) : Math.min(limit, this.#pace.queueLimit);
    const { size } = this.#retries;
    if (!this.isActive || size >= most) return false;
    // Of what its owner's rate lets go, the other half is for first attempts.
    const isLimited = this.#rate.limit !== undefined;
    if (isLimited && size - this.#retriesBegun >= Math.floor(this.#queueLimit / 2)) return false;
    // The first attempt may be on record without this process knowing it, and a client may have asked for a resend.
    if (this.#retries.has(sequence) || this.#backlog.isUnsettled(sequence)) return false;
    if (trigger === "schedule" && !this.#isNext(sequence)) return false;
    this.#retries.add(sequence);
    return true;
  }

  /** Whether this retry may be queued after those that are. */
  #isNext(sequence: number): boolean {
    if (!this.#order) return true;
    if (!this.#order.has(sequence)) {
      this.#order.awaitRetry(sequence);
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

  /** Whether its POSTs may have to wait; see `gather`. */
  get gathers(): boolean {
    return this.batch !== undefined || this.#rate.limit !== undefined;
  }

  /**
   * How long its next POST waits, in ms: a batch for more notifications, any for the webhook's own rate. Not above 0 if it can be sent.
   *
   * @param now by `performance.now()`
   */
  gather(now: number): number {
    const waitMs = Math.max(this.batch ? batchPatienceMs(this.#queue, this.batch, now) : 0, this.#rate.waitMs(now));
    this.#gathersUntil = waitMs > 0 ? now + waitMs : 0;
    return waitMs;
  }

  /** @returns the notifications of the next POST, which are then in flight; none if there is nothing to send */
  begin(): readonly QueuedNotification[] {
    if (!this.isFree) return [];
    // A retry may have been found that was not known to be waited for.
    if (this.awaitsRetry && this.#queue.first?.source.from !== "retries") this.park();
    const notifications = this.batch ? takeBatch(this.#queue, this.batch, this.abi) : this.#queue.take();
    if (notifications.length > 0) {
      this.#inFlight += 1;
      this.#retriesBegun += notifications.filter(({ source }) => source.from === "retries").length;
      this.#rate.begin(performance.now());
    }
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
  finish(outcome: ExchangeEnd | undefined, url: string, attempts: readonly OrderedAttempt[]): boolean {
    this.#inFlight -= 1;
    if (!outcome) return false;
    this.#isFailing = outcome.errorClass !== undefined;
    this.#pace.adjust(!this.#isFailing, outcome.durationMs, performance.now());
    this.#order?.conclude(attempts);
    if (this.#order) for (const { sequence } of attempts) this.#retries.finish(sequence);
    const isGone = outcome.status === 410 && url === this.target.url;
    if (isGone) this.#deactivate();
    // What is queued after it waits in the tables, however long that takes.
    else if (this.awaitsRetry && this.#isFailing) this.park();
    return isGone;
  }

  /** An attempt is on record, or can never be. @param attempt undefined if it can never be on record */
  settle(
    { source, sequence }: Pick<QueuedNotification, "source" | "sequence">,
    attempt: OrderedAttempt | undefined,
  ): void {
    if (source.from === "outbox") source.entry.done = true;
    if (source.from === "retries") {
      this.#retries.settle(sequence);
      this.#retriesBegun -= 1;
    } else this.#backlog.settle(sequence);
    this.#order?.settle(sequence, attempt);
  }

  /** Takes over which retries the tables have: retention may have ended. @param mark `orderMark` before they were read */
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
    if (record.url !== this.target.url) this.#pace.forgetProof();
    this.#rate.change(record.maxPerSecond);
    this.#settings = settingsOf(record);
    if (this.#backlog.recorded?.failing && !record.failing) {
      this.#backlog.clearFailure();
      this.#isFailing = false;
      this.#pace = new EndpointPace(false);
    }
    if (!this.isActive) this.park();
  }

  /** Begins to write what the tables must have about it; see backlog.ts. */
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

/** A URL and its parts. Parsing it for each notification would cost more than sending. */
export type EndpointTarget = { url: string; origin: string; path: string; hostname: string };

/** What a webhook's owner decides about its endpoint: where to send, with which keys and headers, and whether at all. */
export type EndpointSettings = {
  target: EndpointTarget;
  keys: readonly SigningKey[];
  /** The account's, which sign too where the webhook has a `compatibility`; otherwise none. The newest first. */
  sharedKeys: readonly SigningKey[];
  /** Its own ones, names and values alternately. */
  headers: readonly string[];
  /** The form of an operational webhook's events; undefined for other webhooks. */
  operational: EndpointRecord["operational"];
  isActive: boolean;
};

export function settingsOf({
  url,
  active,
  secrets,
  sharedSecrets = [],
  headers = [],
  operational,
}: Pick<EndpointRecord, "url" | "active" | "secrets" | "sharedSecrets" | "operational"> &
  Partial<Pick<EndpointRecord, "headers">>): EndpointSettings {
  const { origin, pathname, search, hostname } = new URL(url);
  const keysOf = (kept: EndpointRecord["secrets"]) =>
    kept.map(({ secret, expiresAt }) => signingKey(secret, expiresAt));
  return {
    target: { url, origin, path: pathname + search, hostname: hostname.replace(/^\[|\]$/g, "") },
    keys: keysOf(secrets),
    sharedKeys: keysOf(sharedSecrets),
    headers: headers.flat(),
    operational,
    isActive: active,
  };
}

/** A secret, prepared once: signing with a KeyObject costs a quarter of signing with a Buffer (4.5 µs against 19 µs a body). */
export type SigningKey = { key: KeyObject; expiresAt: number | null };

/** @param expiresAt in ms since the epoch; null for a secret that does not expire */
export function signingKey(secret: Buffer, expiresAt: number | null): SigningKey {
  return { key: createSecretKey(secret), expiresAt };
}

/**
 * Retries that must not be queued again. A read of the tables may have started before the last outcome was recorded, and still show that
 * retry as due. So a recorded one is free again only in the next read.
 */
class ReservedRetries {
  /** By sequence: the last read that may show the retry as due, once its outcome is on record. */
  readonly #lastLooks = new Map<number, number>();
  readonly #shard: Pick<Shard, "retryLooks">;

  constructor(shard: Pick<Shard, "retryLooks">) {
    this.#shard = shard;
  }

  get size(): number {
    for (const [sequence, lastLook] of this.#lastLooks)
      if (lastLook < this.#shard.retryLooks) this.#lastLooks.delete(sequence);
    return this.#lastLooks.size;
  }

  /** Call `size` first, which frees those of earlier reads. */
  has(sequence: number): boolean {
    return this.#lastLooks.has(sequence);
  }

  /** Whether it is queued or in flight. */
  isReserved(sequence: number): boolean {
    return this.#lastLooks.get(sequence) === Number.POSITIVE_INFINITY;
  }

  /** Its exchange has ended, and its outcome is not on record yet. */
  finish(sequence: number): void {
    if (this.has(sequence)) this.#lastLooks.set(sequence, Number.MAX_VALUE);
  }

  add(sequence: number): void {
    this.#lastLooks.set(sequence, Number.POSITIVE_INFINITY);
  }

  release(sequence: number): void {
    this.#lastLooks.delete(sequence);
  }

  /** Its outcome is on record. */
  settle(sequence: number): void {
    this.#lastLooks.set(sequence, this.#shard.retryLooks);
  }
}

/** In bytes. A batch ends before its body would be larger; a larger notification is sent alone. The contract states it. */
const bodyLimit = 1_048_576;
/** What surrounds an event in the body is shorter: the names, two UUIDs and the separator. */
const surroundingBytes = 180;

/** What may share a POST: first attempts, retries, or what clients asked for. A failed resend must not make a retry fail. */
function kindOf({ source, trigger }: QueuedNotification): string {
  return source.from === "retries" ? trigger : "first";
}

/** Takes the next POST's notifications. They are consecutive, so a receiver can tell each one's sequence from the first. */
function takeBatch(
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
function batchPatienceMs(queue: NotificationQueue, { maxItems, maxWaitMs }: Batch, now: number): number {
  const { first } = queue;
  const isFull = queue.size >= maxItems || queue.characters >= bodyLimit;
  if (!first || isFull || first.source.from === "retries") return 0;
  return (first.queuedAt ?? now) + maxWaitMs - now;
}

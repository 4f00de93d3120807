/**
 * Turns the notifications of one webhook into effects that happen exactly once, in the order of their sequence.
 *
 * What is handled always comes from the feed. A POST only says that there is something: its signature does not cover the sequence, so whoever repeats a
 * POST with another number could have a payment counted twice, or pass over one. The position in the store decides what is next, read under the
 * store's lock in the transaction that moves it. Everything else (leases, wake-ups, what this process believes) may be wrong without harm.
 */
import { withDeadline } from "../deadline.ts";
import { WebhooksError } from "../errors.ts";
import type { ReceiverOptions } from "../receiver/receive.ts";
import type { AddressActivityNotification } from "../receiver/verify.ts";
import type { FeedNotification, WebhooksClient } from "../types.ts";
import { ConsumerError, messageOf, toConsumerError, toFeedError } from "./errors.ts";
import { type ConsumerStore, createQueue, type SkippedRange } from "./store.ts";

/** What a handler gets besides the notification. */
export type HandlerContext<Transaction> = {
  /** The notification's number among those of its webhook. It grows by one from call to call. */
  sequence: number;
  /** The store's transaction: what is written in it is committed together with the position, or not at all. */
  transaction: Transaction;
};

type ConsumerHandler<Transaction> = (
  notification: AddressActivityNotification,
  context: HandlerContext<Transaction>,
) => unknown;

/** A figure of a consumer. */
export type ConsumerMetric = {
  /**
   * Gauges: `position`; `lag`, how many notifications it is behind; `holds`, 1 while this process handles the webhook. To be added up: `notifications` and
   * `retractions`, which were committed; `failures`, by `code`. `commit_ms` is how long one transaction took.
   */
  name: "position" | "lag" | "holds" | "notifications" | "retractions" | "failures" | "commit_ms";
  value: number;
  webhookId: string;
  /** Of `failures`, the error's. */
  code?: ConsumerError["code"];
};

/** How to handle the notifications of a webhook. */
export type ConsumerOptions<Transaction> = {
  /** The webhook's id. Each webhook has a consumer of its own. */
  webhookId: string;
  /** Reads the feed. Its key needs the scope `read`. */
  client: Pick<WebhooksClient, "followFeed" | "readFeed">;
  /** Where the position is kept: `postgresStore`, `sqliteStore`, `memoryStore`, or your own. */
  store: ConsumerStore<Transaction>;
  /**
   * Handles what happened; a promise is awaited. With the finality `both` it is called twice for an event, as `kindOf` of `chain-webhooks/receiver`
   * says. When it throws, nothing of the transaction is stored, the webhook stands still, and it is called again after a pause. So effects outside of the
   * transaction, such as an e-mail, can happen more than once.
   */
  onNotification: ConsumerHandler<Transaction>;
  /** Takes back what was notified before: the same event with `removed: true`, in a block that has left the chain. It has a sequence of its own. */
  onRetraction: ConsumerHandler<Transaction>;
  /** The webhook's secret, for `receiver`. Not needed to follow the feed. */
  secret?: ReceiverOptions["secret"];
  /** Where to begin if the store has no position yet: after this sequence; 0 unless given. */
  startAfter?: number;
  /** How many notifications share a transaction, at most; 1 unless given, up to 50. If one of them fails, each is tried in its own. */
  batch?: { maxNotifications: number };
  /** The pause after a failure, in milliseconds. It doubles with each further one. 1,000 to 60,000 unless given. */
  backOff?: { firstMs: number; longestMs: number };
  /** How long another process waits for one that has died, in milliseconds; 30,000 unless given. */
  leaseMs?: number;
  /** Called with each failure. Without it, failures are written by `console.error`. */
  onError?: (error: ConsumerError) => unknown;
  /** Called with each figure, often. */
  onMetric?: (metric: ConsumerMetric) => unknown;
};

/** What a consumer is doing, and how far it is. */
export type ConsumerState = {
  /**
   * `idle`: not started; it handles what a POST announces. `waiting`: another process holds the webhook. `following`: all is well. `failing`: the
   * last try failed, and it pauses before the next. `stopped`: it was stopped.
   */
  status: "idle" | "waiting" | "following" | "failing" | "stopped";
  /** Whether this process holds the webhook. */
  holds: boolean;
  /** The last sequence that is handled or skipped, as stored. */
  position: number;
  /** The newest sequence of the webhook that this process knows of; undefined before it has read the feed. */
  newestSequence: number | undefined;
  /** How many notifications it is behind that one. */
  lag: number | undefined;
  /** Notifications after the position that the service no longer keeps. Only `skip` leads over them. */
  gap: { from: number; to: number } | undefined;
  /** The last failure, and when it was, in ISO 8601; undefined once something was committed after it. */
  lastError: { error: ConsumerError; at: string } | undefined;
  /** All that was skipped. */
  skipped: readonly SkippedRange[];
};

/** Handles the notifications of a webhook, each once and in order. */
export type Consumer = {
  /**
   * Starts following the feed. It goes on until `stop`: after every failure it tries again. If another process holds the webhook, it waits for it.
   * It returns immediately, and does nothing if it is started.
   */
  start(): void;
  /** Waits for the running handler, commits, and lets another process take over. Do not await it in a handler. */
  stop(): Promise<void>;
  /** What it is doing, and how far it is, with the position read from the store. */
  state(): Promise<ConsumerState>;
  /**
   * Passes over what comes next, for good, and records it in the store with the reason: one notification by its sequence, or a range. It must
   * begin with the sequence after the position, and end with the newest one at most, so that nobody passes over another one by mistake. Any process may
   * call it. Do not await it in a handler.
   * @throws ConsumerError `not_next`, `feed_failed` or `store_failed`. TypeError for what is no range, or without a reason.
   * @example await consumer.skip(42, "Its token has 300 decimals.");
   * @example await consumer.skip({ from: 42, to: 99 }, "No longer kept, and counted by hand.");
   */
  skip(sequences: number | { from: number; to: number }, reason: string): Promise<void>;
  /**
   * For any receiver of `chain-webhooks/receiver`, so that POSTs are taken, too. A started consumer accepts each one that verifies, since it reads the
   * notification from the feed. One that is not started reads the feed up to that notification, commits, and then accepts it: for functions that run only
   * while they are called.
   * @example app.post("/hooks", createExpressReceiver(consumer.receiver));
   */
  readonly receiver: ReceiverOptions;
};

/** How long a POST waits for another process, in milliseconds. The service waits 10 s for its answer. */
const patienceOfPostMs = 8_000;
const lookAgainMs = 100;

/**
 * Makes a consumer of one webhook. Several processes may run it with the same store: one of them handles the webhook at a time, and another one
 * takes over when it stops or dies.
 * @throws TypeError when an option is wrong.
 * @example
 * const consumer = createConsumer({
 *   webhookId,
 *   client: createWebhooksClient({ baseUrl, apiKey }),
 *   store: postgresStore(pool),
 *   onNotification: ({ event }, { sequence, transaction }) =>
 *     transaction.query("INSERT INTO payments VALUES ($1, $2, $3)", [sequence, event.transaction.to, event.transaction.value]),
 *   onRetraction: ({ event }, { transaction }) =>
 *     transaction.query("DELETE FROM payments WHERE tx_hash = $1", [event.transaction.txHash]),
 * });
 * consumer.start();
 */
export function createConsumer<Transaction>(options: ConsumerOptions<Transaction>): Consumer {
  const consumer = new WebhookConsumer(options);
  return {
    start: () => consumer.start(),
    stop: () => consumer.stop(),
    state: () => consumer.state(),
    skip: (sequences, reason) => consumer.skip(sequences, reason),
    get receiver() {
      return consumer.receiver();
    },
  };
}

type Running = { controller: AbortController; ended: Promise<void> };

/** @returns after the time, or immediately when one of the signals comes */
const pause = (ms: number, signal: AbortSignal) =>
  withDeadline(ms, signal, () => new Promise<never>(() => {})).catch(() => {});

class WebhookConsumer<Transaction> {
  readonly #given: ConsumerOptions<Transaction>;
  readonly #set: { startAfter: number; most: number; firstMs: number; longestMs: number; leaseMs: number };
  readonly #holder = crypto.randomUUID();
  /** One at a time: the heartbeat would find the row locked by our own transaction. */
  readonly #inTurn = createQueue();
  #status: ConsumerState["status"] = "idle";
  #holds = false;
  #newest: number | undefined;
  #lastError: ConsumerState["lastError"];
  #running: Running | undefined;
  #catchingUp: Promise<boolean> | undefined;
  /** Ends the pause after a failure. */
  #wake = new AbortController();
  /** Up to here each has a transaction of its own, since a batch has failed. */
  #singlyUpTo = 0;

  constructor(options: ConsumerOptions<Transaction>) {
    this.#given = options;
    const { startAfter = 0, batch, backOff = { firstMs: 1_000, longestMs: 60_000 }, leaseMs = 30_000 } = options;
    const most = batch?.maxNotifications ?? 1;
    const { firstMs, longestMs } = backOff;
    if (typeof options.webhookId !== "string" || options.webhookId === "")
      throw new TypeError("webhookId must be the id of a webhook.");
    for (const name of ["onNotification", "onRetraction"] as const)
      if (typeof options[name] !== "function") throw new TypeError(`${name} must be a function.`);
    check("startAfter", startAfter, 0, Number.MAX_SAFE_INTEGER);
    check("batch.maxNotifications", most, 1, 50);
    check("backOff.firstMs", firstMs, 1, 2 ** 31 - 1);
    check("backOff.longestMs", longestMs, firstMs, 2 ** 31 - 1);
    check("leaseMs", leaseMs, 100, 2 ** 31 - 1);
    this.#set = { startAfter, most, firstMs, longestMs, leaseMs };
  }

  start(): void {
    if (this.#running && !this.#running.controller.signal.aborted) return;
    const controller = new AbortController();
    const { signal } = controller;
    this.#status = "waiting";
    // One that is stopped may still wait for its handler.
    const ended = Promise.resolve(this.#running?.ended).then(() => this.#run(signal));
    const running: Running = {
      controller,
      ended: ended.finally(() => {
        if (this.#running !== running) return;
        this.#status = "stopped";
        this.#running = undefined;
      }),
    };
    this.#running = running;
  }

  async stop(): Promise<void> {
    this.#status = "stopped";
    this.#running?.controller.abort();
    await this.#running?.ended;
    await this.#catchingUp?.catch(() => {});
  }

  async state(): Promise<ConsumerState> {
    const { position, skipped } = await this.#stored();
    const newestSequence = this.#newest;
    const error = this.#lastError?.error;
    const to = (error?.firstSequence ?? 0) - 1;
    return {
      status: this.#status,
      holds: this.#holds,
      position,
      newestSequence,
      lag: newestSequence === undefined ? undefined : Math.max(0, newestSequence - position),
      gap: to > position ? { from: position + 1, to } : undefined,
      lastError: this.#lastError,
      skipped,
    };
  }

  async skip(sequences: number | { from: number; to: number }, reason: string): Promise<void> {
    const { from, to } = typeof sequences === "number" ? { from: sequences, to: sequences } : sequences;
    check("from", from, 1, Number.MAX_SAFE_INTEGER);
    check("to", to, from, Number.MAX_SAFE_INTEGER);
    if (typeof reason !== "string" || reason.trim() === "") throw new TypeError("reason must be a text.");
    await this.#assertThere(to);
    const skipped = { from, to, reason, skippedAt: new Date().toISOString() };
    await this.#advance(undefined, async (_, position) => {
      if (from === position + 1) return { position: to, skipped };
      const message = `skip must begin with the next sequence, which is ${position + 1}.`;
      throw new ConsumerError("not_next", message, { sequence: position + 1 });
    });
    this.#wake.abort();
    this.#wake = new AbortController();
  }

  /** What has not happened yet is not passed over. @throws ConsumerError `not_next`, `feed_failed` */
  async #assertThere(sequence: number): Promise<void> {
    const { webhookId: id, client } = this.#given;
    const query = { after: sequence - 1, limit: 1 };
    const newest = await client.readFeed({ path: { id }, query }).then(
      ({ lastSequence }) => lastSequence,
      (cause: unknown) => {
        const error = toFeedError(cause, sequence - 1);
        if (error.code === "gone") return sequence;
        throw error;
      },
    );
    if (newest >= sequence) return;
    const message = `skip must end with the newest sequence at most, which is ${newest}.`;
    throw new ConsumerError("not_next", message, { sequence: newest + 1 });
  }

  receiver(): ReceiverOptions {
    const { secret, webhookId } = this.#given;
    if (secret === undefined) throw new TypeError("secret must be given to take POSTs.");
    return {
      secret,
      onNotification: (notification, { sequence }) => {
        if (sequence === 0) return; // A test, whose event did not happen.
        if (notification.webhookId === webhookId) return this.#accept(sequence);
        throw new Error(`The consumer of webhook ${webhookId} got a notification of ${notification.webhookId}.`);
      },
      onError: (error) => this.#report(toConsumerError(error, "not_handled")),
    };
  }

  /** Returns when a notification is stored, or will certainly be read from the feed. @throws otherwise */
  async #accept(sequence: number): Promise<void> {
    const until = Date.now() + patienceOfPostMs;
    for (let turn = 1; ; turn += 1) {
      if (this.#isStopping()) throw notHandled(sequence, "the consumer was stopped");
      // The feed keeps it for longer than the service would try to send it.
      if (this.#running || (await this.#stored()).position >= sequence) return;
      // Only one that has begun before the POST came may have read too early. Else each of many POSTs would have the feed read for itself.
      const isLaterRead = this.#catchingUp === undefined || turn > 1;
      this.#catchingUp ??= this.#catchUp().finally(() => {
        this.#catchingUp = undefined;
      });
      const isWhole = await this.#catchingUp;
      if ((await this.#stored()).position >= sequence) return;
      if (isLaterRead && isWhole) throw notHandled(sequence, "the feed does not have it");
      if (Date.now() > until) throw notHandled(sequence, "another process holds the webhook");
      if (!isWhole) await pause(lookAgainMs, new AbortController().signal);
    }
  }

  /** Handles all that the feed has now. @returns false if another process holds the webhook, or this one stops */
  async #catchUp(): Promise<boolean> {
    const { webhookId: id, client } = this.#given;
    try {
      while (!this.#isStopping() && (await this.#hold())) {
        const { position: after } = await this.#stored();
        const { notifications, lastSequence } = await client.readFeed({ path: { id }, query: { after } });
        this.#see(lastSequence, after);
        if (notifications.length === 0) return true;
        for (const [place, notification] of notifications.entries()) expectNext(notification, after + place);
        for (let at = 0; at < notifications.length && !this.#isStopping(); ) {
          const batch = notifications.slice(at, at + this.#sizeAt(notifications[at]));
          // Somebody else has moved the position.
          if (!(await this.#handle(batch))) break;
          at += batch.length;
        }
      }
      return false;
    } catch (error) {
      throw toFeedError(error, (await this.#stored()).position);
    } finally {
      await this.#release();
    }
  }

  async #run(signal: AbortSignal): Promise<void> {
    for (let failures = 0; !signal.aborted; ) {
      const wake = this.#wake.signal;
      try {
        if (await this.#hold()) {
          await this.#follow(signal, () => {
            failures = 0;
          });
          // A store whose reads lag behind its writes would be asked without end.
          await pause(lookAgainMs, signal);
        } else {
          this.#status = "waiting";
          await pause((this.#set.leaseMs / 3) * (0.5 + Math.random() / 2), signal);
        }
      } catch (error) {
        if (signal.aborted) break;
        this.#status = "failing";
        this.#report(error instanceof ConsumerError ? error : toFeedError(error, 0));
        const ms = Math.min(this.#set.firstMs * 2 ** failures, this.#set.longestMs);
        failures += 1;
        await pause(ms * (1 - Math.random() / 4), AbortSignal.any([signal, wake]));
      }
    }
    await this.#release();
  }

  /** Follows the feed from the stored position on. @returns when the position was moved by somebody else, or the webhook is held by another process */
  async #follow(signal: AbortSignal, onSuccess: () => void): Promise<void> {
    const { webhookId, client } = this.#given;
    const following = new AbortController();
    const abort = () => following.abort();
    signal.addEventListener("abort", abort, { once: true });
    if (signal.aborted) abort();
    let failure: unknown;
    let isRenewing = false;
    const renew = async () => {
      // They would wait for a long handler, and then delay the next.
      if (isRenewing) return;
      isRenewing = true;
      try {
        if (!(await this.#hold())) abort();
      } catch (error) {
        failure = error;
        abort();
      }
      isRenewing = false;
    };
    const heartbeat = setInterval(() => void renew(), this.#set.leaseMs / 3);
    try {
      const { position: after } = await this.#stored();
      // Does not wait, so that it is known at once how far it is behind.
      const { notifications, lastSequence } = await client.readFeed({
        path: { id: webhookId },
        query: { after, limit: 1 },
        signal: following.signal,
      });
      this.#see(lastSequence, after);
      const succeed = () => {
        this.#succeed();
        onSuccess();
      };
      if (notifications.length === 0) succeed();
      else if (this.#status !== "failing") this.#status = "following";
      let position = after;
      let left = 0;
      let batch: FeedNotification[] = [];
      const feed = client.followFeed(webhookId, {
        after,
        signal: following.signal,
        onPage: ({ count, lastSequence }) => {
          left = count;
          this.#see(lastSequence, position);
          // Otherwise it is failing until the one that failed is handled.
          if (count === 0) succeed();
        },
        onRetry: (cause) => {
          this.#status = "failing";
          this.#report(toFeedError(cause, position));
        },
      });
      for await (const notification of feed) {
        left -= 1;
        expectNext(notification, position + batch.length);
        batch.push(notification);
        if (batch.length < this.#sizeAt(batch[0]) && left > 0) continue;
        const full = batch;
        batch = [];
        if (!(await this.#handle(full))) return;
        position = notification.sequence;
        succeed();
        if (following.signal.aborted) break;
      }
    } catch (error) {
      if (failure !== undefined) throw failure;
      if (!following.signal.aborted || !isAbort(error)) throw toFeedError(error, (await this.#stored()).position);
    } finally {
      clearInterval(heartbeat);
      signal.removeEventListener("abort", abort);
    }
  }

  #sizeAt(first: FeedNotification | undefined): number {
    return (first?.sequence ?? 0) <= this.#singlyUpTo ? 1 : this.#set.most;
  }

  /**
   * Handles consecutive notifications in one transaction. Of several of which one fails, each has its own.
   * @returns false if the stored position is another one than before the first, or another process holds the webhook
   */
  async #handle(notifications: readonly FeedNotification[]): Promise<boolean> {
    const [first, last] = [notifications[0], notifications.at(-1)];
    if (!first || !last) return true;
    try {
      return await this.#commit(notifications, first.sequence, last.sequence);
    } catch (error) {
      if (notifications.length === 1) throw error;
      this.#singlyUpTo = last.sequence;
      for (const one of notifications) if (!(await this.#handle([one]))) return false;
      return true;
    }
  }

  async #commit(notifications: readonly FeedNotification[], first: number, last: number): Promise<boolean> {
    const { onNotification, onRetraction } = this.#given;
    const began = performance.now();
    let isNext = false;
    let retractions = 0;
    const isHeld = await this.#inTurn(() =>
      this.#advance(this.#holder, async (transaction, position) => {
        isNext = first === position + 1;
        if (!isNext) return undefined;
        for (const { sequence, payload } of notifications) {
          const isRetraction = payload.event.removed === true;
          if (isRetraction) retractions += 1;
          try {
            await (isRetraction ? onRetraction : onNotification)(payload, { sequence, transaction });
          } catch (cause) {
            const message = `Notification ${sequence} could not be handled: ${messageOf(cause)}`;
            throw new ConsumerError("handler_failed", message, { cause, sequence });
          }
        }
        return { position: last };
      }),
    );
    if (!isHeld) this.#hasHold(false);
    if (!isHeld || !isNext) return false;
    this.#lastError = undefined;
    this.#measure("commit_ms", performance.now() - began);
    if (notifications.length > retractions) this.#measure("notifications", notifications.length - retractions);
    if (retractions > 0) this.#measure("retractions", retractions);
    this.#measure("position", last);
    if (this.#newest !== undefined) this.#measure("lag", Math.max(0, this.#newest - last));
    return true;
  }

  /** `advance` of the store, with the position from which a new webhook begins, and its own errors. */
  async #advance(
    holder: string | undefined,
    work: (transaction: Transaction, position: number) => Promise<{ position: number } | undefined>,
  ): Promise<boolean> {
    const { store, webhookId } = this.#given;
    try {
      return await store.advance(webhookId, holder, (transaction, position) =>
        work(transaction, position ?? this.#set.startAfter),
      );
    } catch (error) {
      throw toConsumerError(error, "store_failed");
    }
  }

  async #stored(): Promise<{ position: number; skipped: readonly SkippedRange[] }> {
    try {
      const { position, skipped } = await this.#given.store.read(this.#given.webhookId);
      return { position: position ?? this.#set.startAfter, skipped };
    } catch (error) {
      throw toConsumerError(error, "store_failed");
    }
  }

  async #hold(): Promise<boolean> {
    const { store, webhookId } = this.#given;
    try {
      this.#hasHold(await this.#inTurn(() => store.hold(webhookId, this.#holder, this.#set.leaseMs)));
      return this.#holds;
    } catch (error) {
      throw toConsumerError(error, "store_failed");
    }
  }

  /** If it fails, the lease ends by itself. */
  async #release(): Promise<void> {
    await this.#inTurn(() => this.#given.store.release(this.#given.webhookId, this.#holder)).catch(() => {});
    this.#hasHold(false);
  }

  #hasHold(holds: boolean): void {
    if (this.#holds !== holds) this.#measure("holds", Number(holds));
    this.#holds = holds;
  }

  #isStopping(): boolean {
    return this.#status === "stopped";
  }

  /** @throws ConsumerError `feed_behind` where the service has forgotten what was handled */
  #see(lastSequence: number, position: number): void {
    this.#newest = lastSequence;
    this.#measure("lag", Math.max(0, lastSequence - position));
    if (lastSequence >= position) return;
    const message = `The service's newest sequence is ${lastSequence}, but ${position} was handled: it was restored from a backup.`;
    throw new ConsumerError("feed_behind", message);
  }

  #succeed(): void {
    if (!this.#isStopping()) this.#status = "following";
    this.#lastError = undefined;
  }

  #report(error: ConsumerError): void {
    this.#lastError = { error, at: new Date().toISOString() };
    this.#measure("failures", 1, error.code);
    const { onError = (each: ConsumerError) => console.error(each) } = this.#given;
    safely(() => onError(error));
  }

  #measure(name: ConsumerMetric["name"], value: number, code?: ConsumerError["code"]): void {
    const { onMetric, webhookId } = this.#given;
    if (onMetric) safely(() => onMetric({ name, value, webhookId, ...(code && { code }) }));
  }
}

/** A callback that throws must not stop the work. */
function safely(callback: () => unknown): void {
  Promise.resolve()
    .then(callback)
    .catch(() => {});
}

function check(name: string, value: number, least: number, most: number): void {
  if (Number.isInteger(value) && value >= least && value <= most) return;
  throw new TypeError(`${name} must be a whole number from ${least} to ${most}.`);
}

const isAbort = (error: unknown) => error instanceof WebhooksError && error.code === "aborted";

/** @throws ConsumerError `out_of_order` */
function expectNext({ sequence }: FeedNotification, position: number): void {
  if (sequence === position + 1) return;
  const message = `The feed returned the sequence ${sequence} where ${position + 1} must be.`;
  throw new ConsumerError("out_of_order", message, { sequence: position + 1 });
}

function notHandled(sequence: number, why: string): ConsumerError {
  return new ConsumerError("not_handled", `Notification ${sequence} is not stored yet: ${why}.`, { sequence });
}

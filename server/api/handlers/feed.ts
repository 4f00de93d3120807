/**
 * Reads feeds. A reader that waits holds no connection to the database and no query: one look at what is new wakes all of a process's readers,
 * and their pages are read together, in the turns of their accounts. So 5,000 that wait cost what one does, but for 27 KB of memory each. A new
 * notification reached a hundred of them in 7 ms, and in 21 ms at p99 (`npm run bench feed`).
 */
import type { components } from "../../../generated/types.ts";
import { noOperationalWebhook, webhookNotFound } from "../../base/errors.ts";
import { mayHoldMore, roundRobin } from "../../base/fair-share.ts";
import { type HttpError, noLongerKept, notOfThisFeed, unavailable } from "../../contract/errors.ts";
import type { ServerSentEvent } from "../../contract/response-check.ts";
import { ownEventText } from "../../matching/event.ts";
import { payloadsOf, sentText } from "../../matching/glacier.ts";
import { decodingAbi } from "../../matching/new-webhook.ts";
import { operationalEventText } from "../../operational/forms.ts";
import { findValidKeys } from "../../store/accounts/keys.ts";
import { listenForWork, type WorkListener } from "../../store/delivery/announcements.ts";
import {
  type FedNotification,
  type FedPage,
  findExisting,
  findFeeds,
  type LookedAt,
  lookForNew,
  readFeedPages,
} from "../../store/outbox/feed-pages.ts";
import type { Pool } from "../../store/pool.ts";
import { largeAnswers } from "../limits/turns.ts";
import type { ServiceHandlers } from "./context.ts";

/** How many feeds are opened or read in one query. */
const atOnce = 64;
/** How often to look while announcements do not arrive, and for missed ones while they do. */
const pollMs = { deaf: 50, hearing: 1_000 };
/** How often to look whether keys and webhooks of long readers are still there. */
const checkMs = 5_000;
const pauseAfterFailureMs = 1_000;
/** How long a process goes on listening when nobody reads: most come back at once. */
const keptMs = 30_000;
/** In characters: what readers have been given and not taken yet, of all accounts together. */
const untakenAtMost = 67_108_864;
/** How many notifications a stream takes at once. */
const streamedAtOnce = 200;

/** What a reader is waiting for. */
type Waiting = {
  resolve(part: FeedPart): void;
  reject(error: unknown): void;
  /** For as long as it takes: whatever fails meanwhile is tried again. */
  isPatient: boolean;
  /** Whether the time is over, so that only what is there already counts. */
  isOver: boolean;
};

/** What comes of waiting: empty when the time is over, undefined when the feed has ended. */
type FeedPart = { page: FedPage; lastSequence: number } | undefined;

type Place = {
  /** Absent for the account's operational webhook, which has a feed of its own. */
  webhookId?: string;
  accountId: number;
  keyId: number;
};

const nothing: FedPage = { notifications: [], options: {}, size: 0 };

/** One reader of a feed. It is opened, then asks for one part after the other, until it is closed. */
class FeedReader {
  readonly place: Place;
  readonly limit: number;
  /** Whose feed it is, once it is open. */
  webhookId = "";
  /** The sequence that it has, or undefined before the first one that is kept is known. */
  after: number | undefined;
  /** The newest sequence that is known. */
  newest = 0;
  /** In characters: what it was given and has not taken. */
  untaken = 0;
  waiting: Waiting | undefined;
  isClosed = false;
  hasLeft = false;
  #onLeave = () => {};

  constructor(place: Place, { after, limit }: { after: number | undefined; limit: number }) {
    this.place = place;
    this.after = after;
    this.limit = limit;
  }

  /** Whether there is something that it does not have. */
  isBehind(): boolean {
    return this.newest > (this.after ?? 0);
  }

  /** Whether it waits for something that is there. */
  isDue(): boolean {
    return this.waiting !== undefined && this.isBehind();
  }

  /** Its client has left. */
  leave(): void {
    this.hasLeft = true;
    this.#onLeave();
  }

  /** Waits for a turn, but not when the client has left: what it was given would be kept for nobody. @returns whether the client is there */
  isThereAt(turn: Promise<void>): Promise<boolean> {
    return new Promise((resolve) => {
      this.#onLeave = () => resolve(false);
      void turn.then(() => resolve(!this.hasLeft));
      if (this.hasLeft) resolve(false);
    });
  }

  /** What it gets when the time is over. */
  nothing(): FeedPart {
    return { page: nothing, lastSequence: this.newest };
  }

  settle(part: FeedPart): void {
    const { waiting } = this;
    this.waiting = undefined;
    waiting?.resolve(part);
  }

  fail(error: unknown): void {
    const { waiting } = this;
    this.waiting = undefined;
    waiting?.reject(error);
  }
}

type Opening = { reader: FeedReader; resolve(): void; reject(error: unknown): void };

/** All readers of a process. */
export class FeedReaders {
  readonly pool: Pool;
  readonly #opening = new Set<Opening>();
  readonly #open = new Set<FeedReader>();
  readonly #byWebhook = new Map<string, Set<FeedReader>>();
  readonly #due = new Set<FeedReader>();
  /** In characters, by account: what its readers were given and have not taken. */
  readonly #untakenOf = new Map<number, number>();
  #untaken = 0;
  #lookedAt: LookedAt = new Map();
  #listener: WorkListener | undefined;
  #poll: NodeJS.Timeout | undefined;
  #resting: NodeJS.Timeout | undefined;
  #checkedAt = 0;
  #mustLook = false;
  #isWorking = false;
  #isStopped = false;

  constructor(pool: Pool) {
    this.pool = pool;
  }

  /** How many there are. */
  count(): number {
    return this.#open.size;
  }

  /** @throws {ServiceError} `webhook_not_found` @throws {HttpError} 503 when the process stops */
  async open(place: Place, from: { after: number | undefined; limit: number }): Promise<FeedReader> {
    const reader = new FeedReader(place, from);
    if (this.#isStopped) throw ended();
    await new Promise<void>((resolve, reject) => {
      this.#opening.add({ reader, resolve, reject });
      this.#work();
    });
    return reader;
  }

  /**
   * Waits for the next notifications. What came before counts as taken.
   *
   * @param waitMs undefined for as long as it takes
   * @returns none when the time is over, undefined when the feed has ended
   * @throws {HttpError} 410 where a notification is no longer kept @throws {ServiceError} `webhook_not_found`
   */
  next(reader: FeedReader, waitMs?: number): Promise<FeedPart> {
    this.#take(reader);
    if (this.#isStopped || reader.isClosed) return Promise.resolve(undefined);
    return new Promise<FeedPart>((resolve, reject) => {
      const waiting: Waiting = { resolve, reject, isPatient: waitMs === undefined, isOver: waitMs === 0 };
      reader.waiting = waiting;
      if (reader.isDue()) {
        this.#due.add(reader);
        this.#work();
      } else if (waiting.isOver) reader.settle(reader.nothing());
      if (waitMs === undefined || waitMs === 0) return;
      const timer = setTimeout(() => {
        waiting.isOver = true;
        // What is there is read first.
        if (!this.#due.has(reader)) reader.settle(reader.nothing());
      }, waitMs);
      waiting.resolve = (part) => {
        clearTimeout(timer);
        resolve(part);
      };
      waiting.reject = (error) => {
        clearTimeout(timer);
        reject(error);
      };
    });
  }

  close(reader: FeedReader): void {
    if (reader.isClosed) return;
    reader.isClosed = true;
    this.#take(reader);
    this.#open.delete(reader);
    this.#due.delete(reader);
    const { webhookId } = reader;
    const others = this.#byWebhook.get(webhookId);
    others?.delete(reader);
    if (others?.size === 0) this.#byWebhook.delete(webhookId);
    reader.settle(undefined);
    if (this.#open.size === 0) this.#resting ??= setTimeout(() => this.#rest(), keptMs).unref();
  }

  /** Ends all of them at once. */
  stop(): void {
    this.#isStopped = true;
    for (const { reject } of this.#opening) reject(ended());
    this.#opening.clear();
    for (const reader of [...this.#open]) this.close(reader);
    this.#rest();
  }

  /** Nobody reads: what is new meanwhile is found when the next one opens its feed. */
  #rest(): void {
    clearTimeout(this.#resting);
    this.#resting = undefined;
    if (this.#open.size > 0 || this.#opening.size > 0) return;
    clearTimeout(this.#poll);
    this.#poll = undefined;
    this.#listener?.stop();
    this.#listener = undefined;
    this.#lookedAt = new Map();
  }

  #listen(): void {
    this.#listener ??= listenForWork(this.pool, (work) => {
      if (work !== "notifications") return;
      this.#mustLook = true;
      this.#work();
    });
    if (this.#poll) return;
    const again = () => {
      this.#poll = undefined;
      this.#mustLook = true;
      this.#work();
    };
    this.#poll = setTimeout(again, this.#listener.hears() ? pollMs.hearing : pollMs.deaf).unref();
  }

  /** Does what there is to do, one query after the other. */
  #work(): void {
    if (this.#isWorking || this.#isStopped) return;
    this.#isWorking = true;
    void this.#workOn().finally(() => {
      this.#isWorking = false;
      if (this.#isStopped || (this.#open.size === 0 && this.#opening.size === 0)) return;
      this.#listen();
      if (this.#opening.size > 0 || this.#mustLook || this.#nextDue().length > 0) this.#work();
    });
  }

  async #workOn(): Promise<void> {
    try {
      await this.#openSome();
      if (this.#mustLook && this.#open.size > 0) await this.#look();
      await this.#readSome();
      if (performance.now() - this.#checkedAt > checkMs) await this.#check();
    } catch (error) {
      for (const { reject } of this.#opening) reject(error);
      this.#opening.clear();
      for (const reader of [...this.#due].filter(({ waiting }) => !waiting?.isPatient)) {
        this.#due.delete(reader);
        reader.fail(error);
      }
      this.#mustLook = true;
      await new Promise((resolve) => setTimeout(resolve, pauseAfterFailureMs).unref());
    }
  }

  /** Before the newest sequences are read, the places from which to look for newer ones must be known. */
  async #openSome(): Promise<void> {
    if (this.#opening.size === 0) return;
    if (this.#lookedAt.size === 0) this.#lookedAt = (await lookForNew(this.pool, new Map())).lookedAt;
    const some = inTurn(this.#opening, ({ reader }) => reader.place.accountId, atOnce);
    const found = await findFeeds(
      this.pool,
      some.map(({ reader }) => reader.place),
    );
    // Only now, so that the places are not forgotten meanwhile.
    for (const one of some) this.#opening.delete(one);
    for (const [index, { reader, resolve, reject }] of some.entries()) {
      const feed = found[index];
      if (!feed) {
        const { webhookId } = reader.place;
        reject(webhookId === undefined ? noOperationalWebhook() : webhookNotFound(webhookId));
        continue;
      }
      const { webhookId, lastSequence } = feed;
      reader.webhookId = webhookId;
      reader.newest = lastSequence;
      this.#open.add(reader);
      const all = this.#byWebhook.get(webhookId) ?? new Set();
      this.#byWebhook.set(webhookId, all.add(reader));
      resolve();
    }
  }

  async #look(): Promise<void> {
    this.#mustLook = false;
    const { lookedAt, more, newest } = await lookForNew(this.pool, this.#lookedAt);
    this.#lookedAt = lookedAt;
    this.#mustLook ||= more;
    for (const [webhookId, sequence] of newest)
      for (const reader of this.#byWebhook.get(webhookId) ?? []) {
        reader.newest = Math.max(reader.newest, sequence);
        if (reader.isDue()) this.#due.add(reader);
      }
  }

  /** Those whose accounts have taken enough of what they were given, in the turns of their accounts. */
  #nextDue(): FeedReader[] {
    const may = [...this.#due].filter(({ place: { accountId } }) => {
      const own = this.#untakenOf.get(accountId) ?? 0;
      // One notification may be longer than what is free, so there may be less than nothing.
      return own === 0 || mayHoldMore(own, this.#untaken, untakenAtMost);
    });
    return inTurn(may, ({ place }) => place.accountId, atOnce);
  }

  async #readSome(): Promise<void> {
    const some = this.#nextDue();
    if (some.length === 0) return;
    const pages = await readFeedPages(
      this.pool,
      some.map(({ webhookId, after = 0, limit }) => ({ webhookId, after, limit })),
    );
    for (const [index, reader] of some.entries()) {
      const page = pages[index];
      // There was no room for it; it is next.
      if (!page || !this.#due.delete(reader)) continue;
      const first = page.notifications[0]?.sequence ?? reader.newest + 1;
      if (reader.after === undefined) reader.after = first - 1;
      if (first !== reader.after + 1) reader.fail(noLongerKept(first));
      else if (page.notifications.length === 0) {
        // Nothing is kept, and it began with nothing.
        if (reader.waiting?.isOver) reader.settle(reader.nothing());
      } else {
        // What follows a gap is for the next part, which is a 410.
        const notifications = page.notifications.filter(({ sequence }, place) => sequence === first + place);
        reader.after = first - 1 + notifications.length;
        reader.newest = Math.max(reader.newest, reader.after);
        this.#give(reader, page.size);
        reader.settle({ page: { ...page, notifications }, lastSequence: reader.newest });
      }
    }
  }

  #give(reader: FeedReader, size: number): void {
    const { accountId } = reader.place;
    reader.untaken += size;
    this.#untaken += size;
    this.#untakenOf.set(accountId, (this.#untakenOf.get(accountId) ?? 0) + size);
  }

  #take(reader: FeedReader): void {
    if (reader.untaken === 0) return;
    const { accountId } = reader.place;
    const left = (this.#untakenOf.get(accountId) ?? 0) - reader.untaken;
    if (left > 0) this.#untakenOf.set(accountId, left);
    else this.#untakenOf.delete(accountId);
    this.#untaken -= reader.untaken;
    reader.untaken = 0;
    if (this.#due.size > 0) this.#work();
  }

  /** Ends the feeds of keys that are revoked or expired, of webhooks that are deleted, and of accounts that have moved. */
  async #check(): Promise<void> {
    this.#checkedAt = performance.now();
    const open = [...this.#open];
    if (open.length === 0) return;
    const [keys, webhooks] = await Promise.all([
      findValidKeys(this.pool, [...new Set(open.map(({ place }) => place.keyId))]),
      findExisting(this.pool, [...new Set(open.map(({ webhookId }) => webhookId))]),
    ]);
    for (const reader of open) if (!keys.has(reader.place.keyId) || !webhooks.has(reader.webhookId)) this.close(reader);
  }
}

/** The first ones of each account, then their second ones, and so on. */
function inTurn<One>(all: Iterable<One>, accountOf: (one: One) => number, atMost: number): One[] {
  const lists = new Map<number, One[]>();
  for (const one of all) {
    const list = lists.get(accountOf(one));
    if (list) list.push(one);
    else lists.set(accountOf(one), [one]);
  }
  return roundRobin([...lists.values()], atMost);
}

/** The error for a feed that ends before it was read. */
const ended = (): HttpError => unavailable("The feed has ended");

/** How a feed shows its notifications. */
type Shown<Item> = {
  /** The body that is sent of one alone. */
  text(webhookId: string, fed: FedNotification, options: FedPage["options"]): string;
  item(webhookId: string, fed: FedNotification, options: FedPage["options"]): Item;
};

const ofActivity: Shown<components["schemas"]["FeedNotification"]> = {
  text: (webhookId, fed, options) => sentText(ownTextOf(webhookId, fed, options), options.compatibility),
  item: (webhookId, fed, options) => ({
    sequence: fed.sequence,
    ...payloadsOf(ownTextOf(webhookId, fed, options), options.compatibility),
  }),
};

const ownTextOf = (webhookId: string, { messageId, eventText }: FedNotification, options: FedPage["options"]) => ({
  ...{ webhookId, messageId, eventText: ownEventText(eventText, decodingAbi(options)) },
});

const ofOperation: Shown<components["schemas"]["OperationalFeedNotification"]> = {
  text: (_, fed) => operationalEventText(fed),
  item: (_, fed) => ({ sequence: fed.sequence, payload: JSON.parse(operationalEventText(fed)) }),
};

type FeedInput = Pick<
  Parameters<ServiceHandlers["readFeed"]>[0],
  "caller" | "query" | "headers" | "wantsEvents" | "whenClosed"
>;

/** @param readers the process's */
export function feedHandlers(readers: FeedReaders): Pick<ServiceHandlers, "readFeed" | "readOperationalFeed"> {
  const takeLargeAnswer = largeAnswers();

  async function* eventsOf<Item>(
    reader: FeedReader,
    first: FeedPart,
    shown: Shown<Item>,
  ): AsyncGenerator<readonly ServerSentEvent[], void, undefined> {
    const { webhookId } = reader;
    const { accountId } = reader.place;
    for (let part = first; part; part = await readers.next(reader)) {
      const { notifications, options, size } = part.page;
      if (notifications.length === 0) continue;
      if (!(await reader.isThereAt(takeLargeAnswer(accountId, size * (options.compatibility ? 2 : 1))))) return;
      yield notifications.map((fed) => ({ id: String(fed.sequence), data: shown.text(webhookId, fed, options) }));
    }
  }

  async function read<Item>(
    place: Pick<Place, "webhookId">,
    { caller: { accountId, keyId }, query, headers, wantsEvents, whenClosed }: FeedInput,
    shown: Shown<Item>,
  ) {
    const last = headers["last-event-id"];
    const after = last === undefined ? query.after : Number(last);
    const limit = wantsEvents ? streamedAtOnce : query.limit;
    const reader = await readers.open({ ...place, accountId, keyId }, { after, limit });
    whenClosed(() => {
      readers.close(reader);
      reader.leave();
    });
    // A new one begins with 1 at the same address. Whoever went on after the last one's sequences would miss as many events.
    if (place.webhookId === undefined && (after ?? 0) > reader.newest) throw notOfThisFeed(reader.newest);
    // What is there is read before the answer begins, which may be a 410.
    const part = await readers.next(reader, wantsEvents ? 0 : query.wait * 1_000);
    if (wantsEvents) return { status: 200 as const, events: eventsOf(reader, part, shown) };
    // An empty answer says that there is no more, by which a client may go on after `lastSequence`.
    if (!part && !reader.hasLeft && reader.isBehind()) throw ended();
    const { page, lastSequence } = part ?? { page: nothing, lastSequence: reader.newest };
    const turn = takeLargeAnswer(accountId, page.size * (page.options.compatibility ? 2 : 1));
    const isThere = await reader.isThereAt(turn);
    const given = isThere ? page.notifications : [];
    const notifications = given.map((fed) => shown.item(reader.webhookId, fed, page.options));
    return { status: 200 as const, body: { notifications, lastSequence } };
  }

  return {
    readFeed: (input) => read({ webhookId: input.path.id }, input, ofActivity),
    readOperationalFeed: (input) => read({}, input, ofOperation),
  };
}

/**
 * One ordered webhook as a delivery process and the database see it, without either. The real Endpoint takes one step after the other: reads that
 * are out of date when they end, outcomes that are not on record yet, owners that crash. At each POST the promise of order is checked.
 */
import assert from "node:assert/strict";
import { OutboxCursor } from "../../server/delivery/cursor.ts";
import type { BacklogPage, EndpointState } from "../../server/delivery/endpoint/backlog.ts";
import type { Endpoint } from "../../server/delivery/endpoint/endpoint.ts";
import type { OrderedAttempt } from "../../server/delivery/endpoint/order.ts";
import type { QueuedNotification } from "../../server/delivery/queued-notification.ts";
import { day, notificationOf, openEndpoint, ownedShard } from "./endpoint-scene.ts";

export type Step =
  | { do: "append" | "readOutbox" | "wait" | "resend"; count: number }
  | { do: "finish" | "turn"; succeeds: boolean; pause: number }
  | { do: "beginLook"; limit: number }
  | { do: "endLook"; missing: number }
  | { do: "beginCheck" | "endCheck" }
  | {
      do:
        | "send"
        | "record"
        | "beginPage"
        | "endPage"
        | "saveState"
        | "writeCursor"
        | "park"
        | "forget"
        | "retention"
        | "crash";
    };

type Retry = { attempts: number; step: number; dueAt: number | null; extra: boolean; resumeAt: number | null };
type Post = { notifications: readonly QueuedNotification[]; attempts: OrderedAttempt[]; succeeds: boolean };

/** How many attempts the schedule makes. */
const attemptLimit = 3;
const chain = { chainId: "1", recordedOn: day };

export class OrderModel {
  /** What the database holds. */
  #last = 0;
  #time = 0;
  #recordedCursor = 0;
  #state: EndpointState = { backlogFrom: null, failing: false };
  readonly #attempts = new Map<number, number>();
  readonly #retries = new Map<number, Retry>();
  readonly #delivered = new Set<number>();
  readonly #expired = new Set<number>();
  /** What the receiver accepted, and what was passed over. */
  readonly #accepted = new Set<number>();
  readonly passedOver = new Set<number>();
  /** What the owner holds. */
  #shard = ownedShard();
  #cursor = new OutboxCursor({ ...chain, position: 0 }, 0);
  #endpoint: Endpoint | undefined;
  #page: { endpoint: Endpoint; page: BacklogPage; rows: number[]; upTo: number; isFull: boolean } | undefined;
  #look: [number, Retry][] | undefined;
  #check: { endpoint: Endpoint; mark: number; waiting: number[] } | undefined;
  #inFlight: readonly QueuedNotification[] | undefined;
  #toRecord: Post[] = [];
  retried = 0;
  readonly #batch: { maxItems: number; maxWaitMs: number } | undefined;

  constructor(maxItems: number) {
    this.#batch = maxItems > 1 ? { maxItems, maxWaitMs: 0 } : undefined;
  }

  step(step: Step): void {
    if (step.do === "append") this.#last += step.count;
    else if (step.do === "wait") this.#time += step.count;
    else if (step.do === "readOutbox") this.#readOutbox(step.count);
    else if (step.do === "resend") this.#resend(step.count);
    else if (step.do === "finish") this.#finish(step.succeeds, step.pause);
    else if (step.do === "turn") this.#turn(step.succeeds, step.pause);
    else if (step.do === "beginLook") this.#beginLook(step.limit);
    else if (step.do === "endLook") this.#endLook(step.missing);
    else if (step.do === "send") this.#send();
    else if (step.do === "record") this.#record();
    else if (step.do === "beginPage") this.#beginPage();
    else if (step.do === "endPage") this.#endPage();
    else if (step.do === "saveState") this.#saveState();
    else if (step.do === "writeCursor") this.#writeCursor();
    else if (step.do === "park") this.#endpoint?.park();
    else if (step.do === "retention") this.#retention();
    else if (step.do === "crash") this.#crash();
    else if (step.do === "beginCheck") this.#beginCheck();
    else if (step.do === "endCheck") this.#endCheck();
    else if (this.#endpoint?.isIdle) this.#endpoint = undefined;
  }

  /** Much of what happens, one after the other: chance alone would seldom do it. */
  #turn(succeeds: boolean, pause: number): void {
    this.#time += pause;
    this.#endLook(-1);
    this.#beginLook(pause);
    this.#endLook(-1);
    this.#beginPage();
    this.#endPage();
    this.#send();
    this.#finish(succeeds, pause);
    if (pause % 2 === 0) this.#record();
  }

  #waiting(): number[] {
    return [...this.#retries].flatMap(([sequence, { dueAt, extra, resumeAt }]) =>
      dueAt !== null && !this.#delivered.has(sequence) && (!extra || resumeAt !== null) ? [sequence] : [],
    );
  }

  #open(): Endpoint {
    this.#endpoint ??= openEndpoint(
      { ...this.#state, waiting: this.#waiting(), ...(this.#batch && { batch: this.#batch }) },
      { shard: this.#shard },
    );
    return this.#endpoint;
  }

  #readOutbox(limit: number): void {
    const from = this.#cursor.readPosition;
    const upTo = Math.min(this.#last, from + limit);
    for (let sequence = from + 1; sequence <= upTo; sequence += 1) {
      const entry = this.#cursor.add({ position: sequence, recordedOn: day });
      const endpoint = this.#open();
      if (this.#attempts.has(sequence)) entry.done = true;
      else if (endpoint.takesFromOutbox)
        endpoint.enqueue(notificationOf(endpoint.webhookId, sequence, { from: "outbox", entry }));
      else endpoint.skip(sequence, entry);
    }
    this.#cursor.noteRead(upTo, day);
  }

  #beginPage(): void {
    const endpoint = this.#endpoint;
    const count = this.#page || !endpoint ? 0 : Math.min(4, endpoint.backlogWanted(Number.POSITIVE_INFINITY));
    if (count === 0 || !endpoint) return;
    const page = endpoint.openPage(0);
    const upTo = this.#cursor.readPosition;
    const rows = Array.from({ length: Math.max(0, Math.min(count, upTo - page.from + 1)) }, (_, i) => page.from + i);
    const marked = rows.map((row) => (this.#attempts.has(row) ? -row : row));
    this.#page = { endpoint, page, upTo, isFull: rows.length === count, rows: marked };
  }

  #endPage(): void {
    const { endpoint, page, rows, upTo, isFull } = this.#page ?? {};
    this.#page = undefined;
    if (!endpoint || !page || !rows || endpoint !== this.#endpoint) return;
    const firsts = rows.filter((row) => row > 0).map((row) => notificationOf(endpoint.webhookId, row));
    const last = rows.at(-1);
    const isEnd = !isFull && upTo === this.#cursor.readPosition;
    endpoint.enqueuePage(page, firsts, { last: last && Math.abs(last), isEnd });
  }

  #beginLook(limit: number): void {
    if (this.#look) return;
    this.#shard.retryLooks += 1;
    this.#look = [...this.#retries]
      .filter(([, { dueAt }]) => dueAt !== null && dueAt <= this.#time)
      .sort(([a, one], [b, other]) => (one.dueAt ?? 0) - (other.dueAt ?? 0) || a - b)
      .slice(0, limit)
      .map(([sequence, retry]) => [sequence, { ...retry }]);
  }

  /** @param missing the event of this one does not fit into the read any more */
  #endLook(missing: number): void {
    const rows = this.#look ?? [];
    this.#look = undefined;
    if (rows.length === 0) return;
    const endpoint = this.#open();
    const reserved = rows.filter(([sequence, { extra }]) =>
      endpoint.reserveRetry({ sequence, trigger: extra ? "resend" : "schedule" }, 20),
    );
    let isCut = false;
    for (const [index, [sequence, { attempts, step, extra }]] of reserved.entries()) {
      isCut ||= index === missing;
      if (isCut) endpoint.releaseRetry(sequence);
      else
        endpoint.enqueue({
          ...notificationOf(endpoint.webhookId, sequence, { from: "retries" }),
          ...{ attemptsMade: attempts, step, trigger: extra ? "resend" : "schedule" },
        });
    }
  }

  #resend(sequence: number): void {
    const retry = this.#retries.get(sequence);
    const attempts = this.#attempts.get(sequence);
    if (attempts === undefined || this.#expired.has(sequence)) return;
    const resumeAt = retry?.extra ? retry.resumeAt : (retry?.dueAt ?? null);
    const dueAt = Math.min(retry?.dueAt ?? this.#time, this.#time);
    this.#retries.set(sequence, { step: retry?.step ?? 0, attempts, dueAt, extra: true, resumeAt });
  }

  #send(): void {
    const notifications = this.#endpoint?.begin() ?? [];
    if (notifications.length === 0) return;
    assert.equal(this.#inFlight, undefined, "two POSTs are in flight");
    this.#inFlight = notifications;
    const sequences = notifications.map(({ sequence }) => sequence);
    assert.ok(sequences.length <= (this.#batch?.maxItems ?? 1), "a POST has more than maxItems");
    assert.deepEqual(
      sequences,
      sequences.toSorted((a, b) => a - b),
      "a batch is not in sequence",
    );
    for (const { sequence, trigger } of notifications) {
      if (trigger !== "schedule" || this.#accepted.has(sequence)) continue;
      for (let before = 1; before < sequence; before += 1) {
        const isOver = this.#accepted.has(before) || this.passedOver.has(before) || this.#expired.has(before);
        assert.ok(isOver || sequences.includes(before), `${sequence} is sent before ${before}`);
      }
      assert.ok(!this.passedOver.has(sequence), `${sequence} was passed over and is sent`);
    }
  }

  #finish(succeeds: boolean, pause: number): void {
    const notifications = this.#inFlight;
    this.#inFlight = undefined;
    if (!notifications || !this.#endpoint) return;
    const attempts = notifications.map(({ sequence, trigger, step }): OrderedAttempt => {
      const isRetried = !succeeds && trigger === "schedule" && step + 1 < attemptLimit;
      return { sequence, trigger, errorClass: succeeds ? null : "bad_status", retryInMs: isRetried ? pause : null };
    });
    if (succeeds) for (const { sequence } of notifications) this.#accepted.add(sequence);
    const outcome = { durationMs: 10, ...(!succeeds && { errorClass: "bad_status" as const }) };
    this.#endpoint.finish(outcome, this.#endpoint.target.url, attempts);
    this.#toRecord.push({ notifications, attempts, succeeds });
  }

  /** Records the outcomes of one POST, as writeAttempts does. */
  #record(): void {
    const post = this.#toRecord.shift();
    if (!post) return;
    for (const [index, { sequence, trigger, attemptsMade, step }] of post.notifications.entries()) {
      const number = attemptsMade + 1;
      const retryInMs = post.attempts[index]?.retryInMs ?? null;
      if (number <= (this.#attempts.get(sequence) ?? 0)) continue;
      this.#attempts.set(sequence, number);
      const retry = this.#retries.get(sequence);
      if (post.succeeds) {
        this.#delivered.add(sequence);
        if (trigger === "schedule" && retry?.extra) Object.assign(retry, { attempts: number, resumeAt: null });
        else this.#retries.delete(sequence);
      } else if (trigger === "schedule") {
        const dueAt = retryInMs === null ? null : this.#time + retryInMs;
        if (retry?.extra) Object.assign(retry, { attempts: number, step: step + 1, resumeAt: dueAt });
        else this.#retries.set(sequence, { attempts: number, step: step + 1, dueAt, extra: false, resumeAt: null });
        if (dueAt === null) this.passedOver.add(sequence);
        else this.retried += 1;
        this.#holdBack(sequence, dueAt ?? 0, post);
      } else if (retry?.extra) {
        if (this.#delivered.has(sequence)) this.#retries.delete(sequence);
        else Object.assign(retry, { attempts: number, dueAt: retry.resumeAt, resumeAt: null, extra: false });
      }
    }
    for (const [index, notification] of post.notifications.entries())
      this.#endpoint?.settle(notification, post.attempts[index]);
  }

  #holdBack(first: number, dueAt: number, { attempts }: Post): void {
    for (const [sequence, retry] of this.#retries) {
      if (sequence <= first || attempts.some((each) => each.sequence === sequence)) continue;
      if (retry.resumeAt !== null) retry.resumeAt = Math.max(retry.resumeAt, dueAt);
      if (!retry.extra && retry.dueAt !== null) retry.dueAt = Math.max(retry.dueAt, dueAt);
    }
  }

  #saveState(): void {
    const save = this.#endpoint?.beginSave(true);
    if (!save) return;
    this.#state = save.state;
    save.confirm();
  }

  #writeCursor(): void {
    if (!this.#cursor.advance()) return;
    this.#recordedCursor = this.#cursor.position;
    this.#cursor.noteRecorded(this.#recordedCursor);
  }

  /** As `checkOrder` does. */
  #beginCheck(): void {
    const endpoint = this.#endpoint;
    if (endpoint) this.#check = { endpoint, mark: endpoint.orderMark, waiting: this.#waiting() };
  }

  #endCheck(): void {
    const { endpoint, mark = 0, waiting = [] } = this.#check ?? {};
    this.#check = undefined;
    if (endpoint === this.#endpoint) endpoint?.confirmOrder(mark, waiting);
  }

  /** The days of what waits for its retry are dropped. */
  #retention(): void {
    if (this.#inFlight || this.#toRecord.length > 0) return;
    for (const sequence of this.#waiting()) {
      this.#retries.delete(sequence);
      this.#expired.add(sequence);
    }
  }

  /** Another owner takes over from what is on record. */
  #crash(): void {
    this.#shard = ownedShard();
    this.#cursor = new OutboxCursor({ ...chain, position: this.#recordedCursor }, this.#last);
    this.#endpoint = undefined;
    this.#page = undefined;
    this.#look = undefined;
    this.#check = undefined;
    this.#inFlight = undefined;
    this.#toRecord = [];
    if (this.#state.backlogFrom !== null) this.#open();
  }

  /** Lets everything come to rest. @throws when something was neither accepted nor passed over */
  drain(): void {
    for (let turn = 0; turn < 300 + 10 * this.#last && !this.#isOver(); turn += 1) {
      const rest: Step["do"][] = [
        "endLook",
        "endPage",
        "send",
        "finish",
        "record",
        "saveState",
        "writeCursor",
        "beginPage",
        "beginCheck",
        "endCheck",
      ];
      this.step({ do: "wait", count: 10 });
      this.step({ do: "readOutbox", count: 10 });
      this.step({ do: "beginLook", limit: 2 });
      for (const each of rest) this.step({ do: each, succeeds: true, pause: 1, missing: -1 } as Step);
    }
    assert.ok(this.#isOver(), "it does not come to rest");
  }

  #isOver(): boolean {
    for (let sequence = 1; sequence <= this.#last; sequence += 1)
      if (!this.#delivered.has(sequence) && !this.passedOver.has(sequence) && !this.#expired.has(sequence))
        return false;
    return true;
  }
}

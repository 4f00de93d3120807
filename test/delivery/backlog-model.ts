/**
 * The first attempts of two webhooks of different accounts, as a delivery process and the database see them, without either. The real Endpoint
 * and cursor.ts take one step after the other. After each step the promises that they rest on are checked.
 */
import assert from "node:assert/strict";
import { OutboxCursor } from "../../server/delivery/cursor.ts";
import type { BacklogPage, EndpointState } from "../../server/delivery/endpoint/backlog.ts";
import type { Endpoint } from "../../server/delivery/endpoint/endpoint.ts";
import type { NotificationSource, QueuedNotification } from "../../server/delivery/queued-notification.ts";
import { day, notificationOf, openEndpoint, recordOf } from "./endpoint-scene.ts";

/** What may happen, to the webhook `on` where it concerns one. */
export type Step =
  | { do: "append"; on: number; count: number }
  | { do: "separate" | "rejoin"; on: number }
  | { do: "readAccount"; on: number; count: number; leaveOut: boolean }
  | { do: "readOutbox"; on: number; count: number; leaveOut: boolean }
  | { do: "send"; on: number; count: number }
  | { do: "record"; on: number; count: number }
  | { do: "finish"; on: number; count: number; succeeds: boolean }
  | { do: "beginPage"; on: number }
  | { do: "endPage"; on: number }
  | { do: "commitState"; on: number }
  | { do: "park" | "pause" | "resume" | "forget"; on: number }
  | { do: "beginState"; on: number; exactly: boolean }
  | { do: "loseState"; on: number; applied: boolean }
  | { do: "writeCursor" }
  | { do: "crash" };

type Stored = { positions: number[]; attempted: Set<number>; state: EndpointState; active: boolean };
type PageRead = { endpoint: Endpoint; page: BacklogPage; rows: number[]; upTo: number; isFull: boolean };
type InMemory = {
  endpoint: Endpoint | undefined;
  page: PageRead | undefined;
  saving: { state: EndpointState; confirm: () => void } | undefined;
  inFlight: QueuedNotification[];
  toRecord: QueuedNotification[];
  sent: number[];
};

const ids = ["00000000-0000-4000-8000-000000000001", "00000000-0000-4000-8000-000000000002"];

const accountOf = (on: number) => on + 1;

export class BacklogModel {
  readonly #stored: Stored[] = ids.map(() => ({
    positions: [],
    attempted: new Set(),
    // One that fails has little room.
    state: { backlogFrom: null, failing: true },
    active: true,
  }));
  readonly #outbox: { on: number; sequence: number }[] = [];
  #recordedCursor = 0;
  /** Sent by an owner that crashed before they were recorded. */
  readonly #unknown = ids.map(() => new Set<number>());
  #cursor = new OutboxCursor({ chainId: "1", position: 0, recordedOn: day }, 0);
  #memory: InMemory[] = ids.map(newMemory);
  repeated = 0;
  skipped = 0;
  leftOut = 0;
  separately = 0;
  rejoined = 0;

  step(step: Step): void {
    if (step.do === "writeCursor") this.#writeCursor();
    else if (step.do === "crash") this.#crash();
    else if (step.do === "append") this.#append(step.on, step.count);
    else if (step.do === "readOutbox") this.#readOutbox(step.count, step.leaveOut);
    else if (step.do === "readAccount") this.#readOutbox(step.count, step.leaveOut, step.on);
    else if (step.do === "separate") this.#cursor.separate(accountOf(step.on));
    else if (step.do === "rejoin") this.rejoined += this.#cursor.rejoin(accountOf(step.on)) ? 1 : 0;
    else if (step.do === "send") this.#send(step.on, step.count);
    else if (step.do === "finish") this.#finish(step.on, step.count, step.succeeds);
    else if (step.do === "record") this.#record(step.on, step.count);
    else if (step.do === "beginState") this.#beginState(step.on, step.exactly);
    else if (step.do === "loseState") this.#endState(step.on, { known: false, applied: step.applied });
    else if (step.do === "commitState") this.#endState(step.on, { known: true, applied: true });
    else if (step.do === "beginPage") this.#beginPage(step.on);
    else if (step.do === "endPage") this.#endPage(step.on);
    else this.#change(step.do, step.on);
  }

  #writeCursor(): void {
    if (!this.#cursor.advance()) return;
    this.#recordedCursor = this.#cursor.position;
    this.#cursor.noteRecorded(this.#recordedCursor);
  }

  #change(what: "park" | "pause" | "resume" | "forget", on: number): void {
    const memory = this.#at(this.#memory, on);
    const stored = this.#at(this.#stored, on);
    if (what === "pause" || what === "resume") stored.active = what === "resume";
    // As a process looks up backlogs after a change.
    if (what === "resume" && stored.state.backlogFrom !== null) this.#open(on);
    const { endpoint } = memory;
    if (!endpoint) return;
    if (what === "pause" || what === "resume") endpoint.refresh(this.#recordOf(on));
    if (what === "park") endpoint.park();
    if (what === "forget" && endpoint.isIdle) memory.endpoint = undefined;
  }

  #beginState(on: number, exactly: boolean): void {
    const memory = this.#at(this.#memory, on);
    memory.saving ??= memory.endpoint?.beginSave(exactly);
  }

  #endState(on: number, { known, applied }: { known: boolean; applied: boolean }): void {
    const memory = this.#at(this.#memory, on);
    const { saving } = memory;
    memory.saving = undefined;
    if (saving && applied) this.#at(this.#stored, on).state = saving.state;
    if (known) saving?.confirm();
  }

  #append(on: number, count: number): void {
    for (let i = 0; i < count; i += 1) {
      const { positions } = this.#at(this.#stored, on);
      this.#outbox.push({ on, sequence: positions.length + 1 });
      positions.push(this.#outbox.length);
    }
  }

  #recordOf(on: number): ReturnType<typeof recordOf> {
    const { active, state } = this.#at(this.#stored, on);
    return recordOf({ webhookId: this.#at(ids, on), accountId: accountOf(on), active, ...state });
  }

  #open(on: number): Endpoint {
    const memory = this.#at(this.#memory, on);
    memory.endpoint ??= openEndpoint(this.#recordOf(on));
    return memory.endpoint;
  }

  /**
   * @param leaveOut whether to read without those that left something to their backlog
   * @param only reads this one's notifications, if it is read separately; else those of all that are not
   */
  #readOutbox(limit: number, leaveOut: boolean, only?: number): void {
    const cursor = this.#cursor;
    const progress = only === undefined ? cursor : cursor.separateOf(accountOf(only));
    if (!progress) return;
    const from = progress.readPosition;
    const upTo = only === undefined ? this.#outbox.length : cursor.readPosition;
    const isRead = ids.map((_, on) => (only === undefined ? !cursor.separateOf(accountOf(on)) : on === only));
    const isLeftOut = this.#memory.map(({ endpoint }) => leaveOut && endpoint?.backlog.hasSkipped === true);
    const wanted = this.#outbox.flatMap((row, index) =>
      index < from || index >= upTo || isLeftOut[row.on] || !isRead[row.on] ? [] : [{ ...row, position: index + 1 }],
    );
    this.leftOut += this.#outbox.slice(from, upTo).filter((row) => isLeftOut[row.on] && isRead[row.on]).length;
    const rows = wanted.slice(0, limit);
    if (only !== undefined) this.separately += rows.length;
    for (const { on, sequence, position } of rows) {
      const entry = progress.add({ position, recordedOn: day });
      const endpoint = this.#open(on);
      if (position <= cursor.recoverUpTo && this.#at(this.#stored, on).attempted.has(sequence)) entry.done = true;
      else if (endpoint.takesFromOutbox) endpoint.enqueue(this.#notification(on, sequence, { from: "outbox", entry }));
      else {
        this.skipped += 1;
        endpoint.skip(sequence, entry);
      }
    }
    if (rows.length < limit) progress.noteRead(upTo, day);
  }

  #beginPage(on: number): void {
    const memory = this.#at(this.#memory, on);
    const { positions, attempted } = this.#at(this.#stored, on);
    const { endpoint } = memory;
    const count = memory.page || !endpoint ? 0 : endpoint.backlogWanted(Number.POSITIVE_INFINITY);
    if (count === 0 || !endpoint) return;
    const page = endpoint.openPage(0);
    const upTo = this.#cursor.readPositionOf(accountOf(on));
    const there = positions.flatMap((position, index) =>
      index + 1 >= page.from && position <= upTo ? [index + 1] : [],
    );
    const rows = there.slice(0, count);
    const isFull = rows.length === count;
    // The last one shows how far the page goes, even if it has been attempted.
    memory.page = { endpoint, page, upTo, isFull, rows: rows.map((row) => (attempted.has(row) ? -row : row)) };
  }

  #endPage(on: number): void {
    const memory = this.#at(this.#memory, on);
    const { page: read, endpoint } = memory;
    memory.page = undefined;
    if (!read || read.endpoint !== endpoint) return;
    const notifications = read.rows
      .filter((row) => row > 0)
      .map((sequence) => this.#notification(on, sequence, { from: "backlog" }));
    const last = read.rows.at(-1);
    const isEnd = !read.isFull && read.upTo === this.#cursor.readPositionOf(accountOf(on));
    endpoint.enqueuePage(read.page, notifications, { last: last && Math.abs(last), isEnd });
  }

  #send(on: number, count: number): void {
    const { endpoint, inFlight, sent } = this.#at(this.#memory, on);
    for (let i = 0; i < count && endpoint; i += 1) {
      const [notification] = endpoint.begin();
      if (!notification) return;
      const { sequence } = notification;
      assert.ok(!this.#at(this.#stored, on).attempted.has(sequence), `${sequence} is on record and sent again`);
      assert.ok(sequence > (sent.at(-1) ?? 0), `${sequence} is sent after ${sent.at(-1)}`);
      if (this.#at(this.#unknown, on).delete(sequence)) this.repeated += 1;
      sent.push(sequence);
      inFlight.push(notification);
    }
  }

  #finish(on: number, which: number, succeeds: boolean): void {
    const { endpoint, inFlight, toRecord } = this.#at(this.#memory, on);
    const [notification] = inFlight.splice(which % Math.max(1, inFlight.length), 1);
    if (!notification || !endpoint) return;
    endpoint.finish({ durationMs: 10, ...(!succeeds && { errorClass: "bad_status" }) }, endpoint.target.url, []);
    toRecord.push(notification);
  }

  #record(on: number, count: number): void {
    const { endpoint, toRecord } = this.#at(this.#memory, on);
    for (const notification of toRecord.splice(0, count)) {
      this.#at(this.#stored, on).attempted.add(notification.sequence);
      endpoint?.settle(notification, undefined);
    }
  }

  /** Another owner takes over from what is on record. */
  #crash(): void {
    this.#memory.forEach(({ inFlight, toRecord }, on) => {
      for (const { sequence } of [...inFlight, ...toRecord]) this.#at(this.#unknown, on).add(sequence);
    });
    this.#memory = ids.map(newMemory);
    this.#cursor = new OutboxCursor(
      { chainId: "1", position: this.#recordedCursor, recordedOn: day },
      this.#outbox.length,
    );
    this.#stored.forEach(({ state, active }, on) => {
      if (state.backlogFrom !== null && active) this.#open(on);
    });
  }

  #notification(on: number, sequence: number, source: NotificationSource): QueuedNotification {
    return notificationOf(this.#at(ids, on), sequence, source);
  }

  /** @throws when something could be lost by a crash now */
  check(): void {
    this.#stored.forEach(({ positions, attempted, state: { backlogFrom } }, on) => {
      positions.forEach((position, index) => {
        const sequence = index + 1;
        const isReadAgain = position > this.#recordedCursor || (backlogFrom !== null && sequence >= backlogFrom);
        assert.ok(attempted.has(sequence) || isReadAgain, `${sequence} of ${on} would be lost`);
      });
    });
  }

  /** Lets everything come to rest. @throws when something was not sent, or is not at rest then */
  drain(): void {
    for (let turn = 0; turn < 2_000 && !this.#isAtRest(); turn += 1) {
      this.step({ do: "readOutbox", on: 0, count: 50, leaveOut: turn % 2 === 0 });
      for (const on of ids.keys()) {
        this.step({ do: "readAccount", on, count: 50, leaveOut: turn % 2 === 0 });
        this.step({ do: "rejoin", on });
        this.step({ do: "resume", on });
        this.step({ do: "commitState", on });
        this.step({ do: "beginState", on, exactly: true });
        this.step({ do: "commitState", on });
        this.step({ do: "endPage", on });
        this.step({ do: "beginPage", on });
        this.step({ do: "endPage", on });
        this.step({ do: "send", on, count: 100 });
        for (let i = 0; i < 20; i += 1) this.step({ do: "finish", on, count: 0, succeeds: true });
        this.step({ do: "record", on, count: 100 });
      }
      this.step({ do: "writeCursor" });
      this.check();
    }
    assert.ok(this.#isAtRest(), "it does not come to rest");
    for (const { positions, attempted } of this.#stored) assert.equal(attempted.size, positions.length);
    assert.equal(this.#recordedCursor, this.#outbox.length, "the cursor is at the end");
  }

  #isAtRest(): boolean {
    if (this.#recordedCursor < this.#outbox.length) return false;
    return this.#stored.every(({ state }, on) => {
      const { endpoint, saving } = this.#at(this.#memory, on);
      if (saving || (endpoint && !endpoint.isIdle)) return false;
      return state.backlogFrom === null;
    });
  }

  #at<T>(list: readonly T[], index: number): T {
    const found = list[index];
    assert.ok(found !== undefined);
    return found;
  }
}

function newMemory(): InMemory {
  return { endpoint: undefined, page: undefined, saving: undefined, inFlight: [], toRecord: [], sent: [] };
}

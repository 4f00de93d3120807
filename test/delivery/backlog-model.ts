/**
 * Two webhooks' first attempts, each of another account, as a delivery process and the database see them, without either: the real state machine of
 * backlog.ts and window.ts is moved step by step, and after each step the promises that it rests on are checked.
 */
import assert from "node:assert/strict";
import { createAccounts } from "../../server/delivery/account.ts";
import {
  backlogWanted,
  beginRecording,
  isIdle,
  offerFromBacklog,
  park,
  parkFromStream,
  settle,
  stateToRecord,
  takeFromStream,
  takesFromStream,
} from "../../server/delivery/backlog.ts";
import {
  type Endpoint,
  type EndpointState,
  firstAttempt,
  openEndpoint,
  type Source,
  type Task,
  takeNext,
} from "../../server/delivery/endpoint.ts";
import { noteEnd } from "../../server/delivery/pace.ts";
import {
  addPlace,
  noteRead,
  openWindow,
  readApart,
  readPositionOf,
  rejoin,
  settleWindow,
  type Window,
} from "../../server/delivery/window.ts";

/** What may happen, to the webhook `on` where it concerns one. */
export type Step =
  | { do: "append"; on: number; count: number }
  | { do: "readApart" | "rejoin"; on: number }
  | { do: "readAccount"; on: number; count: number; leaveOut: boolean }
  | { do: "readStream"; on: number; count: number; leaveOut: boolean }
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
type Page = { endpoint: Endpoint; generation: number; rows: number[]; upTo: number; isFull: boolean };
type Held = {
  endpoint: Endpoint | undefined;
  page: Page | undefined;
  writing: { state: EndpointState; done: () => void } | undefined;
  underWay: Task[];
  toRecord: Task[];
  sent: number[];
};

const day = "2026-01-01";
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
  readonly #stream: { on: number; sequence: number }[] = [];
  #cursor = 0;
  /** Sent by an owner that crashed before it was recorded. */
  readonly #unknown = ids.map(() => new Set<number>());
  #window: Window = openWindow({ chainId: "1", position: 0, recordedOn: day }, 0);
  #held: Held[] = ids.map(newHeld);
  repeated = 0;
  parked = 0;
  leftOut = 0;
  apart = 0;
  rejoined = 0;

  step(step: Step): void {
    if (step.do === "writeCursor") this.#writeCursor();
    else if (step.do === "crash") this.#crash();
    else if (step.do === "append") this.#append(step.on, step.count);
    else if (step.do === "readStream") this.#readStream(step.count, step.leaveOut);
    else if (step.do === "readAccount") this.#readStream(step.count, step.leaveOut, step.on);
    else if (step.do === "readApart") readApart(this.#window, accountOf(step.on));
    else if (step.do === "rejoin") this.rejoined += rejoin(this.#window, accountOf(step.on)) ? 1 : 0;
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
    if (settleWindow(this.#window)) this.#cursor = this.#window.written = this.#window.position;
  }

  #change(what: "park" | "pause" | "resume" | "forget", on: number): void {
    const held = this.#at(this.#held, on);
    const stored = this.#at(this.#stored, on);
    if (what === "pause" || what === "resume") stored.active = what === "resume";
    // As a process looks up backlogs after a change.
    if (what === "resume" && stored.state.backlogFrom !== null) this.#open(on);
    const { endpoint } = held;
    if (!endpoint) return;
    endpoint.active = stored.active;
    if (what === "park" || !endpoint.active) park(endpoint);
    if (what === "forget" && isIdle(endpoint)) held.endpoint = undefined;
  }

  #beginState(on: number, exactly: boolean): void {
    const held = this.#at(this.#held, on);
    const state = held.writing || !held.endpoint ? undefined : stateToRecord(held.endpoint, exactly);
    if (state && held.endpoint) held.writing = { state, done: beginRecording(held.endpoint, state) };
  }

  #endState(on: number, { known, applied }: { known: boolean; applied: boolean }): void {
    const held = this.#at(this.#held, on);
    const { writing } = held;
    held.writing = undefined;
    if (writing && applied) this.#at(this.#stored, on).state = writing.state;
    if (known) writing?.done();
  }

  #append(on: number, count: number): void {
    for (let i = 0; i < count; i += 1) {
      const { positions } = this.#at(this.#stored, on);
      this.#stream.push({ on, sequence: positions.length + 1 });
      positions.push(this.#stream.length);
    }
  }

  #open(on: number): Endpoint {
    const held = this.#at(this.#held, on);
    const { active, state } = this.#at(this.#stored, on);
    const webhookId = this.#at(ids, on);
    const record = {
      webhookId,
      accountId: accountOf(on),
      shard: 0,
      chainId: "1",
      url: "https://example.com/",
      active,
      secrets: [],
      ...state,
    };
    held.endpoint ??= openEndpoint(record, createAccounts().of(accountOf(on)));
    return held.endpoint;
  }

  /**
   * @param leaveOut whether to read without those that left something to their backlog
   * @param only reads this one's notifications, if it is read apart; else those of all that are not
   */
  #readStream(limit: number, leaveOut: boolean, only?: number): void {
    const window = this.#window;
    const reading = only === undefined ? window : window.apart.get(accountOf(only));
    if (!reading) return;
    const from = reading.readPosition;
    const upTo = only === undefined ? this.#stream.length : window.readPosition;
    const isRead = ids.map((_, on) => (only === undefined ? !window.apart.has(accountOf(on)) : on === only));
    const isLeftOut = this.#held.map(({ endpoint }) => leaveOut && (endpoint?.backlog.left ?? 0) > 0);
    const wanted = this.#stream.flatMap((row, index) =>
      index < from || index >= upTo || isLeftOut[row.on] || !isRead[row.on] ? [] : [{ ...row, position: index + 1 }],
    );
    this.leftOut += this.#stream.slice(from, upTo).filter((row) => isLeftOut[row.on] && isRead[row.on]).length;
    const rows = wanted.slice(0, limit);
    if (only !== undefined) this.apart += rows.length;
    for (const { on, sequence, position } of rows) {
      const place = addPlace(reading, { position, recordedOn: day });
      const endpoint = this.#open(on);
      if (position <= window.recoverUpTo && this.#at(this.#stored, on).attempted.has(sequence)) place.done = true;
      else if (takesFromStream(endpoint)) takeFromStream(endpoint, this.#task(on, sequence, { from: "stream", place }));
      else {
        this.parked += 1;
        parkFromStream(endpoint, sequence, place);
      }
    }
    if (rows.length < limit) noteRead(reading, upTo, day);
  }

  #beginPage(on: number): void {
    const held = this.#at(this.#held, on);
    const { positions, attempted } = this.#at(this.#stored, on);
    const { endpoint } = held;
    const count = held.page || !endpoint ? 0 : backlogWanted(endpoint, Number.POSITIVE_INFINITY);
    if (count === 0 || !endpoint) return;
    const { next, generation } = endpoint.backlog;
    const upTo = readPositionOf(this.#window, accountOf(on));
    const there = positions.flatMap((position, index) => (index + 1 >= next && position <= upTo ? [index + 1] : []));
    const rows = there.slice(0, count);
    const isFull = rows.length === count;
    // The last one shows how far the page goes, also if it has been attempted.
    held.page = { endpoint, generation, upTo, isFull, rows: rows.map((row) => (attempted.has(row) ? -row : row)) };
  }

  #endPage(on: number): void {
    const held = this.#at(this.#held, on);
    const { page, endpoint } = held;
    held.page = undefined;
    if (!page || page.endpoint !== endpoint || page.generation !== endpoint.backlog.generation) return;
    const tasks = page.rows.filter((row) => row > 0).map((sequence) => this.#task(on, sequence, { from: "backlog" }));
    const last = page.rows.at(-1);
    const isEnd = !page.isFull && page.upTo === readPositionOf(this.#window, accountOf(on));
    offerFromBacklog(endpoint, tasks, last && Math.abs(last), isEnd);
  }

  #send(on: number, count: number): void {
    const { endpoint, underWay, sent } = this.#at(this.#held, on);
    for (let i = 0; i < count && endpoint; i += 1) {
      const task = takeNext(endpoint);
      if (!task) return;
      const { sequence } = task;
      assert.ok(!this.#at(this.#stored, on).attempted.has(sequence), `${sequence} is on record and sent again`);
      assert.ok(sequence > (sent.at(-1) ?? 0), `${sequence} is sent after ${sent.at(-1)}`);
      if (this.#at(this.#unknown, on).delete(sequence)) this.repeated += 1;
      sent.push(sequence);
      underWay.push(task);
    }
  }

  #finish(on: number, which: number, succeeds: boolean): void {
    const { endpoint, underWay, toRecord } = this.#at(this.#held, on);
    const [task] = underWay.splice(which % Math.max(1, underWay.length), 1);
    if (!task || !endpoint) return;
    endpoint.inFlight -= 1;
    endpoint.failing = !succeeds;
    noteEnd(endpoint.pace, succeeds, 10, 0);
    toRecord.push(task);
  }

  #record(on: number, count: number): void {
    const { endpoint, toRecord } = this.#at(this.#held, on);
    for (const { sequence, source } of toRecord.splice(0, count)) {
      this.#at(this.#stored, on).attempted.add(sequence);
      if (source.from === "stream") source.place.done = true;
      if (endpoint) settle(endpoint, sequence);
    }
  }

  /** Another owner takes over from what is on record. */
  #crash(): void {
    this.#held.forEach(({ underWay, toRecord }, on) => {
      for (const { sequence } of [...underWay, ...toRecord]) this.#at(this.#unknown, on).add(sequence);
    });
    this.#held = ids.map(newHeld);
    this.#window = openWindow({ chainId: "1", position: this.#cursor, recordedOn: day }, this.#stream.length);
    this.#stored.forEach(({ state, active }, on) => {
      if (state.backlogFrom !== null && active) this.#open(on);
    });
  }

  #task(on: number, sequence: number, source: Source): Task {
    const webhookId = this.#at(ids, on);
    const place = { recordedOn: day, shard: 0, webhookId, sequence };
    return firstAttempt({ ...place, messageId: "", eventId: 0, recordedAtMs: 0 }, "", source);
  }

  /** @throws when something could be lost by a crash now */
  check(): void {
    this.#stored.forEach(({ positions, attempted, state: { backlogFrom } }, on) => {
      positions.forEach((position, index) => {
        const sequence = index + 1;
        const isReadAgain = position > this.#cursor || (backlogFrom !== null && sequence >= backlogFrom);
        assert.ok(attempted.has(sequence) || isReadAgain, `${sequence} of ${on} would be lost`);
      });
      const unsettled = [...(this.#at(this.#held, on).endpoint?.backlog.unsettled ?? [])];
      assert.deepEqual(
        unsettled,
        unsettled.toSorted((a, b) => a - b),
        "unsettled ones are in order",
      );
    });
  }

  /** Lets everything come to rest. @throws when something was not sent, or is not at rest then */
  drain(): void {
    for (let turn = 0; turn < 2_000 && !this.#isAtRest(); turn += 1) {
      this.step({ do: "readStream", on: 0, count: 50, leaveOut: turn % 2 === 0 });
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
    assert.equal(this.#cursor, this.#stream.length, "the cursor is at the end");
  }

  #isAtRest(): boolean {
    if (this.#cursor < this.#stream.length) return false;
    return this.#stored.every(({ state }, on) => {
      const { endpoint, writing } = this.#at(this.#held, on);
      if (writing || (endpoint && !isIdle(endpoint))) return false;
      return state.backlogFrom === null;
    });
  }

  #at<T>(list: readonly T[], index: number): T {
    const found = list[index];
    assert.ok(found !== undefined);
    return found;
  }
}

function newHeld(): Held {
  return { endpoint: undefined, page: undefined, writing: undefined, underWay: [], toRecord: [], sent: [] };
}

/** What is held of an endpoint, under every order of events: nothing is lost, nothing is sent twice. */
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  backlogFrom,
  type Endpoint,
  isIdle,
  noAttempts,
  noteOutcome,
  noteRecorded,
  noteStateRecorded,
  offerFromBacklog,
  offerFromStream,
  openEndpoint,
  park,
  type Task,
  takeNext,
  wantsBacklog,
} from "../../server/delivery/endpoint.ts";
import type { Place } from "../../server/delivery/window.ts";

const webhookId = "6d1bbe40-2a4b-4c0e-8f0a-5e7f5b1d2c3a";
const row = (sequence: number) => ({
  recordedOn: "2026-11-21",
  shard: 1,
  webhookId,
  sequence,
  messageId: "m",
  eventId: 1,
  ...noAttempts,
  text: "{}",
});
const fresh = (backlog: number | null = null) =>
  openEndpoint({
    webhookId,
    shard: 1,
    url: "https://example.com/",
    active: true,
    secrets: [],
    backlogFrom: backlog,
    failingSince: null,
  });

/** An outbox of one webhook, what is on record of it, and the endpoint under test. */
class Model {
  endpoint = fresh();
  recordedCount = 0;
  streamed = 0;
  attempted = new Set<number>();
  sent: number[] = [];
  onTheWay: Task[] = [];
  places = new Map<number, Place>();
  backlogOnRecord: number | null = null;

  publish() {
    this.recordedCount += 4;
  }
  stream() {
    for (let count = 0; count < 3; count += 1) this.streamOne();
  }
  streamOne() {
    if (this.streamed >= this.recordedCount) return;
    this.streamed += 1;
    const place = { position: this.streamed, recordedOn: "2026-11-21", done: false };
    this.places.set(this.streamed, place);
    offerFromStream(this.endpoint, { ...row(this.streamed), source: { from: "stream", place } });
  }
  readBacklog() {
    if (!wantsBacklog(this.endpoint)) return;
    const { next } = this.endpoint;
    const tasks: Task[] = [];
    for (let sequence = next; sequence < next + 5 && sequence <= this.recordedCount; sequence += 1) {
      if (!this.attempted.has(sequence)) tasks.push({ ...row(sequence), source: { from: "backlog" } });
    }
    offerFromBacklog(this.endpoint, tasks, next + 5, this.recordedCount);
  }
  send() {
    const task = takeNext(this.endpoint);
    if (!task) return;
    this.sent.push(task.sequence);
    this.onTheWay.push(task);
  }
  settle() {
    const task = this.onTheWay.shift();
    if (!task) return;
    noteOutcome(this.endpoint, true, 0);
    this.attempted.add(task.sequence);
    noteRecorded(this.endpoint, task);
  }
  writeState() {
    this.backlogOnRecord = backlogFrom(this.endpoint);
    noteStateRecorded(this.endpoint, { backlogFrom: this.backlogOnRecord, failing: false });
  }
  park() {
    park(this.endpoint);
  }
  pause() {
    this.endpoint.active = !this.endpoint.active;
    if (!this.endpoint.active) park(this.endpoint);
  }
  /** What a successor would know: everything below the first place that is not done, the attempts and the backlog. */
  assertRecoverable() {
    for (const [sequence, { done }] of this.places) {
      const covered =
        this.attempted.has(sequence) || (this.backlogOnRecord !== null && this.backlogOnRecord <= sequence);
      if (done) expect(covered, `sequence ${sequence} is done, and nobody would send it`).toBe(true);
    }
  }
  finish() {
    this.endpoint.active = true;
    for (let round = 0; round < 3 * this.recordedCount + 10; round += 1) {
      this.stream();
      this.readBacklog();
      this.send();
      this.settle();
      this.writeState();
    }
  }
}

const steps = ["publish", "stream", "readBacklog", "send", "settle", "writeState", "park", "pause"] as const;

test("whatever happens in whatever order, each notification is sent once, and a successor could go on at any moment", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...steps), { minLength: 30, maxLength: 200, size: "max" }), (order) => {
      const model = new Model();
      for (const step of order) {
        model[step]();
        model.assertRecoverable();
      }
      model.finish();
      model.assertRecoverable();
      expect([...model.sent].sort((a, b) => a - b)).toEqual(
        Array.from({ length: model.recordedCount }, (_, index) => index + 1),
      );
      expect([...model.places.values()].every(({ done }) => done)).toBe(true);
      expect(isIdle(model.endpoint)).toBe(true);
    }),
    { numRuns: 80 },
  );
});

test("without a pause in between, first attempts start in the order of the sequence, however they waited", () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom("publish", "stream", "readBacklog", "send", "settle", "writeState", "park" as const), {
        maxLength: 200,
      }),
      (order) => {
        const model = new Model();
        for (const step of order) model[step]();
        model.finish();
        expect(model.sent).toEqual([...model.sent].sort((a, b) => a - b));
      },
    ),
    { numRuns: 80 },
  );
});

test("a hundred notifications wait in memory, and the next ones in the tables", () => {
  const endpoint = fresh();
  const places = Array.from({ length: 150 }, (_, index) => ({
    position: index + 1,
    recordedOn: "2026-11-21",
    done: false,
  }));
  for (const place of places) offerFromStream(endpoint, { ...row(place.position), source: { from: "stream", place } });
  expect(endpoint.queue).toHaveLength(100);
  expect(backlogFrom(endpoint)).toBe(101);
});

test("ten exchanges run at once, and one while an endpoint keeps failing", () => {
  const endpoint: Endpoint = fresh();
  const offer = (sequence: number) =>
    offerFromStream(endpoint, {
      ...row(sequence),
      source: { from: "stream", place: { position: sequence, recordedOn: "2026-11-21", done: false } },
    });
  for (let sequence = 1; sequence <= 40; sequence += 1) offer(sequence);
  const begin = () => {
    let begun = 0;
    while (takeNext(endpoint)) begun += 1;
    return begun;
  };
  expect(begin()).toBe(10);
  for (let failure = 0; failure < 10; failure += 1) noteOutcome(endpoint, false, 0);
  expect(begin()).toBe(1);
  noteOutcome(endpoint, true, 0);
  expect(begin()).toBe(10);
});

test("an endpoint with a backlog to read is not forgotten, and one that is paused may be", () => {
  const endpoint = fresh(7);
  expect(isIdle(endpoint)).toBe(false);
  endpoint.active = false;
  expect(isIdle(endpoint)).toBe(true);
});

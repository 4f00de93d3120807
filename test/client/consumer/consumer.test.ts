/** A consumer handles each notification once and in order, whatever its feed, its handlers, its callers and other processes do. */
import { expect, onTestFinished, test, vi } from "vitest";
import {
  type ConsumerError,
  type ConsumerMetric,
  type ConsumerOptions,
  type ConsumerStore,
  createConsumer,
  memoryStore,
} from "../../../client/consumer/index.ts";
import { createFetchReceiver } from "../../../client/receiver/index.ts";
import { eventually } from "../../support/eventually.ts";
import { secret } from "../receiver/delivery.ts";
import { type MadeFeed, makeFeed, webhookId } from "./made-feed.ts";

type Options = Partial<ConsumerOptions<undefined>>;

/** A consumer that notes what it handles, and of what it complains. */
function consume(feed: MadeFeed, options: Options = {}) {
  const handled: (number | string)[] = [];
  const errors: ConsumerError[] = [];
  const metrics: ConsumerMetric[] = [];
  const consumer = createConsumer({
    webhookId,
    client: feed.client,
    secret,
    store: memoryStore(),
    onNotification: (_, { sequence }) => void handled.push(sequence),
    onRetraction: (_, { sequence }) => void handled.push(`-${sequence}`),
    backOff: { firstMs: 1, longestMs: 5 },
    onError: (error) => errors.push(error),
    onMetric: (metric) => metrics.push(metric),
    ...options,
  });
  onTestFinished(() => consumer.stop());
  const receive = createFetchReceiver(consumer.receiver);
  const post = async (at: number, sequence?: number) => (await receive(await feed.post(at, sequence))).status;
  return { consumer, handled, errors, metrics, post };
}

/** A gate that a handler waits at. */
function gate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
}

test("follows the feed in order, retractions among them, and says how far it is", async () => {
  const feed = await makeFeed();
  feed.add();
  feed.add();
  const { consumer, handled, metrics } = consume(feed);
  expect(await consumer.state()).toMatchObject({ status: "idle", holds: false, position: 0, lag: undefined });
  consumer.start();
  consumer.start();
  await eventually(() => expect(handled).toEqual([1, 2]));
  feed.add({ removed: true });
  await eventually(() => expect(handled).toEqual([1, 2, "-3"]));
  await eventually(async () =>
    expect(await consumer.state()).toEqual({
      ...{ status: "following", holds: true, position: 3, newestSequence: 3, lag: 0 },
      ...{ gap: undefined, lastError: undefined, skipped: [] },
    }),
  );
  await consumer.stop();
  expect(await consumer.state()).toMatchObject({ status: "stopped", holds: false, position: 3 });
  const sumOf = (wanted: string) =>
    metrics.filter(({ name }) => name === wanted).reduce((sum, { value }) => sum + value, 0);
  expect([sumOf("notifications"), sumOf("retractions"), sumOf("failures")]).toEqual([2, 1, 0]);
  expect(metrics.filter(({ name }) => name === "holds").map(({ value }) => value)).toEqual([1, 0]);
  expect(metrics.filter(({ name }) => name === "position").map(({ value }) => value)).toEqual([1, 2, 3]);
});

test("goes on after a stop where it was, and begins after the sequence that is given", async () => {
  const feed = await makeFeed();
  for (let count = 0; count < 5; count += 1) feed.add();
  const store = memoryStore();
  const first = consume(feed, { store, startAfter: 3 });
  first.consumer.start();
  await eventually(() => expect(first.handled).toEqual([4, 5]));
  await first.consumer.stop();
  feed.add();
  const second = consume(feed, { store });
  second.consumer.start();
  await eventually(() => expect(second.handled).toEqual([6]));
  await second.consumer.stop();
  feed.add();
  second.consumer.start();
  await eventually(() => expect(second.handled).toEqual([6, 7]));
});

test("a failing handler holds up its webhook, is tried again, and says so, until it succeeds or is skipped", async () => {
  const feed = await makeFeed();
  feed.add();
  feed.add();
  feed.add();
  const handled: number[] = [];
  let tries = 0;
  const { consumer, errors } = consume(feed, {
    onNotification: (_, { sequence }) => {
      if (sequence === 2) tries += 1;
      if (sequence === 2) throw new Error("no such account");
      handled.push(sequence);
    },
  });
  consumer.start();
  await eventually(() => expect(tries).toBeGreaterThan(3));
  expect(handled).toEqual([1]);
  expect(errors[0]).toMatchObject({
    ...{ name: "ConsumerError", code: "handler_failed", sequence: 2, cause: new Error("no such account") },
    message: "Notification 2 could not be handled: no such account",
  });
  expect(await consumer.state()).toMatchObject({
    ...{ status: "failing", holds: true, position: 1, lag: 2 },
    lastError: { error: { code: "handler_failed" }, at: expect.stringMatching(/^20\d\d-/) },
  });
  await expect(consumer.skip(3, "too far")).rejects.toMatchObject({ code: "not_next", sequence: 2 });
  await consumer.skip(2, "The account was closed.");
  await eventually(() => expect(handled).toEqual([1, 3]));
  await eventually(async () =>
    expect(await consumer.state()).toMatchObject({
      ...{ status: "following", position: 3, lastError: undefined },
      skipped: [{ from: 2, to: 2, reason: "The account was closed.", skippedAt: expect.stringMatching(/Z$/) }],
    }),
  );
  await expect(consumer.skip(2, "once more")).rejects.toMatchObject({ code: "not_next", sequence: 4 });
});

test("what has not happened yet is not skipped", async () => {
  const feed = await makeFeed();
  feed.add();
  const { consumer, handled } = consume(feed);
  consumer.start();
  await eventually(async () => expect(await consumer.state()).toMatchObject({ position: 1 }));
  for (const wrong of [2, { from: 2, to: 9 }])
    await expect(consumer.skip(wrong, "too early")).rejects.toMatchObject({ code: "not_next", sequence: 2 });
  feed.refusal = (response) => response.writeHead(503).end();
  await expect(consumer.skip(2, "too early")).rejects.toMatchObject({ code: "feed_failed" });
  feed.refusal = undefined;
  feed.add();
  await eventually(() => expect(handled).toEqual([1, 2]));
});

test("goes on when it is started while it stops, and stops for good afterwards", async () => {
  const feed = await makeFeed();
  feed.add();
  const { open, opened } = gate();
  const handled: number[] = [];
  const { consumer } = consume(feed, {
    onNotification: async (_, { sequence }) => {
      await opened;
      handled.push(sequence);
    },
  });
  consumer.start();
  await eventually(async () => expect(await consumer.state()).toMatchObject({ status: "following" }));
  const stopped = consumer.stop();
  consumer.start();
  open();
  await stopped;
  feed.add();
  await eventually(() => expect(handled).toEqual([1, 2]));
  await consumer.stop();
  expect(await consumer.state()).toMatchObject({ status: "stopped", holds: false });
});

test("a failure is no longer the last one once a POST has had something committed", async () => {
  const feed = await makeFeed();
  feed.add();
  let isBroken = true;
  const { consumer, post } = consume(feed, {
    onNotification: () => {
      if (isBroken) throw new Error("no such account");
    },
  });
  expect(await post(1)).toBe(500);
  expect(await consumer.state()).toMatchObject({ lastError: { error: { code: "handler_failed" } } });
  isBroken = false;
  expect(await post(1)).toBe(204);
  expect(await consumer.state()).toMatchObject({ position: 1, lastError: undefined });
});

test("many POSTs with a number that is too high have the feed read a few times", async () => {
  const feed = await makeFeed();
  feed.add();
  const { post } = consume(feed);
  expect(await Promise.all(Array.from({ length: 40 }, () => post(1, 99)))).toEqual(Array(40).fill(500));
  expect(feed.queries.length).toBeLessThan(10);
});

test("pauses after a failure, longer each time, and a skip ends the pause", async () => {
  const feed = await makeFeed();
  feed.add();
  const { consumer, errors, handled } = consume(feed, {
    backOff: { firstMs: 2 ** 30, longestMs: 2 ** 30 },
    onNotification: () => Promise.reject("a text"),
  });
  consumer.start();
  await eventually(() => expect(errors).toHaveLength(1));
  expect(errors[0]?.message).toBe("Notification 1 could not be handled: a text");
  await consumer.skip(1, "It is known.");
  feed.add({ removed: true });
  await eventually(() => expect(handled).toEqual(["-2"]));
});

test("stands still where the next one is no longer kept, names the first that is, and goes on after a skip", async () => {
  const feed = await makeFeed();
  for (let count = 0; count < 6; count += 1) feed.add();
  feed.first = 5;
  const { consumer, handled, errors } = consume(feed, { startAfter: 2 });
  consumer.start();
  await eventually(() => expect(errors.length).toBeGreaterThan(1));
  expect(errors[0]).toMatchObject({
    ...{ code: "gone", sequence: 3, firstSequence: 5, cause: { code: "gone", firstSequence: 5 } },
    message: "The notifications from 3 to 4 are no longer kept. Skip them to go on.",
  });
  expect(await consumer.state()).toMatchObject({ status: "failing", position: 2, gap: { from: 3, to: 4 } });
  expect(handled).toEqual([]);
  await consumer.skip({ from: 3, to: 4 }, "Counted by hand.");
  await eventually(() => expect(handled).toEqual([5, 6]));
  await eventually(async () => expect(await consumer.state()).toMatchObject({ status: "following", gap: undefined }));
});

test("stands still while the service has forgotten what was handled", async () => {
  const feed = await makeFeed();
  feed.add();
  feed.add();
  const { consumer, handled, errors } = consume(feed, { startAfter: 2 });
  feed.newest = 1;
  consumer.start();
  await eventually(() => expect(errors.length).toBeGreaterThan(1));
  expect(errors[0]?.message).toBe(
    "The service's newest sequence is 1, but 2 was handled: it was restored from a backup.",
  );
  feed.newest = undefined;
  feed.add();
  await eventually(() => expect(handled).toEqual([3]));
});

test("goes on when the service is back, whatever it answered meanwhile", async () => {
  const feed = await makeFeed();
  feed.add();
  const { consumer, handled, errors } = consume(feed);
  feed.refusal = (response) => response.writeHead(500).end("broken");
  consumer.start();
  await eventually(() => expect(errors.length).toBeGreaterThan(1));
  expect(errors[0]).toMatchObject({ code: "feed_failed", cause: { status: 500 } });
  feed.refusal = (response) => response.destroy();
  await eventually(() =>
    expect(errors.at(-1)).toMatchObject({ code: "feed_failed", cause: { code: "network_error" } }),
  );
  feed.refusal = (response) =>
    response
      .writeHead(200, { "content-type": "application/json" })
      .end(JSON.stringify({ notifications: [{ sequence: 2, payload: feed.payloads[0] }], lastSequence: 2 }));
  feed.refusal = undefined;
  await eventually(() => expect(handled).toEqual([1]));
});

test("takes no notification under another number than the next", async () => {
  const feed = await makeFeed();
  feed.add();
  const { consumer, handled, errors, post } = consume(feed, { batch: { maxNotifications: 2 } });
  const answerWith = (...sequences: number[]) => {
    const notifications = sequences.map((sequence) => ({ sequence, payload: feed.payloads[0] }));
    feed.refusal = (response) =>
      response
        .writeHead(200, { "content-type": "application/json" })
        .end(JSON.stringify({ notifications, lastSequence: 9 }));
  };
  answerWith(1, 3);
  consumer.start();
  await eventually(() => expect(errors[0]).toMatchObject({ code: "out_of_order", sequence: 2 }));
  await consumer.stop();
  expect(await post(1)).toBe(500);
  expect(handled.filter((one) => one !== 1)).toEqual([]);
  expect((await consumer.state()).position).toBeLessThan(2);
});

test("a batch is one transaction, and if one of it fails each has its own", async () => {
  const feed = await makeFeed();
  for (let count = 0; count < 7; count += 1) feed.add();
  const advances: number[] = [];
  const inner = memoryStore();
  const store: ConsumerStore<undefined> = {
    ...inner,
    advance: (id, holder, work) =>
      inner.advance(id, holder, async (transaction, position) => {
        const step = await work(transaction, position);
        if (step) advances.push(step.position - (position ?? 0));
        return step;
      }),
  };
  let isBroken = true;
  const { consumer } = consume(feed, {
    store,
    batch: { maxNotifications: 3 },
    onNotification: (_, { sequence }) => {
      if (sequence === 5 && isBroken) throw new Error("broken");
    },
  });
  consumer.start();
  await eventually(async () => expect((await consumer.state()).status).toBe("failing"));
  await eventually(() => expect(advances).toEqual([3, 1]));
  isBroken = false;
  await eventually(async () => expect((await consumer.state()).position).toBe(7));
  expect(advances).toEqual([3, 1, 1, 1, 1]);
});

test("stop waits for the running handler, and nothing begins after it", async () => {
  const feed = await makeFeed();
  feed.add();
  feed.add();
  const { open, opened } = gate();
  const began: number[] = [];
  const { consumer } = consume(feed, {
    onNotification: async (_, { sequence }) => {
      began.push(sequence);
      await opened;
    },
  });
  consumer.start();
  await eventually(() => expect(began).toEqual([1]));
  let isStopped = false;
  const stopping = consumer.stop().then(() => {
    isStopped = true;
  });
  await new Promise((resolve) => setImmediate(resolve));
  expect(isStopped).toBe(false);
  open();
  await stopping;
  expect(began).toEqual([1]);
  expect((await consumer.state()).position).toBe(1);
});

test("of two with one store one holds the webhook, and the other takes over", async () => {
  const feed = await makeFeed();
  const store = memoryStore();
  const one = consume(feed, { store, leaseMs: 300 });
  one.consumer.start();
  await eventually(async () => expect(await one.consumer.state()).toMatchObject({ holds: true }));
  const other = consume(feed, { store, leaseMs: 300 });
  other.consumer.start();
  for (let count = 0; count < 3; count += 1) feed.add();
  await eventually(() => expect(one.handled).toEqual([1, 2, 3]));
  expect(await other.consumer.state()).toMatchObject({ status: "waiting", holds: false, position: 3 });
  await one.consumer.stop();
  feed.add();
  await eventually(() => expect(other.handled).toEqual([4]));
});

test("one that lost its webhook in a long handler commits nothing", async () => {
  const feed = await makeFeed();
  feed.add();
  const inner = memoryStore();
  const { open, opened } = gate();
  // What a store does when the connection was lost meanwhile.
  const store: ConsumerStore<undefined> = {
    ...inner,
    advance: (id, holder, work) =>
      inner.advance(id, holder, async (transaction, position) => {
        await work(transaction, position);
        await opened;
        throw new Error("the connection is gone");
      }),
  };
  const one = consume(feed, { store });
  one.consumer.start();
  await eventually(() => expect(one.handled).toEqual([1]));
  open();
  await eventually(() => expect(one.errors[0]).toMatchObject({ code: "store_failed" }));
  expect((await one.consumer.state()).position).toBe(0);
  await one.consumer.stop();
  const other = consume(feed, { store: inner });
  other.consumer.start();
  await eventually(() => expect(other.handled).toEqual([1]));
});

test("does not hold the webhook after a stop, also where a heartbeat was in flight", async () => {
  const feed = await makeFeed();
  const inner = memoryStore();
  const { open, opened } = gate();
  let holds = 0;
  const store: ConsumerStore<undefined> = {
    ...inner,
    hold: async (...lease) => {
      holds += 1;
      if (holds > 1) await opened;
      return inner.hold(...lease);
    },
  };
  const { consumer } = consume(feed, { store, leaseMs: 100 });
  consumer.start();
  await eventually(() => expect(holds).toBe(2));
  const stopped = consumer.stop();
  await Promise.race([stopped, new Promise((resolve) => setTimeout(resolve, 50))]);
  open();
  await stopped;
  expect(await consumer.state()).toMatchObject({ status: "stopped", holds: false });
  expect(await inner.hold(webhookId, "another", 1_000)).toBe(true);
});

test("a handler that takes long has one heartbeat wait for it, not many", async () => {
  const feed = await makeFeed();
  feed.add();
  const inner = memoryStore();
  const { open, opened } = gate();
  let holds = 0;
  const store: ConsumerStore<undefined> = {
    ...inner,
    hold: (...lease) => {
      holds += 1;
      return inner.hold(...lease);
    },
  };
  const timer = vi.spyOn(globalThis, "setInterval");
  onTestFinished(() => timer.mockRestore());
  const { consumer } = consume(feed, {
    store,
    onNotification: async (_, { sequence }) => {
      if (sequence > 1) return;
      const beat = timer.mock.calls.findLast(([, ms]) => ms === 10_000)?.[0] ?? expect.fail("no heartbeat");
      for (let count = 0; count < 100; count += 1) beat();
      await opened;
    },
  });
  consumer.start();
  await eventually(() => expect(timer).toHaveBeenCalled());
  const before = holds;
  open();
  feed.add();
  await eventually(async () => expect(await consumer.state()).toMatchObject({ position: 2 }));
  expect(holds - before).toBeLessThan(5);
});

test("after an empty feed the pause is the shortest again", async () => {
  const feed = await makeFeed();
  const pauses: number[] = [];
  const real = globalThis.setTimeout;
  const timer = vi.spyOn(globalThis, "setTimeout").mockImplementation(((work: () => void, ms = 0) => {
    if (ms < 2 ** 20) return real(work, ms);
    pauses.push(Math.floor(ms / 2 ** 20));
    return real(work, 1);
  }) as typeof setTimeout);
  onTestFinished(() => timer.mockRestore());
  const { consumer } = consume(feed, { backOff: { firstMs: 2 ** 21, longestMs: 2 ** 30 } });
  feed.refusal = (response) => response.writeHead(500).end();
  consumer.start();
  await eventually(() => expect(pauses.length).toBeGreaterThan(3));
  feed.refusal = undefined;
  await eventually(async () => expect(await consumer.state()).toMatchObject({ status: "following" }));
  expect(pauses[3]).toBeGreaterThan(10);
  const { length } = pauses;
  feed.refusal = (response) => response.writeHead(500).end();
  feed.wake();
  await eventually(() => expect(pauses.length).toBeGreaterThan(length));
  expect(pauses[length]).toBeLessThanOrEqual(2);
});

test.each([undefined, null, Symbol("odd"), Object.create(null)])(
  "a handler may throw whatever it likes",
  async (thrown) => {
    const feed = await makeFeed();
    feed.add();
    let tries = 0;
    const { consumer, errors } = consume(feed, {
      onNotification: () => {
        tries += 1;
        if (tries === 1) throw thrown;
      },
    });
    consumer.start();
    await eventually(async () => expect(await consumer.state()).toMatchObject({ position: 1 }));
    expect(errors).toMatchObject([{ code: "handler_failed", sequence: 1, cause: thrown }]);
  },
);

test("starts and stops 200 times, and leaves nothing running", async () => {
  const feed = await makeFeed();
  const { consumer, handled } = consume(feed);
  for (let time = 0; time < 200; time += 1) {
    feed.add();
    consumer.start();
    if (time % 3 === 0) await eventually(() => expect(handled).toContain(time + 1));
    if (time % 2) await consumer.stop();
    else void consumer.stop();
  }
  consumer.start();
  await eventually(() => expect(handled).toHaveLength(200));
  expect(handled).toEqual(Array.from({ length: 200 }, (_, index) => index + 1));
  await consumer.stop();
  const { length } = feed.queries;
  feed.add();
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(feed.queries).toHaveLength(length);
  expect(await consumer.state()).toMatchObject({ status: "stopped", holds: false });
});

test("a POST is accepted when it is stored, in whatever order and however often it comes", async () => {
  const feed = await makeFeed();
  for (let count = 0; count < 4; count += 1) feed.add();
  const { handled, post, consumer } = consume(feed);
  expect(await post(3)).toBe(204);
  expect(handled).toEqual([1, 2, 3, 4]);
  expect(await Promise.all([post(1), post(4), post(2), post(2)])).toEqual([204, 204, 204, 204]);
  feed.add();
  feed.add();
  expect(await Promise.all([post(6), post(5)])).toEqual([204, 204]);
  expect(handled).toEqual([1, 2, 3, 4, 5, 6]);
  expect(await consumer.state()).toMatchObject({ status: "idle", holds: false, position: 6 });
});

test("a POST under another number makes nothing happen twice, and passes over nothing", async () => {
  const feed = await makeFeed();
  feed.add();
  const { handled, post, errors } = consume(feed);
  expect(await post(1)).toBe(204);
  expect(await post(1, 2)).toBe(500);
  expect(errors[0]).toMatchObject({ code: "not_handled", sequence: 2 });
  feed.add();
  expect(await post(2, Number.MAX_SAFE_INTEGER)).toBe(500);
  expect(handled).toEqual([1, 2]);
});

test("a POST is refused while its notification cannot be handled, of a stopped consumer, and of another webhook", async () => {
  const feed = await makeFeed();
  feed.add();
  let isBroken = true;
  const { post, consumer, errors } = consume(feed, {
    onNotification: () => {
      if (isBroken) throw new Error("broken");
    },
  });
  expect(await post(1)).toBe(500);
  expect(errors.map(({ code }) => code)).toEqual(["handler_failed"]);
  isBroken = false;
  expect(await post(1)).toBe(204);
  // A test.
  expect(await post(9, 0)).toBe(204);
  expect((await consumer.state()).position).toBe(1);
  await consumer.stop();
  feed.add();
  expect(await post(2)).toBe(500);
  const other = consume(feed, { webhookId: crypto.randomUUID() });
  expect(await other.post(1)).toBe(500);
  expect(other.errors[0]?.message).toContain(`got a notification of ${webhookId}`);
});

test("a started consumer accepts what it will read from the feed", async () => {
  const feed = await makeFeed();
  const { post, consumer, handled } = consume(feed);
  consumer.start();
  for (let at = 1; at <= 3; at += 1) feed.add();
  expect(await Promise.all([post(2), post(3), post(1), post(2)])).toEqual([204, 204, 204, 204]);
  await eventually(() => expect(handled).toEqual([1, 2, 3]));
});

test("what a callback throws changes nothing", async () => {
  const feed = await makeFeed();
  feed.add();
  const thrown = () => {
    throw new Error("a callback");
  };
  let tries = 0;
  const { consumer } = consume(feed, {
    ...{ onError: thrown, onMetric: thrown },
    onNotification: () => {
      tries += 1;
      if (tries === 1) throw new Error("broken");
    },
  });
  consumer.start();
  await eventually(async () => expect((await consumer.state()).position).toBe(1));
});

test("refuses wrong options by their name", async () => {
  const feed = await makeFeed();
  const refusal = (options: object) => {
    try {
      return String(consume(feed, options));
    } catch (error) {
      return String(error);
    }
  };
  expect(refusal({ webhookId: "" })).toBe("TypeError: webhookId must be the id of a webhook.");
  expect(refusal({ onRetraction: undefined })).toBe("TypeError: onRetraction must be a function.");
  expect(refusal({ startAfter: -1 })).toMatch(/^TypeError: startAfter must be a whole number from 0 to /);
  expect(refusal({ batch: { maxNotifications: 51 } })).toMatch(/^TypeError: batch.maxNotifications .* from 1 to 50\.$/);
  expect(refusal({ backOff: { firstMs: 0, longestMs: 1 } })).toMatch(/^TypeError: backOff.firstMs /);
  expect(refusal({ backOff: { firstMs: 2, longestMs: 1 } })).toMatch(/^TypeError: backOff.longestMs .* from 2 /);
  expect(refusal({ leaseMs: Number.NaN })).toMatch(/^TypeError: leaseMs /);
  expect(refusal({ secret: undefined })).toBe("TypeError: secret must be given to take POSTs.");
  const { consumer } = consume(feed);
  for (const wrong of [0, 1.5, { from: 2, to: 1 }])
    await expect(consumer.skip(wrong, "why")).rejects.toBeInstanceOf(TypeError);
  await expect(consumer.skip(1, " ")).rejects.toThrow("reason must be a text.");
});

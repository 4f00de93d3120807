/** The mock's batches and order: what goes into a POST, and what waits for what. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { verifyNotifications } from "../../client/receiver/index.ts";
import { notificationsIn } from "../delivery/hooks.ts";
import { newWebhook } from "../support/api.ts";
import { type Mock, mocks } from "../support/mock.ts";
import { type Receiver, startReceiver } from "../support/receiver.ts";

describe.each(mocks)("%s", (_, startMock) => {
  let mock: Mock;
  let receiver: Receiver;
  beforeEach(async () => {
    [mock, receiver] = await Promise.all([startMock({ retryPauseMs: 50 }), startReceiver()]);
  });
  afterEach(async () => {
    await mock.close();
    await receiver.close();
  });

  const create = async (metadata: object) => {
    const addresses = ["0xd8da6bf26964af9d7eed9e03e53415d37aa96045"];
    const body = newWebhook({ url: `${receiver.url}/hooks`, metadata: { addresses, ...metadata } });
    const reply = await mock.call("POST", "/v1/webhooks", { body });
    expect([reply.status, reply.body.metadata]).toMatchObject([201, metadata]);
    return reply.body.id as string;
  };
  const secretOf = async (id: string) => (await mock.call("GET", `/v1/webhooks/${id}/secret`)).body.secret as string;
  const sequences = () =>
    receiver.deliveries.map((post) => notificationsIn(post).map((_, index) => post.sequence + index));

  test("a webhook with batches gets arrays that verify, up to maxItems, and its test is one", async () => {
    const id = await create({ batch: { maxItems: 3, maxWaitMs: 0 } });
    await receiver.waitFor(1);
    void mock.control.send({ webhookId: id, count: 7 });
    await expect.poll(() => sequences().flat()).toHaveLength(8);
    for (const sent of sequences()) expect(sent.length).toBeLessThanOrEqual(3);
    const { body } = await mock.call("POST", `/v1/webhooks/${id}/test`);
    const post = receiver.deliveries.at(-1);
    const [test, ...more] = await verifyNotifications(post?.rawBody ?? "", post?.headers ?? {}, await secretOf(id));
    expect([test?.messageId, more, post?.sequence]).toEqual([body.messageId, [], 0]);
    expect(Array.isArray(JSON.parse(post?.rawBody ?? ""))).toBe(true);
  });

  test("a batch waits for more at most maxWaitMs, and a failed one is repeated together", async () => {
    const id = await create({ batch: { maxItems: 10, maxWaitMs: 300 } });
    await receiver.waitFor(1);
    let refused = 0;
    receiver.answer = (_, response) => {
      refused += 1;
      response.writeHead(refused === 1 ? 500 : 204).end();
    };
    for (let n = 0; n < 4; n += 1) void mock.control.send({ webhookId: id });
    await receiver.waitFor(3);
    expect(sequences()).toEqual([[1], [2, 3, 4, 5], [2, 3, 4, 5]]);
    const [, first, second] = receiver.deliveries.map(({ headers }) => headers["webhook-id"]);
    expect(second).toBe(first);
  });

  test("an ordered webhook waits for the retry of one before the next", async () => {
    const id = await create({ ordered: true });
    await receiver.waitFor(1);
    let refused = 0;
    receiver.answer = ({ sequence }, response) => {
      refused += sequence === 3 ? 1 : 0;
      response.writeHead(sequence === 3 && refused <= 2 ? 500 : 204).end();
    };
    for (let n = 0; n < 5; n += 1) void mock.control.send({ webhookId: id });
    await receiver.waitFor(8);
    expect(sequences().flat()).toEqual([1, 2, 3, 3, 3, 4, 5, 6]);
    expect((await mock.call("GET", `/v1/webhooks/${id}`)).body.passedOver).toBeUndefined();
  });

  test("one that failed at every attempt is passed over, and the record says so", async () => {
    const id = await create({ ordered: true, batch: { maxItems: 2 } });
    await receiver.waitFor(1);
    receiver.answer = ({ sequence }, response) => response.writeHead(sequence === 2 ? 500 : 204).end();
    for (let n = 0; n < 4; n += 1) void mock.control.send({ webhookId: id });
    await expect.poll(() => sequences().at(-1)?.at(-1)).toBe(5);
    const { passedOver } = (await mock.call("GET", `/v1/webhooks/${id}`)).body;
    expect(passedOver).toMatchObject({ count: expect.any(Number), at: expect.any(Number) });
    expect(passedOver.lastSequence).toBe(passedOver.count + 1);
  });

  test("the control sends batches of several, retracted, twice, the last first, and forged", async () => {
    const id = await create({ batch: { maxItems: 4, maxWaitMs: 50 } });
    await receiver.waitFor(1);
    const added = async (options: object) => {
      const before = receiver.deliveries.length;
      const sent = await mock.control.send({ webhookId: id, ...options });
      for (const { answer } of sent) expect(answer?.responseStatus).toBe(204);
      const posts = receiver.deliveries.slice(before);
      const messages = posts.flatMap((post) => notificationsIn(post).map(({ messageId }) => messageId));
      return { sent, posts, messages, shapes: sequences().slice(before) };
    };
    const several = await added({ count: 6 });
    expect(several.shapes).toEqual([
      [2, 3, 4, 5],
      [6, 7],
    ]);
    expect(several.messages).toEqual(several.sent.map(({ messageId }) => messageId));
    const retracted = await added({ count: 2, retracted: true });
    expect(retracted.shapes).toEqual([[8, 9, 10, 11]]);
    const [post] = retracted.posts;
    const removed = await verifyNotifications(post?.rawBody ?? "", post?.headers ?? {}, await secretOf(id));
    expect(removed.map(({ event }) => event.removed ?? false)).toEqual([false, true, false, true]);
    const twice = await added({ count: 3, duplicated: true });
    expect(twice.shapes).toEqual([
      [12, 13, 14],
      [12, 13, 14],
    ]);
    expect(twice.posts[1]?.headers["webhook-id"]).toBe(twice.posts[0]?.headers["webhook-id"]);
    expect((await added({ count: 6, outOfOrder: true })).shapes).toEqual([
      [19, 20],
      [15, 16, 17, 18],
    ]);
    const forged = await added({ count: 3, wronglySigned: true });
    expect(forged.shapes).toEqual([[21, 22, 23]]);
    const [wrong] = forged.posts;
    const verified = verifyNotifications(wrong?.rawBody ?? "", wrong?.headers ?? {}, await secretOf(id));
    await expect(verified).rejects.toThrow();
  });
});

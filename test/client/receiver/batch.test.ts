/** Batches: verified whole, and handed over one by one in the order of their sequence. */
import express from "express";
import { expect, test, vi } from "vitest";
import {
  createExpressReceiver,
  createFetchReceiver,
  type ReceiverOptions,
  verifyNotification,
  verifyNotifications,
} from "../../../client/receiver/index.ts";
import { notification } from "../examples.ts";
import { listen } from "../http-server.ts";
import { deliver, secret } from "./delivery.ts";

const id = "0517e234-500a-5a5b-a5da-80a865529910";
const messageIds = ["0a3f2c55-8e0b-5d3e-9a35-6f2f3a1c7b10", "1a3f2c55-8e0b-5d3e-9a35-6f2f3a1c7b11", id];
const batch = messageIds.map((messageId) => ({ ...notification, messageId }));

test("a batch verifies over its raw bytes; a single notification passes too, and a batch not as a single one", async () => {
  const { body, headers } = await deliver(batch, { id });
  expect(await verifyNotifications(body, headers, secret)).toEqual(batch);
  const single = await deliver();
  expect(await verifyNotifications(single.body, single.headers, secret)).toEqual([notification]);
  await expect(verifyNotification(body, headers, secret)).rejects.toMatchObject({
    code: "invalid_body",
    message: "The body is a batch of notifications; use verifyNotifications.",
  });
});

test.each([
  ["other bytes", (body: string) => `${body} `, "invalid_signature"],
  ["one left out", () => JSON.stringify(batch.slice(1)), "invalid_signature"],
])("%s do not verify", async (_, change, code) => {
  const { body, headers } = await deliver(batch, { id });
  await expect(verifyNotifications(change(body), headers, secret)).rejects.toMatchObject({ code });
});

test.each([
  [[], "The body has no notification."],
  [[batch[0], { ...batch[1], messageId: 7 }], "The body.1.messageId must be string."],
  [[batch], "The body.0 must be object."],
])("signed, but no batch: %#", async (payload, message) => {
  const { body, headers } = await deliver(payload, { id });
  await expect(verifyNotifications(body, headers, secret)).rejects.toMatchObject({ code: "invalid_body", message });
});

test("a single notification must have the header's id", async () => {
  const { body, headers } = await deliver(notification, { id });
  await expect(verifyNotifications(body, headers, secret)).rejects.toMatchObject({ code: "message_id_mismatch" });
});

const viaExpress = async (options: ReceiverOptions) => {
  const url = await listen(express().use(createExpressReceiver(options)));
  return (request: RequestInit) => fetch(url, request);
};
const viaFetch = async (options: ReceiverOptions) => {
  const receive = createFetchReceiver(options);
  return (request: RequestInit) => receive(new Request("http://localhost/hooks", request));
};

test.each([
  ["Express", viaExpress],
  ["Fetch", viaFetch],
])("%s: each notification is handled after the one before, with its own sequence", async (_, start) => {
  const handled: unknown[] = [];
  const send = await start({
    secret,
    async onNotification({ messageId }, { sequence }) {
      await new Promise(setImmediate);
      handled.push([messageId, sequence]);
    },
  });
  expect((await send({ method: "POST", ...(await deliver(batch, { id })) })).status).toBe(204);
  expect(handled).toEqual(messageIds.map((messageId, index) => [messageId, 42 + index]));
});

test.each([
  ["Express", viaExpress],
  ["Fetch", viaFetch],
])(
  "%s: if one fails, the rest is left and the batch is answered with 500, so that it comes again",
  async (_, start) => {
    const failure = new Error("the second one");
    const onError = vi.fn();
    const onNotification = vi.fn(({ messageId }: { messageId: string }) => {
      if (messageId === messageIds[1]) throw failure;
    });
    const send = await start({ secret, onNotification, onError });
    expect((await send({ method: "POST", ...(await deliver(batch, { id })) })).status).toBe(500);
    expect(onNotification.mock.calls.map(([{ messageId }]) => messageId)).toEqual(messageIds.slice(0, 2));
    expect(onError.mock.calls).toEqual([[failure]]);
  },
);

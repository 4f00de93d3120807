/** The receiver for `Request` and `Response`: what it hands over, and what it answers. */
import { expect, test, vi } from "vitest";
import { createFetchReceiver, NotificationError, type ReceiverOptions } from "../../../client/receiver/index.ts";
import { notification } from "../examples.ts";
import { deliver, otherSecret, secret } from "./delivery.ts";

function receiver(options: Partial<ReceiverOptions> = {}) {
  const onNotification = vi.fn<ReceiverOptions["onNotification"]>();
  const onError = vi.fn<(error: unknown) => unknown>();
  return { onNotification, onError, receive: createFetchReceiver({ secret, onNotification, onError, ...options }) };
}

async function signedRequest(change: { headers?: Record<string, string>; body?: BodyInit } = {}): Promise<Request> {
  const { body, headers } = await deliver();
  const init = {
    method: "POST",
    body: change.body ?? body,
    headers: { ...headers, ...change.headers },
    duplex: "half",
  };
  return new Request("https://receiver.test/hooks", init);
}

test("hands over the notification, its sequence and the time of the attempt, and answers 204", async () => {
  const { receive, onNotification } = receiver();
  const request = await signedRequest();
  const response = await receive(request);
  expect([response.status, await response.text()]).toEqual([204, ""]);
  const attemptAt = new Date(Number(request.headers.get("webhook-timestamp")) * 1000);
  expect(onNotification.mock.calls).toEqual([[notification, { sequence: 42, attemptAt }]]);
});

test("answers only when the handler is done", async () => {
  const steps: string[] = [];
  const onNotification = async () => {
    await new Promise((resolve) => setTimeout(resolve, 20));
    steps.push("handled");
  };
  await receiver({ onNotification }).receive(await signedRequest());
  steps.push("answered");
  expect(steps).toEqual(["handled", "answered"]);
});

test("answers 400 with a code and no secret if verification fails, and does not call the handler", async () => {
  const { receive, onNotification, onError } = receiver({ secret: otherSecret });
  const response = await receive(await signedRequest());
  expect([response.status, response.headers.get("content-type")]).toEqual([400, "application/json"]);
  const answer = await response.text();
  expect(JSON.parse(answer)).toEqual({ code: "invalid_signature", message: expect.any(String) });
  expect(answer).not.toContain(otherSecret.slice(6));
  expect([onNotification.mock.calls, onError.mock.calls]).toEqual([[], []]);
});

test("hands over a test, which has the sequence 0", async () => {
  const { onNotification, receive } = receiver();
  expect((await receive(await signedRequest({ headers: { "webhook-sequence": "0" } }))).status).toBe(204);
  expect(onNotification.mock.calls[0]?.[1]).toMatchObject({ sequence: 0 });
});

test.each([["00"], ["one"], ["1.5"], ["99999999999999999999"]])("answers 400 to the sequence %j", async (sequence) => {
  const response = await receiver().receive(await signedRequest({ headers: { "webhook-sequence": sequence } }));
  expect([response.status, await response.json()]).toMatchObject([400, { code: "invalid_sequence" }]);
});

test("answers 405 to another method than POST", async () => {
  const response = await receiver().receive(new Request("https://receiver.test/hooks"));
  expect([response.status, response.headers.get("allow")]).toEqual([405, "POST"]);
});

test("answers 400 to a POST without a body", async () => {
  const response = await receiver().receive(new Request("https://receiver.test/hooks", { method: "POST" }));
  expect([response.status, await response.json()]).toMatchObject([400, { code: "missing_header" }]);
});

test("answers 413 to a body that says it is too large, without waiting for it", async () => {
  const silent = new ReadableStream();
  const request = await signedRequest({ headers: { "content-length": "101" }, body: silent });
  const response = await receiver({ maxBodyBytes: 100 }).receive(request);
  expect([response.status, await response.json()]).toMatchObject([413, { code: "body_too_large" }]);
});

test("stops reading a body that does not say how large it is, and answers 413", async () => {
  let chunks = 0;
  const cancelled = vi.fn();
  const endless = new ReadableStream({
    pull: (controller) => {
      chunks++;
      controller.enqueue(new Uint8Array(1000));
    },
    cancel: cancelled,
  });
  const response = await receiver({ maxBodyBytes: 5_000 }).receive(await signedRequest({ body: endless }));
  expect(response.status).toBe(413);
  expect(cancelled).toHaveBeenCalled();
  expect(chunks).toBeLessThan(10);
});

test("accepts a body of exactly the maximum size", async () => {
  const { body } = await deliver();
  expect((await receiver({ maxBodyBytes: body.length }).receive(await signedRequest())).status).toBe(204);
});

test("answers 400 when the body breaks off", async () => {
  const broken = new ReadableStream({ pull: (controller) => controller.error(new Error("reset")) });
  const response = await receiver().receive(await signedRequest({ body: broken }));
  expect([response.status, await response.json()]).toMatchObject([400, { code: "invalid_body" }]);
});

test("answers 500 when the handler throws, so that the service sends again, and passes the error on", async () => {
  const failure = new Error("database away");
  const onNotification = () => Promise.reject(failure);
  const { receive, onError } = receiver({ onNotification });
  const response = await receive(await signedRequest());
  expect(response.status).toBe(500);
  expect(await response.text()).not.toContain("database");
  expect(onError.mock.calls).toEqual([[failure]]);
});

test("answers 500, not 400, when the handler throws a NotificationError of its own", async () => {
  const failure = new NotificationError("invalid_body", "Of another service.");
  const { receive, onError } = receiver({ onNotification: () => Promise.reject(failure) });
  expect((await receive(await signedRequest())).status).toBe(500);
  expect(onError).toHaveBeenCalledWith(failure);
});

test("answers 500 even when onError throws too", async () => {
  const fail = () => {
    throw new Error("no");
  };
  expect((await receiver({ onNotification: fail, onError: fail }).receive(await signedRequest())).status).toBe(500);
});

test("answers 500 with a clear error when something has read the request before", async () => {
  const { receive, onError } = receiver();
  const request = await signedRequest();
  await request.json();
  expect((await receive(request)).status).toBe(500);
  expect(onError).toHaveBeenCalledWith(expect.objectContaining({ message: expect.stringContaining("already read") }));
});

test("an invalid secret throws when the receiver is created", () => {
  expect(() => receiver({ secret: "abc" })).toThrow(expect.objectContaining({ code: "invalid_secret" }));
});

/** The caller's signal ends a call at once, whatever it is waiting for. */
import { getEventListeners } from "node:events";
import { expect, test } from "vitest";
import { createWebhooksClient } from "../../client/index.ts";
import { apiError, json, serve } from "./http-server.ts";

const apiKey = "sk_test_0123456789";

test("a call with a signal that has ended is not sent", async () => {
  const { baseUrl, received } = await serve(json(200, { chains: [] }));
  const call = createWebhooksClient({ baseUrl, apiKey }).listChains({ signal: AbortSignal.abort("done") });
  await expect(call).rejects.toMatchObject({ code: "aborted", operation: "listChains", cause: "done" });
  expect(received).toEqual([]);
});

test("a call that waits for an answer ends with the signal, and so does its connection", async () => {
  const controller = new AbortController();
  let closed: Promise<unknown> | undefined;
  const { baseUrl, received } = await serve((response) => {
    closed = new Promise((resolve) => response.on("close", resolve));
    controller.abort(new Error("enough"));
  });
  const call = createWebhooksClient({ baseUrl, apiKey }).listChains({ signal: controller.signal });
  await expect(call).rejects.toMatchObject({ code: "aborted", message: "listChains was aborted by the caller." });
  await closed;
  expect(received.length).toBe(1);
});

test("a call that waits before a retry ends with the signal", async () => {
  const controller = new AbortController();
  const { baseUrl, received } = await serve((response, request) => {
    apiError(503, { "retry-after": "20" })(response, request);
    setTimeout(() => controller.abort(), 100);
  });
  const start = performance.now();
  const call = createWebhooksClient({ baseUrl, apiKey }).listChains({ signal: controller.signal });
  await expect(call).rejects.toMatchObject({ code: "aborted" });
  expect(performance.now() - start).toBeLessThan(19_000);
  expect(received.length).toBe(1);
});

test("an aborted call is not tried again", async () => {
  const controller = new AbortController();
  const { baseUrl, received } = await serve(() => controller.abort());
  const call = createWebhooksClient({ baseUrl, apiKey, timeoutMs: 5_000 }).listChains({ signal: controller.signal });
  await expect(call).rejects.toMatchObject({ code: "aborted" });
  expect(received.length).toBe(1);
});

test("a signal that many calls share keeps no listener of them", async () => {
  const { signal } = new AbortController();
  const { baseUrl } = await serve(apiError(503, { "retry-after": "0" }), json(200, { chains: [] }));
  const client = createWebhooksClient({ baseUrl, apiKey });
  for (let count = 0; count < 3; count++) await client.listChains({ signal });
  expect(getEventListeners(signal, "abort")).toEqual([]);
});

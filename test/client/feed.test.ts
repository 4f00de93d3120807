/** A feed is followed without a gap, whatever passes meanwhile, and no longer than the caller wants. */
import { expect, test } from "vitest";
import { createWebhooksClient, WebhooksError } from "../../client/index.ts";
import gone from "../../openapi/examples/error.410.json" with { type: "json" };
import unavailable from "../../openapi/examples/error.503.json" with { type: "json" };
import feed from "../../openapi/examples/feed.json" with { type: "json" };
import { json, type Received, serve } from "./http-server.ts";

const apiKey = "sk_test_0123456789";
const webhookId = "6d1bbe40-2a4b-4c0e-8f0a-5e7f5b1d2c3a";
const [example] = feed.value.notifications;

const page = (...sequences: number[]) =>
  json(200, {
    notifications: sequences.map((sequence) => ({ ...example, sequence })),
    lastSequence: sequences.at(-1) ?? 0,
  });
const queryOf = ({ url = "" }: Received) => Object.fromEntries(new URL(url, "http://localhost").searchParams);

test("yields each notification, and goes on after the last one and after failures", async () => {
  const { baseUrl, received } = await serve(page(3, 4), json(503, unavailable.value), page(), page(5), page(6));
  const client = createWebhooksClient({ baseUrl, apiKey, maxRetries: 0 });
  const seen: number[] = [];
  for await (const { sequence, payload } of client.followFeed(webhookId, { after: 2 })) {
    expect(payload.messageId).toBe(example?.payload.messageId);
    seen.push(sequence);
    if (sequence === 6) break;
  }
  expect(seen).toEqual([3, 4, 5, 6]);
  expect(received.map(queryOf)).toEqual(["2", "4", "4", "4", "5"].map((after) => ({ wait: "25", after })));
});

test("begins without a place, waits no longer than a try may take, and ends by the signal", async () => {
  const { baseUrl, received } = await serve(page());
  const controller = new AbortController();
  const client = createWebhooksClient({ baseUrl, apiKey, timeoutMs: 1_000 });
  const follow = async () => {
    setTimeout(() => controller.abort(), 100);
    for await (const _ of client.followFeed(webhookId, { signal: controller.signal })) expect.fail("nothing comes");
  };
  await expect(follow()).rejects.toMatchObject({ code: "aborted" });
  expect(received.map(queryOf)).toEqual([{ wait: "0" }]);
  const later = await serve(page(), page(8));
  const patient = createWebhooksClient({ baseUrl: later.baseUrl, apiKey });
  for await (const { sequence } of patient.followFeed(webhookId)) {
    expect(sequence).toBe(8);
    break;
  }
  expect(later.received.map(queryOf)).toEqual([{ wait: "25" }, { wait: "25", after: "0" }]);
});

test("yields nothing more of a page once the signal has come", async () => {
  const { baseUrl } = await serve(page(1, 2, 3));
  const controller = new AbortController();
  const client = createWebhooksClient({ baseUrl, apiKey });
  const seen: number[] = [];
  const follow = async () => {
    for await (const { sequence } of client.followFeed(webhookId, { signal: controller.signal })) {
      seen.push(sequence);
      controller.abort();
    }
  };
  await expect(follow()).rejects.toMatchObject({ code: "aborted" });
  expect(seen).toEqual([1]);
});

test("ends where what follows is no longer kept", async () => {
  const { baseUrl } = await serve(json(410, gone.value));
  const client = createWebhooksClient({ baseUrl, apiKey });
  const failed = client.followFeed(webhookId, { after: 1 }).next();
  await expect(failed).rejects.toBeInstanceOf(WebhooksError);
  await expect(failed).rejects.toMatchObject({ code: "gone", status: 410 });
});

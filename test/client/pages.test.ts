/** Lists are followed from page to page, to their end and no further. */
import { expect, test } from "vitest";
import { createWebhooksClient } from "../../client/index.ts";
import { id, webhook } from "./examples.ts";
import { apiError, json, serve } from "./http-server.ts";

const apiKey = "sk_test_0123456789";

async function collect<T>(pages: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const page of pages) all.push(page);
  return all;
}

test("follows nextPageToken until it is absent, and repeats the rest of the query", async () => {
  const last = { webhooks: [] };
  const { baseUrl, received } = await serve(
    json(200, { webhooks: [webhook], nextPageToken: "a" }),
    json(200, { webhooks: [webhook], nextPageToken: "b" }),
    json(200, last),
  );
  const client = createWebhooksClient({ baseUrl, apiKey });
  const pages = await collect(client.pages("listWebhooks", { query: { status: "active" } }));
  expect(pages).toEqual([
    { webhooks: [webhook], nextPageToken: "a" },
    { webhooks: [webhook], nextPageToken: "b" },
    last,
  ]);
  expect(received.map(({ url }) => url)).toEqual([
    "/v1/webhooks?status=active",
    "/v1/webhooks?status=active&pageToken=a",
    "/v1/webhooks?status=active&pageToken=b",
  ]);
});

test("ends at an empty nextPageToken", async () => {
  const { baseUrl, received } = await serve(json(200, { webhooks: [], nextPageToken: "" }));
  expect(await collect(createWebhooksClient({ baseUrl, apiKey }).pages("listWebhooks"))).toHaveLength(1);
  expect(received).toHaveLength(1);
});

test("starts at the pageToken of the query, and passes the path on", async () => {
  const { baseUrl, received } = await serve(json(200, { addresses: [], totalAddresses: 0 }));
  const client = createWebhooksClient({ baseUrl, apiKey });
  await collect(client.pages("listWebhookAddresses", { path: { id }, query: { pageToken: "start" } }));
  expect(received[0]?.url).toBe(`/v1/webhooks/${id}/addresses?pageToken=start`);
});

test("fetches a page only when it is needed", async () => {
  const { baseUrl, received } = await serve(json(200, { webhooks: [], nextPageToken: "a" }));
  const pages = createWebhooksClient({ baseUrl, apiKey }).pages("listWebhooks");
  expect(received).toHaveLength(0);
  for await (const _ of pages) break;
  expect(received).toHaveLength(1);
});

test("fails when the service repeats a token, after yielding that page", async () => {
  const { baseUrl, received } = await serve(
    json(200, { webhooks: [], nextPageToken: "a" }),
    json(200, { webhooks: [], nextPageToken: "b" }),
    json(200, { webhooks: [webhook], nextPageToken: "a" }),
  );
  const pages = createWebhooksClient({ baseUrl, apiKey }).pages("listWebhooks");
  await pages.next();
  await pages.next();
  expect(await pages.next()).toEqual({ done: false, value: { webhooks: [webhook], nextPageToken: "a" } });
  await expect(pages.next()).rejects.toMatchObject({ code: "invalid_response", operation: "listWebhooks" });
  expect(received).toHaveLength(3);
});

test("retries a page that fails, and throws what the operation throws", async () => {
  const { baseUrl } = await serve(
    json(200, { webhooks: [], nextPageToken: "a" }),
    apiError(503, { "retry-after": "0" }),
    json(200, { webhooks: [], nextPageToken: "b" }),
    apiError(403),
  );
  const pages = createWebhooksClient({ baseUrl, apiKey }).pages("listWebhooks");
  await pages.next();
  expect((await pages.next()).value?.nextPageToken).toBe("b");
  await expect(pages.next()).rejects.toMatchObject({ code: "forbidden" });
});

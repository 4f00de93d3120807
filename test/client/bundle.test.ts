/** What consumers ship to browsers and edge runtimes: small bundles that need nothing but web globals. */
import { fileURLToPath } from "node:url";
import { createContext, runInContext } from "node:vm";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import type * as clientModule from "../../client/index.ts";
import type * as receiverModule from "../../client/receiver/index.ts";
import { bundleFor } from "../support/bundle.ts";
import { createBody, notification, webhook } from "./examples.ts";
import { apiError, json, serve } from "./http-server.ts";
import { deliver, secret } from "./receiver/delivery.ts";

const entries = {
  client: { path: "client/index.ts", mostBytes: 10 * 1024 },
  consumer: { path: "client/consumer/index.ts", mostBytes: 25 * 1024 },
  receiver: { path: "client/receiver/index.ts", mostBytes: 15 * 1024 },
};

const root = fileURLToPath(new URL("../..", import.meta.url));
const bundle = ({ path }: { path: string }) => bundleFor(root, `export * from "./${path}";`, "exported");

/** Runs a bundle where there is no `process`, no `Buffer`, no `require`, and where code cannot be made from text. */
async function run<T>(entry: { path: string }): Promise<T> {
  const { code } = await bundle(entry);
  const webGlobals = {
    ...{ fetch, Headers, Request, Response, FormData, URL, URLSearchParams, ReadableStream },
    ...{ AbortController, AbortSignal, crypto, TextEncoder, TextDecoder, atob, btoa, setTimeout, clearTimeout },
  };
  const context = createContext(webGlobals, { codeGeneration: { strings: false, wasm: false } });
  runInContext(code, context);
  return runInContext("exported", context) as T;
}

test.each(Object.entries(entries))("the %s's bundle imports nothing of Node and is small", async (_, entry) => {
  const { code, imports } = await bundle(entry);
  expect(imports.filter((path) => !/^(client|generated|node_modules\/openapi-fetch)\//.test(path))).toEqual([]);
  expect(code).not.toMatch(/["']node:|\brequire\(|\bBuffer\b/);
  expect(gzipSync(code, { level: 9 }).length).toBeLessThan(entry.mostBytes);
});

test("the client works with web globals alone, retries and errors included", async () => {
  const { createWebhooksClient, WebhooksError } = await run<typeof clientModule>(entries.client);
  const { baseUrl, received } = await serve(
    apiError(503, { "retry-after": "0" }),
    json(201, webhook),
    json(200, { webhooks: [], nextPageToken: "a" }),
    json(200, { webhooks: [webhook] }),
    apiError(404),
  );
  const client = createWebhooksClient({ baseUrl, apiKey: "sk_test_0123456789" });
  expect(JSON.stringify(await client.createWebhook({ body: createBody }))).toBe(JSON.stringify(webhook));
  let pages = 0;
  for await (const _ of client.pages("listWebhooks")) pages++;
  const error = await client.getWebhook({ path: { id: "none" } }).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(WebhooksError);
  expect([pages, received.length]).toEqual([2, 5]);
});

test("the receiver works with web globals alone", async () => {
  const { createFetchReceiver, signNotification, verifyNotification } = await run<typeof receiverModule>(
    entries.receiver,
  );
  const { body, headers } = await deliver();
  const timestamp = Number(headers["webhook-timestamp"]);
  const signature = await signNotification({ id: notification.messageId, timestamp, body, secret });
  expect(signature).toBe(headers["webhook-signature"]);
  for (const raw of [body, new TextEncoder().encode(body), new TextEncoder().encode(body).buffer]) {
    expect((await verifyNotification(raw, headers, secret)).messageId).toBe(notification.messageId);
  }
  const receive = createFetchReceiver({ secret, onNotification: () => {} });
  expect((await receive(new Request("https://a.test", { method: "POST", body, headers }))).status).toBe(204);
  expect((await receive(new Request("https://a.test", { method: "POST", body: "{}", headers }))).status).toBe(400);
});

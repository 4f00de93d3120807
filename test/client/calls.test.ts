/** What the client sends, and what it resolves with. */
import { expect, test } from "vitest";
import { createWebhooksClient } from "../../client/index.ts";
import { operationTable } from "../../generated/operations.ts";
import { createBody, id, webhook } from "./examples.ts";
import { json, serve } from "./http-server.ts";

const apiKey = "sk_test_0123456789";

test("has a method for every operation of the contract, pages, followFeed and syncAddresses", () => {
  const client = createWebhooksClient({ baseUrl: "http://127.0.0.1:1", apiKey });
  expect(Object.keys(client).sort()).toEqual(
    [...Object.keys(operationTable), "pages", "followFeed", "syncAddresses"].sort(),
  );
});

test("sends the key, the body and the content type, and resolves with the body of a 201", async () => {
  const { baseUrl, received } = await serve(json(201, webhook));
  const client = createWebhooksClient({ baseUrl, apiKey });
  expect(await client.createWebhook({ body: createBody })).toEqual(webhook);
  expect(received).toMatchObject([{ method: "POST", url: "/v1/webhooks" }]);
  expect(received[0]?.headers).toMatchObject({ "x-service-api-key": apiKey, "content-type": "application/json" });
  expect(JSON.parse(received[0]?.body ?? "")).toEqual(createBody);
});

test("puts path and query parameters where the contract has them", async () => {
  const { baseUrl, received } = await serve(json(200, { addresses: [], totalAddresses: 0 }));
  const client = createWebhooksClient({ baseUrl, apiKey });
  await client.listWebhookAddresses({ path: { id }, query: { pageSize: 5, pageToken: "a/b c" } });
  expect(received[0]?.url).toBe(`/v1/webhooks/${id}/addresses?pageSize=5&pageToken=a%2Fb%20c`);
});

test("sends a DELETE with a body", async () => {
  const { baseUrl, received } = await serve(json(200, { changed: 1, totalAddresses: 0, effectiveFromBlock: "1" }));
  const client = createWebhooksClient({ baseUrl, apiKey });
  const addresses = ["0x5425890298aed601595a70ab815c96711a31bc65"];
  await client.removeWebhookAddresses({ path: { id }, body: { addresses } });
  expect(received).toMatchObject([{ method: "DELETE", body: JSON.stringify({ addresses }) }]);
});

test("can be called without an argument where the contract requires nothing", async () => {
  const { baseUrl, received } = await serve(json(200, { chains: [] }));
  expect(await createWebhooksClient({ baseUrl, apiKey }).listChains()).toEqual({ chains: [] });
  expect(received[0]?.headers["content-type"]).toBeUndefined();
});

test("keeps a path in the base address, with or without a slash at its end", async () => {
  const { baseUrl, received } = await serve(json(200, { chains: [] }));
  await createWebhooksClient({ baseUrl: `${baseUrl}/hooks`, apiKey }).listChains();
  await createWebhooksClient({ baseUrl: `${baseUrl}/hooks/`, apiKey }).listChains();
  expect(received.map(({ url }) => url)).toEqual(["/hooks/v1/chains", "/hooks/v1/chains"]);
});

test("encodes a path parameter, so that it stays one segment", async () => {
  const { baseUrl, received } = await serve(json(200, webhook));
  await createWebhooksClient({ baseUrl, apiKey }).getWebhook({ path: { id: "../x?y#z" } });
  expect(received[0]?.url).toBe("/v1/webhooks/..%2Fx%3Fy%23z");
});

test("sends through the fetch it was given", async () => {
  const seen: string[] = [];
  const fetch = async (request: Request) => {
    seen.push(`${request.method} ${request.url}`);
    return Response.json({ chains: [] });
  };
  await createWebhooksClient({ baseUrl: "https://service.test", apiKey, fetch }).listChains();
  expect(seen).toEqual(["GET https://service.test/v1/chains"]);
});

test.each([
  ["baseUrl", { baseUrl: "service.test", apiKey }],
  ["baseUrl", { baseUrl: "https://user:hunter2@service.test", apiKey }],
  ["apiKey", { baseUrl: "https://service.test", apiKey: "line\nbreak" }],
  ["timeoutMs", { baseUrl: "https://service.test", apiKey, timeoutMs: Number.POSITIVE_INFINITY }],
  ["maxRetries", { baseUrl: "https://service.test", apiKey, maxRetries: -1 }],
])("refuses a wrong %s when it is made, without repeating it", (name, options) => {
  expect(() => createWebhooksClient(options)).toThrow(new RegExp(`^${name} must`));
  expect(() => createWebhooksClient(options)).not.toThrow(/hunter2|break/);
});

/** A test of your own against the mock: what your code creates, what it does when the API fails, and what your endpoint receives. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createWebhooksClient } from "chain-webhooks/client";
import { createFetchReceiver } from "chain-webhooks/receiver";
import { type Mock, startMock } from "chain-webhooks-tools/mock";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";

let mock: Mock;
beforeAll(async () => {
  mock = await startMock();
});
beforeEach(() => mock.control.reset());
afterAll(() => mock.stop());

const watch = (url: string) =>
  createWebhooksClient({ baseUrl: mock.url, apiKey: "any" }).createWebhook({
    body: {
      url,
      chainId: "43114",
      eventType: "address_activity",
      metadata: { addresses: ["0x57f1887a8bf19b14fc0df6fd9b2acc9af147ea85"] },
    },
  });

test("a busy API is asked again", async () => {
  mock.control.fail({ status: 503, retryAfter: 0, count: 2 });
  const { id } = await watch("https://hooks.invalid.example.com/");
  expect(mock.webhooks().map((webhook) => webhook.id)).toEqual([id]);
});

test("each notification is handled once, and a forged one never", async () => {
  const handled = new Set<string>();
  const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
  const receive = createFetchReceiver({ secret, onNotification: ({ messageId }) => void handled.add(messageId) });
  const endpoint = createServer(async (request, response) => {
    const body = await new Response(request as unknown as ReadableStream).text();
    const headers = request.headers as Record<string, string>;
    const answer = await receive(new Request("http://localhost/", { method: "POST", headers, body }));
    response.writeHead(answer.status).end(await answer.text());
  }).listen(0, "127.0.0.1");
  await once(endpoint, "listening");
  await watch(`http://127.0.0.1:${(endpoint.address() as AddressInfo).port}/`);
  const [sent] = await mock.control.send({ duplicated: true });
  const [forged] = await mock.control.send({ wronglySigned: true });
  endpoint.close();
  expect(handled).toContain(sent?.messageId);
  expect(forged?.answer?.responseStatus).toBe(400);
  expect(handled).not.toContain(forged?.messageId);
});

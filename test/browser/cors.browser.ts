/** A page on another port calls the mock, and the service where its operator allows it, in a real browser. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createHttpServer } from "../../server/servers.ts";
import { type Api, newWebhook, startApi } from "../support/api.ts";
import { type Mock, startMock } from "../support/mock.ts";
import { openBrowser } from "./browser.ts";

let browser: Browser;
let page: Page;
let origin: string;
let closed: Api;
let open: Api;
let mock: Mock;
const frontEnd = createHttpServer((_request, response) =>
  response.setHeader("content-type", "text/html").end("<p>ours"),
);

beforeAll(async () => {
  await new Promise<void>((resolve) => frontEnd.listen(0, "127.0.0.1", resolve));
  const address = frontEnd.address();
  origin = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
  [browser, closed, open, mock] = await Promise.all([
    openBrowser(),
    startApi(),
    startApi({ corsOrigins: [origin] }),
    startMock(),
  ]);
  page = await (await browser.newContext()).newPage();
  await page.goto(origin);
});
afterAll(async () => {
  await browser.close();
  frontEnd.close();
  await Promise.all([closed.close(), open.close(), mock.close()]);
});

/** What a page reads of an answer; "blocked" where its browser lets it read none. */
const ask = (url: string, method: string, key: string, body?: unknown) =>
  page.evaluate(
    async ([url, method, key, body]) => {
      const headers: Record<string, string> = { "x-service-api-key": key, "idempotency-key": crypto.randomUUID() };
      if (body) headers["content-type"] = "application/json";
      try {
        const answer = await fetch(url, { method, headers, ...(body && { body }) });
        const read = Object.fromEntries(
          ["location", "x-request-id", "retry-after"].map((name) => [name, answer.headers.get(name)]),
        );
        return { status: answer.status, body: await answer.json(), ...read };
      } catch {
        return "blocked";
      }
    },
    [url, method, key, body === undefined ? "" : JSON.stringify(body)] as const,
  );

test("the mock: create, change, delete, and its control", async () => {
  const created = await ask(`${mock.url}/v1/webhooks`, "POST", "any", newWebhook());
  expect(created).toMatchObject({ status: 201, location: expect.stringMatching(/^\/v1\/webhooks\//) });
  const [webhook] = mock.webhooks();
  const url = `${mock.url}/v1/webhooks/${webhook?.id}`;
  expect(await ask(url, "PATCH", "any", { name: "From a page" })).toMatchObject({ body: { name: "From a page" } });
  expect(await ask(`${mock.url}/_mock/failures`, "POST", "", { status: 503, retryAfter: 7 })).toMatchObject({
    status: 200,
  });
  expect(await ask(url, "GET", "any")).toMatchObject({ status: 503, "retry-after": "7" });
  expect(await ask(url, "DELETE", "any")).toMatchObject({ status: 200 });
  expect(await ask(url, "GET", "any")).toMatchObject({ status: 404 });
  expect(await ask(url, "GET", "")).toMatchObject({ status: 401 });
});

test("the service: only where CORS_ORIGINS has the page's origin, errors included", async () => {
  const created = await ask(`${open.url}/v1/webhooks`, "POST", open.keys.both, newWebhook());
  expect(created).toMatchObject({ status: 201, "x-request-id": expect.any(String) });
  expect(await ask(`${open.url}/v1/webhooks`, "GET", "wrong")).toMatchObject({
    status: 401,
    body: { statusCode: 401 },
  });
  expect(await ask(`${closed.url}/v1/webhooks`, "GET", closed.keys.both)).toBe("blocked");
});

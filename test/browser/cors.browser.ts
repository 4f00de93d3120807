/** A page on another port calls the mock, and the service where its operator allows it, in a real browser. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createHttpServer } from "../../server/base/servers.ts";
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
    openBrowser(["--host-resolver-rules=MAP evil.test 127.0.0.1"]),
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

test("the mock: a reset is seen by the page, over a kept connection, too", async () => {
  const url = `${mock.url}/v1/webhooks`;
  for (const method of ["GET", "POST", "GET"]) {
    const body = method === "POST" ? newWebhook() : undefined;
    expect(await ask(url, "GET", "any")).toMatchObject({ status: 200 });
    mock.control.fail({ reset: true });
    expect(await ask(url, method, "any", body)).toBe("blocked");
    expect(await ask(url, method, "any", body)).toMatchObject({ status: method === "POST" ? 201 : 200 });
  }
});

test("a hostile page can make the mock do nothing, and read nothing: by fetch, form, image, or a name that leads to it", async () => {
  // The policy of the mock's own documents would stop the page before the mock does.
  const hostile = await (await browser.newContext({ bypassCSP: true })).newPage();
  const received: string[] = [];
  const patience = { timeout: 60_000 };
  let resets = 0;
  const endpoint = createHttpServer((request, response) => {
    received.push(request.url ?? "");
    response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => endpoint.listen(0, "127.0.0.1", resolve));
  const at = endpoint.address();
  await ask(
    `${mock.url}/v1/webhooks`,
    "POST",
    "any",
    newWebhook({ url: `http://127.0.0.1:${typeof at === "object" ? at?.port : ""}/hook` }),
  );
  await expect.poll(() => received, patience).toEqual(["/hook"]);
  const { port } = new URL(mock.url);
  // The page of another site; then one whose name leads to the mock itself.
  for (const from of [origin.replace("127.0.0.1", "evil.test"), `http://evil.test:${port}/openapi.json`]) {
    await hostile.goto(from);
    const mocks = [mock.url, `http://evil.test:${port}`];
    const read = await hostile.evaluate(async (mocks) => {
      const tried: unknown[] = [];
      for (const mock of mocks) {
        const simple = { method: "POST", body: "{}" };
        const json = { ...simple, headers: { "content-type": "application/json" } };
        for (const [path, init] of [
          ["/_mock/sent", {}],
          ["/_mock/sent", { mode: "no-cors" }],
          ["/_mock/notifications", simple],
          ["/_mock/notifications", { ...simple, mode: "no-cors" }],
          ["/_mock/notifications", json],
          ["/v1/webhooks", { headers: { "x-service-api-key": "any" } }],
          ["/_mock/reset", { ...simple, mode: "no-cors" }],
        ] as [string, RequestInit][])
          tried.push(
            await fetch(mock + path, init).then(
              async (answer) => answer.ok && (await answer.text()),
              () => false,
            ),
          );
        navigator.sendBeacon(`${mock}/_mock/reset`);
        await new Promise((resolve) => {
          const image = new Image();
          image.onload = image.onerror = resolve;
          image.src = `${mock}/_mock/sent`;
        });
        const frame = Object.assign(document.createElement("iframe"), { name: "frame" });
        const form = Object.assign(document.createElement("form"), {
          ...{ method: "POST", enctype: "text/plain", target: "frame", action: `${mock}/_mock/reset` },
        });
        document.documentElement.append(frame, form);
        form.submit();
      }
      return tried;
    }, mocks);
    expect(read).toEqual(Array(14).fill(false));
    // What was sent without reading an answer has arrived, too: by fetch, as a beacon, and as a form, at two names.
    resets += 6;
    await expect
      .poll(() => mock.said.filter((line) => line === "POST /_mock/reset 403"), patience)
      .toHaveLength(resets);
  }
  expect(received).toEqual(["/hook"]);
  expect(mock.webhooks().map(({ url }) => url)).toContain(
    `http://127.0.0.1:${typeof at === "object" ? at?.port : ""}/hook`,
  );
  endpoint.close();
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

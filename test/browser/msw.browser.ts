/** A page with Mock Service Worker: its client calls an address where nothing listens, and a running mock answers. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { listen } from "../client/http-server.ts";
import { bundleFor } from "../support/bundle.ts";
import { startMock } from "../support/mock.ts";
import { installMsw, mswProject } from "../support/msw-project.ts";
import { openBrowser } from "./browser.ts";

const entry = `
import { mswHandlers } from "chain-webhooks/msw";
import { bypass, http } from "msw";
import { setupWorker } from "msw/browser";
export { createWebhooksClient } from "chain-webhooks/client";
export const start = (options) =>
  setupWorker(...mswHandlers({ http, bypass }, options)).start({ quiet: true, onUnhandledRequest: "bypass" });
`;

test("what the page creates is remembered, refused and failed as by the mock", async () => {
  const [browser, mock] = await Promise.all([openBrowser(), startMock(), installMsw()]);
  onTestFinished(async () => {
    await browser.close();
    await mock.close();
  });
  const { code } = await bundleFor(mswProject, entry, "front");
  const worker = readFileSync(join(mswProject, "node_modules/msw/lib/mockServiceWorker.js"));
  // As a development server would: on this machine service workers need no TLS.
  const url = await listen((request, response) => {
    const isWorker = request.url === "/mockServiceWorker.js";
    response.setHeader("content-type", isWorker ? "text/javascript" : "text/html");
    response.end(isWorker ? worker : "<!doctype html><title>front end</title>");
  });
  const page = await browser.newPage();
  await page.goto(url);
  await page.addScriptTag({ content: code });
  await page.evaluate(`front.start({ baseUrl: "https://api.example.com", mockUrl: ${JSON.stringify(mock.url)} })`);
  mock.control.fail({ status: 503, retryAfter: 0, operationId: "listChains" });
  const script = `(async () => {
    const client = front.createWebhooksClient({ baseUrl: "https://api.example.com", apiKey: "any", maxRetries: 0 });
    const codeOf = (call) => call.then(() => "none", (error) => error.code + " " + error.body?.message);
    const metadata = { addresses: ["0x57f1887a8bf19b14fc0df6fd9b2acc9af147ea85"] };
    const body = { url: "https://example.com/hooks", chainId: "43114", eventType: "address_activity", metadata };
    const { id } = await client.createWebhook({ body });
    const { webhooks } = await client.listWebhooks();
    const refused = await codeOf(client.createWebhook({ body: { ...body, colour: "red" } }));
    const failed = await codeOf(client.listChains());
    const { chains } = await client.listChains();
    await client.deleteWebhook({ path: { id } });
    const gone = await codeOf(client.getWebhook({ path: { id } }));
    return { id, listed: webhooks.map((one) => one.id), refused, failed: failed.split(" ")[0], chains: chains.length, gone: gone.split(" ")[0] };
  })()`;
  const found = (await page.evaluate(script)) as { id: string; chains: number };
  expect(found).toMatchObject({
    listed: [found.id],
    refused: "bad_request colour is not a known field.",
    failed: "service_unavailable",
    gone: "not_found",
  });
  expect(found.chains).toBeGreaterThan(0);
  expect(mock.said.filter((line) => line.startsWith("POST /v1/webhooks 201"))).toHaveLength(1);
});

/** The client and the receiver of the installed package, bundled, in a real browser against the real server. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Api, startApi } from "../support/api.ts";
import { bundleFor } from "../support/bundle.ts";
import { receiverProject } from "../support/installed-package.ts";
import { openBrowser } from "./browser.ts";

let browser: Browser;
let api: Api;
let page: Page;

beforeAll(async () => {
  [browser, api] = await Promise.all([openBrowser(), startApi()]);
  const entries = ["client", "receiver"].map((entry) => `export * from "chain-webhooks/${entry}";`);
  const { code } = await bundleFor(receiverProject, entries.join("\n"), "chainWebhooks");
  // The API's own origin, as a page of an operator's would be.
  page = await (await browser.newContext({ bypassCSP: true })).newPage();
  await page.goto(`${api.url}/openapi.json`);
  await page.addScriptTag({ content: code });
});
afterAll(async () => {
  await browser.close();
  await api.close();
});

test("a webhook is created, read, listed and not found again", async () => {
  const script = `(async () => {
    const client = chainWebhooks.createWebhooksClient({ baseUrl: location.origin, apiKey: ${JSON.stringify(api.keys.both)} });
    const metadata = { addresses: ["0x57f1887a8bf19b14fc0df6fd9b2acc9af147ea85"] };
    const body = { url: "https://example.com/hooks", chainId: "43114", eventType: "address_activity", metadata };
    const { id } = await client.createWebhook({ body });
    const listed = [];
    for await (const { webhooks } of client.pages("listWebhooks")) listed.push(...webhooks.map((webhook) => webhook.id));
    await client.deleteWebhook({ path: { id } });
    const error = await client.getWebhook({ path: { id } }).catch((error) => error);
    return { listed: listed.includes(id), code: error.code, status: error.status };
  })()`;
  expect(await page.evaluate(script)).toEqual({ listed: true, code: "not_found", status: 404 });
});

test("a notification is signed, verified, and refused when it was changed", async () => {
  const script = `(async () => {
    const { value } = await (await fetch("/openapi.json")).json().then((contract) => contract.components.examples["notification.native-transfer"]);
    const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    const body = JSON.stringify(value);
    const timestamp = Math.floor(Date.now() / 1000);
    const signature = await chainWebhooks.signNotification({ id: value.messageId, timestamp, body, secret });
    const headers = { "webhook-id": value.messageId, "webhook-timestamp": String(timestamp), "webhook-signature": signature };
    const verified = await chainWebhooks.verifyNotification(body, headers, secret);
    const changed = await chainWebhooks.verifyNotification(body + " ", headers, secret).catch((error) => error.code);
    return { same: verified.messageId === value.messageId, changed };
  })()`;
  expect(await page.evaluate(script)).toEqual({ same: true, changed: "invalid_signature" });
});

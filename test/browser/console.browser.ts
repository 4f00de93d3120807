/** The docs page's console in a real browser, against the running API. */
import { readFileSync } from "node:fs";
import express from "express";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { operationTable } from "../../generated/operations.ts";
import { passOn } from "../../scripts/docs-page/pass-on.ts";
import { documents } from "../../server/http/documents.ts";
import { listen } from "../../server/http/listen.ts";
import { type Api, startApi } from "../support/api.ts";
import { type Mock, startMock } from "../support/mock.ts";
import { openBrowser } from "./browser.ts";
import { openPage, textOf, type Watched } from "./page.ts";

let browser: Browser;
let api: Api;
let watched: Watched;
let page: Page;

beforeAll(async () => {
  [browser, api] = await Promise.all([openBrowser(), startApi()]);
});
afterAll(async () => {
  await browser.close();
  await api.close();
});
beforeEach(async () => {
  watched = await openPage(browser, api.url);
  page = watched.page;
});
afterEach(() => watched.close());

const file = new URL("../../generated/docs.html", import.meta.url).href;
const contract = JSON.parse(readFileSync(new URL("../../generated/openapi.json", import.meta.url), "utf8"));
const keyField = () => page.getByLabel("API key (x-service-api-key)");
const field = (name: string) => page.locator("#try-it").getByLabel(name);
const answer = () => page.getByRole("status", { name: "Answer" });

async function openConsole(address = `${api.url}/docs`): Promise<void> {
  await page.goto(address);
  await page.getByRole("button", { name: "Try it" }).click();
}

/** Chooses an operation and sends it as it is filled in. @returns the status line */
async function send(operationId?: string): Promise<string> {
  if (operationId) await field("Operation").selectOption(operationId);
  await page.getByRole("button", { name: "Send" }).click();
  const status = answer().locator(".try-status");
  await status.waitFor();
  return textOf(status);
}

const body = async () => JSON.parse(await textOf(answer().getByLabel("Response body")));

test("a webhook is created, listed, read and deleted, each step taking the id from the first", async () => {
  await openConsole();
  await keyField().fill(api.keys.both);
  expect(await send("createWebhook")).toMatch(/^201 Created in \d+ ms$/);
  const created = await body();
  expect(created).toMatchObject({ name: "NFT transfers", status: "active" });
  const headers = await textOf(answer().getByLabel("Response headers"));
  expect(headers).toContain(`location: /v1/webhooks/${created.id}`);

  expect(await send("listWebhooks")).toMatch(/^200 OK/);
  expect((await body()).webhooks.map(({ id }: { id: string }) => id)).toContain(created.id);

  await field("Operation").selectOption("updateWebhook");
  expect(await field("id (path)").inputValue()).toBe(created.id);
  await field("Example").selectOption({ label: contract.components.examples["update-webhook.rename"].summary });
  await field("Body (JSON)").fill('{ "name": "Edited in the page" }');
  expect(await send()).toMatch(/^200 OK/);
  expect(await body()).toMatchObject({ id: created.id, name: "Edited in the page" });

  expect(await send("getWebhook")).toMatch(/^200 OK/);
  expect(await body()).toMatchObject({ id: created.id, name: "Edited in the page" });
  expect(await send("deleteWebhook")).toMatch(/^200 OK/);
  expect(await send("getWebhook")).toMatch(/^404 Not Found/);
  expect(watched.strangers).toEqual([]);
});

test("without a key, the answer is the contract's error", async () => {
  await openConsole(`${api.url}/docs#/webhooks/listwebhooks`);
  expect(await field("Operation").inputValue()).toBe("listWebhooks");
  expect(await field("Server").inputValue()).toBe(api.url);
  expect(await send()).toMatch(/^401 Unauthorized/);
  const error = await body();
  expect(Object.keys(error).sort()).toEqual(Object.keys(contract.components.schemas.ApiError.properties).sort());
  expect(error).toMatchObject({ statusCode: 401, error: "Unauthorized" });
});

test("every operation can be sent as the contract's examples fill it in", async () => {
  const mock: Mock = await startMock();
  try {
    await watched.close();
    watched = await openPage(browser, mock.url);
    page = watched.page;
    await openConsole(`${mock.url}/docs`);
    await keyField().fill("any");
    const values = (all: Element[]) => all.map((one) => (one as HTMLOptionElement).value);
    const choices = await field("Operation").locator("option").evaluateAll(values);
    expect(choices.sort()).toEqual(Object.keys(operationTable).sort());
    for (const operationId of choices) {
      const { method, path } = operationTable[operationId as keyof typeof operationTable];
      expect(await send(operationId), operationId).toMatch(/^20\d /);
      expect(await textOf(page.locator(".try-place code"))).toBe(`${method.toUpperCase()} ${path}`);
    }
    expect([watched.complaints, watched.strangers]).toEqual([[], []]);
  } finally {
    await mock.close();
  }
});

test("the key goes into the header and nowhere else, and is gone after a reload", async () => {
  const asked: { url: string; key: string | undefined }[] = [];
  page.on("request", (request) => asked.push({ url: request.url(), key: request.headers()["x-service-api-key"] }));
  await openConsole();
  await keyField().fill(api.keys.both);
  await send("listWebhooks");
  expect(asked.find(({ url }) => url === `${api.url}/v1/webhooks`)?.key).toBe(api.keys.both);
  expect(asked.filter(({ url }) => url.includes(api.keys.both))).toEqual([]);
  const kept = `JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href, history.state])`;
  expect(await page.evaluate(kept)).not.toContain(api.keys.both);
  expect(await page.evaluate("indexedDB.databases()")).toEqual([]);
  await page.reload();
  await page.getByRole("button", { name: "Try it" }).click();
  expect(await keyField().inputValue()).toBe("");
});

test("what cannot be sent is told in a sentence at the field, and not sent", async () => {
  const asked: string[] = [];
  await openConsole(`${api.url}/docs#/webhooks/createwebhook`);
  page.on("request", (request) => asked.push(request.url()));
  await field("Body (JSON)").fill("{ not json");
  await page.getByRole("button", { name: "Send" }).click();
  expect(await textOf(answer())).toMatch(/^Body is not JSON: /);
  expect(await field("Body (JSON)").getAttribute("aria-invalid")).toBe("true");
  await field("Body (JSON)").fill("{}");
  await field("Server").fill("ftp://example.com");
  await page.getByRole("button", { name: "Send" }).click();
  expect(await textOf(answer())).toMatch(/^Server must be an http or https address/);
  expect(await field("Body (JSON)").getAttribute("aria-invalid")).toBe(null);
  expect(asked).toEqual([]);
});

test("a server that may not be called from this page is told of in a sentence, and gets no request", async () => {
  await openConsole();
  await field("Server").fill("http://127.0.0.1:9");
  await field("Operation").selectOption("listChains");
  await page.getByRole("button", { name: "Send" }).click();
  await answer().getByText("No answer came from http://127.0.0.1:9 that this page may read").waitFor();
  expect(watched.strangers).toEqual([]);
});

test("from a disk the server's address is typed in, and what the browser keeps back is explained", async () => {
  await openConsole(`${file}#/chains/listchains`);
  expect(await field("Server").inputValue()).toBe(contract.servers[0].variables.base_url.default);
  await field("Server").fill(api.url);
  await page.getByRole("button", { name: "Send" }).click();
  await answer().getByText(`npm run docs -- --server ${api.url}`).waitFor();
});

test("from `npm run docs` it calls the server that requests are passed on to", async () => {
  const app = express()
    .use(await documents())
    .use("/v1", passOn(new URL(api.url)));
  const docs = await listen(app, { port: 0 });
  try {
    await watched.close();
    watched = await openPage(browser, docs.url);
    page = watched.page;
    await openConsole(`${docs.url}/docs`);
    await keyField().fill(api.keys.both);
    expect(await send("createWebhook")).toMatch(/^201 Created/);
    expect(await send("getWebhook")).toMatch(/^200 OK/);
    expect([watched.complaints, watched.strangers]).toEqual([[], []]);
  } finally {
    await docs.close();
  }
});

test("a server that stops answering is told of, and waiting can be cancelled", async () => {
  await openConsole(`${api.url}/docs#/chains/listchains`);
  await page.context().route(`${api.url}/v1/chains`, (route) => route.abort("connectionreset"));
  await page.getByRole("button", { name: "Send" }).click();
  await answer().getByText(`No answer came from ${api.url}: the server does not run`).waitFor();
  await page.context().unroute(`${api.url}/v1/chains`);
  await page.context().route(`${api.url}/v1/chains`, () => undefined);
  await page.getByRole("button", { name: "Send" }).click();
  await page.getByRole("button", { name: "Cancel" }).click();
  await answer().getByText("Cancelled before an answer came").waitFor();
  expect(await page.getByRole("button", { name: "Send" }).isEnabled()).toBe(true);
});

test("it follows the links of the page, keeps what was typed, and is worked by keyboard", async () => {
  await openConsole(`${api.url}/docs#/webhooks/createwebhook`);
  await field("Body (JSON)").fill('{ "mine": 1 }');
  await page.locator('a[href="#/webhooks/listwebhooks"]').first().click();
  await page.waitForFunction(`document.getElementById("try-it-operation").value === "listWebhooks"`);
  await page.locator('a[href="#/webhooks/createwebhook"]').first().click();
  await page.waitForFunction(`document.getElementById("try-it-operation").value === "createWebhook"`);
  expect(await field("Body (JSON)").inputValue()).toBe('{ "mine": 1 }');

  await field("Body (JSON)").press("Escape");
  const opener = page.getByRole("button", { name: "Try it" });
  expect(await opener.evaluate(() => document.activeElement?.id)).toBe("try-it-open");
  await page.keyboard.press("Enter");
  expect(await page.evaluate(() => document.activeElement?.id)).toBe("try-it-operation");
  await field("Operation").selectOption("listChains");
  await field("Server").press("Enter");
  await answer().getByText("200 OK").waitFor();
  expect(watched.complaints).toEqual([]);
});

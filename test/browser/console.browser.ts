/** The docs page's console in a real browser, against the running API. */
import { readFileSync } from "node:fs";
import express from "express";
import type { Browser } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { operationTable } from "../../generated/operations.ts";
import { passOnRequest } from "../../scripts/command/docs/pass-on.ts";
import { documents } from "../../server/api/documents.ts";
import { listen } from "../../server/api/listening/listen.ts";
import { type Api, startApi } from "../support/api.ts";
import { type StatelessMock, startStatelessMock } from "../support/mock.ts";
import { openBrowser } from "./browser.ts";
import { type Console, openConsole } from "./console.ts";
import { textOf } from "./page.ts";

let browser: Browser;
let api: Api;
let shown: Console;
const open = (address = `${api.url}/docs/reference`, origin = api.url): Promise<Console> =>
  openConsole(browser, origin, address);

beforeAll(async () => {
  [browser, api] = await Promise.all([openBrowser(), startApi()]);
});
afterEach(() => shown.close());
afterAll(async () => {
  await browser.close();
  await api.close();
});

const contract = JSON.parse(readFileSync(new URL("../../generated/openapi.json", import.meta.url), "utf8"));

test("a webhook is created, listed, read and deleted, each step taking the id from the first", async () => {
  shown = await open();
  await shown.key.fill(api.keys.both);
  expect(await shown.send("createWebhook")).toMatch(/^201 Created in \d+ ms$/);
  const created = await shown.body();
  expect(created).toMatchObject({ name: "NFT transfers", status: "active" });
  const headers = await textOf(shown.answer.getByLabel("Response headers"));
  expect(headers).toContain(`location: /v1/webhooks/${created.id}`);

  expect(await shown.send("listWebhooks")).toMatch(/^200 OK/);
  expect((await shown.body()).webhooks.map(({ id }: { id: string }) => id)).toContain(created.id);

  await shown.field("Operation").selectOption("updateWebhook");
  expect(await shown.field("id (path)").inputValue()).toBe(created.id);
  await shown.field("Example").selectOption({ label: contract.components.examples["update-webhook.rename"].summary });
  await shown.field("Body (JSON)").fill('{ "name": "Edited in the page" }');
  expect(await shown.send()).toMatch(/^200 OK/);
  expect(await shown.body()).toMatchObject({ id: created.id, name: "Edited in the page" });

  expect(await shown.send("getWebhook")).toMatch(/^200 OK/);
  expect(await shown.body()).toMatchObject({ id: created.id, name: "Edited in the page" });
  expect(await shown.send("deleteWebhook")).toMatch(/^200 OK/);
  expect(await shown.send("getWebhook")).toMatch(/^404 Not Found/);
  expect(shown.strangers).toEqual([]);
});

test("every operation can be sent as the contract's examples fill it in", async () => {
  const mock: StatelessMock = await startStatelessMock();
  try {
    // Prism prepares the contract at its first request, which takes longer than a browser waits on a busy machine.
    await fetch(`${mock.url}/v1/chains`);
    shown = await open(`${mock.url}/docs/reference`, mock.url);
    await shown.key.fill("any");
    const values = (all: Element[]) => all.map((one) => (one as HTMLOptionElement).value);
    const choices = await shown.field("Operation").locator("option").evaluateAll(values);
    expect(choices.sort()).toEqual(Object.keys(operationTable).sort());
    for (const operationId of choices) {
      const { method, path } = operationTable[operationId as keyof typeof operationTable];
      expect(await shown.send(operationId), operationId).toMatch(/^20\d /);
      expect(await textOf(shown.page.locator(".try-place code"))).toBe(`${method.toUpperCase()} ${path}`);
    }
    expect([shown.complaints, shown.strangers]).toEqual([[], []]);
  } finally {
    await mock.close();
  }
});

test("the key goes into the header and nowhere else, and is gone after a reload", async () => {
  shown = await open();
  const asked: { url: string; key: string | undefined }[] = [];
  shown.page.on("request", (request) =>
    asked.push({ url: request.url(), key: request.headers()["x-service-api-key"] }),
  );
  await shown.key.fill(api.keys.both);
  await shown.send("listWebhooks");
  expect(asked.find(({ url }) => url === `${api.url}/v1/webhooks`)?.key).toBe(api.keys.both);
  expect(asked.filter(({ url }) => url.includes(api.keys.both))).toEqual([]);
  const kept = `JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href, history.state])`;
  expect(await shown.page.evaluate(kept)).not.toContain(api.keys.both);
  expect(await shown.page.evaluate("indexedDB.databases()")).toEqual([]);
  await shown.page.reload();
  await shown.page.getByRole("button", { name: "Try it" }).click();
  expect(await shown.key.inputValue()).toBe("");
});

test("from `npm run docs` it calls the server that requests are passed on to", async () => {
  const app = express()
    .use((await documents()).router)
    .use("/v1", passOnRequest(new URL(api.url)));
  const docs = await listen(app, { port: 0 });
  try {
    shown = await open(`${docs.url}/docs/reference`, docs.url);
    await shown.key.fill(api.keys.both);
    expect(await shown.send("createWebhook")).toMatch(/^201 Created/);
    expect(await shown.send("getWebhook")).toMatch(/^200 OK/);
    expect([shown.complaints, shown.strangers]).toEqual([[], []]);
  } finally {
    await docs.close();
  }
});

test("it follows the page's links, keeps the input, and works by keyboard", async () => {
  shown = await open(`${api.url}/docs/reference#/webhooks/createwebhook`);
  await shown.field("Body (JSON)").fill('{ "mine": 1 }');
  await shown.page.locator('a[href="#/webhooks/listwebhooks"]').first().click();
  await shown.page.waitForFunction(`document.getElementById("try-it-operation").value === "listWebhooks"`);
  await shown.page.locator('a[href="#/webhooks/createwebhook"]').first().click();
  await shown.page.waitForFunction(`document.getElementById("try-it-operation").value === "createWebhook"`);
  expect(await shown.field("Body (JSON)").inputValue()).toBe('{ "mine": 1 }');

  await shown.field("Body (JSON)").press("Escape");
  const opener = shown.page.getByRole("button", { name: "Try it" });
  expect(await opener.evaluate(() => document.activeElement?.id)).toBe("try-it-open");
  await shown.page.keyboard.press("Enter");
  expect(await shown.page.evaluate(() => document.activeElement?.id)).toBe("try-it-operation");
  await shown.field("Operation").selectOption("listChains");
  await shown.field("Server").press("Enter");
  await shown.answer.getByText("200 OK").waitFor();
  expect(shown.complaints).toEqual([]);
});

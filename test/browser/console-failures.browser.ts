/** What the docs page's console reports when a request fails. */
import { readFileSync } from "node:fs";
import type { Browser } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { type Api, startApi } from "../support/api.ts";
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

const file = new URL("../../generated/docs.html", import.meta.url).href;
const contract = JSON.parse(readFileSync(new URL("../../generated/openapi.json", import.meta.url), "utf8"));

test("without a key, the answer is the contract's error", async () => {
  shown = await open(`${api.url}/docs/reference#/webhooks/listwebhooks`);
  expect(await shown.field("Operation").inputValue()).toBe("listWebhooks");
  expect(await shown.field("Server").inputValue()).toBe(api.url);
  expect(await shown.send()).toMatch(/^401 Unauthorized/);
  const error = await shown.body();
  expect(Object.keys(error).sort()).toEqual(Object.keys(contract.components.schemas.ApiError.properties).sort());
  expect(error).toMatchObject({ statusCode: 401, error: "Unauthorized" });
});

test("what cannot be sent is reported in a sentence at the field, and not sent", async () => {
  const asked: string[] = [];
  shown = await open(`${api.url}/docs/reference#/webhooks/createwebhook`);
  shown.page.on("request", (request) => asked.push(request.url()));
  await shown.field("Body (JSON)").fill("{ not json");
  await shown.press("Send");
  expect(await textOf(shown.answer)).toMatch(/^Body is not JSON: /);
  expect(await shown.field("Body (JSON)").getAttribute("aria-invalid")).toBe("true");
  await shown.field("Body (JSON)").fill("{}");
  await shown.field("Server").fill("ftp://example.com");
  await shown.press("Send");
  expect(await textOf(shown.answer)).toMatch(/^Server must be an http or https address/);
  expect(await shown.field("Body (JSON)").getAttribute("aria-invalid")).toBe(null);
  expect(asked).toEqual([]);
});

test("a server that may not be called from this page is reported in a sentence, and gets no request", async () => {
  shown = await open();
  await shown.field("Server").fill("http://127.0.0.1:9");
  await shown.field("Operation").selectOption("listChains");
  await shown.press("Send");
  await shown.answer.getByText("No answer came from http://127.0.0.1:9 that this page may read").waitFor();
  expect(shown.strangers).toEqual([]);
});

test("from a file the reader enters the server's address, and hidden headers are explained", async () => {
  shown = await open(`${file}#/chains/listchains`);
  expect(await shown.field("Server").inputValue()).toBe(contract.servers[0].variables.base_url.default);
  await shown.field("Server").fill(api.url);
  await shown.press("Send");
  await shown.answer.getByText(`npm run docs -- --server ${api.url}`).waitFor();
});

test("a server that stops answering is reported, and waiting can be cancelled", async () => {
  shown = await open(`${api.url}/docs/reference#/chains/listchains`);
  await shown.page.context().route(`${api.url}/v1/chains`, (route) => route.abort("connectionreset"));
  await shown.press("Send");
  await shown.answer.getByText(`No answer came from ${api.url}: the server does not run`).waitFor();
  await shown.page.context().unroute(`${api.url}/v1/chains`);
  await shown.page.context().route(`${api.url}/v1/chains`, () => undefined);
  await shown.press("Send");
  await shown.press("Cancel");
  await shown.answer.getByText("Cancelled before an answer came").waitFor();
  expect(await shown.page.getByRole("button", { name: "Send" }).isEnabled()).toBe(true);
});

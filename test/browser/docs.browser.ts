/** The docs page in a real browser, as the service serves it: whole, without a call elsewhere, without an error. */
import { readFileSync } from "node:fs";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { operationTable } from "../../generated/operations.ts";
import { type Api, startApi } from "../support/api.ts";
import { openBrowser } from "./browser.ts";

let browser: Browser;
let api: Api;
let page: Page;
const complaints: string[] = [];
const requested: string[] = [];

beforeAll(async () => {
  [browser, api] = await Promise.all([openBrowser(), startApi()]);
  page = await browser.newPage({ viewport: { width: 1400, height: 1000 } });
  page.setDefaultTimeout(5_000);
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("request", (request) => requested.push(request.url()));
  await page.goto(`${api.url}/docs`, { waitUntil: "networkidle" });
});
afterAll(async () => {
  await browser.close();
  await api.close();
});

type Described = { operationId?: string; summary: string; tags: string[] };
const contract = JSON.parse(readFileSync(new URL("../../generated/openapi.json", import.meta.url), "utf8"));
const items: Record<string, Described>[] = [
  ...Object.values(contract.paths),
  ...Object.values(contract.webhooks),
] as never[];
const operations = items.flatMap((item) => Object.values(item)).filter(({ operationId }) => operationId);

test("every operation, and the notification, is found by its link", async () => {
  expect(operations.map(({ operationId }) => operationId)).toEqual([...Object.keys(operationTable), "addressActivity"]);
  for (const { operationId, summary, tags } of operations) {
    const link = `#/${tags[0]}/${operationId}`.toLowerCase();
    await page.goto(`${api.url}/docs${link}`);
    await page.locator(`a[href="${link}"]`).first().waitFor({ state: "attached" });
    await page.locator("h1, h2, h3").filter({ hasText: summary }).first().waitFor();
  }
});

test("it looks like a page and tells the rules", async () => {
  await page.goto(`${api.url}/docs#/`);
  await page.getByText("An address takes part in a transaction").first().waitFor();
  await page.getByText("Reorganisations.").first().waitFor();
  const screenshot = await page.screenshot();
  expect(screenshot.length).toBeGreaterThan(40_000);
});

test("it asks nobody else for anything, and has no error", () => {
  expect(
    requested.filter((url) => !url.startsWith(api.url) && !url.startsWith("data:") && !url.startsWith("blob:")),
  ).toEqual([]);
  expect(complaints).toEqual([]);
});

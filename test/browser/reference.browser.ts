/** The reference in a real browser: in the site's frame, small, found by the site's search and by links of before, and tried on the service itself. */
import { readdir } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { describedOperations, readContract } from "../../scripts/maintain/docs-site/operations.ts";
import { siteFolder } from "../../server/api/documents.ts";
import { defaultPeriods } from "../../server/settings/periods.ts";
import { type Api, newWebhook, send, startApi } from "../support/api.ts";
import { eventually } from "../support/eventually.ts";
import { openBrowser } from "./browser.ts";
import { openPage, textOf, type Watched } from "./page.ts";

let browser: Browser;
let api: Api;
let watched: Watched;

beforeAll(async () => {
  [browser, api] = await Promise.all([openBrowser(), startApi()]);
  watched = await openPage(browser, api.url);
});
afterAll(async () => {
  await browser.close();
  await api.close();
});

const operations = describedOperations(readContract());
const ids = operations.map(({ id }) => id);

test.each(operations)("$id: a page with its request, a sample in two languages, and no error", async (operation) => {
  const { page, complaints, strangers } = watched;
  await page.goto(`${api.url}/docs/reference/${operation.id}`);
  await page.getByRole("heading", { level: 1, name: operation.summary }).waitFor();
  if (operation.path) {
    expect(await textOf(page.locator(".call"))).toBe(`${operation.method} ${operation.path}`);
    const samples = page.locator(".vp-code-group");
    await samples.locator(".language-ts").getByText(operation.id).first().waitFor();
    // A click before the page's script runs does nothing.
    await eventually(async () => {
      await samples.locator("label", { hasText: "curl" }).click();
      await samples.locator(".language-sh").getByText("$BASE_URL").first().waitFor({ timeout: 1_000 });
    });
  }
  expect([complaints, strangers]).toEqual([[], []]);
});

test("it loads less than 250 kB at first, of which each page has its part", async () => {
  for (const path of [
    "reference",
    "reference/createWebhook",
    "reference/previewWebhook",
    "reference/addressActivity",
  ]) {
    const context = await browser.newContext({ extraHTTPHeaders: { "accept-encoding": "gzip" } });
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    let loaded = 0;
    session.on("Network.loadingFinished", ({ encodedDataLength }) => {
      loaded += encodedDataLength;
    });
    await session.send("Network.enable");
    await page.goto(`${api.url}/docs/${path}`);
    await page.waitForLoadState("networkidle");
    expect(loaded, path).toBeGreaterThan(50_000);
    expect(loaded, path).toBeLessThan(250_000);
    await context.close();
  }
});

/** What readers search for, and where the first result must lead. */
const asked: [string, RegExp][] = [
  ["pause", /^\/docs\/(delivery#pause-a-webhook|reference\/updateWebhook)/],
  ["endpoint down", /^\/docs\/delivery#/],
  ["my endpoint was down", /^\/docs\/delivery#/],
  ["retry", /^\/docs\/delivery#retries$/],
  ["dead letter", /^\/docs\/delivery#retries$/],
  ["missed notification", /^\/docs\/delivery#find-what-you-missed/],
  ["backfill", /^\/docs\/past#/],
  ["start in the past", /^\/docs\/past#/],
  ["fromBlock", /^\/docs\/past#/],
  ["replay a range", /^\/docs\/delivery#replay-a-range-of-blocks/],
  ["why was this not notified", /^\/docs\/why#/],
  ["why no notification", /^\/docs\/(why|notified)#/],
  ["add a chain", /^\/docs\/chains#add-a-chain/],
  ["a node is down", /^\/docs\/chains#a-node-is-down/],
  ["rotate", /^\/docs\/(reference\/rotate(Webhook|Shared)Secret|receive|keys)#/],
  ["rotate secret", /^\/docs\/reference\/rotate(Webhook|Shared)Secret#/],
  ["reorg", /^\/docs\/reorganisations#/],
  ["removed", /^\/docs\/reorganisations#/],
  ["signature", /^\/docs\/receive#/],
  ["webhook-id", /^\/docs\/receive#what-arrives/],
  ["NFT", /^\/docs\/transfers#/],
  ["ERC-20", /^\/docs\/transfers#/],
  ["next.js", /^\/docs\/receivers#/],
  ["getting started", /^\/docs\/quick-start#/],
  ["localhost", /^\/docs\/(run|mock)#/],
  ["rate limit", /^\/docs\/limits#rate-limits/],
  ["grafana", /^\/docs\/monitoring#/],
  ["ChainWebhooksChainStopped", /^\/docs\/alerts#chainwebhookschainstopped/],
  // A setting by its name, in its own row.
  ...["PORT", "DATABASE_URL", "ALLOW_PRIVATE_TARGETS", "LEASE_SECONDS"].map((name): [string, RegExp] => [
    name,
    new RegExp(`^/docs/configuration#${name}$`),
  ]),
  ...ids.map((id): [string, RegExp] => [id, new RegExp(`^/docs/reference/${id}#`)]),
];

test("the site's search finds the right page first, guide, operation or setting", async () => {
  const { page } = watched;
  const search = await siteSearch();
  const found = asked.map(([query, place]) => ({ query, first: search(query)[0]?.id ?? "nothing", place }));
  expect(found.filter(({ first, place }) => !place.test(first))).toEqual([]);
  // The same in the page, once for each kind.
  await page.goto(`${api.url}/docs/`);
  await page.locator(".VPNavBarSearch button").first().click();
  for (const query of ["retry", "DATABASE_URL", ids[0] ?? ""]) {
    await page.locator("#localsearch-input").fill(query);
    const first = () =>
      page.locator(".results a").evaluateAll(([link]) => {
        const { pathname, hash } = new URL((link as HTMLAnchorElement | undefined)?.href ?? "none:");
        return pathname + hash;
      });
    await expect.poll(first, { message: query }).toBe(search(query)[0]?.id);
  }
  await page.locator(".results a").first().click();
  await page.waitForURL((url) => url.pathname === `/docs/reference/${ids[0]}`);
});

/** Asks the site's index as its pages do, without their waiting for the next key. */
async function siteSearch(): Promise<(query: string) => { id: string }[]> {
  const chunks = join(siteFolder, "assets/chunks");
  const [name] = (await readdir(chunks)).filter((file) => file.startsWith("@localSearchIndex"));
  const { default: json } = await import(pathToFileURL(join(chunks, name ?? "")).href);
  const ofVitePress = createRequire(createRequire(import.meta.url).resolve("vitepress/package.json"));
  const { default: MiniSearch } = await import(pathToFileURL(ofVitePress.resolve("minisearch")).href);
  const index = MiniSearch.loadJSON(json, {
    ...{ fields: ["title", "titles", "text"], storeFields: ["title", "titles"] },
    searchOptions: { fuzzy: 0.2, prefix: true, boost: { title: 4, text: 2, titles: 1 } },
  });
  return (query) => index.search(query);
}

const before: [string, string][] = [
  ["#/webhooks/listwebhooks", "/docs/reference/listWebhooks"],
  ["#/notifications/listnotifications/t=query&path=afterSequence", "/docs/reference/listNotifications"],
  ["#operation/listWebhooks", "/docs/reference/listWebhooks"],
  ["#tag/Webhooks/operation/createWebhook", "/docs/reference/createWebhook"],
  ["#/callbacks/addressactivity/request&path=event/logs[]/topic0", "/docs/reference/addressActivity"],
  ["#/section/what-is-not-seen", "/docs/reference#what-is-not-seen"],
  ["#section/Reorganisations", "/docs/reference#reorganisations"],
  ["#tag/Replays", "/docs/reference#replays"],
];

test.each(before)("a link of before, %s, leads to %s", async (hash, now) => {
  const { page } = watched;
  await page.goto("about:blank");
  await page.goto(`${api.url}/docs/reference${hash}`);
  await page.waitForURL(api.url + now);
  const anchor = new URL(api.url + now).hash;
  if (anchor) expect(await page.locator(anchor).isVisible()).toBe(true);
});

test("an operation is tried on the service, with one's own webhook chosen from a list", async () => {
  const created = await send(`${api.url}/v1/webhooks`, "POST", {
    key: api.keys.both,
    body: newWebhook({ name: "Mine" }),
  });
  expect(created.status).toBe(201);
  const own = await openPage(browser, api.url);
  const { page, complaints, strangers } = own;
  await page.goto(`${api.url}/docs/reference/updateWebhook`);
  const form = page.locator("form.try-it");
  await form.getByLabel("API key").fill(api.keys.both);
  await form.getByLabel("API key").blur();
  await form.locator("select[name=id]").getByText("Mine (active)").waitFor({ state: "attached" });
  await form.locator("select[name=id]").selectOption({ label: "Mine (active)" });
  expect(await form.locator("textarea").inputValue()).toContain('"inactive"');
  await form.getByRole("button", { name: "Send PATCH" }).click();
  await form.getByText(/^200 OK/).waitFor();
  const { id } = created.body as { id: string };
  expect(await textOf(form.locator("pre"))).toContain(id);
  const now = await send(`${api.url}/v1/webhooks/${id}`, "GET", { key: api.keys.both });
  expect(now.body).toMatchObject({ status: "inactive" });

  // The key is there on the next page of the tab, and nowhere else.
  await page.goto(`${api.url}/docs/reference/getWebhook`);
  await form.locator("select[name=id]").getByText("Mine (inactive)").waitFor({ state: "attached" });
  const kept = await page.evaluate("JSON.stringify([localStorage, document.cookie, location.href])");
  expect(kept).not.toContain(api.keys.both);
  const other = await page.context().newPage();
  await other.goto(`${api.url}/docs/reference/getWebhook`);
  expect(await other.getByLabel("API key").inputValue()).toBe("");
  // A key that is refused is named where one looks.
  await other.getByLabel("API key").fill("wrong");
  await other.getByLabel("API key").blur();
  await other.getByText("Your webhooks could not be listed:").waitFor();
  expect(strangers).toEqual([]);
  expect(complaints.filter((line) => !line.includes("401"))).toEqual([]);
  await own.close();
});

test("an operation is tried by keyboard, and what a browser would send as something else is not sent", async () => {
  const own = await openPage(browser, api.url);
  const { page } = own;
  const sent: string[] = [];
  page.on("request", (request) => request.url().includes("/v1/") && sent.push(`${request.method()} ${request.url()}`));
  await page.goto(`${api.url}/docs/reference/deleteWebhook`);
  const form = page.locator("form.try-it");
  const tried = async (key: string, id: string) => {
    await form.getByLabel("API key").fill(key);
    await form.locator("[name=id]").fill(id);
    await page.keyboard.press("Enter");
  };
  await tried("ключ", "any");
  await form.getByText(/x-service-api-key must not contain к/).waitFor();
  for (const step of [".", ".."]) {
    await tried("any", step);
    await form.getByText(`id must not be ${step}: `).waitFor();
  }
  expect(sent.filter((line) => !/GET .*\/v1\/webhooks\?/.test(line))).toEqual([]);
  await tried("any", `"><img src=x onerror=alert(1)>`);
  await form.getByText(/^401 /).waitFor();
  await form.getByRole("button", { name: "Send DELETE" }).focus();
  await page.keyboard.press("Enter");
  await expect.poll(() => sent.filter((line) => line.startsWith("DELETE")).length).toBe(2);
  await form.getByText(/^401 /).waitFor();
  expect(await page.evaluate("document.activeElement.textContent")).toContain("Send DELETE");
  await own.close();
});

test("another account's key brings its own webhooks, and chooses none of those before", async () => {
  const names = new Map([
    [api.keys.both, "Ours"],
    [api.keys.stranger, "Theirs"],
  ]);
  for (const [key, name] of names) await send(`${api.url}/v1/webhooks`, "POST", { key, body: newWebhook({ name }) });
  const own = await openPage(browser, api.url);
  await own.page.goto(`${api.url}/docs/reference/getWebhook`);
  const form = own.page.locator("form.try-it");
  for (const [key, name] of [...names, ...names]) {
    await form.getByLabel("API key").fill(key);
    await form.getByLabel("API key").blur();
    await form.locator("select[name=id]").getByText(`${name} (active)`).waitFor({ state: "attached" });
    await expect.poll(() => form.locator("select[name=id]").inputValue()).toMatch(/^[0-9a-f-]{36}$/);
  }
  await own.close();
});

test("it is in the frame of the site, as light or dark as was chosen there, with a way back", async () => {
  const { page, close, complaints } = await openPage(browser, api.url);
  await page.goto(`${api.url}/docs/quick-start`);
  await page.locator(".VPNavBar").getByRole("switch").first().click();
  await page.getByRole("banner").getByRole("link", { name: "API reference" }).first().click();
  await page.waitForURL(/\/docs\/reference$/);
  await page.getByRole("heading", { level: 1, name: "API reference" }).waitFor();
  expect(await page.getByRole("banner").count()).toBe(1);
  const paper = await page.locator("body").evaluate((each) => getComputedStyle(each).backgroundColor);
  expect(Math.max(...(paper.match(/\d+/g) ?? []).slice(0, 3).map(Number))).toBeLessThan(64);
  // The menu has each operation, and the way back.
  const menu = page.locator(".VPSidebar");
  for (const { id, summary } of operations)
    expect(await menu.getByRole("link", { name: summary, exact: true }).getAttribute("href")).toBe(
      `/docs/reference/${id}`,
    );
  await menu.getByRole("link", { name: "Guides" }).click();
  await page.waitForURL(/\/docs\/quick-start$/);
  await page.goBack();
  await page.getByRole("banner").getByRole("link", { name: "Chain Webhooks" }).click();
  await page.waitForURL(/\/docs\/$/);
  expect(complaints).toEqual([]);
  await close();
});

test("what is not seen is a table of the overview", async () => {
  const { page } = watched;
  await page.goto(`${api.url}/docs/reference#what-is-not-seen`);
  const rows = await page
    .locator("#what-is-not-seen ~ table tr")
    .evaluateAll((all) => all.map((row) => [...row.children].map(({ textContent }) => textContent)));
  expect(rows[0]).toEqual(["not seen", "seen instead"]);
  for (const words of ["Native coin", "EIP-4895", "fee recipient", "EIP-7702", "not indexed"])
    expect(
      rows.some(([what]) => what?.includes(words)),
      words,
    ).toBe(true);
});

test("an operation is printed without the bars around it", async () => {
  const { page } = watched;
  await page.goto(`${api.url}/docs/reference/createWebhook`);
  await page.emulateMedia({ media: "print" });
  expect(await page.getByRole("heading", { level: 1 }).isVisible()).toBe(true);
  for (const around of [".VPNav", ".VPSidebar", ".VPDoc .aside", "form.try-it"])
    expect(await page.locator(around).first().isVisible(), around).toBe(false);
  await page.emulateMedia({ media: null });
});

test("it names the operator's periods: as it is opened, and as one goes on to it from another page", async () => {
  const other = await startApi({ periods: { ...defaultPeriods, timeoutMs: 3_000 } });
  const shown = await openPage(browser, other.url);
  const sentence = shown.page.getByText("Any 2xx answer within 3 seconds accepts it").first();
  await shown.page.goto(`${other.url}/docs/reference`);
  await sentence.waitFor();
  await shown.page.goto(`${other.url}/docs/quick-start`);
  await shown.page.getByRole("banner").getByRole("link", { name: "API reference" }).first().click();
  await sentence.waitFor();
  expect([shown.complaints, shown.strangers]).toEqual([[], []]);
  await shown.close();
  await other.close();
});

test("it sends no request elsewhere and logs no error", () => {
  expect(watched.strangers).toEqual([]);
  expect(watched.complaints).toEqual([]);
});

/** The site of the guides in a real browser: every page whole, on a desk and on a phone, with search, and without a call elsewhere. */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { groups, home } from "../../docs/.vitepress/pages.ts";
import { type Api, startApi } from "../support/api.ts";
import { openBrowser } from "./browser.ts";
import { openPage, type Watched } from "./page.ts";

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

const paths = [home, ...groups.flatMap(({ pages }) => pages)].map(({ name }) => (name === "index" ? "" : name));
const fragments = new Map<string, Set<string>>();
const links = new Set<string>();

test.each(paths)("/docs/%s is a page with a heading, an outline and no error", async (path) => {
  const { page, complaints, strangers } = watched;
  await page.goto(`${api.url}/docs/${path}`);
  await page.locator("main h1").waitFor();
  // The scripts have taken over when the theme's switch reacts.
  await page.locator(".VPNavBarSearch button").first().waitFor();
  expect(await page.title()).toMatch(/Chain Webhooks/);
  const found = await page
    .locator("main a[href], aside a[href]")
    .evaluateAll((all) => all.map((each) => (each as HTMLAnchorElement).href));
  for (const link of found) links.add(link);
  const ids = await page.locator("main [id]").evaluateAll((all) => all.map(({ id }) => id));
  fragments.set(`/docs/${path}`, new Set(ids));
  const images = await page
    .locator("main img")
    .evaluateAll((all) => all.map((each) => (each as HTMLImageElement).naturalWidth));
  expect(images.filter((width) => width === 0)).toEqual([]);
  expect([complaints, strangers]).toEqual([[], []]);
});

test("no link of the site is broken", async () => {
  const own = [...links].filter((link) => link.startsWith(api.url));
  expect(own.length).toBeGreaterThan(100);
  for (const link of own) {
    const { pathname, hash } = new URL(link);
    const ids = fragments.get(pathname);
    if (ids && hash) expect([...ids], link).toContain(decodeURIComponent(hash.slice(1)));
    if (!ids) expect((await fetch(link)).status, link).toBe(200);
  }
  for (const link of links) expect(link).toMatch(/^https?:/);
});

test("the first screen says what it is, shows the picture and the first command", async () => {
  const { page } = watched;
  await page.goto(`${api.url}/docs/`);
  const picture = await page.locator("main .live-picture").boundingBox();
  expect(picture?.y).toBeLessThan(600);
  await page.getByText("npm ci && npm run demo").waitFor();
});

test("the search finds a page by a word in it", async () => {
  const { page, complaints, strangers } = watched;
  await page.goto(`${api.url}/docs/`);
  await page.locator(".VPNavBarSearch button").first().click();
  await page.locator("#localsearch-input").fill("uselibpqcompat");
  await page.locator(".results a").first().click();
  await page.waitForURL(/\/docs\/tls/);
  expect([complaints, strangers]).toEqual([[], []]);
});

test("the reference is one click away", async () => {
  const { page } = watched;
  await page.goto(`${api.url}/docs/`);
  await page.getByRole("link", { name: "API reference" }).first().click();
  await page.waitForURL(/\/docs\/reference/);
  await page.getByRole("heading", { name: "What is not seen" }).first().waitFor();
});

test("it is dark where the reader's system is", async () => {
  const dark = await openPage(browser, api.url, { colorScheme: "dark" });
  await dark.page.goto(`${api.url}/docs/`);
  const paper = await dark.page.locator("body").evaluate((body) => getComputedStyle(body).backgroundColor);
  expect(Math.max(...(paper.match(/\d+/g) ?? []).slice(0, 3).map(Number))).toBeLessThan(64);
  await dark.close();
});

test("on a phone every page is as wide as the screen", async () => {
  const phone = await openPage(browser, api.url, { viewport: { width: 390, height: 800 } });
  for (const path of paths) {
    await phone.page.goto(`${api.url}/docs/${path}`);
    await phone.page.locator("main h1").waitFor();
    expect(await phone.page.evaluate("document.documentElement.scrollWidth"), path).toBe(390);
  }
  expect([phone.complaints, phone.strangers]).toEqual([[], []]);
  await phone.close();
});

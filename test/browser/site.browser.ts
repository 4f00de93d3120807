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

test("a picture is as light or dark as was chosen here, whatever the system prefers", async () => {
  const other = await openPage(browser, api.url, { colorScheme: "light" });
  const { page } = other;
  await page.goto(`${api.url}/docs/quick-start`);
  const shown = () => page.locator("main img:visible").evaluateAll((all) => all.map((each) => each.className));
  await expect.poll(shown).toEqual(["only-light"]);
  await page.locator(".VPNavBar").getByRole("switch").first().click();
  await expect.poll(shown).toEqual(["only-dark"]);
  await other.close();
});

test("no reader is told that a page is not there because its scripts are gone, as after an upgrade", async () => {
  const other = await openPage(browser, api.url);
  const { page } = other;
  await page.goto(`${api.url}/docs/run`);
  await page.locator('.VPNavBarAppearance [title*="theme"]').waitFor({ state: "attached" });
  await page.route("**/assets/quick-start*", (route) => route.fulfill({ status: 404 }));
  await page.getByRole("link", { name: "Quick start", exact: true }).first().click();
  // As it was sent: read, without scripts of its own.
  await page.getByRole("heading", { level: 1, name: "Quick start" }).waitFor();
  await page.getByRole("heading", { name: "Receive one yourself" }).waitFor();
  expect(await page.getByText("404").count()).toBe(0);
  await page.unroute("**/assets/quick-start*");
  await page.reload();
  await page.getByRole("link", { name: "API reference" }).first().click();
  await page.getByRole("heading", { level: 1, name: "API reference" }).waitFor();
  await other.close();
});

test("a setting has a link of its own", async () => {
  const { page } = watched;
  await page.goto(`${api.url}/docs/configuration#LEASE_SECONDS`);
  await expect
    .poll(() => page.locator("#LEASE_SECONDS:target").evaluate((row) => row.getBoundingClientRect().top))
    .toBeLessThan(500);
});

/**
 * Every page of the site by axe-core (https://github.com/dequelabs/axe-core), on a phone, a tablet and a desk, in light and dark: nothing is too
 * pale, unnamed, out of a keyboard's reach or wider than the screen.
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { groups, home } from "../../docs/.vitepress/pages.ts";
import { describedOperations, readContract } from "../../scripts/maintain/docs-site/operations.ts";
import { type Api, startApi } from "../support/api.ts";
import { openBrowser } from "./browser.ts";
import { openPage, type Watched } from "./page.ts";

let browser: Browser;
let api: Api;
let watched: Watched;
beforeAll(async () => {
  [browser, api] = await Promise.all([openBrowser(), startApi()]);
  // What axe adds is not the site's. Colours that fade would be examined half-way.
  watched = await openPage(browser, api.url, { bypassCSP: true, reducedMotion: "reduce" });
  await watched.page.addInitScript(readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8"));
});
afterAll(async () => {
  await browser.close();
  await api.close();
});

const guides = [home, ...groups.flatMap(({ pages }) => pages)].map(({ name }) => (name === "index" ? "" : name));
const reference = ["reference", ...describedOperations(readContract()).map(({ id }) => `reference/${id}`)];
const desk = { width: 1440, height: 900 };

/** What axe finds, in a line each. @param rules all, only that of colours, or all others: colours are the same at each width, and take longest */
async function findings(rules: "all" | "colours" | "others"): Promise<string[]> {
  const options = {
    all: {},
    colours: { runOnly: ["color-contrast"] },
    others: { rules: { "color-contrast": { enabled: false } } },
  }[rules];
  return await watched.page.evaluate(`axe.run(document, ${JSON.stringify({ ...options, resultTypes: ["violations"] })}).then(
    ({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => [id, target, failureSummary].join(" "))))`);
}

/** What is wider than its box. */
async function movedSideways(): Promise<string[]> {
  return await watched.page
    .locator("main :is(pre, table), .VPDocAsideOutline .outline-link")
    .evaluateAll((all) =>
      all
        .filter((each) => each.getClientRects().length > 0 && each.scrollWidth > each.clientWidth + 1)
        .map((each) => each.outerHTML.slice(0, 200)),
    );
}

test.each([...guides, ...reference])("/docs/%s", async (path) => {
  const { page } = watched;
  await page.setViewportSize(desk);
  await page.emulateMedia({ colorScheme: "light" });
  await page.goto(`${api.url}/docs/${path}`);
  await page.locator("main h1").first().waitFor();
  // The scripts have taken over once the theme's switch has its name.
  await page.locator('.VPNavBarAppearance [title*="theme"]').waitFor({ state: "attached" });
  await page.addStyleTag({ content: "* { transition: none !important; }" });
  expect(await findings("all"), "on a desk").toEqual([]);
  // There is room for all of it: no table or line of code, and no heading in the outline, is read by moving it sideways.
  expect(await movedSideways(), "on a desk").toEqual([]);
  await page.emulateMedia({ colorScheme: "dark" });
  await page.locator("html.dark").waitFor({ state: "attached" });
  expect(await findings("colours"), "dark").toEqual([]);
  for (const width of [768, 360]) {
    await page.setViewportSize({ width, height: 800 });
    expect(await findings("others"), `at ${width}`).toEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth"), `at ${width}`).toBe(width);
  }
  // Nothing is cut: code goes on in the next line, what is wider moves inside its own box, by keys too.
  const cut = await page.locator("main :is(pre, table, code)").evaluateAll((all) =>
    all
      .filter((each) => {
        const box = each.closest("pre, table") ?? each;
        if (box.getClientRects().length === 0) return false;
        const hasOverflow = box.scrollWidth > box.clientWidth + 1;
        const moves = getComputedStyle(box).overflowX === "auto" && (box as HTMLElement).tabIndex === 0;
        const isOutside = box.getBoundingClientRect().right > document.documentElement.clientWidth;
        return isOutside || (box.matches("pre, table") && hasOverflow && !moves);
      })
      .map((each) => each.outerHTML.slice(0, 200)),
  );
  expect(cut).toEqual([]);
});

test("a dark phone with its menu open, and the search", async () => {
  const { page } = watched;
  await page.setViewportSize({ width: 360, height: 800 });
  await page.emulateMedia({ colorScheme: "dark" });
  await page.goto(`${api.url}/docs/reference/createWebhook`);
  await page.addStyleTag({ content: "* { transition: none !important; }" });
  // Examples that are closed are read, too.
  await page.locator("main details").evaluateAll((all) => all.map((each) => each.setAttribute("open", "")));
  expect(await findings("all")).toEqual([]);
  await page.getByRole("button", { name: "Menu", exact: true }).click();
  await page.locator(".VPSidebar.open").waitFor();
  expect(await findings("all"), "menu").toEqual([]);
  await page.keyboard.press("Escape");
});

test("the button that copies covers no code", async () => {
  const { page } = watched;
  await page.setViewportSize(desk);
  await page.goto(`${api.url}/docs/quick-start`);
  const block = page.locator("main div[class*=language-]").first();
  await block.hover();
  const button = await block.locator("button.copy").boundingBox();
  const line = await block.locator("code .line").first().boundingBox();
  expect((button?.y ?? 0) + (button?.height ?? 0)).toBeLessThanOrEqual((line?.y ?? 0) + 1);
  expect(button?.height).toBeGreaterThanOrEqual(24);
});

/**
 * The home page's picture in a real browser: it shows what the service itself finds in the recorded blocks, signed and numbered, takes back what a
 * reorganisation removes, stays still for whoever wants that, works without scripts, and asks nobody.
 */
import { gzipSync } from "node:zlib";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { verifyNotification } from "../../client/receiver/index.ts";
import { knownTokens } from "../../scripts/command/mock/chain/known-tokens.ts";
import { recordedBlocks } from "../../scripts/local/recorded.ts";
import { readBlock } from "../../server/chain/read/block.ts";
import { retractionText } from "../../server/matching/event.ts";
import { messageIdOf } from "../../server/matching/message-id.ts";
import type { Watcher } from "../../server/store/webhooks/watchers.ts";
import { type Api, startApi } from "../support/api.ts";
import { assertSchema } from "../support/closed-schema.ts";
import { openBrowser } from "./browser.ts";
import { openPage } from "./page.ts";

let browser: Browser;
let api: Api;
beforeAll(async () => {
  [browser, api] = await Promise.all([openBrowser(), startApi()]);
});
afterAll(async () => {
  await browser.close();
  await api.close();
});

/** The home page when its picture can be used. */
async function openHome(options: BrowserContextOptions = {}) {
  const watched = await openPage(browser, api.url, { reducedMotion: "reduce", ...options });
  await watched.page.goto(`${api.url}/docs/`);
  await watched.page.locator(".live-picture.is-live").waitFor();
  return watched;
}

const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();

/** The numbers of the requests that are shown, the newest first. */
const sequences = async (page: Page) =>
  (await page.locator(".post .sequence").allTextContents()).map((text) => Number(text));

/** The newest request as a reader sees it. */
type Shown = { sequence: number; headers: Record<string, string>; body: string; secret: string };

/** Opens a request of the list by its number, and reads it. */
async function read(page: Page, sequence: number): Promise<Shown> {
  await page
    .locator(".post")
    .filter({ has: page.locator(`.sequence:text-is("${sequence}")`) })
    .click();
  const texts = await page.locator("dialog[open] pre").allTextContents();
  const secret = (await page.locator("dialog[open] p code").last().textContent()) ?? "";
  await press(page, "Close");
  const headers = Object.fromEntries(
    (texts[0] ?? "")
      .trim()
      .split("\n")
      .map((line) => [line.slice(0, line.indexOf(":")).trim(), line.slice(line.indexOf(":") + 1).trim()]),
  );
  // It is sent in one line.
  return { sequence, headers, body: JSON.stringify(JSON.parse(texts[1] ?? "")), secret };
}

/** What the service finds for these addresses in the whole of each recorded block: the events' texts by transaction. */
async function foundByService(addresses: readonly string[]): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  for (const { chainId, bundle } of recordedBlocks().filter((one) => one.chainId === "1")) {
    const watcher: Watcher = {
      ...{ id: "6d1bbe40-2a4b-4c0e-8f0a-5e7f5b1d2c3a", accountId: 1, shard: 0, eventSignatures: new Set<string>() },
      ...{ includeLogs: false, includeInternalTxs: false, options: { includeTransfers: true } },
    };
    const block = readBlock(bundle, chainId);
    const found = await block.match(new Map(addresses.map((one) => [one, [watcher]])), async () => knownTokens);
    for (const { event } of found.matches) {
      const one = found.events[event];
      if (one) texts.set(one.transactionHash, one.body);
    }
  }
  return texts;
}

const watchedByDefault = [
  "0xdac17f958d2ee523a2206206994597c13d831ec7",
  "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48",
  "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2",
  "0xd24400ae8bfebb18ca49be86258a3c749cf46853",
];

test("each block that joins is matched as the service matches it, and what goes out is signed and numbered without gaps", async () => {
  const home = await openHome();
  const { page } = home;
  const byService = await foundByService(watchedByDefault);
  let newest = (await sequences(page))[0] ?? 0;
  let blocks = 0;
  while (await page.getByRole("button", { name: "Next block" }).isVisible()) {
    const before = (await page.locator(".block .hash").last().textContent()) ?? "";
    await press(page, "Next block");
    await page.locator(".block").last().locator(".hash").filter({ hasNotText: before }).waitFor();
    blocks += 1;
    const own = page.locator(".block").last().locator(".transaction");
    const lit = await own.evaluateAll((all) =>
      all.map((one) => ({ hash: one.getAttribute("data-hash") ?? "", isMatch: one.classList.contains("match") })),
    );
    expect(lit.length).toBeGreaterThan(1);
    for (const { hash, isMatch } of lit) expect({ hash, isMatch }).toEqual({ hash, isMatch: byService.has(hash) });
    const sent = (await sequences(page)).filter((sequence) => sequence > newest).reverse();
    const matched = lit.filter(({ isMatch }) => isMatch);
    expect(sent).toEqual(matched.map((_, index) => newest + index + 1));
    for (const [index, sequence] of sent.entries()) {
      const { headers, body, secret } = await read(page, sequence);
      expect(headers["webhook-sequence"]).toBe(String(sequence));
      const { webhookId, messageId, event } = await verifyNotification(body, headers, secret);
      const { txHash: transactionHash, blockHash } = event.transaction;
      expect(transactionHash).toBe(matched[index]?.hash);
      expect(JSON.stringify(event)).toBe(byService.get(transactionHash));
      expect(messageId).toBe(messageIdOf({ webhookId, blockHash, transactionHash, occurrence: 0 }));
    }
    newest = sent.at(-1) ?? newest;
  }
  expect(blocks).toBeGreaterThan(4);
  await page.getByRole("button", { name: "Start again" }).waitFor();
  expect([home.complaints, home.strangers]).toEqual([[], []]);
  await home.close();
});

test("the button reorganises the chain: what was said of the block is taken back as the service takes it back, and said of the new one", async () => {
  const home = await openHome();
  const { page } = home;
  await press(page, "Next block");
  await page.locator(".block .number", { hasText: "12,244,000" }).waitFor();
  const before = await sequences(page);
  const standing = await Promise.all(
    (await page.locator(".post:not(.retraction):not(.taken-back) .sequence").allTextContents()).map(Number),
  );
  const last = await read(page, before[0] ?? 0);
  const ofBlock: Shown[] = [];
  for (const sequence of standing.toSorted((a, b) => a - b)) {
    const one = await read(page, sequence);
    if (blockOf(one) === blockOf(last)) ofBlock.push(one);
  }
  const left = blockOf(last);
  await press(page, "Reorganise the chain");
  await page.locator(".block .orphan s").last().waitFor();
  await page.locator(".post.retraction").first().waitFor();
  await expect.poll(() => sequences(page).then(([first = 0]) => first)).toBeGreaterThan(before[0] ?? 0);
  const after = (await sequences(page)).filter((sequence) => sequence > (before[0] ?? 0)).reverse();
  expect(after).toEqual(after.map((_, index) => (before[0] ?? 0) + index + 1));
  const requests: Shown[] = [];
  for (const sequence of after) requests.push(await read(page, sequence));
  const notifications = await Promise.all(
    requests.map(({ body, headers, secret }) => verifyNotification(body, headers, secret)),
  );
  for (const [index, { body }] of ofBlock.entries()) {
    const { webhookId, event } = JSON.parse(body);
    const retraction = notifications[index];
    expect(JSON.stringify(retraction?.event)).toBe(retractionText(JSON.stringify(event)));
    assertSchema("AddressActivityNotification", retraction);
    const { blockHash, txHash: transactionHash } = event.transaction;
    expect(retraction?.messageId).toBe(messageIdOf({ webhookId, blockHash, transactionHash, occurrence: 1 }));
  }
  // One transaction fell out; the others are in the new block.
  const later = notifications.slice(ofBlock.length);
  expect(later.map(({ event }) => event.removed)).toEqual(later.map(() => undefined));
  expect(later.length).toBe(ofBlock.length - 1);
  for (const { event } of later) expect(event.transaction.blockHash).not.toBe(left);
  expect([home.complaints, home.strangers]).toEqual([[], []]);
  await home.close();
});

const blockOf = ({ body }: Shown): string => JSON.parse(body).event.transaction.blockHash;

test("what is switched off is not notified from the next block on", async () => {
  const home = await openHome();
  const { page } = home;
  const before = await sequences(page);
  for (const chip of await page.locator(".chip").all()) await chip.click();
  await expect.poll(() => page.locator('.chip[aria-pressed="false"]').count()).toBe(4);
  await press(page, "Next block");
  await page.locator(".block .number", { hasText: "12,244,000" }).waitFor();
  expect(await page.locator(".block").last().locator(".match").count()).toBe(0);
  expect(await sequences(page)).toEqual(before);
  await home.close();
});

test("it plays by itself and can be paused; for whoever prefers less motion nothing moves, and a button steps", async () => {
  const moving = await openHome({ reducedMotion: "no-preference" });
  const number = (page: Page) => page.locator(".block").last().locator(".number").textContent();
  const first = await number(moving.page);
  await expect.poll(() => number(moving.page)).not.toBe(first);
  await press(moving.page, "Pause");
  await moving.page.getByRole("button", { name: "Play", exact: true }).waitFor();
  await moving.close();

  const still = await openHome();
  expect(await still.page.getByRole("button", { name: /^(Pause|Play)$/ }).count()).toBe(0);
  await press(still.page, "Next block");
  await still.page.locator(".block .number", { hasText: "12,244,000" }).waitFor();
  expect(await still.page.evaluate("document.getAnimations().length")).toBe(0);
  const moves = await still.page
    .locator(".live-picture *")
    .evaluateAll(
      (all) =>
        all.filter(
          (one) =>
            /transform/.test(getComputedStyle(one).transitionProperty) ||
            getComputedStyle(one).animationName !== "none",
        ).length,
    );
  expect(moves).toBe(0);
  await still.close();
});

test("without scripts it is a picture of the same, with a retraction in it", async () => {
  const watched = await openPage(browser, api.url, { javaScriptEnabled: false });
  const { page } = watched;
  await page.goto(`${api.url}/docs/`);
  expect(await page.locator(".block").count()).toBe(5);
  expect(await page.locator(".block .match").count()).toBeGreaterThan(2);
  expect(await page.locator(".post.retraction").count()).toBeGreaterThan(0);
  expect(await page.getByRole("button", { name: "Reorganise the chain" }).isVisible()).toBe(false);
  await page.getByText("npm ci && npm run demo").waitFor();
  await page.goto(`${api.url}/docs/reference/getWebhook`);
  // Text in this element is none to Playwright.
  await page.locator(".try-it noscript").waitFor();
  await watched.close();
});

test("all of it can be used by keyboard", async () => {
  const home = await openHome();
  const { page } = home;
  await page.getByRole("button", { name: "Reorganise the chain" }).focus();
  await page.keyboard.press("Enter");
  await page.locator(".block .orphan s").first().waitFor();
  await page.locator(".post").first().focus();
  await page.keyboard.press("Enter");
  await page.locator("dialog[open]").waitFor();
  expect(await page.evaluate("document.activeElement.textContent.trim()")).toBe("Close");
  await page.keyboard.press("Escape");
  await page
    .locator("dialog[open]")
    .waitFor({ state: "detached" })
    .catch(() => undefined);
  expect(await page.locator("dialog[open]").count()).toBe(0);
  await home.close();
});

test("the picture adds at most 100 KB to the page, compressed", async () => {
  const sizes = async (path: string) => {
    const watched = await openPage(browser, api.url, { reducedMotion: "reduce" });
    const found = new Map<string, Buffer>();
    const reading: Promise<unknown>[] = [];
    watched.page.on("response", (response) =>
      reading.push(response.body().then((body) => found.set(new URL(response.url()).pathname, body))),
    );
    await watched.page.goto(`${api.url}/docs/${path}`, { waitUntil: "networkidle" });
    if (path === "") await watched.page.locator(".live-picture.is-live").waitFor();
    await Promise.all(reading);
    await watched.close();
    return found;
  };
  const [home, other] = [await sizes(""), await sizes("quick-start")];
  const own = [...home].filter(([path]) => !other.has(path)).map(([, body]) => body);
  const raw = own.reduce((sum, body) => sum + body.length, 0);
  const gzipped = own.reduce((sum, body) => sum + gzipSync(body, { level: 6 }).length, 0);
  console.log(`The home page's own files: ${raw} bytes, ${gzipped} gzipped.`);
  expect(gzipped).toBeLessThan(100 * 1024);
});

test.each([360, 768, 1440])("at %d px nothing overflows", async (width) => {
  for (const colorScheme of ["light", "dark"] as const) {
    const home = await openHome({ viewport: { width, height: 900 }, colorScheme });
    expect(await home.page.evaluate("document.documentElement.scrollWidth")).toBe(width);
    const cut = await home.page
      .locator(".live-picture :is(.number, .hash, .orphan, .name, .address, .id, .verified, button)")
      .evaluateAll((all) =>
        all
          .filter(
            (one) =>
              one.checkVisibility() &&
              one.scrollWidth > one.clientWidth + 1 &&
              getComputedStyle(one).display !== "inline",
          )
          .map((one) => one.outerHTML.slice(0, 120)),
      );
    expect(cut).toEqual([]);
    await home.close();
  }
});

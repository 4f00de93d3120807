/** The reference in a real browser: whole, found by links, without a call elsewhere, without an error. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser, Locator } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { operationTable, requiredScopes } from "../../generated/operations.ts";
import { buildSite } from "../../scripts/maintain/docs-site/build.ts";
import { siteFolder } from "../../server/api/documents.ts";
import { defaultPeriods } from "../../server/settings/periods.ts";
import { type Api, startApi } from "../support/api.ts";
import { openBrowser } from "./browser.ts";
import { look, openPage, textOf, type Watched } from "./page.ts";

let browser: Browser;
let api: Api;
let watched: Watched;

beforeAll(async () => {
  await buildSite();
  [browser, api] = await Promise.all([openBrowser(), startApi()]);
  watched = await openPage(browser, api.url);
  await watched.page.goto(`${api.url}/docs/reference`);
});
afterAll(async () => {
  await browser.close();
  await api.close();
});

type Described = { operationId: string; summary: string; tags: string[]; parameters?: { name: string }[] };
const file = pathToFileURL(join(siteFolder, "reference.html")).href;
const contract = JSON.parse(readFileSync(new URL("../../generated/openapi.json", import.meta.url), "utf8"));
const items: Record<string, Described>[] = Object.values(contract.paths);
const operations = items.flatMap((item) => Object.values(item)).filter(({ operationId }) => operationId);
const callbacks: Described[] = Object.values<{ post: Described }>(contract.webhooks).map(({ post }) => post);
const [callback = expect.fail()] = callbacks;
const linkOf = ({ tags, operationId }: Described) => `/${tags[0]}/${operationId}`.toLowerCase();

/** Goes to where the page shows an operation. */
async function open(operation: Described): Promise<Locator> {
  const link = linkOf(operation);
  await watched.page.goto(`${api.url}/docs/reference#${link}`);
  await watched.page.locator(`a[href="#${link}"]`).first().waitFor({ state: "attached" });
  const section = watched.page.locator(`[data-section-id="${link}"]`);
  await section.getByRole("heading", { name: operation.summary }).first().waitFor();
  return section;
}

test("this test covers every operation of the contract", () => {
  expect(operations.map(({ operationId }) => operationId)).toEqual(Object.keys(operationTable));
});

test.each(operations)(
  "$operationId is found by its link, with its scopes and a sample of the client",
  async (operation) => {
    const section = await open(operation);
    const { path } = operationTable[operation.operationId as keyof typeof operationTable];
    await section.getByText(path, { exact: true }).first().waitFor();
    const scopes: readonly string[] = requiredScopes[operation.operationId as keyof typeof requiredScopes] ?? [];
    for (const scope of scopes) await section.getByText(scope, { exact: true }).first().waitFor();
    const sample = await textOf(section.getByTestId("source-code").first());
    expect(sample).toContain('from "chain-webhooks/client"');
    expect(sample).toContain(`client.${operation.operationId}(`);
  },
);

test("curl can be chosen instead, once for all operations", async () => {
  const section = await open(operations[0] ?? expect.fail());
  await section.getByText("TypeScript", { exact: true }).click();
  await watched.page.getByRole("menuitem").filter({ hasText: "curl" }).click();
  for (const operation of operations) {
    const { method, path } = operationTable[operation.operationId as keyof typeof operationTable];
    const shown = (await open(operation)).getByTestId("source-code").filter({ hasText: "curl" });
    const sample = await textOf(shown.first());
    expect(sample).toContain(method === "get" ? 'curl "$BASE_URL' : `curl -X ${method.toUpperCase()} "$BASE_URL`);
    expect(sample).toMatch(new RegExp(path.replaceAll(/\{\w+\}/g, "[0-9a-f-]{36}")));
  }
});

test.each(callbacks)("$operationId is found by its link, with its headers", async (each) => {
  const section = await open(each);
  for (const { name } of each.parameters ?? []) await section.getByText(name, { exact: true }).first().waitFor();
});

test("every field of a notification's payload is there", async () => {
  const section = await open(callback);
  const fields = fieldsBelow(contract.components.schemas.AddressActivityNotification);
  expect(fields).toEqual(expect.arrayContaining(["messageId", "event/logs[]/topic0"]));
  // Each has a link of its own, and is drawn once it is scrolled to.
  for (const field of fields) await section.locator(`a[href$="&path=${field.toLowerCase()}"]`).scrollIntoViewIfNeeded();
});

test("every example of a body can be chosen", async () => {
  const { requestBody } = contract.paths["/v1/webhooks"].post;
  const examples = Object.values<{ $ref: string }>(requestBody.content["application/json"].examples);
  const summaries = examples.map(({ $ref }) => contract.components.examples[$ref.split("/").at(-1) ?? ""].summary);
  expect(summaries.length).toBeGreaterThan(2);
  const section = await open(operations.find(({ operationId }) => operationId === "createWebhook") ?? expect.fail());
  await section.getByRole("button", { name: "Example" }).first().click();
  for (const summary of summaries) await watched.page.getByText(summary, { exact: true }).first().waitFor();
  await watched.page.keyboard.press("Escape");
});

test("what is not seen is found by its link, as a table", async () => {
  await watched.page.goto(`${api.url}/docs/reference#/section/what-is-not-seen`);
  const section = watched.page.locator('[data-section-id="/section/what-is-not-seen"]');
  await section.getByRole("heading", { name: "What is not seen" }).waitFor();
  const [header = [], ...rows] = await section
    .locator("tr")
    .evaluateAll((all) => all.map((row) => [...row.children].map(({ textContent }) => textContent)));
  expect(header).toEqual(["not seen", "seen instead"]);
  const about = [
    "Native coin",
    "another contract creates",
    "EIP-4895",
    "fee recipient",
    "EIP-7702",
    "atomic",
    "not indexed",
  ];
  expect(rows.map(([what]) => about.filter((words) => what?.includes(words)))).toEqual(about.map((words) => [words]));
  await section.getByText("below 2^160 reads as an address").waitFor();
});

type Schema = { $ref?: string; properties?: Record<string, Schema>; items?: Schema };

/** The paths of all fields of a schema, as the page writes them. */
function fieldsBelow(given: Schema, path = ""): string[] {
  const { properties = {}, items }: Schema = given.$ref
    ? contract.components.schemas[given.$ref.split("/").at(-1) ?? ""]
    : given;
  if (items) return fieldsBelow(items, `${path}[]`);
  return Object.entries(properties).flatMap(([name, schema]) => {
    const own = path === "" ? name : `${path}/${name}`;
    return [own, ...fieldsBelow(schema, own)];
  });
}

test("it is in the frame of the site, as light or dark as was chosen there", async () => {
  const { page, close, complaints } = await openPage(browser, api.url);
  await page.goto(`${api.url}/docs/`);
  await page.locator(".VPNavBar").getByRole("switch").first().click();
  await page.getByRole("link", { name: "API reference" }).first().click();
  const bar = page.getByRole("banner").filter({ hasText: "Quick start" });
  expect(await bar.boundingBox()).toMatchObject({ x: 0, y: 0, height: 64 });
  const paper = await bar.evaluate((each) => getComputedStyle(each).backgroundColor);
  expect(Math.max(...(paper.match(/\d+/g) ?? []).map(Number))).toBeLessThan(64);
  await page.getByRole("heading", { name: "Reorganisations" }).first().scrollIntoViewIfNeeded();
  expect(await bar.boundingBox()).toMatchObject({ y: 0 });
  await bar.getByRole("link", { name: "Quick start" }).click();
  await page.waitForURL(/\/docs\/quick-start$/);
  await page.goBack();
  await bar.getByRole("link", { name: "Chain Webhooks" }).click();
  await page.waitForURL(/\/docs\/$/);
  expect(complaints).toEqual([]);
  await close();
});

test("what its menu links to opens in a tab of its own, too", async () => {
  const { page } = watched;
  await page.goto(`${api.url}/docs/reference#/`);
  const link = page.getByRole("link", { name: "Reorganisations" }).first();
  const [tab] = await Promise.all([page.context().waitForEvent("page"), link.click({ modifiers: ["ControlOrMeta"] })]);
  await tab.getByRole("heading", { name: "Reorganisations" }).first().waitFor();
  expect(tab.url()).toBe(`${api.url}/docs/reference#/section/reorganisations`);
  await tab.close();
  await link.click();
  await page.waitForURL(`${api.url}/docs/reference#/section/reorganisations`);
});

test("its search finds a field", async () => {
  const { page } = watched;
  await page.goto(`${api.url}/docs/reference#/`);
  await page.getByText("Search").first().click();
  await page.getByPlaceholder("Search docs").fill("includeInternalTxs");
  await page.getByText("request fields").first().waitFor();
  await page.keyboard.press("Escape");
});

test("it is laid out as a page and states the rules", async () => {
  const { page } = watched;
  await page.goto(`${api.url}/docs/reference#/`);
  await page.getByText("An address takes part as:").first().waitFor();
  await page.getByRole("heading", { name: "Reorganisations" }).first().waitFor();
  const { width, height, colours } = await look(browser, await page.screenshot());
  expect([width, height]).toEqual([1400, 1000]);
  expect(colours).toBeGreaterThan(100);
  // biome-ignore lint/performance/useDomNodeTextContent: what is drawn is what counts, not what the scripts hold
  expect((await page.locator("body").innerText()).length).toBeGreaterThan(2_000);
});

test("it is dark where the reader's system is", async () => {
  const dark = await openPage(browser, api.url, { colorScheme: "dark" });
  await dark.page.goto(`${api.url}/docs/reference`);
  await dark.page.locator("html.dark").waitFor();
  const paper = await dark.page.locator("main").evaluate((each) => getComputedStyle(each).color);
  expect(Math.min(...(paper.match(/\d+/g) ?? []).slice(0, 3).map(Number))).toBeGreaterThan(128);
  await dark.close();
});

test("on a phone it is as wide as the screen", async () => {
  const phone = await openPage(browser, api.url, { viewport: { width: 390, height: 800 } });
  await phone.page.goto(`${api.url}/docs/reference#${linkOf(callback)}`);
  await phone.page.getByRole("heading", { name: callback.summary }).first().waitFor();
  expect(await phone.page.evaluate("document.documentElement.scrollWidth")).toBe(390);
  await phone.close();
});

test("an operation is printed without the bars around it", async () => {
  const { page } = watched;
  await open(callback);
  await page.emulateMedia({ media: "print" });
  expect(await page.getByRole("heading", { name: callback.summary }).first().isVisible()).toBe(true);
  expect(await page.getByRole("link", { name: "Quick start" }).isVisible()).toBe(false);
  expect(await page.getByText("Search").first().isVisible()).toBe(false);
  expect((await page.pdf()).length).toBeGreaterThan(10_000);
  await page.emulateMedia({ media: null });
});

test("it names the operator's periods, and works with them", async () => {
  const other = await startApi({ periods: { ...defaultPeriods, timeoutMs: 3_000 } });
  const shown = await openPage(browser, other.url);
  await shown.page.goto(`${other.url}/docs/reference`);
  await shown.page.getByText("Any 2xx answer within 3 seconds accepts it").first().waitFor();
  // A click that only its scripts react to.
  await shown.page.getByText("Webhooks", { exact: true }).first().click();
  await shown.page
    .getByText(operations[0]?.summary ?? "", { exact: true })
    .first()
    .waitFor();
  expect([shown.complaints, shown.strangers]).toEqual([[], []]);
  await shown.close();
  await other.close();
});

test("it works from a disk too", async () => {
  const local = await openPage(browser, "file:");
  await local.page.goto(`${file}#${linkOf(callback)}`);
  await local.page.getByRole("heading", { name: callback.summary }).first().waitFor();
  expect([local.complaints, local.strangers]).toEqual([[], []]);

  // Its own policy holds there, where no server sends one.
  const refused = await local.page.evaluate(
    (url) =>
      new Promise<string>((resolve) => {
        addEventListener("securitypolicyviolation", ({ blockedURI, effectiveDirective }) => {
          if (blockedURI === url) resolve(effectiveDirective);
        });
        new Image().src = url;
      }),
    "http://127.0.0.1:9/pixel.png",
  );
  expect(refused).toBe("img-src");
  expect(local.strangers).toEqual([]);
  await local.close();
});

test("it sends no request elsewhere and logs no error", () => {
  expect(watched.strangers).toEqual([]);
  expect(watched.complaints).toEqual([]);
});

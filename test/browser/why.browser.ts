/** Why a transaction was notified or not, as the docs page's console shows it: against the service on a chain, light, dark and on a phone. */

import type { Browser } from "playwright-core";
import { pad } from "viem";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { createKey } from "../../server/store/accounts/keys.ts";
import { startWorld, testChainId, type World } from "../support/service.ts";
import { openBrowser } from "./browser.ts";
import { type Console, openConsole } from "./console.ts";
import { textOf } from "./page.ts";

let browser: Browser;
let world: World;
let key: string;
let shown: Console;
beforeAll(async () => {
  [browser, world] = await Promise.all([openBrowser(), startWorld()]);
  ({ key } = await createKey(world.service.database.pool, { account: "test", scopes: ["read"] }));
});
afterEach(() => shown.close());
afterAll(async () => {
  await browser.close();
  await world.stop();
});

const origin = () => world.service.url ?? "";
const someone = pad("0x5eed", { size: 20 });

async function webhook(addresses: string[]): Promise<string> {
  const body = { url: `${world.receiver.url}/hook`, chainId: testChainId, eventType: "address_activity" as const };
  return (await world.client.createWebhook({ body: { ...body, metadata: { addresses } } })).id;
}

test.each([
  ["light", 1400],
  ["dark", 1400],
  ["light", 390],
  ["dark", 390],
] as const)("paste a transaction, see why: %s, %d pixels wide", async (colorScheme, width) => {
  const [mine, others] = [await webhook([someone]), await webhook([pad("0xbad", { size: 20 })])];
  const { transactionHash, blockNumber } = await world.wallet.send(someone, 1n);
  await world.followed(blockNumber);
  shown = await openConsole(browser, origin(), `${origin()}/docs/reference`, {
    colorScheme,
    viewport: { width, height: 900 },
  });
  await shown.key.fill(key);
  await shown.press("Why was I not notified of a transaction?");
  await shown.field("id (path)").fill(others);
  await shown.field("txHash (query)").fill(transactionHash);
  expect(await shown.send()).toMatch(/^200 OK/);
  const why = shown.answer.getByLabel("Why", { exact: true });
  expect(await textOf(why)).toContain("Not notifiednot_watched");
  expect(await textOf(why)).toContain("no watched address takes part in it");

  await shown.field("id (path)").fill(mine);
  expect(await shown.send()).toMatch(/^200 OK/);
  await why.getByText("Notified", { exact: true }).waitFor();
  expect(await textOf(why.getByRole("region", { name: "How watched addresses take part" }))).toContain(`✓to${someone}`);
  expect(await textOf(why.getByRole("region", { name: "Its notifications" }))).toMatch(
    /1notification(pending|delivered)/,
  );
  if (process.env.WHY_SCREENSHOTS)
    await shown.answer.screenshot({ path: `${process.env.WHY_SCREENSHOTS}/explain-${colorScheme}-${width}.png` });

  await shown.field("Operation").selectOption("previewWebhook");
  const preview = { chainId: testChainId, metadata: { addresses: [someone] }, txHash: transactionHash };
  await shown.field("Body (JSON)").fill(JSON.stringify(preview));
  expect(await shown.send()).toMatch(/^200 OK/);
  expect(await textOf(why)).toContain("1 of 1 transaction would be notified.");
  expect(await textOf(why)).toContain("Would be notifiedmatches");
  if (process.env.WHY_SCREENSHOTS)
    await shown.page.screenshot({ path: `${process.env.WHY_SCREENSHOTS}/preview-${colorScheme}-${width}.png` });
  // Nothing is wider than the panel, but what scrolls by itself.
  expect(
    await shown.page.evaluate(
      "document.getElementById('try-it').scrollWidth <= document.getElementById('try-it').clientWidth",
    ),
  ).toBe(true);
  expect([shown.complaints, shown.strangers]).toEqual([[], []]);
});

/** Lists walked to their end: webhooks and addresses. */
import type { OperationId } from "../../../../generated/operations.ts";
import { asArray, asObject, type Json, type JsonObject } from "../../../document/json.ts";
import type { Exchange } from "../exchange.ts";
import { idOf, itemsOf, type Probe } from "../probe.ts";

// Beyond this a list of someone's account is not walked through; ours come first.
const mostPages = 300;

/** A walk: every page, and whether it came to the end. */
type Walk = { pages: Exchange[]; ended: boolean };

/** Follows nextPageToken. It stops, and reports a finding, when a token is repeated. */
export async function walk(
  probe: Probe,
  operation: OperationId,
  {
    path = {},
    pageSize,
    query = {},
  }: { path?: Record<string, string>; pageSize: number; query?: Record<string, string> },
): Promise<Walk> {
  const pages: Exchange[] = [];
  const tokens = new Set<string>();
  let token = "";
  while (pages.length < mostPages) {
    const page = await probe.send(operation, {
      path,
      query: { ...query, pageSize, ...(token && { pageToken: token }) },
    });
    if (!probe.status(page, "status-expected", 200)) return { pages, ended: false };
    pages.push(page);
    token = String(asObject(page.json).nextPageToken ?? "");
    if (token === "") return { pages, ended: true };
    if (!probe.check(page, "pagination-ends", !tokens.has(token), "a nextPageToken that was not there before, or none"))
      return { pages, ended: false };
    tokens.add(token);
  }
  return { pages, ended: false };
}

/** Checks what holds for the pages of every list. */
export function checkPages(
  probe: Probe,
  { pages, ended }: Walk,
  { items, pageSize, wanted }: { items: (body: JsonObject) => string[]; pageSize: number; wanted: readonly string[] },
): string[] {
  const seen = new Set<string>();
  for (const page of pages) {
    const here = items(asObject(page.json));
    probe.check(
      page,
      "pagination-page-size",
      here.length <= pageSize,
      `at most ${pageSize} items`,
      `${here.length} items`,
    );
    const again = here.find((item) => seen.has(item));
    probe.check(page, "pagination-no-repeat", again === undefined, "items of no page before", `again ${again}`);
    for (const item of here) seen.add(item);
  }
  const last = pages.at(-1);
  const missing = wanted.filter((item) => !seen.has(item));
  if (last && ended)
    probe.check(
      last,
      "pagination-complete",
      missing.length === 0,
      `${wanted.length} items`,
      `no ${missing.join(", ")}`,
    );
  return [...seen];
}

/** Walks through the lists. */
export async function checkLists(probe: Probe): Promise<void> {
  await checkWebhookList(probe);
  await checkAddressList(probe);
}

async function checkWebhookList(probe: Probe): Promise<void> {
  const ids: string[] = [];
  for (let n = 0; n < 3; n += 1) {
    const record = await probe.create();
    if (record) ids.push(idOf(record));
  }
  const first = await probe.succeed("listWebhooks", { query: { pageSize: 100 } });
  // Small pages where there are few webhooks; large ones where someone's account has many.
  const pageSize = first === undefined || first.nextPageToken ? 100 : 2;
  const walked = await walk(probe, "listWebhooks", { pageSize });
  checkPages(probe, walked, {
    items: (body) => itemsOf(body, "webhooks").map(idOf),
    pageSize,
    wanted: ids,
  });
  for (const page of walked.pages) {
    const times = itemsOf(asObject(page.json), "webhooks").map(({ createdAt }) => Number(createdAt));
    const ordered = times.every((time, index) => index === 0 || time <= Number(times[index - 1]));
    probe.check(page, "list-newest-first", ordered, "createdAt descending", times.join(", "));
  }
  const bare = await probe.succeed("listWebhooks");
  const count = itemsOf(bare ?? {}, "webhooks").length;
  const page = walked.pages[0];
  if (page && bare)
    probe.check(page, "pagination-page-size", count <= 10, "at most 10 items without a pageSize", `${count} items`);
}

async function checkAddressList(probe: Probe): Promise<void> {
  const wanted = Array.from({ length: 7 }, (_, n) => `0x${"abcdef0".charAt(n).repeat(38)}0${n}`).sort();
  const record = await probe.create({ metadata: { addresses: wanted.map(shouted).toReversed() } });
  if (!record) return;
  const pageSize = 3;
  const walked = await walk(probe, "listWebhookAddresses", { path: { id: idOf(record) }, pageSize });
  const items = (body: JsonObject) => asArray(body.addresses).map(String);
  // What the case of letters is belongs to a rule of its own.
  const lower = (body: JsonObject) => items(body).map((address) => address.toLowerCase());
  const seen = checkPages(probe, walked, { items: lower, pageSize, wanted });
  for (const page of walked.pages) {
    const shown = items(asObject(page.json));
    probe.check(page, "addresses-lower-case", shown.every(isLower), "addresses in lower case", shown.join(", "));
    const { totalAddresses } = asObject(page.json);
    probe.check(page, "addresses-count-once", totalAddresses === 7, "totalAddresses: 7", `${totalAddresses}`);
  }
  const last = walked.pages.at(-1);
  const ascending = seen.every((address, index) => index === 0 || String(seen[index - 1]) < address);
  if (last) probe.check(last, "addresses-ascending", ascending, "addresses in ascending order", seen.join(", "));
  await checkCount(probe);
}

/** The record shows a thousand addresses and counts all. */
async function checkCount(probe: Probe): Promise<void> {
  const addresses: Json[] = Array.from({ length: 1001 }, (_, n) => `0x${(n + 1).toString(16).padStart(40, "0")}`);
  const created = await probe.create({ metadata: { addresses } });
  if (!created) return;
  const read = await probe.send("getWebhook", { path: { id: idOf(created) } });
  const { addressCount, metadata } = asObject(read.json);
  probe.check(
    read,
    "addresses-count-once",
    addressCount === 1001,
    "addressCount: 1001",
    `addressCount: ${addressCount}`,
  );
  const shown = asArray(asObject(metadata).addresses).length;
  probe.check(read, "addresses-count-once", shown === 1000, "the first 1,000 addresses", `${shown} addresses`);
}

// All letters in upper case have no checksum to be right or wrong.
const shouted = (address: string) => `0x${address.slice(2).toUpperCase()}`;
const isLower = (address: string) => address === address.toLowerCase();

/** A webhook's addresses: listed in pages, each once, in lower case and in order. */
import { asArray, asObject, type Json, type JsonObject } from "../../../document/json.ts";
import { idOf, newWebhook, type Probe } from "../probe.ts";
import { checkDefaultSize, checkPages, walk } from "./pages.ts";

/** Lists a webhook's addresses, in pages. */
export async function checkAddressLists(probe: Probe): Promise<void> {
  await checkPagesOfAddresses(probe);
  await checkCount(probe);
}

async function checkPagesOfAddresses(probe: Probe): Promise<void> {
  const wanted = Array.from({ length: 7 }, (_, n) => `0x${"abcdef0".charAt(n).repeat(38)}0${n}`).sort();
  // Each twice, once in upper and once in lower case.
  const addresses = [...wanted.map(shouted).toReversed(), ...wanted];
  const created = await probe.send("createWebhook", { body: newWebhook(probe.target, { metadata: { addresses } }) });
  probe.status(created, "status-expected", 201);
  if (created.status >= 300) return;
  const record = asObject(created.json);
  const { addressCount } = record;
  probe.check(created, "addresses-count-once", addressCount === 7, "addressCount: 7", `addressCount: ${addressCount}`);
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
  // With one item left, and with none.
  for (const size of [6, 7]) {
    const others = await walk(probe, "listWebhookAddresses", { path: { id: idOf(record) }, pageSize: size });
    checkPages(probe, others, { items: lower, pageSize: size, wanted });
    const [first] = others.pages;
    const token = asObject(first?.json).nextPageToken;
    if (first && size === 7) probe.check(first, "pagination-ends", !token, "no nextPageToken, since nothing follows");
  }
  await checkRemovalOfAll(probe, record, wanted);
  const last = walked.pages.at(-1);
  const ascending = seen.every((address, index) => index === 0 || String(seen[index - 1]) < address);
  if (last) probe.check(last, "addresses-ascending", ascending, "addresses in ascending order", seen.join(", "));
  await probe.succeed("deleteWebhook", { path: { id: idOf(record) } });
}

/** A webhook without an address is a webhook like any other. */
async function checkRemovalOfAll(probe: Probe, record: JsonObject, addresses: readonly string[]): Promise<void> {
  const path = { id: idOf(record) };
  const removed = await probe.send("removeWebhookAddresses", { path, body: { addresses: [...addresses] } });
  if (!probe.status(removed, "status-expected", 200)) return;
  const { status, statusReason, addressCount } = asObject(removed.json);
  const right = status === record.status && statusReason === record.statusReason && addressCount === 0;
  const came = `status ${status}, statusReason ${statusReason}, addressCount ${addressCount}`;
  const expected = `status ${record.status} as before, addressCount 0`;
  probe.check(removed, "addresses-answer-the-record", right, expected, came);
  const list = await probe.send("listWebhookAddresses", { path });
  const left = asArray(asObject(list.json).addresses).length;
  if (list.status === 200) probe.check(list, "addresses-removed", left === 0, "no addresses", `${left} addresses`);
  const added = await probe.send("addWebhookAddresses", { path, body: { addresses: [...addresses].map(shouted) } });
  const { changed } = asObject(added.json);
  if (added.status === 200)
    probe.check(
      added,
      "addresses-count-once",
      changed === addresses.length,
      `changed: ${addresses.length}`,
      `${changed}`,
    );
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
  const path = { id: idOf(created) };
  await checkDefaultSize(probe, "listWebhookAddresses", { path, items: "addresses" });
  await probe.succeed("deleteWebhook", { path });
}

// All letters in upper case have no checksum to be right or wrong.
const shouted = (address: string) => `0x${address.slice(2).toUpperCase()}`;
const isLower = (address: string) => address === address.toLowerCase();

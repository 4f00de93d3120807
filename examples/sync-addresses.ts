/**
 * Brings a webhook's addresses in line with a text file, one address a line. Run it as often as you like.
 *
 *   BASE_URL=https://… API_KEY=cwk_… npx tsx sync-addresses.ts WEBHOOK_ID addresses.txt
 */
import { readFile } from "node:fs/promises";
import { createWebhooksClient, WebhooksError } from "chain-webhooks/client";

/** A request takes up to 10,000 addresses. */
const mostPerRequest = 10_000;

const [id, file] = process.argv.slice(2);
if (!id || !file) throw new Error("Usage: sync-addresses.ts WEBHOOK_ID FILE");
const client = createWebhooksClient({ baseUrl: process.env.BASE_URL ?? "", apiKey: process.env.API_KEY ?? "" });

/** The service returns addresses in lower case. */
const lines = (await readFile(file, "utf8")).split("\n").map((line) => line.trim().toLowerCase());
const wanted = new Set(lines.filter((line) => line !== ""));
if (wanted.size === 0) throw new Error(`${file} must have at least one address.`);

const watched = new Set<string>();
for await (const page of client.pages("listWebhookAddresses", { path: { id }, query: { pageSize: 1000 } }))
  for (const address of page.addresses) watched.add(address);

function* batches(addresses: string[]): Generator<string[]> {
  for (let start = 0; start < addresses.length; start += mostPerRequest)
    yield addresses.slice(start, start + mostPerRequest);
}

const added = [...wanted].filter((address) => !watched.has(address));
const removed = [...watched].filter((address) => !wanted.has(address));
try {
  // Add first, so that the webhook is never empty in between.
  for (const addresses of batches(added)) {
    const { effectiveFromBlock } = await client.addWebhookAddresses({ path: { id }, body: { addresses } });
    console.log(`Added ${addresses.length}, notified from block ${effectiveFromBlock} on.`);
  }
  for (const addresses of batches(removed)) {
    await client.removeWebhookAddresses({ path: { id }, body: { addresses } });
    console.log(`Removed ${addresses.length}.`);
  }
  console.log(`The webhook watches ${wanted.size} addresses.`);
} catch (error) {
  if (!(error instanceof WebhooksError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

/**
 * Makes a webhook's addresses equal to those of a text file, one address a line. Run it as often as you like: it sends the difference only.
 *
 *   BASE_URL=https://… API_KEY=cwk_… npx tsx sync-addresses.ts WEBHOOK_ID addresses.txt
 */
import { readFile } from "node:fs/promises";
import { createWebhooksClient, WebhooksError } from "chain-webhooks/client";

const [id, file] = process.argv.slice(2);
if (!id || !file) throw new Error("Usage: sync-addresses.ts WEBHOOK_ID FILE");
const client = createWebhooksClient({ baseUrl: process.env.BASE_URL ?? "", apiKey: process.env.API_KEY ?? "" });

const lines = (await readFile(file, "utf8")).split("\n").map((line) => line.trim());
try {
  const addresses = lines.filter((line) => line !== "");
  const { added, removed, unchanged, effectiveFromBlock } = await client.syncAddresses(id, addresses);
  const from = effectiveFromBlock === undefined ? "" : `, from block ${effectiveFromBlock} on`;
  console.log(`Added ${added}, removed ${removed}, and left ${unchanged}${from}.`);
} catch (error) {
  if (!(error instanceof WebhooksError || error instanceof TypeError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

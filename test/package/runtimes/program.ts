/** For Bun and Deno, with the installed package: calls the service, then receives what it sends. Both start what is exported. */
import assert from "node:assert/strict";
import process from "node:process";
import { createWebhooksClient, WebhooksError } from "chain-webhooks/client";
import { createFetchReceiver } from "chain-webhooks/receiver";

const { BASE_URL = "", API_KEY = "", CHAIN_ID = "", PORT, WEBHOOK_SECRET = "" } = process.env;
const client = createWebhooksClient({ baseUrl: BASE_URL, apiKey: API_KEY });
const created = await client.createWebhook({
  body: {
    url: "https://example.com/",
    chainId: CHAIN_ID,
    eventType: "address_activity",
    metadata: { addresses: [`0x${"5".repeat(40)}`] },
  },
});
const path = { id: created.id };
assert.equal((await client.updateWebhook({ path, body: { name: "named" } })).name, "named");
const listed: string[] = [];
for await (const { webhooks } of client.pages("listWebhooks")) listed.push(...webhooks.map(({ id }) => id));
assert.ok(listed.includes(created.id));
await client.deleteWebhook({ path });
await assert.rejects(client.getWebhook({ path }), (error) => error instanceof WebhooksError && error.status === 404);
console.log("the client works");

const handled = new Set<string>();
const receive = createFetchReceiver({
  secret: WEBHOOK_SECRET,
  onNotification: ({ messageId }, { sequence }) => {
    if (!handled.has(messageId)) console.log(`${sequence} ${messageId}`);
    handled.add(messageId);
  },
});

export default { port: Number(PORT), hostname: "127.0.0.1", fetch: receive };

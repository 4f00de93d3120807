/**
 * What a stranger writes who uses every entry point: an API held to the contract, a client of it, and a receiver. The tests type-check
 * it and run it in a project of its own, against the installed package; here it is checked against the sources.
 */
import assert from "node:assert/strict";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import * as everything from "chain-webhooks";
import asyncapi from "chain-webhooks/asyncapi.json" with { type: "json" };
import { createWebhooksClient, type OperationResult, WebhooksError } from "chain-webhooks/client";
import postman from "chain-webhooks/collections/chain-webhooks.postman_collection.json" with { type: "json" };
import { createConsumer, memoryStore } from "chain-webhooks/consumer";
import transfer from "chain-webhooks/examples/notification.fungible-transfer.json" with { type: "json" };
import { mswMock } from "chain-webhooks/msw";
import openapi from "chain-webhooks/openapi.json" with { type: "json" };
import openapi30 from "chain-webhooks/openapi-3.0.json" with { type: "json" };
import closed from "chain-webhooks/openapi-closed.json" with { type: "json" };
import {
  createFetchReceiver,
  createNodeReceiver,
  NotificationError,
  signNotification,
  verifyNotification,
} from "chain-webhooks/receiver";
import notificationSchema from "chain-webhooks/schemas/notification.json" with { type: "json" };
import { fixtures, notify, testSecret } from "chain-webhooks/testing";
import type { components, paths } from "chain-webhooks/types";
import { type Mock, startMock } from "chain-webhooks-tools/mock";
import { contract, HttpError } from "chain-webhooks-tools/server";
import express, { Router } from "express";

assert.equal(everything.createWebhooksClient, createWebhooksClient);
assert.equal(everything.verifyNotification, verifyNotification);

type Chains = components["schemas"]["ChainList"];
const chains = [
  { chainId: "43114", name: "Avalanche C-Chain", traces: true },
] satisfies everything.components["schemas"]["Chain"][];
// @ts-expect-error: chainId is a decimal string.
const wrong: Chains = { chains: [{ chainId: 43114, name: "Avalanche C-Chain", traces: true }] };
assert.equal(typeof wrong.chains[0]?.chainId, "number");

const routes = Router();
routes.get("/v1/chains" satisfies keyof paths, (_request, response) => void response.json({ chains }));
routes.get("/v1/webhooks", (_request, response) => void response.json({ webhooks: "none" }));
routes.get("/v1/webhooks/:id", (request) => {
  throw new HttpError(404, `There is no webhook ${request.params.id}.`);
});
const failures: HttpError[] = [];
const app = express().use(
  await contract({
    authenticate: (key) => (key === "key" ? { scopes: ["read"] } : undefined),
    routes,
    onFailure: (failure) => void failures.push(failure),
  }),
);
const server = app.listen(0, "127.0.0.1");
await once(server, "listening");
const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

const client = createWebhooksClient({ baseUrl, apiKey: "key", maxRetries: 0 });
const listed: OperationResult<"listChains"> = await client.listChains();
assert.deepEqual(listed, { chains });
const failed = (error: unknown) => error instanceof WebhooksError && [error.code, error.status];
const id = "6d1bbe40-2a4b-4c0e-8f0a-5e7f5b1d2c3a";
assert.deepEqual(await client.getWebhook({ path: { id } }).catch(failed), ["not_found", 404]);
// An answer that is not the contract's becomes a 500, and one without a key never gets that far.
assert.deepEqual(await client.listWebhooks().catch(failed), ["internal_server_error", 500]);
assert.equal(failures.length, 1);
const stranger = createWebhooksClient({ baseUrl, apiKey: "another", maxRetries: 0 });
assert.deepEqual(await stranger.listWebhooks().catch(failed), ["unauthorized", 401]);
server.close();

const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const body = JSON.stringify(transfer.value);
const timestamp = Math.floor(Date.now() / 1000);
const headers = {
  "webhook-id": transfer.value.messageId,
  "webhook-timestamp": String(timestamp),
  "webhook-signature": await signNotification({ id: transfer.value.messageId, timestamp, body, secret }),
  "webhook-sequence": "1",
};
const { event } = await verifyNotification(body, headers, secret);
assert.equal(event.transaction.txHash, transfer.value.event.transaction.txHash);
await assert.rejects(verifyNotification(`${body} `, headers, secret), NotificationError);
const received: string[] = [];
const receive = createFetchReceiver({ secret, onNotification: ({ messageId }) => void received.push(messageId) });
assert.equal((await receive(new Request(`${baseUrl}/hooks`, { method: "POST", body, headers }))).status, 204);
assert.deepEqual(received, [transfer.value.messageId]);
const node = createServer(createNodeReceiver({ secret, onNotification: ({ messageId }) => received.push(messageId) }));
await once(node.listen(0, "127.0.0.1"), "listening");
const nodeUrl = `http://127.0.0.1:${(node.address() as AddressInfo).port}/hooks`;
assert.equal((await fetch(nodeUrl, { method: "POST", body, headers })).status, 204);
assert.equal(received.length, 2);
node.close();
const options = { secret: testSecret, onNotification: () => undefined };
for (const target of [createFetchReceiver(options), createNodeReceiver(options)])
  assert.equal((await notify(target, fixtures["native-transfer"])).status, 204);

const consumed: number[] = [];
const consumer = createConsumer({
  ...{ webhookId: transfer.value.webhookId, secret, store: memoryStore(), onRetraction: () => {} },
  client: {
    ...client,
    readFeed: async ({ query }) => {
      const notifications = query?.after === 0 ? [{ sequence: 1, payload: transfer.value as never }] : [];
      return { notifications, lastSequence: 1 };
    },
  },
  onNotification: (_, { sequence }) => consumed.push(sequence),
});
const receiveOnce = createFetchReceiver(consumer.receiver);
for (let time = 0; time < 2; time += 1)
  assert.equal((await receiveOnce(new Request(`${baseUrl}/hooks`, { method: "POST", body, headers }))).status, 204);
assert.deepEqual(consumed, [1]);

const resolvers: ((info: { request: Request }) => Promise<Response>)[] = [];
const http = { all: (_: RegExp, resolver: (typeof resolvers)[number]) => resolvers.push(resolver) };
const mocked = mswMock({ http }, { baseUrl: "https://api.example.com/", deliver: fetch });
mocked.control.fail({ status: 503, operationId: "listChains" });
const busy = await resolvers[0]?.({ request: new Request("https://api.example.com/v1/chains") });
assert.deepEqual([mocked.handlers.length, busy?.status], [1, 503]);
await mocked.stop();

// Prism is not installed along, and the error says how it is.
const mock: Mock | string = await startMock().catch((error: Error) => error.message);
if (typeof mock === "string") assert.match(mock, /^The mock needs Prism: npm install "@stoplight\/prism-cli@/);
else await mock.stop();

assert.equal(notificationSchema.title, "AddressActivityNotification");
assert.match(openapi.openapi, /^3\.1\./);
assert.equal(asyncapi.operations.addressActivity.action, "send");
assert.ok(postman.item.length > 0);
assert.match(openapi30.openapi, /^3\.0\./);
assert.equal(closed.components.schemas.Webhook.additionalProperties, false);
assert.equal("additionalProperties" in openapi.components.schemas.Webhook, false);
const yaml = readFileSync(fileURLToPath(import.meta.resolve("chain-webhooks/openapi.yaml")), "utf8");
assert.ok(yaml.startsWith(`openapi: ${openapi.openapi}\n`));
console.log("every entry point works");

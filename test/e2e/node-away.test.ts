/** While no node of a chain answers, the API serves all the same, and says so where it needs one. */
import { pino } from "pino";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createWebhooksClient, type WebhooksClient } from "../../client/index.ts";
import { type EvmNode, startEvmNode } from "../../scripts/local/evm-node.ts";
import { type Service, startService } from "../../server/service.ts";
import { createKey } from "../../server/store/accounts/keys.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { type RpcProxy, startRpcProxy } from "../support/rpc-proxy.ts";
import { testChain, testChainId, testConfig } from "../support/service.ts";

let node: EvmNode;
let proxy: RpcProxy;
let database: TestDatabase;
let service: Service;
let client: WebhooksClient;
beforeEach(async () => {
  [node, database] = await Promise.all([startEvmNode(), createTestDatabase()]);
  proxy = await startRpcProxy(node.rpcUrl);
  proxy.down = true;
  const config = testConfig(database.url, [testChain({ rpcUrl: proxy.url })], { roles: new Set(["api", "follow"]) });
  service = await startService(config, pino({ level: "silent" }));
  const { key } = await createKey(service.database.pool, { account: "test", scopes: ["read", "write"] });
  client = createWebhooksClient({ baseUrl: service.url ?? "", apiKey: key, maxRetries: 0 });
});
afterEach(async () => {
  await service.stop();
  await Promise.all([proxy.close(), node.stop(), database.drop()]);
});

const create = () =>
  client.createWebhook({
    body: {
      url: "https://example.com/hook",
      chainId: testChainId,
      eventType: "address_activity",
      metadata: { addresses: [`0x${"ab".repeat(20)}`] },
    },
  });

test("creating a webhook answers 502 until the chain's first head is known; reading works meanwhile", async () => {
  await expect(create()).rejects.toMatchObject({ status: 502 });
  expect(await client.listWebhooks()).toEqual({ webhooks: [] });
  expect((await client.listChains()).chains).toMatchObject([{ chainId: testChainId }]);
  proxy.down = false;
  await expect.poll(() => create().then(({ effectiveFromBlock }) => effectiveFromBlock, String)).toBe("1");
});

test("once a head is known, webhooks can be created without the node, and start with the next block", async () => {
  proxy.down = false;
  await expect.poll(() => create().then(({ status }) => status, String)).toBe("active");
  proxy.down = true;
  expect((await create()).effectiveFromBlock).toBe("1");
});

/** A node that has forgotten old blocks is noticed where those with which a past begins are empty: an empty block has nothing to forget. */

import { pino } from "pino";
import { expect, onTestFinished, test } from "vitest";
import { createWebhooksClient, WebhooksError } from "../../client/index.ts";
import { startEvmNode } from "../../scripts/local/evm-node.ts";
import { startService } from "../../server/service.ts";
import { createKey } from "../../server/store/accounts/keys.ts";
import { freshAddress, openChain } from "../chain/local-chain.ts";
import { createTestDatabase } from "../support/database.ts";
import { eventually } from "../support/eventually.ts";
import { startRpcProxy } from "../support/rpc-proxy.ts";
import { testChain, testChainId, testConfig } from "../support/service.ts";

test("where the first blocks are empty, later ones say what the node has", async () => {
  const [node, database] = await Promise.all([startEvmNode(), createTestDatabase()]);
  const proxy = await startRpcProxy(node.rpcUrl);
  const chain = await openChain(node.rpcUrl);
  const log = pino({ level: process.env.TEST_LOG ?? "silent" });
  const config = testConfig(database.url, [testChain({ rpcUrl: proxy.url })], { roles: new Set(["api", "follow"]) });
  const service = await startService(config, log);
  onTestFinished(async () => {
    await service.stop();
    await Promise.all([proxy.close(), node.stop(), database.drop()]);
  });
  const { key } = await createKey(service.database.pool, { account: "test", scopes: ["read", "write"] });
  const client = createWebhooksClient({ baseUrl: service.url ?? "", apiKey: key, maxRetries: 0, timeoutMs: 30_000 });
  const address = freshAddress();
  // 20 empty blocks, then every second one has a transfer, up to 80.
  await chain.mine(20);
  for (let number = 21; number <= 80; number += 2) {
    await chain.transfer(address);
    await chain.mine();
  }
  await eventually(async () => {
    const { chains } = await client.listChains();
    expect(Number(chains[0]?.followedBlock)).toBeGreaterThanOrEqual(80);
  });
  const body = { url: "https://example.com/", chainId: testChainId, eventType: "address_activity" as const };
  const said = (call: Promise<{ effectiveFromBlock: string }>) =>
    call
      .then(({ effectiveFromBlock }) => effectiveFromBlock)
      .catch((error: unknown) => (error instanceof WebhooksError ? [error.status, error.body?.message] : error));
  const create = (fromBlock: string) =>
    said(client.createWebhook({ body: { ...body, metadata: { addresses: [address] }, fromBlock } }));
  await eventually(async () => expect(await create("1")).toBe("1"));
  const hashes = new Map<string, number>();
  for (let number = 0; number <= 80; number += 1) {
    const { hash } = await chain.rpc<{ hash: string }>("eth_getBlockByNumber", [`0x${number.toString(16)}`, false]);
    hashes.set(hash, number);
  }
  proxy.answer = (call, forward) =>
    call.method === "eth_getBlockReceipts" && (hashes.get(String(call.params[0])) ?? 100) < 52
      ? { error: { code: -32000, message: "pruned history unavailable" } }
      : forward();
  const refused = [
    400,
    `fromBlock must be at least 52, the first block that the nodes of chain ${testChainId} still have.`,
  ];
  await eventually(async () => expect(await create("1")).toEqual(refused));
  await eventually(async () => expect(await create("30")).toEqual(refused));
  await eventually(async () => expect(await create("52")).toBe("52"));
  const webhook = await client.createWebhook({ body: { ...body, metadata: { addresses: [address] } } });
  const added = { addresses: [freshAddress()], fromBlock: "1" };
  const path = { id: webhook.id };
  await eventually(async () => expect(await said(client.addWebhookAddresses({ path, body: added }))).toEqual(refused));
  expect((await client.listWebhookAddresses({ path })).totalAddresses).toBe(1);
});

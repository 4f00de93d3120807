/** Previews and explanations where nodes lag, hang, lie or are away, where nobody follows, and where accounts ask a lot at the same time. */
import { pino } from "pino";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createWebhooksClient, type WebhooksClient, WebhooksError } from "../../client/index.ts";
import { type EvmNode, startEvmNode } from "../../scripts/local/evm-node.ts";
import { openWallet, type Wallet } from "../../scripts/local/wallet.ts";
import { type Service, startService } from "../../server/service.ts";
import { createKey } from "../../server/store/accounts/keys.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { eventually } from "../support/eventually.ts";
import { type RpcProxy, startRpcProxy } from "../support/rpc-proxy.ts";
import { testChain, testChainId, testConfig } from "../support/service.ts";

let node: EvmNode;
let proxies: [RpcProxy, RpcProxy];
let database: TestDatabase;
let service: Service;
let wallet: Wallet;
let client: WebhooksClient;
const log = pino({ level: process.env.TEST_LOG ?? "silent" });

beforeEach(async () => {
  [node, database] = await Promise.all([startEvmNode(), createTestDatabase()]);
  proxies = [await startRpcProxy(node.rpcUrl), await startRpcProxy(node.rpcUrl)];
  const chain = { ...testChain({ rpcUrl: proxies[0].url }), rpcUrls: proxies.map(({ url }) => url) };
  service = await startService(testConfig(database.url, [chain], { roles: new Set(["api", "follow"]) }), log);
  client = await clientOf("test");
  wallet = await openWallet(node.rpcUrl);
  await expect.poll(async () => (await client.listChains()).chains[0]?.followedBlock).toBeDefined();
});
afterEach(async () => {
  await service.stop();
  await Promise.all([...proxies.map((proxy) => proxy.close()), node.stop(), database.drop()]);
});

async function clientOf(account: string): Promise<WebhooksClient> {
  const { key } = await createKey(service.database.pool, { account, scopes: ["read", "write"] });
  return createWebhooksClient({ baseUrl: service.url ?? "", apiKey: key, maxRetries: 0, timeoutMs: 30_000 });
}

const someone = `0x${"ab".repeat(20)}` as const;
const asked = { chainId: testChainId, metadata: { addresses: [someone] } };
const preview = (txHash: string, by = client) => by.previewWebhook({ body: { ...asked, txHash } });
const refusal = (call: Promise<unknown>) =>
  call.then(
    () => "it succeeded",
    (error: unknown) => (error instanceof WebhooksError ? [error.status, error.body?.message] : error),
  );
const hangs = () => new Promise<never>(() => {});

test("a node that lags, lies or hangs is answered for by another one", async () => {
  const { transactionHash } = await wallet.send(someone, 1n);
  // On a busy machine the time of a question may be over before a node has answered.
  const isAnswered = () => eventually(async () => expect((await preview(transactionHash)).matchCount).toBe(1));
  const [first] = proxies;
  first.answer = ({ method }, forward) => (method === "eth_getTransactionByHash" ? { result: null } : forward());
  await isAnswered();
  first.answer = async ({ method }, forward) => (method === "eth_getBlockReceipts" ? { result: [] } : forward());
  await isAnswered();
  first.answer = ({ method }, forward) => (method === "eth_getTransactionByHash" ? hangs() : forward());
  await isAnswered();
});

test("without a node that answers, it is a 502 before the client gives up, except for what was recorded", async () => {
  const body = { url: "https://example.com/", eventType: "address_activity", ...asked } as const;
  const { id } = await client.createWebhook({ body });
  const { transactionHash, blockNumber } = await wallet.send(someone, 1n);
  await expect
    .poll(async () => Number((await client.listChains()).chains[0]?.followedBlock))
    .toBeGreaterThanOrEqual(Number(blockNumber));
  for (const proxy of proxies)
    proxy.answer = ({ method }, forward) => (method === "eth_getTransactionByHash" ? hangs() : forward());
  const said = `No node of chain ${testChainId} returned the block in time; try again later.`;
  expect(await refusal(preview(transactionHash))).toEqual([502, said]);
  const explained = await client.explainWebhook({ path: { id }, query: { txHash: transactionHash } });
  expect(explained).toMatchObject({ notified: true, reason: "notified", parts: [], partCount: 0 });
  expect(explained.matches).toBeUndefined();
  const txHash = `0x${"cd".repeat(32)}`;
  expect(await refusal(client.explainWebhook({ path: { id }, query: { txHash } }))).toEqual([502, said]);
});

test("another account's webhook is a 404, and its hundreds of questions do not hold up ours", async () => {
  const { transactionHash } = await wallet.send(someone, 1n);
  const body = { url: "https://example.com/", eventType: "address_activity", ...asked } as const;
  const { id } = await client.createWebhook({ body });
  const other = await clientOf("other");
  expect(await refusal(other.explainWebhook({ path: { id }, query: { txHash: transactionHash } }))).toEqual([
    404,
    `There is no webhook ${id}.`,
  ]);
  let going = true;
  let answered = 0;
  const outcomes: unknown[] = [];
  const flood = Promise.all(
    Array.from({ length: 40 }, async () => {
      while (going) {
        const outcome = await refusal(preview(transactionHash, other));
        if (outcome === "it succeeded") answered += 1;
        outcomes.push(outcome);
      }
    }),
  );
  await expect.poll(() => answered).toBeGreaterThan(10);
  // Its 32 unanswered questions would come before each of ours. By turns it has at most three of four in flight.
  const before = answered;
  for (let asked = 0; asked < 5; asked += 1) expect((await preview(transactionHash)).matchCount).toBe(1);
  const meanwhile = answered - before;
  going = false;
  await flood;
  expect(meanwhile).toBeLessThan(5 * 16);
  const tooMany = [503, "The account has too many previews and explanations in flight; try again in 5 seconds."];
  const unclaimed = [503, `No process that follows chain ${testChainId} took the question; try again in 5 seconds.`];
  for (const outcome of outcomes.filter((one) => one !== "it succeeded"))
    expect([tooMany, unclaimed]).toContainEqual(outcome);
  expect(outcomes).toContain("it succeeded");
  expect((await service.database.pool.query("SELECT FROM questions")).rowCount).toBe(0);
});

test("once a node throttles questions they come one at a time, since what it allows is also what following has", async () => {
  const firstCallOf = new Map<string, number>();
  for (const proxy of proxies)
    proxy.answer = ({ method, params }, forward) => {
      if (method !== "eth_getTransactionByHash") return forward();
      const hash = String(params[0]);
      if (firstCallOf.has(hash)) return { result: null };
      firstCallOf.set(hash, performance.now());
      return { error: { code: -32005, message: "limit exceeded" } };
    };
  let asked = 0;
  const flood = Array.from({ length: 6 }, async () => {
    while (firstCallOf.size < 3) await refusal(preview(`0x${(++asked).toString(16).padStart(64, "0")}`));
  });
  await Promise.all(flood);
  // An account has two at first.
  const times = [...firstCallOf.values()].toSorted((a, b) => a - b);
  for (const [index, at] of times.entries()) if (index > 1) expect(at - (times[index - 1] ?? 0)).toBeGreaterThan(7_000);
});

test("where no process follows the chain, it is a 503", async () => {
  const config = { roles: new Set(["api"] as const) };
  const chain = testChain({ rpcUrl: proxies[0].url });
  await service.stop();
  service = await startService(testConfig(database.url, [chain], config), log);
  client = await clientOf("test");
  const said = `No process that follows chain ${testChainId} took the question; try again in 5 seconds.`;
  expect(await refusal(preview(`0x${"cd".repeat(32)}`))).toEqual([503, said]);
});

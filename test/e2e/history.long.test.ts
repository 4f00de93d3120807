import { setTimeout as sleep } from "node:timers/promises";
import { pino } from "pino";
import { expect, onTestFinished, test } from "vitest";
import { createWebhooksClient, WebhooksError } from "../../client/index.ts";
import { startEvmNode } from "../../scripts/local/evm-node.ts";
import type { NewWebhook } from "../../server/matching/new-webhook.ts";
import { startService } from "../../server/service.ts";
import { noKeys } from "../../server/settings/keyring.ts";
import { createKey } from "../../server/store/accounts/keys.ts";
import { readChainStates } from "../../server/store/chains/chains.ts";
import { type HistoryMode, mostHistories } from "../../server/store/chains/lanes.ts";
import { inTransaction } from "../../server/store/pool.ts";
import { updateWebhook } from "../../server/store/webhooks/changes.ts";
import { createWebhook } from "../../server/store/webhooks/creation.ts";
import { getWebhook, type Webhook } from "../../server/store/webhooks/webhooks.ts";
import { soon, startChainWorld } from "../chain/chain-world.ts";
import { freshAddress, type LocalChain, loggerCode, type Mined, openChain } from "../chain/local-chain.ts";
import { standing } from "../chain/notified.ts";
import { createTestDatabase } from "../support/database.ts";
import { type RpcProxy, startRpcProxy } from "../support/rpc-proxy.ts";
import { seeded } from "../support/seeded.ts";
import { testChain, testChainId, testConfig } from "../support/service.ts";
import { startRestlessWorld } from "./restless-world.ts";

const addresses = Array.from({ length: 6 }, () => freshAddress());

/** A contract whose logs webhooks find by headers alone, and one whose logs do not count. */
const [contract, otherContract] = [freshAddress(), freshAddress()];
const [signature, otherSignature] = [`0x${"a1".repeat(32)}`, `0x${"b2".repeat(32)}`];

/** What each webhook has besides its addresses; where it says nothing of conditions, it is notified of each of their transactions. */
const kindsOfWebhooks: (Partial<NewWebhook> & { conditional?: boolean; mode?: HistoryMode })[] = [
  {},
  { addresses: [contract], eventSignatures: [signature], mode: "headers" },
  { options: { finality: "both" } },
  { includeInternalTxs: true },
  { options: { finality: { confirmations: 2 } } },
  { addresses: [], options: { anyAddress: true } },
  { options: { conditions: { field: "transaction.value", op: "gt", value: "1" } }, conditional: true },
  { options: { finality: "finalized", batch: { maxItems: 5, maxWaitMs: 0 } } },
  { options: { ordered: true }, includeLogs: true },
  { addresses: [contract], eventSignatures: [signature], options: { finality: "both" }, mode: "headers" },
  { addresses: [contract], eventSignatures: [signature], mode: "logs" },
  { addresses: [contract], eventSignatures: [signature], options: { finality: "both" }, mode: "logs" },
];

/** Larger ones by the environment: blocks, of which 150 have transactions, and webhooks, twelve of an account. */
const size = {
  blocks: Number(process.env.HISTORY_BLOCKS ?? 150),
  webhooks: Number(process.env.HISTORY_WEBHOOKS ?? 24),
};
const wholeAtMost = 1_000;
const accounts = Math.ceil(size.webhooks / 12);
const patienceMs = 300_000 + 60 * size.blocks;

/** Of a thousand calls or more a node refuses, fails or forgets one, or leaves something out of what a hash proves. */
const faults: RpcProxy["answer"][] = [
  () => ({ status: 429, text: "slow down" }),
  () => ({ status: 502, text: "" }),
  () => ({ error: { code: -32000, message: "pruned history unavailable" } }),
  () => ({ result: null }),
  async ({ method }, forward) => {
    const answer = await forward();
    if (typeof answer !== "object" || !("result" in answer)) return answer;
    if (method === "eth_getBlockReceipts") return { result: (answer.result as unknown[]).slice(1) };
    if (method !== "eth_getBlockByNumber") return answer;
    return { result: { ...(answer.result as object), logsBloom: `0x${"0".repeat(512)}` } };
  },
];

async function historyAt(chain: LocalChain, from: number) {
  const { hash } = await chain.rpc<{ hash: string }>("eth_getBlockByNumber", [`0x${(from - 1).toString(16)}`, false]);
  return { from, cursor: { number: from - 1, hash } };
}

test("webhooks with every option start at random blocks while the head is reorganised and followers are killed; a live one notices nothing", {
  timeout: 2 * patienceMs,
}, async () => {
  const idle = Math.floor(size.blocks / 150) - 1;
  const { world, random, round, settle } = await startRestlessWorld({
    ...{ seed: 31, to: addresses, blocks: 150, idle, patienceMs },
    async beside({ chain }, from, random) {
      const [to, topic] = [random(2) ? contract : otherContract, random(2) ? signature : otherSignature];
      if ((await chain.rpc("eth_getCode", [to, "latest"])) === "0x") await chain.rpc("anvil_setCode", [to, loggerCode]);
      await chain.rpc("eth_sendTransaction", [{ from, to, data: topic, gas: "0x186a0" }]);
    },
  });
  const { chain, pool } = world;
  await pool.query("INSERT INTO accounts (name) SELECT 'account ' || n FROM generate_series(2, $1::int) n", [accounts]);
  const dice = seeded(32);
  world.proxy.answer = (call, forward) =>
    (dice(Math.max(1_000, size.blocks / 10)) === 0 ? faults[dice(faults.length)]?.(call, forward) : undefined) ??
    forward();
  const live = await world.watch({ addresses });
  const webhooks: { webhook: Webhook; from: number; conditional: boolean; any: boolean; byLogs: boolean }[] = [
    { webhook: live, from: Number(live.effectiveFromBlock), conditional: false, any: false, byLogs: false },
  ];
  for (let turn = 0; turn < size.webhooks; turn += 1) {
    const { number: newest } = await soon(async () => (await world.cursor()) ?? expect.fail("no cursor"));
    const { number: head } = await chain.head();
    const { conditional = false, mode, ...wanted } = kindsOfWebhooks[turn % kindsOfWebhooks.length] ?? {};
    const most = turn % 3 === 0 ? size.blocks - 10 : Math.min(newest, head);
    // Each reads its blocks whole: of a long chain, only from its last ones.
    const least = mode ? 1 : Math.max(1, most - wholeAtMost);
    const from = least + random(most - least + 1);
    const history = { ...(await historyAt(chain, from)), ...(mode && { mode }) };
    const accountId = 1 + (turn % accounts);
    const created = world.watch({ addresses, ...wanted, history }, accountId);
    const webhook = await created.catch((error: unknown) => {
      expect(error).toMatchObject({ code: "too_many_histories" });
    });
    if (!webhook) continue;
    webhooks.push({ webhook, from, conditional, any: wanted.options?.anyAddress === true, byLogs: mode !== undefined });
    // One changes what it wants in the middle of its history. The node has no traces of a long chain's first blocks.
    const includeInternalTxs = turn % 2 === 0 && most - from <= wholeAtMost;
    if (turn % 5 === 4)
      await inTransaction(pool, (db) => updateWebhook(db, accountId, webhook.id, { includeInternalTxs })).catch(
        (error: unknown) => expect(error).toMatchObject({ code: "too_many_lanes" }),
      );
    await round(turn);
  }
  await settle();
  world.proxy.answer = (_, forward) => forward();
  const blocks: (Mined & { to: string; value: bigint; input: string })[] = [];
  const { number: last } = await chain.head();
  for (let number = 1; number <= last; number += 1) {
    const block = await chain.rpc<{
      hash: string;
      transactions: { hash: string; to: string | null; value: string; input: string }[];
    }>("eth_getBlockByNumber", [`0x${number.toString(16)}`, true]);
    for (const { hash, to, value, input } of block.transactions)
      blocks.push({ hash, blockNumber: number, blockHash: block.hash, to: to ?? "", value: BigInt(value), input });
  }
  for (const { webhook, from, conditional, any, byLogs } of webhooks) {
    const expected = blocks.filter(({ blockNumber, to, value, input }) => {
      if (blockNumber < from) return false;
      if (byLogs) return to.toLowerCase() === contract && input.startsWith(signature);
      return (any || addresses.includes(to.toLowerCase())) && (!conditional || value > 1n);
    });
    const notified = await world.notified(webhook);
    // With `both` each comes twice, in two rows of their own.
    const parts = webhook.finality === "both" ? [true, false] : [undefined];
    for (const part of parts) {
      const some = notified.filter(({ event }) => part === undefined || (event.finalized ?? false) === part);
      const stands = standing(some).map(({ hash, blockHash }) => `${blockHash} ${hash}`);
      const label = `${JSON.stringify(webhook.metadata)} ${JSON.stringify(webhook.finality)} from ${from}`;
      expect(stands, label).toEqual(expected.map(({ hash, blockHash }) => `${blockHash} ${hash}`));
    }
  }
  const { rows } = await pool.query("SELECT FROM chain_lanes WHERE history_from IS NOT NULL");
  expect(rows).toEqual([]);
});

test("a block that nodes have forgotten is refused with the first one that they have, and one that does not answer with a 502", async () => {
  const [node, database] = await Promise.all([startEvmNode(), createTestDatabase()]);
  const proxies: [RpcProxy, RpcProxy] = [await startRpcProxy(node.rpcUrl), await startRpcProxy(node.rpcUrl)];
  const chain = await openChain(node.rpcUrl);
  const config = { ...testChain({ rpcUrl: proxies[0].url }), rpcUrls: proxies.map(({ url }) => url) };
  const log = pino({ level: process.env.TEST_LOG ?? "silent" });
  const service = await startService(testConfig(database.url, [config], { roles: new Set(["api", "follow"]) }), log);
  onTestFinished(async () => {
    await service.stop();
    await Promise.all([...proxies.map((proxy) => proxy.close()), node.stop(), database.drop()]);
  });
  const { key } = await createKey(service.database.pool, { account: "test", scopes: ["read", "write"] });
  const client = createWebhooksClient({ baseUrl: service.url ?? "", apiKey: key, maxRetries: 0, timeoutMs: 30_000 });
  await chain.transfers(addresses[0] ?? "", 40);
  await soon(async () => {
    const { chains } = await client.listChains();
    expect(Number(chains[0]?.followedBlock)).toBeGreaterThanOrEqual(40);
  });
  const create = (fromBlock: string, includeInternalTxs = false) => {
    const body = { url: "https://example.com/", chainId: testChainId, eventType: "address_activity" as const };
    return client
      .createWebhook({ body: { ...body, metadata: { addresses }, fromBlock, includeInternalTxs } })
      .then(({ effectiveFromBlock }) => effectiveFromBlock)
      .catch((error: unknown) => (error instanceof WebhooksError ? [error.status, error.body?.message] : error));
  };
  const hashes = new Map<string, number>();
  for (let number = 0; number <= 40; number += 1) {
    const { hash } = await chain.rpc<{ hash: string }>("eth_getBlockByNumber", [`0x${number.toString(16)}`, false]);
    hashes.set(hash, number);
  }
  /** From now on a node has no receipts, or no traces, of blocks below this one. */
  const forget = (proxy: RpcProxy, method: string, below: number) => {
    proxy.answer = (call, forward) =>
      call.method === method && (hashes.get(String(call.params[0])) ?? 100) < below
        ? { error: { code: -32000, message: "pruned history unavailable" } }
        : forward();
  };
  const said = (first: number, more = "") => [
    400,
    `fromBlock must be at least ${first}, the first block that the nodes of chain ${testChainId} still have${more}.`,
  ];
  forget(proxies[0], "eth_getBlockReceipts", 23);
  forget(proxies[1], "eth_getBlockReceipts", 12);
  // On a busy machine a question may end before a node has answered.
  await soon(async () => expect(await create("3")).toEqual(said(12)));
  await soon(async () => expect(await create("12")).toBe("12"));
  forget(proxies[0], "debug_traceBlockByHash", 30);
  forget(proxies[1], "debug_traceBlockByHash", 30);
  await soon(async () => expect(await create("3", true)).toEqual(said(30, " with its traces")));
  await soon(async () => expect(await create("3")).toBe("3"));
  // Another node, which has not answered, may have it.
  forget(proxies[0], "eth_getBlockReceipts", 23);
  proxies[1].answer = () => ({ status: 500, text: "down" });
  await soon(async () => expect(await create("3")).toMatchObject([502, expect.anything()]));
  for (const proxy of proxies) proxy.answer = () => new Promise(() => {});
  expect(await create("3")).toEqual([
    502,
    `No node of chain ${testChainId} returned the block in time; try again later.`,
  ]);
});

test("a history whose blocks are forgotten meanwhile stands still and says why; for everybody else the chain is followed", async () => {
  const world = await startChainWorld({ chain: { patienceMs: 1_000 } });
  onTestFinished(() => world.stop());
  const { chain, pool, proxy } = world;
  await chain.transfers(addresses[0] ?? "", 20);
  const { hash } = await chain.rpc<{ hash: string }>("eth_getBlockByNumber", ["0x9", false]);
  let isForgotten = true;
  proxy.answer = ({ method, params }, forward) =>
    isForgotten && method === "eth_getBlockReceipts" && params[0] === hash
      ? { error: { code: -32000, message: "pruned history unavailable" } }
      : forward();
  await world.start();
  await soon(async () => expect((await world.cursor())?.number).toBe(20));
  const live = await world.watch({ addresses });
  const webhook = await world.watch({ addresses, history: await historyAt(chain, 5) } as Parameters<
    typeof world.watch
  >[0]);
  const read = () => getWebhook(pool, 1, webhook.id);
  await soon(async () =>
    expect((await read()).history).toMatchObject({ nextBlock: "9", stoppedReason: expect.stringMatching(/nodes/) }),
  );
  await chain.transfers(addresses[0] ?? "", 3);
  await soon(async () => expect(await world.notified(live)).toHaveLength(3));
  const state = (await readChainStates(pool)).get(testChainId);
  expect(state?.stopped).toBeUndefined();
  expect(state?.lanes).toMatchObject([{ traces: false, followed: 23, lagSeconds: 0 }]);
  isForgotten = false;
  await soon(async () => expect((await read()).history).toBeUndefined());
  expect((await world.notified(webhook)).map(({ blockNumber }) => blockNumber)).toEqual(
    Array.from({ length: 19 }, (_, index) => 5 + index),
  );
});

test("an account's histories may be at so many blocks; another one at one of them joins, and another account has its own", async () => {
  const world = await startChainWorld();
  onTestFinished(() => world.stop());
  const { chain, pool } = world;
  await chain.mine(mostHistories + 2);
  await world.start();
  await soon(async () => expect((await world.cursor())?.number).toBe(mostHistories + 2));
  await world.halt();
  // With traces and without, they count together.
  for (let from = 1; from <= mostHistories; from += 1)
    await world.watch({ includeInternalTxs: from % 2 === 0, history: await historyAt(chain, from) });
  const oneMore = await historyAt(chain, mostHistories + 1);
  await expect(world.watch({ history: oneMore })).rejects.toMatchObject({
    code: "too_many_histories",
    message: expect.stringMatching(/^fromBlock must wait: histories of this account are at 16 blocks of chain 43112/),
  });
  await world.watch({ history: await historyAt(chain, 3) });
  const { rows } = await pool.query<{ id: number }>("INSERT INTO accounts (name) VALUES ('other') RETURNING id");
  const body = { url: "https://example.com/", eventType: "address_activity" as const, name: "", description: "" };
  const wanted = { ...body, chainId: testChainId, addresses: [], eventSignatures: [] };
  const flags = { includeInternalTxs: false, includeLogs: false };
  await inTransaction(pool, (db) =>
    createWebhook(db, rows[0]?.id ?? 0, { ...wanted, ...flags, history: oneMore }, noKeys),
  );
  await world.start();
  await world.followed();
});

test("once a node throttles a history, it is asked again after a pause: following has what it allows", async () => {
  const world = await startChainWorld();
  onTestFinished(() => world.stop());
  const { chain, proxy } = world;
  await chain.transfers(addresses[0] ?? "", 12);
  await world.start();
  await soon(async () => expect((await world.cursor())?.number).toBe(12));
  const askedAt: number[] = [];
  // A slow node: each piece of work takes a second or more, and three times that is left to following once it has refused one.
  proxy.answer = async ({ method, params: [number] }, forward) => {
    if (method !== "eth_getBlockByNumber" || number !== "0x5") return forward();
    askedAt.push(performance.now());
    const isFirst = askedAt.length === 1;
    await sleep(1_000);
    return isFirst ? { status: 429, text: "slow down" } : forward();
  };
  const webhook = await world.watch({ addresses, history: await historyAt(chain, 5) });
  await soon(async () => expect(await world.notified(webhook)).toHaveLength(8));
  const [refused = 0, again = 0] = askedAt;
  expect(again - refused).toBeGreaterThan(3_900);
});

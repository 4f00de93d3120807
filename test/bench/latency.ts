/**
 * How long a notification takes from its block: `npm run bench latency [-- --blocks N] [--warm N] [--json]`. A local node makes a block a
 * second; the service runs as an operator starts it, on a PostgreSQL that writes to disk, and delivers to a receiver here. A process that has just
 * started is cold, so as many blocks as `--warm` says come before, each as soon as the one before was notified of, and the last ten of them a
 * second apart.
 *
 * `--beside` measures only what the past costs: twenty blocks beside a history, or a replay, of 3,000 blocks before them, then twenty without, and
 * so on, a quarter of a second apart, in one process. From when the node announces a block or answers who has it mined: to mine it, it takes
 * longer while it answers others. Beside it, how many blocks of the past were done in a second.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { WebSocket } from "undici";
import { createWebhooksClient } from "../../client/index.ts";
import type { components } from "../../generated/types.ts";
import { startEvmNode } from "../../scripts/local/evm-node.ts";
import { startTemporaryPostgres } from "../../scripts/local/postgres.ts";
import type { ChainConfig } from "../../server/settings/chains.ts";
import { createKey } from "../../server/store/accounts/keys.ts";
import { createPool } from "../../server/store/pool.ts";
import { openChain } from "../chain/local-chain.ts";
import { startReceiver } from "../support/receiver.ts";
import { testChain, testChainId } from "../support/service.ts";
import { startServiceProcess } from "../support/service-process.ts";
import { quantile, table } from "./figures.ts";

const { values } = parseArgs({
  options: {
    blocks: { type: "string", default: "200" },
    warm: { type: "string", default: "1000" },
    beside: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
  },
});
const [blocks, warmBlocks] = [Number(values.blocks), Number(values.warm)];
const slowWarmBlocks = 10;

/** Of each block, in ms: until the follower asked for the head that is it, and from then until the notification arrived. Histories ask for heads, too. */
type Sample = { wakeMs: number; beyondMs: number; isBeside: boolean };

/** So many blocks come in turn beside the past, and without. */
const stretch = 20;
const pastBlocks = 3_000;

const epoch = (at: number) => performance.timeOrigin + at;

type WebhookCreate = components["schemas"]["WebhookCreate"];
type Client = ReturnType<typeof createWebhooksClient>;

/** What an account does with the past, again and again. @returns once it is done once, or need not go on: how many blocks are done */
const pasts = {
  async histories(client: Client, body: WebhookCreate, goesOn: () => boolean): Promise<number> {
    const { id } = await client.createWebhook({ body: { ...body, fromBlock: "1" } });
    let done = 0;
    while (goesOn()) {
      const { history, effectiveFromBlock } = await client.getWebhook({ path: { id } });
      done = history ? Number(history.nextBlock) - Number(effectiveFromBlock) : pastBlocks;
      if (!history) break;
      await sleep(100);
    }
    await client.deleteWebhook({ path: { id } });
    return done;
  },
  async replays(client: Client, body: WebhookCreate, goesOn: () => boolean): Promise<number> {
    const { id } = await client.createWebhook({ body });
    const range = { fromBlock: "1", toBlock: String(pastBlocks), includeEarlier: true };
    const { id: replayId } = await client.createReplay({ path: { id }, body: range });
    let done = 0;
    while (goesOn() && done < pastBlocks) {
      done = Number((await client.getReplay({ path: { id, replayId } })).currentBlock ?? 0);
      await sleep(100);
    }
    await client.deleteWebhook({ path: { id } });
    return done;
  },
};

/** @returns when the node announced each of its new blocks, by number */
async function listenTo(wsUrl: string): Promise<ReadonlyMap<number, number>> {
  const announced = new Map<number, number>();
  const socket = new WebSocket(wsUrl);
  socket.addEventListener("message", ({ data }) => {
    const at = performance.now();
    const { params } = JSON.parse(String(data)) as { params?: { result: { number: string } } };
    if (params) announced.set(Number(params.result.number), at);
  });
  await new Promise((resolve) => socket.addEventListener("open", resolve, { once: true }));
  socket.send(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "eth_subscribe", params: ["newHeads"] }));
  return announced;
}

async function measure(
  how: (wsUrl: string) => Partial<ChainConfig>,
  past?: (typeof pasts)[keyof typeof pasts],
): Promise<{ samples: Sample[]; pastRate: number }> {
  const [postgres, node, receiver] = await Promise.all([
    startTemporaryPostgres({ durable: true }),
    startEvmNode({ args: ["--no-mining"] }),
    startReceiver(),
  ]);
  const chain = await openChain(node.rpcUrl);
  const [from] = await chain.rpc<string[]>("eth_accounts");
  const mine = async (to: string) => {
    await chain.rpc("eth_sendTransaction", [{ from, to, value: "0x1" }]);
    const askedAt = performance.now();
    await chain.rpc("evm_mine");
    return { askedAt, answeredAt: performance.now() };
  };
  for (let block = 1; past && block <= pastBlocks; block += 1) await mine(`0x${"7".padStart(40, "0")}`);
  const announced = past && (await listenTo(node.rpcUrl.replace("http", "ws")));
  const service = await startServiceProcess(
    postgres.url,
    [{ ...testChain(node), traces: false, ...how(node.rpcUrl.replace("http", "ws")) }],
    { preload: "head-requests.mjs", env: { LOG_LEVEL: "info", LEASE_SECONDS: "10" } },
  );
  const baseUrl = await service.started;
  const pool = createPool(postgres.url);
  const { key } = await createKey(pool, { account: "bench", scopes: ["read", "write"] });
  await pool.end();
  const client = createWebhooksClient({ baseUrl, apiKey: key });
  while (!(await client.listChains()).chains[0]?.followedBlock) await sleep(50);
  const to = `0x${"5".padStart(40, "0")}`;
  const metadata = { addresses: [to] };
  const body = { url: receiver.url, chainId: testChainId, eventType: "address_activity", metadata } as const;
  await client.createWebhook({ body });

  let isBeside = false;
  const besides = { ...body, metadata: { addresses: [`0x${"6".padStart(40, "0")}`] } };
  const inAll = { blocks: 0, ms: 0 };
  const again = async () => {
    const began = performance.now();
    while (past && isBeside) inAll.blocks += await past(client, besides, () => isBeside);
    inAll.ms += performance.now() - began;
  };
  // What is used first compiles what it needs.
  let looks = 0;
  await past?.(client, besides, () => ++looks < 5);
  let beside = Promise.resolve();
  const times: { minedAt: number; receivedAt: number; isBeside: boolean }[] = [];
  for (let block = 1; block <= warmBlocks + blocks; block += 1) {
    if (past && (block - warmBlocks) % stretch === 1) {
      isBeside = Math.floor((block - warmBlocks) / stretch) % 2 === 1;
      await beside;
      beside = again();
      await sleep(1_000);
    }
    const { askedAt, answeredAt } = await mine(to);
    const [delivered] = (await receiver.waitFor(block)).slice(-1);
    const number = Number(await chain.rpc<string>("eth_blockNumber"));
    // Without the past from the asking on, since the block is there somewhere between question and answer.
    const minedAt = announced ? Math.min(answeredAt, announced.get(number) ?? answeredAt) : askedAt;
    times.push({ minedAt: epoch(minedAt), receivedAt: epoch(delivered?.receivedAt ?? 0), isBeside });
    if (block > warmBlocks - slowWarmBlocks)
      await sleep(Math.max(0, (past ? 250 : 1_000) + Math.random() * 50 - (performance.now() - askedAt)));
  }
  isBeside = false;
  await beside;
  service.signal("SIGTERM");
  await service.ended;
  await Promise.all([receiver.close(), node.stop(), postgres.stop()]);
  const asked = service.logged.flatMap(({ headRequests }) => (headRequests as number[] | undefined) ?? []);
  const samples = times.map(({ minedAt, receivedAt, isBeside }) => {
    // After a block the follower waits before it asks again, so the last request was for this one.
    const askedAt = asked.findLast((at) => at < receivedAt) ?? Number.NaN;
    return { wakeMs: askedAt - minedAt, beyondMs: receivedAt - askedAt, isBeside };
  });
  return { samples, pastRate: Math.round((1_000 * inAll.blocks) / inAll.ms) };
}

type Run = { heads: string; samples: Sample[]; pastRate?: number };

/** @returns the samples after the warm blocks of what is measured, by its name */
async function measureBeside(name: keyof typeof pasts): Promise<Run[]> {
  const { samples, pastRate } = await measure((wsUrl) => ({ wsUrl, pollMs: 10_000 }), pasts[name]);
  const warm = samples.slice(warmBlocks);
  return [
    { heads: `announced by socket, beside ${name}`, samples: warm.filter(({ isBeside }) => isBeside), pastRate },
    { heads: "announced by socket, in between", samples: warm.filter(({ isBeside }) => !isBeside) },
  ];
}

const runs: Run[] = values.beside
  ? [...(await measureBeside("histories")), ...(await measureBeside("replays"))]
  : [
      { heads: "announced by socket", ...(await measure((wsUrl) => ({ wsUrl, pollMs: 10_000 }))) },
      { heads: "polled every 500 ms", ...(await measure(() => ({ pollMs: 500 }))) },
    ];
const report = runs.map(({ heads, samples, pastRate }) => {
  const warm = values.beside ? samples : samples.slice(warmBlocks);
  const of = (value: (sample: Sample) => number, share: number) => quantile(warm.map(value), share);
  const inAll = ({ wakeMs, beyondMs }: Sample) => wakeMs + beyondMs;
  return {
    heads,
    blocks: warm.length,
    wakeMedianMs: of(({ wakeMs }) => wakeMs, 0.5),
    beyondMedianMs: of(({ beyondMs }) => beyondMs, 0.5),
    beyondP99Ms: of(({ beyondMs }) => beyondMs, 0.99),
    medianMs: of(inAll, 0.5),
    p90Ms: of(inAll, 0.9),
    p95Ms: of(inAll, 0.95),
    p99Ms: of(inAll, 0.99),
    ...(values.beside
      ? { pastBlocksPerSecond: pastRate ?? "" }
      : { firstMs: quantile([samples[0]?.beyondMs ?? Number.NaN], 0) }),
  };
});
console.log(values.json ? JSON.stringify(report, null, 2) : table(report));
process.exit(0);

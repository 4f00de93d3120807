/**
 * How long a notification takes from its block: `npm run bench latency [-- --blocks N] [--warm N] [--json]`. A local node makes a block a
 * second; the service runs as an operator starts it, on a PostgreSQL that writes to disk, and delivers to a receiver here. A process that has just
 * started is cold, so as many blocks as `--warm` says come before, each as soon as the one before was notified of, and the last ten of them a
 * second apart. `--beside` measures only what the past costs: ten blocks beside histories, or replays, of all blocks, one after the other without
 * end, then ten without, and so on, half a second apart, in one process.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
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
const stretch = 10;

const epoch = (at: number) => performance.timeOrigin + at;

type WebhookCreate = components["schemas"]["WebhookCreate"];
type Client = ReturnType<typeof createWebhooksClient>;

/** What an account does with the past, again and again. @returns once it is done once, or need not go on */
const pasts = {
  async histories(client: Client, body: WebhookCreate, goesOn: () => boolean): Promise<void> {
    const { id } = await client.createWebhook({ body: { ...body, fromBlock: "1" } });
    while (goesOn() && (await client.getWebhook({ path: { id } })).history) await sleep(100);
    await client.deleteWebhook({ path: { id } });
  },
  async replays(client: Client, body: WebhookCreate, goesOn: () => boolean): Promise<void> {
    const { id } = await client.createWebhook({ body });
    const { followedBlock: toBlock = "1" } = (await client.listChains()).chains[0] ?? {};
    const { id: replayId } = await client.createReplay({
      path: { id },
      body: { fromBlock: "1", toBlock, includeEarlier: true },
    });
    while (goesOn() && !(await client.getReplay({ path: { id, replayId } })).finishedAt) await sleep(100);
    await client.deleteWebhook({ path: { id } });
  },
};

async function measure(
  how: (wsUrl: string) => Partial<ChainConfig>,
  past?: (typeof pasts)[keyof typeof pasts],
): Promise<Sample[]> {
  const [postgres, node, receiver] = await Promise.all([
    startTemporaryPostgres({ durable: true }),
    startEvmNode({ args: ["--no-mining"] }),
    startReceiver(),
  ]);
  const chain = await openChain(node.rpcUrl);
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

  const [from] = await chain.rpc<string[]>("eth_accounts");
  let isBeside = false;
  const besides = { ...body, metadata: { addresses: [`0x${"6".padStart(40, "0")}`] } };
  const again = async () => {
    while (past && isBeside) await past(client, besides, () => isBeside);
  };
  let beside = Promise.resolve();
  const times: { minedAt: number; receivedAt: number; isBeside: boolean }[] = [];
  for (let block = 1; block <= warmBlocks + blocks; block += 1) {
    await chain.rpc("eth_sendTransaction", [{ from, to, value: "0x1" }]);
    if (past && (block - warmBlocks) % stretch === 1) {
      isBeside = Math.floor((block - warmBlocks) / stretch) % 2 === 1;
      await beside;
      beside = again();
      await sleep(1_000);
    }
    // From the asking on, since the block is there somewhere between question and answer.
    const minedAt = performance.now();
    await chain.rpc("evm_mine");
    const [delivered] = (await receiver.waitFor(block)).slice(-1);
    times.push({ minedAt: epoch(minedAt), receivedAt: epoch(delivered?.receivedAt ?? 0), isBeside });
    if (block > warmBlocks - slowWarmBlocks)
      await sleep(Math.max(0, (past ? 500 : 1_000) + Math.random() * 50 - (performance.now() - minedAt)));
  }
  isBeside = false;
  await beside;
  service.signal("SIGTERM");
  await service.ended;
  await Promise.all([receiver.close(), node.stop(), postgres.stop()]);
  const asked = service.logged.flatMap(({ headRequests }) => (headRequests as number[] | undefined) ?? []);
  return times.map(({ minedAt, receivedAt, isBeside }) => {
    // After a block the follower waits before it asks again, so the last request was for this one.
    const askedAt = asked.findLast((at) => at < receivedAt) ?? Number.NaN;
    return { wakeMs: askedAt - minedAt, beyondMs: receivedAt - askedAt, isBeside };
  });
}

/** @returns the samples after the warm blocks of what is measured, by its name */
async function measureBeside(name: keyof typeof pasts): Promise<[string, Sample[]][]> {
  const samples = (await measure((wsUrl) => ({ wsUrl, pollMs: 10_000 }), pasts[name])).slice(warmBlocks);
  return [
    [`announced by socket, beside ${name}`, samples.filter(({ isBeside }) => isBeside)],
    ["announced by socket, in between", samples.filter(({ isBeside }) => !isBeside)],
  ];
}

const runs: [string, Sample[]][] = values.beside
  ? [...(await measureBeside("histories")), ...(await measureBeside("replays"))]
  : [
      ["announced by socket", await measure((wsUrl) => ({ wsUrl, pollMs: 10_000 }))],
      ["polled every 500 ms", await measure(() => ({ pollMs: 500 }))],
    ];
const report = runs.map(([heads, samples]) => {
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
    p99Ms: of(inAll, 0.99),
    firstMs: quantile(
      samples.slice(0, 1).map(({ beyondMs }) => beyondMs),
      0,
    ),
  };
});
console.log(values.json ? JSON.stringify(report, null, 2) : table(report));
process.exit(0);

/**
 * How fast a chain is caught up with: `npm run bench follow [-- --blocks N] [--rounds N] [--json]`. The service, as an operator starts it, with every
 * check on and 1,000 webhooks to match, from a node and from the stream of blocks, against viem that fetches the same blocks and receipts from the same node and does
 * nothing with them. Both are measured without the first fifth, which finds everything cold.
 */
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { createPublicClient, http } from "viem";
import { mainnet } from "viem/chains";
import { startTemporaryPostgres } from "../../scripts/local/postgres.ts";
import { migrate } from "../../server/store/migrate.ts";
import { createPool } from "../../server/store/pool.ts";
import { run } from "./child.ts";
import { everydayBlocks } from "./everyday-blocks.ts";
import { table } from "./figures.ts";
import { fillWatched } from "./fill-watched.ts";
import { startFilledStream } from "./filled-stream.ts";

const { values } = parseArgs({
  strict: false,
  options: {
    blocks: { type: "string", default: "1000" },
    rounds: { type: "string", default: "5" },
    json: { type: "boolean", default: false },
  },
});
const blocks = Number(values.blocks);
/** The first block that counts. */
const warmFrom = Math.ceil(blocks / 5);
const counted = blocks - 1 - warmFrom;
const atOnce = 8;
const roundCount = Number(values.rounds);
/** In a process of its own, as the service is. */
async function fetchByViem(url: string): Promise<number> {
  const child = run(["test/bench/follow.ts", "--viem", url, "--blocks", String(blocks)]);
  const [line] = (await once(child.stdout as NodeJS.ReadableStream, "data")) as [Buffer];
  await once(child, "exit");
  return Number(line.toString());
}

async function viem(url: string): Promise<number> {
  const client = createPublicClient({ chain: mainnet, transport: http(url) });
  let startedAt = 0;
  let next = 1;
  const worker = async () => {
    for (let number = next++; number < blocks; number = next++) {
      if (number === warmFrom + 1) startedAt = performance.now();
      const block = await client.getBlock({ blockNumber: BigInt(number), includeTransactions: true });
      await client.request({ method: "eth_getBlockReceipts" as never, params: [block.hash] as never });
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return performance.now() - startedAt;
}

/** @param blocksUrl of the stream; undefined to follow from the node */
async function follow(url: string, blocksUrl?: string): Promise<number> {
  const postgres = await startTemporaryPostgres({ durable: true });
  const pool = createPool(postgres.url);
  await migrate(pool);
  await fillWatched(pool, { chainId: "1", addresses: 100_000, webhooks: 1_000 });
  await pool.query("UPDATE chain_lanes SET cursor_number = NULL, cursor_hash = NULL");
  const chain = { chainId: "1", name: "Recorded", rpcUrls: [url], startBlock: 1, pollMs: 1_000 };
  const env = { DATABASE_URL: postgres.url, CHAINS: JSON.stringify([chain]), ROLES: "follow", LOG_LEVEL: "warn" };
  const service = run(["server/main.ts"], { ...env, ...(blocksUrl && { BLOCKS: blocksUrl }) });
  service.stdout?.pipe(process.stderr);
  const cursor = async () => {
    const { rows } = await pool.query<{ number: number | null }>("SELECT cursor_number AS number FROM chain_lanes");
    return rows[0]?.number ?? undefined;
  };
  let from: number;
  for (from = 0; from < warmFrom; from = (await cursor()) ?? 0) await sleep(10);
  const startedAt = performance.now();
  while (((await cursor()) ?? 0) < blocks - 1) await sleep(25);
  const tookMs = ((performance.now() - startedAt) * counted) / (blocks - 1 - from);
  service.kill("SIGTERM");
  await once(service, "exit");
  await pool.end();
  await postgres.stop();
  return tookMs;
}

/** How long each took over the same blocks. */
type Round = { viemMs: number; followMs: number; streamMs: number };

async function main(): Promise<void> {
  const node = run(["test/bench/recorded-node.ts", String(blocks)]);
  const [line] = (await once(node.stdout as NodeJS.ReadableStream, "data")) as [Buffer];
  const url = line.toString().trim();
  const inAll = everydayBlocks.reduce((sum, { block }) => sum + block.transactions.length, 0);
  const transactions = (counted * inAll) / everydayBlocks.length;
  const figures = (what: string, ms: number) => ({
    what,
    blocks: counted,
    "blocks/s": Math.round((counted / ms) * 10_000) / 10,
    "transactions/s": Math.round((transactions / ms) * 1_000),
  });
  const stream = await startFilledStream(url, blocks);
  const rounds: Round[] = [];
  for (let round = 0; round < roundCount; round += 1)
    rounds.push({
      viemMs: await fetchByViem(url),
      followMs: await follow(url),
      streamMs: await follow(url, stream.url),
    });
  await stream.stop();
  node.kill();
  const best = (of: keyof Round) => Math.min(...rounds.map((round) => round[of]));
  const report = [
    figures("viem fetches", best("viemMs")),
    figures("the service follows", best("followMs")),
    figures("the same from the stream", best("streamMs")),
  ];
  const ratioOf = (of: keyof Round) => {
    const ratios = rounds.map((round) => round.viemMs / round[of]).sort((a, b) => a - b);
    return Math.round((ratios[roundCount >> 1] ?? 0) * 100) / 100;
  };
  const [ratio, streamRatio] = [ratioOf("followMs"), ratioOf("streamMs")];
  console.log(
    values.json
      ? JSON.stringify({ report, ratio, streamRatio }, null, 2)
      : `${table(report)}\n\nmedian ratio of ${roundCount} rounds: ${ratio}; from the stream: ${streamRatio}`,
  );
  process.exit(0);
}

const viemAt = process.argv.indexOf("--viem");
if (viemAt > 0) console.log(await viem(process.argv[viemAt + 1] ?? ""));
else await main();

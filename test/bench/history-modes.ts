/** How fast a history is in each mode, on the same node in the same round, and how full the blooms of recorded blocks are. */
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { startTemporaryPostgres } from "../../scripts/local/postgres.ts";
import { otherChainBundle, recordedBlocks } from "../../scripts/local/recorded.ts";
import { bloomTest } from "../../server/chain/check/encoding/receipt.ts";
import type { BlockBundle } from "../../server/matching/wire.ts";
import { noKeys } from "../../server/settings/keyring.ts";
import { ensureChain } from "../../server/store/chains/cursor.ts";
import { migrate } from "../../server/store/migrate.ts";
import { createPool, inTransaction, type Pool } from "../../server/store/pool.ts";
import { deleteWebhook } from "../../server/store/webhooks/changes.ts";
import { createWebhook } from "../../server/store/webhooks/creation.ts";
import { run } from "./child.ts";
import { everydayBlocks, rareBlock } from "./everyday-blocks.ts";
import { watchedAddress } from "./fill-watched.ts";

export const transfer = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";

const testOf = (n: number) => bloomTest([{ signatures: [transfer], addresses: [watchedAddress(n)] }]);
/** Ethereum's blooms are so full that one of four passes most addresses by chance. Nobody needs its transfers. */
const isAbsent = (n: number) => !everydayBlocks.some(({ block }) => testOf(n)(block.logsBloom));
const absent = watchedAddress(Array.from({ length: 1_000 }, (_, n) => n).find(isAbsent) ?? 0);
/** A contract with transfers in one of a thousand blocks, and in no other, not even by chance. */
export const rare =
  rareBlock.receipts
    .flatMap(({ logs }) => logs)
    .filter(({ topics }) => topics[0] === transfer)
    .map(({ address }) => address.toLowerCase())
    .find((address) => {
      const test = bloomTest([{ signatures: [transfer], addresses: [address] }]);
      return !everydayBlocks.some(({ block }) => test(block.logsBloom));
    }) ?? "";
if (rare === "") throw new Error("the rare block has no transfer");

type Row = Record<string, string | number>;
const modes = ["complete", "headers", "logs"] as const;
type Mode = (typeof modes)[number];

/** @param options.blocks how many the node has whole; of more it has the headers */
export async function historyModes({ blocks, rounds }: { blocks: number; rounds: number }): Promise<Row[]> {
  const all = blocks * 20;
  const node = run(["test/bench/recorded-node.ts", String(blocks), String(all - blocks)]);
  const [line] = (await once(node.stdout as NodeJS.ReadableStream, "data")) as [Buffer];
  const taken: Record<Mode, number>[] = [];
  for (let round = 0; round < rounds; round += 1) taken.push(await modesOf(line.toString().trim(), { blocks, all }));
  node.kill();
  const best = (mode: Mode) => Math.max(...taken.map((one) => one[mode]));
  return modes.map((mode) => {
    const ratios = taken.map((one) => one[mode] / one.complete).sort((a, b) => a - b);
    return {
      ...{ mode, blocks: mode === "complete" ? blocks : all, "blocks/s": Math.round(best(mode)) },
      "times complete": mode === "complete" ? 1 : Math.round((ratios[ratios.length >> 1] ?? 0) * 10) / 10,
    };
  });
}

async function modesOf(url: string, { blocks, all }: { blocks: number; all: number }) {
  const postgres = await startTemporaryPostgres({ durable: true });
  const pool = createPool(postgres.url);
  await migrate(pool);
  await pool.query("INSERT INTO accounts (name) VALUES ('bench')");
  await ensureChain(pool, "1");
  const chain = { chainId: "1", name: "Recorded", rpcUrls: [url], startBlock: all - 1, pollMs: 100 };
  const env = { DATABASE_URL: postgres.url, CHAINS: JSON.stringify([chain]), ROLES: "follow", LOG_LEVEL: "warn" };
  const service = run(["server/main.ts"], env);
  service.stdout?.pipe(process.stderr);
  const cursor = async () => {
    const { rows } = await pool.query<{ at: number | null }>("SELECT max(cursor_number) AS at FROM chain_lanes");
    return rows[0]?.at ?? 0;
  };
  while ((await cursor()) < all - 1) await sleep(100);
  const { hash } = await firstHash(url);
  const complete = await paceOfHistory(pool, { hash, mode: "complete", from: blocks / 5, to: blocks - 1 });
  const headers = await paceOfHistory(pool, { hash, mode: "headers", from: blocks, to: all - blocks });
  const logs = await paceOfHistory(pool, { hash, mode: "logs", from: blocks, to: all - blocks });
  service.kill("SIGTERM");
  await once(service, "exit");
  await pool.end();
  await postgres.stop();
  return { complete, headers, logs };
}

export async function firstHash(url: string): Promise<{ hash: string }> {
  const call = { jsonrpc: "2.0", id: 1, method: "eth_getBlockByNumber", params: ["0x0", false] };
  const headers = { "content-type": "application/json" };
  const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(call) });
  return ((await response.json()) as { result: { hash: string } }).result;
}

/** Measures from the first block that counts to the last. @returns blocks a second */
async function paceOfHistory(
  pool: Pool,
  { hash, mode, from, to }: { hash: string; mode: Mode; from: number; to: number },
): Promise<number> {
  const history = { from: 1, cursor: { number: 0, hash }, mode: mode === "complete" ? undefined : mode };
  const wanted = {
    ...{ url: "https://example.com/", chainId: "1", eventType: "address_activity" as const, name: "", description: "" },
    ...{
      includeInternalTxs: false,
      includeLogs: true,
      addresses: [mode === "logs" ? rare : absent],
      eventSignatures: [transfer],
    },
  };
  const { id } = await inTransaction(pool, (db) => createWebhook(db, 1, { ...wanted, history }, noKeys));
  const at = async () => {
    const { rows } = await pool.query<{ at: number }>("SELECT min(cursor_number) AS at FROM chain_lanes");
    return rows[0]?.at ?? 0;
  };
  let first = await at();
  for (; first < from; first = await at()) await sleep(10);
  const startedAt = performance.now();
  let last = first;
  for (; last < to; last = await at()) await sleep(10);
  const blocksPerSecond = ((last - first) / (performance.now() - startedAt)) * 1_000;
  if (mode === "logs") await assertNotified(pool, id, { from: first, to: last });
  await inTransaction(pool, (db) => deleteWebhook(db, 1, id));
  return blocksPerSecond;
}

/** A mode that finds nothing would be the fastest. */
async function assertNotified(pool: Pool, id: string, { from, to }: { from: number; to: number }): Promise<void> {
  const { rows } = await pool.query<{ blocks: number }>(
    `SELECT count(DISTINCT e.block_number) AS blocks FROM notifications n JOIN events e ON e.id = n.event_id
     WHERE n.webhook_id = $1 AND e.block_number BETWEEN $2 AND $3`,
    [id, from, to],
  );
  const expected = Math.floor((to + 1) / 1_000) - Math.floor(from / 1_000);
  if (Math.abs((rows[0]?.blocks ?? 0) - expected) > 1)
    throw new Error(`${rows[0]?.blocks} of ${expected} blocks were found`);
}

/** The first block of that year. */
const ethereumOf2023 = 16_308_190;
const otherChains = { Cronos: "cronos-6542", Hyperliquid: "hyperliquid-50000", Stable: "stable-testnet-59083166" };

/** How many bits blooms have set, and which share of a chain's blocks an address that is in none of them passes by chance beside transfers. */
export function bloomsByChain(): Row[] {
  const groups = new Map<string, BlockBundle[]>();
  const add = (chain: string, bundle: BlockBundle) => groups.set(chain, [...(groups.get(chain) ?? []), bundle]);
  for (const { name, bundle } of recordedBlocks()) {
    if (name.startsWith("avalanche")) add("Avalanche C-Chain (test network)", bundle);
    else add(Number(bundle.block.number) < ethereumOf2023 ? "Ethereum, 2015 to 2022" : "Ethereum, since 2023", bundle);
  }
  for (const [chain, name] of Object.entries(otherChains)) add(chain, otherChainBundle(name));
  const tests = Array.from({ length: 200 }, (_, n) => testOf(n));
  return [...groups].map(([chain, bundles]) => {
    const set = bundles.map(({ block }) => percentSet(block.logsBloom)).sort((a, b) => a - b);
    const passed = bundles.map(({ block }) => tests.filter((test) => test(block.logsBloom)).length / tests.length);
    const share = passed.reduce((sum, one) => sum + one, 0) / bundles.length;
    const percent = (part: number) => Math.round(part * 1_000) / 10;
    const middle = set[set.length >> 1] ?? 0;
    return {
      ...{ chain, blocks: bundles.length, "least %": set[0] ?? 0, "median %": middle, "most %": set.at(-1) ?? 0 },
      ...{ "read whole by chance, mean %": percent(share), "in the worst block %": percent(Math.max(...passed)) },
    };
  });
}

function percentSet(bloom: string): number {
  const bits = [...Buffer.from(bloom.slice(2), "hex")].map((byte) => byte.toString(2).replaceAll("0", "").length);
  return Math.round(bits.reduce((sum, count) => sum + count, 0) / 20.48);
}

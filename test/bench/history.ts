/**
 * How fast replays and histories are: `npm run bench history [-- --blocks N] [--webhooks N] [--rounds N] [--json]`. The service catches up with a recorded chain,
 * and then some of its 1,000 webhooks replay the same blocks, together and then one alone. Both are compared with catching up in the same round.
 * All are measured without the first fifth, which finds everything cold. Then a webhook for a contract that is in few blocks goes through its
 * history in each mode. `--modes` measures these only, and `--blooms` says how full the blooms of recorded blocks are. `--rivals` measures the
 * transfers of that contract alone, beside Ponder, of 50,000 blocks by default.
 */
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { startTemporaryPostgres } from "../../scripts/local/postgres.ts";
import { createReplay } from "../../server/store/chains/replays.ts";
import { migrate } from "../../server/store/migrate.ts";
import { createPool, inTransaction, type Pool } from "../../server/store/pool.ts";
import { run } from "./child.ts";
import { table } from "./figures.ts";
import { fillWatched } from "./fill-watched.ts";
import { bloomsByChain, historyModes } from "./history-modes.ts";
import { historyRivals } from "./history-rivals.ts";

const { values } = parseArgs({
  strict: false,
  options: {
    blocks: { type: "string" },
    webhooks: { type: "string", default: "10" },
    rounds: { type: "string", default: "3" },
    json: { type: "boolean", default: false },
    modes: { type: "boolean", default: false },
    blooms: { type: "boolean", default: false },
    rivals: { type: "boolean", default: false },
  },
});
const print = (report: Record<string, string | number>[]) =>
  console.log(values.json ? JSON.stringify({ report }, null, 2) : table(report));
if (values.blooms) {
  print(bloomsByChain());
  process.exit(0);
}
if (values.rivals) {
  print(await historyRivals(Number(values.blocks ?? 50_000)));
  process.exit(0);
}
const blocks = Number(values.blocks ?? 1_000);
const webhooks = Number(values.webhooks);
const roundCount = Number(values.rounds);
/** The first block that counts, and how many do. */
const warmFrom = Math.ceil(blocks / 5);
const counted = blocks - 1 - warmFrom;

/** Measures from the first block that counts to the last, in blocks a second. @param at returns the newest block that is done */
async function paceOf(at: () => Promise<number>): Promise<number> {
  let from = await at();
  for (; from < warmFrom; from = await at()) await sleep(10);
  const startedAt = performance.now();
  while ((await at()) < blocks - 1) await sleep(10);
  return ((blocks - 1 - from) / (performance.now() - startedAt)) * 1_000;
}

async function replay(pool: Pool, count: number): Promise<number> {
  const { rows } = await pool.query<{ id: string; accountId: number }>(
    'SELECT id, account_id AS "accountId" FROM webhooks ORDER BY id LIMIT $1',
    [count],
  );
  const range = { from: 1n, to: BigInt(blocks - 1), includeEarlier: true };
  for (const { id, accountId } of rows) await inTransaction(pool, (db) => createReplay(db, accountId, id, range));
  const pace = await paceOf(async () => {
    const { rows } = await pool.query<{ at: number }>("SELECT min(next_block) - 1 AS at FROM replays");
    return rows[0]?.at ?? 0;
  });
  await pool.query("DELETE FROM replays");
  return pace;
}

/** Blocks a second. */
type Round = { follow: number; together: number; alone: number };

async function round(url: string): Promise<Round> {
  const postgres = await startTemporaryPostgres({ durable: true });
  const pool = createPool(postgres.url);
  await migrate(pool);
  await fillWatched(pool, { chainId: "1", addresses: 100_000, webhooks: 1_000 });
  await pool.query("UPDATE chain_lanes SET cursor_number = NULL, cursor_hash = NULL");
  const chain = { chainId: "1", name: "Recorded", rpcUrls: [url], startBlock: 1, pollMs: 1_000 };
  const env = { DATABASE_URL: postgres.url, CHAINS: JSON.stringify([chain]), ROLES: "follow", LOG_LEVEL: "warn" };
  const service = run(["server/main.ts"], env);
  service.stdout?.pipe(process.stderr);
  const follow = await paceOf(async () => {
    const { rows } = await pool.query<{ at: number | null }>("SELECT cursor_number AS at FROM chain_lanes");
    return rows[0]?.at ?? 0;
  });
  // The chain counts as live for some seconds after its newest block.
  await sleep(5_000);
  const together = await replay(pool, webhooks);
  const alone = await replay(pool, 1);
  service.kill("SIGTERM");
  await once(service, "exit");
  await pool.end();
  await postgres.stop();
  return { follow, together, alone };
}

const median = (all: number[]) => all.sort((a, b) => a - b)[all.length >> 1] ?? 0;
const tenths = (value: number) => Math.round(value * 10) / 10;
const hundredths = (value: number) => Math.round(value * 100) / 100;

print(await historyModes({ blocks, rounds: roundCount }));
if (values.modes) process.exit(0);

const node = run(["test/bench/recorded-node.ts", String(blocks)]);
const [line] = (await once(node.stdout as NodeJS.ReadableStream, "data")) as [Buffer];
const rounds: Round[] = [];
for (let done = 0; done < roundCount; done += 1) rounds.push(await round(line.toString().trim()));
node.kill();
const row = (what: string, of: keyof Round, count: number) => {
  const best = Math.max(...rounds.map((one) => one[of]));
  const ratio = hundredths(median(rounds.map((one) => one[of] / one.follow)));
  return {
    ...{ what, webhooks: count, blocks: counted, "blocks/s": tenths(best) },
    ...{ "webhooks' blocks/s": tenths(best * count), "of following": ratio },
  };
};
print([
  row("the service follows", "follow", 1_000),
  row("webhooks replay the same blocks", "together", webhooks),
  row("one webhook replays them", "alone", 1),
]);
process.exit(0);

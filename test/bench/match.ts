/**
 * What it costs to find out whom to notify of a block, and to record it, by how many addresses are watched:
 * `npm run bench match [-- --addresses 1000000,10000000] [--blocks N] [--json]`. PostgreSQL is filled with 100 addresses for each
 * webhook; blocks of 300 transactions and 1,000 logs, made from a recorded one, then go through one after the other. `--only worst` measures what one
 * account can do to others.
 */
import { parseArgs } from "node:util";
import { startTemporaryPostgres } from "../../scripts/local/postgres.ts";
import { migrate } from "../../server/store/migrate.ts";
import { createPool } from "../../server/store/pool.ts";
import { table } from "./figures.ts";
import { fillWatched } from "./fill-watched.ts";
import { type Figures, measureBlocks, measureChanges } from "./match-figures.ts";
import { measureWorst } from "./match-worst.ts";

const { values } = parseArgs({
  options: {
    addresses: { type: "string", default: "1000000,10000000" },
    blocks: { type: "string", default: "300" },
    json: { type: "boolean", default: false },
    only: { type: "string" },
  },
});
const chainId = "1";
const addressesAWebhook = 100;

async function measure(addresses: number): Promise<Figures> {
  const postgres = await startTemporaryPostgres({ durable: true });
  const pool = createPool(postgres.url);
  try {
    await migrate(pool);
    const webhooks = addresses / addressesAWebhook;
    const startedAt = performance.now();
    const { rows, bytes } = await fillWatched(pool, { chainId, addresses, webhooks });
    const fillSeconds = Math.round((performance.now() - startedAt) / 1_000);
    console.error(`${rows} addresses are in the tables after ${fillSeconds} s`);
    return {
      "rows in webhook_addresses": rows,
      webhooks,
      "MB in the table and its indexes": Math.round(bytes / 1e6),
      ...(await measureBlocks(pool, { chainId, addresses, blocks: Number(values.blocks) })),
      ...(await measureChanges(pool)),
    };
  } finally {
    await pool.end();
    await postgres.stop();
  }
}

if (values.only !== undefined) {
  const [part, name] = values.only.split(":");
  if (part !== "worst") throw new Error("--only must be worst, or worst: and a part of a case's name");
  const rows = await measureWorst(name);
  console.log(values.json ? JSON.stringify(rows, null, 2) : table(rows));
  process.exit(0);
}

const runs: Figures[] = [];
for (const addresses of values.addresses.split(",")) runs.push(await measure(Number(addresses)));

const [first = {}, last = {}] = [runs[0], runs.at(-1)];
const rounded = (ratio: number) => Math.round(ratio * 100) / 100;
const figures = Object.keys(first).map((figure) => ({
  figure,
  ...Object.fromEntries(
    runs.map((run) => [Number(run["rows in webhook_addresses"]).toLocaleString("en"), run[figure]]),
  ),
  ratio: rounded((last[figure] ?? Number.NaN) / (first[figure] ?? Number.NaN)),
})) as Record<string, string | number>[];
console.log(values.json ? JSON.stringify(figures, null, 2) : table(figures));
process.exit(0);

/**
 * What it costs to find out who is to be notified of a block, by how many addresses are watched:
 * `npm run bench:match [-- --addresses 1000000,10000000] [--blocks N] [--json]`. PostgreSQL is filled with 100 addresses for each
 * webhook; blocks of 300 transactions and 1,000 logs, made from a recorded one, then go through matching one after the other.
 */
import { parseArgs } from "node:util";
import { startTemporaryPostgres } from "../../scripts/local/postgres.ts";
import { notificationsOf } from "../../server/chain/notifications.ts";
import { activitiesOf, participantsOf } from "../../server/matching/participants.ts";
import { addAddresses, removeAddresses } from "../../server/store/addresses.ts";
import { migrate } from "../../server/store/migrate.ts";
import { createPool, inTransaction, type Pool } from "../../server/store/pool.ts";
import { quantile, table } from "./figures.ts";
import { fillWatched, watchedAddress } from "./fill-watched.ts";
import { syntheticBlock } from "./synthetic-block.ts";

const { values } = parseArgs({
  options: {
    addresses: { type: "string", default: "1000000,10000000" },
    blocks: { type: "string", default: "200" },
    json: { type: "boolean", default: false },
  },
});
const chainId = "1";
const addressesAWebhook = 100;
/** How many addresses of a block are watched. */
const hitsABlock = 10;
const changed = 10_000;

/** The first blocks bring what PostgreSQL and V8 keep at hand. */
const warmUp = 20;

async function measure(addresses: number): Promise<Record<string, string | number>> {
  const postgres = await startTemporaryPostgres({ durable: true });
  const pool = createPool(postgres.url);
  await migrate(pool);
  const bytes = await fillWatched(pool, { chainId, addresses, webhooks: addresses / addressesAWebhook });
  const samples: number[] = [];
  let asked = 0;
  let notified = 0;
  for (let number = 1; number <= warmUp + Number(values.blocks); number += 1) {
    const hits = Array.from({ length: hitsABlock }, () => watchedAddress(Math.floor(Math.random() * addresses)));
    const bundle = syntheticBlock(number, hits);
    const startedAt = performance.now();
    const activities = activitiesOf(bundle);
    const notifications = await inTransaction(pool, (db) => notificationsOf(db, chainId, [{ bundle, activities }], 0));
    if (number <= warmUp) continue;
    samples.push(performance.now() - startedAt);
    asked += participantsOf(activities).length;
    notified += notifications.length;
  }
  const change = await measureChange(pool);
  await pool.end();
  await postgres.stop();
  return {
    addresses,
    webhooks: addresses / addressesAWebhook,
    "MB in tables and indexes": Math.round(bytes / 1e6),
    "addresses a block": Math.round(asked / samples.length),
    "notifications a block": Math.round(notified / samples.length),
    "median ms": quantile(samples, 0.5),
    "p99 ms": quantile(samples, 0.99),
    [`ms to add ${changed}`]: change.add,
    [`ms to remove ${changed}`]: change.remove,
  };
}

async function measureChange(pool: Pool): Promise<{ add: number; remove: number }> {
  const { rows } = await pool.query<{ id: string; account_id: number }>("SELECT id, account_id FROM webhooks LIMIT 1");
  const { id = "", account_id: account = 0 } = rows[0] ?? {};
  const addresses = Array.from({ length: changed }, (_, index) => watchedAddress(-1 - index));
  const timed = async (change: typeof addAddresses) => {
    const startedAt = performance.now();
    await inTransaction(pool, (db) => change(db, account, id, addresses));
    return Math.round(performance.now() - startedAt);
  };
  return { add: await timed(addAddresses), remove: await timed(removeAddresses) };
}

const rows: Record<string, string | number>[] = [];
for (const addresses of values.addresses.split(",")) rows.push(await measure(Number(addresses)));
console.log(values.json ? JSON.stringify(rows, null, 2) : table(rows));
process.exit(0);

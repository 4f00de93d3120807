/** What docs/growing.md does with PostgreSQL: its queries, and the change to a bigger server, with notifications that wait meanwhile. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createPool } from "../../server/store/pool.ts";
import { query } from "../support/database.ts";
import { type DistributionPostgres, startDistributionPostgres } from "../support/distribution-postgres.ts";
import { readDocument } from "../support/document.ts";
import { expectNothingLost, readLedger } from "../support/ledger.ts";
import { type Outbox, openOutbox, outboxChainId } from "../support/outbox.ts";
import { type Receiver, startReceiver } from "../support/receiver.ts";
import { endAll, start } from "../support/shell.ts";

const { commands } = readDocument("docs/growing.md");
const find = (...words: string[]) => commands.find((line) => words.every((word) => line.includes(word))) ?? "";

let postgres: DistributionPostgres;
let outbox: Outbox;
let receiver: Receiver;
beforeEach(async () => {
  [postgres, receiver] = await Promise.all([startDistributionPostgres(), startReceiver()]);
  outbox = await openOutbox({ url: postgres.url, drop: async () => undefined });
});
afterEach(async () => {
  await endAll();
  await outbox.close();
  await receiver.close();
  await postgres.stop();
});

async function psql(command: string): Promise<string> {
  const env = { ...process.env, DATABASE_URL: postgres.url };
  return (await promisify(execFile)("sh", ["-c", command], { env })).stdout;
}

test("the queries report the log of each second, what PostgreSQL waits for, and the bytes of a day", async () => {
  const webhook = await outbox.addWebhook(receiver.url);
  await outbox.append([webhook], 500);
  expect(await psql(find("pg_stat_wal"))).toMatch(/\n *\d+(\.\d+)? (bytes|kB|MB)/);
  const busy = outbox.pool.query("SELECT count(*) FROM generate_series(1, 10000000)");
  await expect
    .poll(() => psql(find("pg_stat_activity")), { timeout: 10_000, interval: 50 })
    .toMatch(/processor|IO|IPC/);
  await busy;
  await outbox.pool.query("ANALYZE");
  expect(await psql(find("reltuples"))).toMatch(/\n *\d{8} \| +\d{6,} \| +500\n/);
});

test("after the change to a bigger server, what waited is delivered from it, and nothing is lost", async () => {
  const webhooks = await Promise.all([1, 2].map((path) => outbox.addWebhook(`${receiver.url}/${path}`)));
  await outbox.append(webhooks, 50);
  const env = { DATABASE_URL: postgres.url, NEW_DATA: "bigger" };
  await postgres.sh(find("pg_basebackup"), env);
  const NEW_DATABASE_URL = await postgres.startOn("bigger");
  // Recorded after the copy was made.
  await outbox.append(webhooks, 50);
  const soon = { timeout: 20_000, interval: 100 };
  await expect.poll(() => psql(find("caught_up")), soon).toMatch(/\n t\n/);
  await postgres.sh(find("pg_promote"), { NEW_DATABASE_URL });

  const CHAINS = JSON.stringify([{ chainId: outboxChainId, rpcUrls: ["http://127.0.0.1:1"] }]);
  const more = { NEW_DATABASE_URL, CHAINS, ROLES: "deliver", ALLOW_PRIVATE_TARGETS: "true" };
  const command = find("$NEW_DATABASE_URL", "npm start").replace("npm start", "exec npm start");
  await start("sh", ["-c", command], /"started"/, more);
  await receiver.waitFor(200);
  const count = "SELECT count(*)::int AS count FROM attempts";
  await expect.poll(() => query(NEW_DATABASE_URL, count), soon).toEqual([{ count: 200 }]);
  const bigger = createPool(NEW_DATABASE_URL, { max: 1 });
  expectNothingLost(await readLedger(bigger, receiver));
  await bigger.end();
  expect(await query(postgres.url, count)).toEqual([{ count: 0 }]);
});

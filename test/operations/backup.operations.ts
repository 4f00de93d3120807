/** The commands of docs/backup.md, on PostgreSQL's own programs, with the service at work meanwhile. */
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type DistributionPostgres, startDistributionPostgres } from "../support/distribution-postgres.ts";
import { readDocument } from "../support/document.ts";
import { expectNothingLost, readLedger } from "../support/ledger.ts";
import { type Outbox, type OutboxWebhook, openOutbox } from "../support/outbox.ts";
import { type Receiver, startReceiver } from "../support/receiver.ts";

const run = promisify(execFile);
const { commands } = readDocument("docs/backup.md", "docs/troubleshooting.md");
const find = (beginning: string) => commands.find((command) => command.startsWith(beginning)) ?? "";

let postgres: DistributionPostgres;
let outbox: Outbox;
let receiver: Receiver;
let folder: string;
let webhooks: OutboxWebhook[];
beforeEach(async () => {
  postgres = await startDistributionPostgres();
  folder = await mkdtemp(join(tmpdir(), "chain-webhooks-operations-"));
  receiver = await startReceiver();
  outbox = await openOutbox({ url: postgres.url, drop: async () => undefined });
  webhooks = await Promise.all([1, 2, 3].map((path) => outbox.addWebhook(`${receiver.url}/${path}`)));
});
afterEach(async () => {
  await outbox.close();
  await receiver.close();
  await postgres.stop();
  await rm(folder, { recursive: true });
});

const restoredUrl = () => postgres.url.replace(/chain_webhooks$/, "chain_webhooks_restored");
const sh = async (command: string) => {
  const env = { ...process.env, DATABASE_URL: postgres.url, RESTORED_URL: restoredUrl() };
  return (await run("sh", ["-c", command], { cwd: folder, env })).stdout;
};

test("a dump that is made while notifications are recorded and delivered is restored whole, and delivered on from", async () => {
  const delivery = outbox.deliver();
  await outbox.append(webhooks, 100);
  let appending = true;
  const load = (async () => {
    while (appending) await outbox.append(webhooks, 5);
  })();
  await receiver.waitFor(200);
  await sh(find("pg_dump"));
  appending = false;
  await load;
  await outbox.atRest();
  await delivery.stop();

  await sh(find('psql "$DATABASE_URL" -c "CREATE DATABASE'));
  await sh(find("pg_restore"));
  const restored = await openOutbox({ url: restoredUrl(), drop: async () => undefined });
  const counted = "SELECT count(*)::int FROM notifications";
  const [count] = (await restored.pool.query<{ count: number }>(counted)).rows;
  expect(count?.count).toBeGreaterThanOrEqual(300);
  // Its day's partitions and what fills them are there; new ones can be made.
  await restored.append(webhooks, 5);
  const again = restored.deliver();
  await restored.atRest();
  await again.stop();
  const ledger = await readLedger(restored.pool, receiver);
  const known = [...ledger.arrived.keys()].filter((id) => ledger.recorded.has(id));
  expectNothingLost({ ...ledger, arrived: new Map(known.map((id) => [id, 1])) });
  expect(ledger.delivered.size).toBe(ledger.recorded.size);
  await restored.close();
});

test("an administrator restores for the service's role, which then reads its own tables", async () => {
  await outbox.pool.query("CREATE ROLE chain_webhooks LOGIN PASSWORD 'service'");
  const admin = { ADMIN_URL: postgres.url, RESTORED_ADMIN_URL: restoredUrl() };
  const asService = new URL(restoredUrl());
  asService.username = "chain_webhooks";
  asService.password = "service";
  const shell = (command: string, env: Record<string, string>) =>
    run("sh", ["-c", command], { cwd: folder, env: { ...process.env, ...env } });
  await sh(find("pg_dump"));
  await shell(find('psql "$ADMIN_URL"'), admin);
  await shell(find("pg_restore --no-owner --role"), admin);
  const list = find('DATABASE_URL="$RESTORED_URL" npm run cli keys').replace(
    "npm run",
    `npm --prefix ${process.cwd()} run`,
  );
  const { stderr } = await shell(list, { RESTORED_URL: asService.href });
  expect(stderr).not.toContain("lacks a right");

  // Without --role the tables are the administrator's.
  await outbox.pool.query("CREATE DATABASE wrong OWNER chain_webhooks");
  const wrong = (url: string) => url.replace(/chain_webhooks_restored$/, "wrong");
  await shell(find("pg_restore --no-owner --role").replace("--role=chain_webhooks ", ""), {
    RESTORED_ADMIN_URL: wrong(restoredUrl()),
  });
  await expect(shell(list, { RESTORED_URL: wrong(asService.href) })).rejects.toThrow(
    /lacks a right: permission denied/,
  );
});

test("the query lists the largest tables", async () => {
  await outbox.append(webhooks, 500);
  const reported = await sh(find('psql "$DATABASE_URL" -c "SELECT relname'));
  expect(reported).toMatch(/notifications_\d{8} +\| \d+ kB/);
});

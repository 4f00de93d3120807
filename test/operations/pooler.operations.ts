/** docs/run.md on poolers: behind PgBouncer in session mode everything works as it comes, and in transaction mode the check says what does not. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { createConsumer, postgresStore } from "../../client/consumer/index.ts";
import { run } from "../../scripts/command/run.ts";
import { sharedJanitor } from "../../scripts/local/janitor.ts";
import { createPool } from "../../server/store/pool.ts";
import { makeFeed, webhookId } from "../client/consumer/made-feed.ts";
import { runHere } from "../support/command.ts";
import { query } from "../support/database.ts";
import { type DistributionPostgres, startDistributionPostgres } from "../support/distribution-postgres.ts";
import { eventually } from "../support/eventually.ts";
import { freePort } from "../support/free-port.ts";
import { openOutbox } from "../support/outbox.ts";
import { startReceiver } from "../support/receiver.ts";
import { testChain } from "../support/service.ts";
import { startServiceProcess } from "../support/service-process.ts";

const isRoot = process.getuid?.() === 0;
let postgres: DistributionPostgres;
beforeAll(async () => {
  postgres = await startDistributionPostgres();
});
afterAll(() => postgres.stop());

/** Starts PgBouncer for the running test, with its own defaults otherwise. @returns the database's URL through it */
async function startPooler(mode: "session" | "transaction"): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "chain-webhooks-operations-"));
  const [port, url] = [await freePort(), new URL(postgres.url)];
  const file = join(folder, "pgbouncer.ini");
  await writeFile(
    file,
    `[databases]
chain_webhooks = host=127.0.0.1 port=${url.port} user=postgres password=postgres
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
default_pool_size = 60
`,
  );
  await Promise.all([chmod(folder, 0o755), chmod(file, 0o644)]);
  const args = isRoot ? ["runuser", "-u", "postgres", "--", "pgbouncer", file] : ["pgbouncer", file];
  const child = spawn(args[0] ?? "", args.slice(1), { stdio: "ignore", detached: true });
  await once(child, "spawn");
  const janitor = await sharedJanitor();
  janitor.watchGroup(child.pid ?? 0);
  const ended = once(child, "exit");
  onTestFinished(async () => {
    process.kill(-(child.pid ?? 0), "SIGKILL");
    await ended;
    await rm(folder, { recursive: true });
  });
  url.port = String(port);
  await eventually(() => query(url.href, "SELECT 1"));
  return url.href;
}

/** @returns which checks fail, and what is said of each. The server of this test runs without fsync, which is no matter of the pooler. */
async function failing(url: string): Promise<Map<string, string>> {
  vi.stubEnv("DATABASE_URL", url);
  const { stdout, stderr } = await runHere(run, ["check-database", "--seconds", "1"]);
  const lines = [...stdout.matchAll(/^(holds|slow|fails) {2,}(.+?) {2,}(.+)$/gm)];
  expect(lines.length, stdout + stderr).toBeGreaterThan(7);
  return new Map(
    lines.flatMap(([, what, name = "", said = ""]) => (what === "fails" && name !== "settings" ? [[name, said]] : [])),
  );
}

test("in session mode the check holds, sessions have their limits, and notifications are delivered", async () => {
  const url = await startPooler("session");
  expect([...(await failing(url))]).toEqual([]);
  const pool = createPool(url, { max: 2 });
  onTestFinished(() => pool.end());
  const limits = "SELECT current_setting('statement_timeout') AS statement, current_setting('jit') AS jit";
  expect((await pool.query(limits)).rows).toEqual([{ statement: "25s", jit: "off" }]);

  const outbox = await openOutbox({ url, drop: async () => undefined });
  onTestFinished(() => outbox.close());
  const receiver = await startReceiver();
  onTestFinished(() => receiver.close());
  const service = await startServiceProcess(url, [testChain({ rpcUrl: "http://127.0.0.1:1" })], {
    env: { LEASE_SECONDS: "60" },
  });
  await service.started;
  const webhook = await outbox.addWebhook(receiver.url);
  await outbox.append([webhook], 50);
  await receiver.waitFor(50);
  service.signal("SIGTERM");
  expect(await service.ended).toEqual({ code: 0, signal: null });
  expect(receiver.deliveries).toHaveLength(50);
});

test("in transaction mode the check fails, and says that session locks do not work", async () => {
  const found = await failing(await startPooler("transaction"));
  expect(found.get("session locks")).toContain("as behind a pooler in transaction mode; use session mode or no pooler");
});

test("in transaction mode a consumer handles each notification once", async () => {
  const url = await startPooler("transaction");
  await query(url, "CREATE TABLE effects (sequence int)");
  const feed = await makeFeed();
  const pool = new pg.Pool({ connectionString: url });
  onTestFinished(() => pool.end());
  const errors: unknown[] = [];
  const consumer = createConsumer({
    ...{ webhookId, client: feed.client, store: postgresStore(pool), backOff: { firstMs: 1, longestMs: 50 } },
    onNotification: (_, { sequence, transaction }) => transaction.query("INSERT INTO effects VALUES ($1)", [sequence]),
    onRetraction: () => expect.fail("there is none"),
    onError: (error) => errors.push(error),
  });
  onTestFinished(() => consumer.stop());
  for (let count = 0; count < 20; count += 1) feed.add();
  consumer.start();
  await eventually(async () => expect(await consumer.state()).toMatchObject({ position: 20 }));
  await consumer.stop();
  expect(errors).toEqual([]);
  const rows = await query(url, "SELECT sequence FROM effects ORDER BY 1");
  expect(rows.map(({ sequence }) => sequence)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
});

/** docs/run.md on failover: the primary dies under load, its standby is promoted, and the address leads there. Nothing is lost. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { type ConsumerError, createConsumer, postgresStore } from "../../client/consumer/index.ts";
import { sharedJanitor } from "../../scripts/local/janitor.ts";
import { makeFeed, webhookId } from "../client/consumer/made-feed.ts";
import { query } from "../support/database.ts";
import { startDistributionPostgres } from "../support/distribution-postgres.ts";
import { eventually } from "../support/eventually.ts";
import { freePort } from "../support/free-port.ts";
import { expectNothingLost, readLedger } from "../support/ledger.ts";
import { openOutbox } from "../support/outbox.ts";
import { startReceiver } from "../support/receiver.ts";
import { testChain } from "../support/service.ts";
import { startServiceProcess } from "../support/service-process.ts";

/** HAProxy leads to the first server that takes connections, and breaks those to one that is gone. @returns the database's URL through it */
async function startProxy(primary: string, standby: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "chain-webhooks-operations-"));
  const port = await freePort();
  const file = join(folder, "haproxy.cfg");
  const place = (url: string) => `127.0.0.1:${new URL(url).port}`;
  await writeFile(
    file,
    `defaults
  mode tcp
  timeout connect 2s
  timeout client 10m
  timeout server 10m
listen postgres
  bind 127.0.0.1:${port}
  default-server check inter 200ms fall 2 rise 1 on-marked-down shutdown-sessions
  server primary ${place(primary)}
  server standby ${place(standby)} backup
`,
  );
  const child = spawn("haproxy", ["-db", "-f", file], { stdio: "ignore", detached: true });
  await once(child, "spawn");
  const janitor = await sharedJanitor();
  janitor.watchGroup(child.pid ?? 0);
  const ended = once(child, "exit");
  onTestFinished(async () => {
    process.kill(-(child.pid ?? 0), "SIGKILL");
    await ended;
    await rm(folder, { recursive: true });
  });
  const url = new URL(primary);
  url.port = String(port);
  await eventually(() => query(url.href, "SELECT 1"));
  return url.href;
}

/** A primary whose commits count once its standby has them, behind one address. */
async function startWithStandby() {
  const postgres = await startDistributionPostgres();
  onTestFinished(() => postgres.stop());
  const bin = `/usr/lib/postgresql/${postgres.major}/bin`;
  await postgres.sh(`${bin}/pg_basebackup -d "$FROM" -D standby -R -X stream -c fast`, { FROM: postgres.url });
  const standby = await postgres.startOn("standby");
  await eventually(async () => {
    const states = await query(postgres.url, "SELECT state FROM pg_stat_replication");
    expect(states).toEqual([{ state: "streaming" }]);
  });
  // A commit counts once the standby has it.
  await query(postgres.url, "ALTER SYSTEM SET synchronous_standby_names = '*'");
  await query(postgres.url, "SELECT pg_reload_conf()");
  await eventually(async () => {
    const states = await query(postgres.url, "SELECT sync_state FROM pg_stat_replication");
    expect(states).toEqual([{ sync_state: "sync" }]);
  });

  const url = await startProxy(postgres.url, standby);
  return { postgres, standby, url, bin };
}

test("a streaming standby takes over under load: what was recorded is delivered, and the process goes on by itself", async () => {
  const { postgres, standby, url, bin } = await startWithStandby();
  const outbox = await openOutbox({ url, drop: async () => undefined });
  onTestFinished(() => outbox.close());
  const receiver = await startReceiver();
  onTestFinished(() => receiver.close());
  receiver.answer = (_, response) => void setTimeout(() => response.writeHead(204).end(), 20);
  const chain = testChain({ rpcUrl: "http://127.0.0.1:1" });
  const service = await startServiceProcess(url, [chain], { env: { LEASE_SECONDS: "60", METRICS_PORT: "0" } });
  const api = await service.started;
  const webhooks = await Promise.all(Array.from({ length: 10 }, () => outbox.addWebhook(receiver.url)));

  const recorded = new Set<string>();
  let going = true;
  const recording = (async () => {
    while (going) {
      const ids = await outbox.append(webhooks, 2).catch(() => []);
      for (const id of ids) recorded.add(id);
      if (ids.length === 0) await new Promise((resolve) => setTimeout(resolve, 50));
    }
  })();
  await receiver.waitFor(100);
  await postgres.sh(`${bin}/pg_ctl -D data -m immediate -w stop`, {});
  const before = recorded.size;
  // The address leads to the standby, which is read-only until it is promoted.
  await eventually(async () => expect((await fetch(`${api}/readyz`)).status).toBe(503));
  await eventually(() => query(url, "SELECT 1"));
  await query(standby, "ALTER SYSTEM RESET synchronous_standby_names");
  await query(standby, "SELECT pg_promote()");
  await eventually(() => expect(recorded.size).toBeGreaterThan(before + 100));
  going = false;
  await recording;
  await outbox.atRest();
  await eventually(async () => expect((await fetch(`${api}/readyz`)).status).toBe(200));

  const ledger = await readLedger(outbox.pool, receiver);
  expectNothingLost(ledger);
  expect([...recorded].filter((id) => !ledger.accepted.has(id))).toEqual([]);
  service.signal("SIGTERM");
  expect(await service.ended).toEqual({ code: 0, signal: null });
});

test("a consumer goes on with the standby, and each notification has one effect", async () => {
  const { postgres, standby, url, bin } = await startWithStandby();
  await query(url, "CREATE TABLE effects (sequence int)");
  const feed = await makeFeed();
  const pool = new pg.Pool({ connectionString: url, connectionTimeoutMillis: 2_000, query_timeout: 5_000 });
  onTestFinished(() => pool.end());
  const errors: ConsumerError[] = [];
  const consumer = createConsumer({
    ...{ webhookId, client: feed.client, store: postgresStore(pool), backOff: { firstMs: 1, longestMs: 50 } },
    onNotification: (_, { sequence, transaction }) => transaction.query("INSERT INTO effects VALUES ($1)", [sequence]),
    onRetraction: () => expect.fail("there is none"),
    onError: (error) => errors.push(error),
  });
  onTestFinished(() => consumer.stop());
  for (let count = 0; count < 2_000; count += 1) feed.add();
  consumer.start();
  await eventually(async () => expect((await consumer.state()).position).toBeGreaterThan(100));
  await postgres.sh(`${bin}/pg_ctl -D data -m immediate -w stop`, {});
  await eventually(() => query(url, "SELECT 1"));
  // It is read-only until it is promoted.
  await eventually(() => expect(errors.at(-1)).toMatchObject({ code: "store_failed" }));
  await query(standby, "ALTER SYSTEM RESET synchronous_standby_names");
  await query(standby, "SELECT pg_promote()");
  await eventually(async () => expect((await consumer.state()).position).toBe(2_000));
  const rows = await query(url, "SELECT sequence FROM effects ORDER BY 1");
  expect(rows.map(({ sequence }) => sequence)).toEqual(Array.from({ length: 2_000 }, (_, index) => index + 1));
});

/** What every connection asks of its session, however the server is configured: limits in the database, no JIT, and a database that takes writes. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { listenForWork } from "../../server/store/delivery/announcements.ts";
import { readDeliveryFigures } from "../../server/store/delivery/figures.ts";
import {
  abandonedAfter,
  connectApart,
  createPool,
  inTransaction,
  type Pool,
  type Queryable,
  within,
} from "../../server/store/pool.ts";
import { createTestDatabase, query, type TestDatabase } from "../support/database.ts";
import { eventually } from "../support/eventually.ts";

let database: TestDatabase;
let pool: Pool;
beforeEach(async () => {
  database = await createTestDatabase();
  // As a server's defaults would have it.
  const name = new URL(database.url).pathname.slice(1);
  for (const setting of [
    "jit = on",
    "jit_above_cost = 0",
    "statement_timeout = 0",
    "idle_in_transaction_session_timeout = 0",
  ])
    await query(database.url, `ALTER DATABASE ${name} SET ${setting}`);
  // The pool's own limit is beyond the patience of tests, so that it is not what ends a statement.
  pool = createPool(database.url, { max: 3, patienceMs: 600_000, onError: () => undefined });
});
afterEach(async () => {
  await pool.end();
  await database.drop();
});

const show = async (db: Queryable, setting: string) =>
  (await db.query<Record<string, string>>(`SHOW ${setting}`)).rows[0]?.[setting];
const pidOf = async (db: Queryable) => (await db.query<{ pid: number }>("SELECT pg_backend_pid() AS pid")).rows[0]?.pid;
const running = async (text: string) =>
  (await query(database.url, `SELECT pid FROM pg_stat_activity WHERE query = '${text}' AND state = 'active'`)).length;

test("a connection of the pool, and one apart from it, are limited in the database and compile nothing", async () => {
  let listener: Queryable | undefined;
  await connectApart(pool, (client) => {
    listener = client;
  });
  for (const db of [pool, listener ?? pool]) {
    expect(await show(db, "jit")).toBe("off");
    expect(await show(db, "statement_timeout")).toBe("500s");
    expect(await show(db, "idle_in_transaction_session_timeout")).toBe("15s");
  }
});

test("the figures of metrics are planned without JIT, which costs seconds where estimates are high", async () => {
  const [seen] = await readDeliveryFigures({
    async query(config: { text: string; values: unknown[] }) {
      const { rows } = await pool.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${config.text}`, config.values);
      throw Object.assign(new Error("seen"), { plan: JSON.stringify(rows) });
    },
  } as unknown as Queryable).then(
    () => [],
    (error: { plan: string }) => [error.plan],
  );
  expect(seen).toContain("Plan");
  expect(seen).not.toContain('"JIT"');
});

test("a statement that is given up in Node does not run on in the database", async () => {
  const text = "SELECT pg_sleep(601)";
  await expect(pool.query(within(600, { text }))).rejects.toThrow("timeout");
  await eventually(async () => expect(await running(text)).toBe(0));
});

test("a statement that is abandoned does not run on either, and sends no settings", async () => {
  const text = "SELECT pg_sleep(603)";
  await expect(pool.query(abandonedAfter(600, { text }))).rejects.toThrow("timeout");
  await eventually(async () => expect(await running(text)).toBe(0));
  const one = createPool(database.url, { max: 1, patienceMs: 3_000 });
  const answer = await one.query(
    abandonedAfter(60_000, { text: "SELECT current_setting('statement_timeout') AS own" }),
  );
  expect(answer.rows).toEqual([{ own: "2500ms" }]);
  // The connection is the same one, and still good.
  expect(one.totalCount).toBe(1);
  await one.end();
});

test("a statement whose process has died does not run on in the database", async () => {
  const text = "SELECT pg_sleep(602)";
  const client = await pool.connect();
  client.on("error", () => undefined);
  const sent = client.query(text).catch(() => undefined);
  await eventually(async () => expect(await running(text)).toBe(1));
  const { connection } = client as unknown as { connection: { stream: { destroy(): void } } };
  connection.stream.destroy();
  await sent;
  client.release(true);
  await eventually(async () => expect(await running(text)).toBe(0));
});

test("a query's own limit is longer, too, and ends with it: in a transaction, and in one that fails", async () => {
  const one = createPool(database.url, { max: 1, patienceMs: 3_000 });
  await one.query(within(60_000, { text: "SELECT pg_sleep(4)" }));
  expect(await show(one, "statement_timeout")).toBe("2500ms");
  await inTransaction(one, async (db) => {
    await db.query(within(60_000, { text: "SELECT 1" }));
    expect(await show(db, "statement_timeout")).toBe("2500ms");
  });
  const failing = inTransaction(one, (db) => db.query(within(60_000, { text: "SELECT 1 / 0" })));
  await expect(failing).rejects.toThrow("division by zero");
  expect(await show(one, "statement_timeout")).toBe("2500ms");
  await one.end();
});

test("connections to a primary that became read-only are dropped, also those that only read or listen", async () => {
  const heard: string[] = [];
  const listener = listenForWork(pool, (work) => heard.push(work));
  await eventually(() => expect(listener.hears()).toBe(true));
  const pids = () =>
    query(
      database.url,
      "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()",
    );
  const clients = await Promise.all([pool.connect(), pool.connect(), pool.connect()]);
  const former = await Promise.all(clients.map(pidOf));
  const all = (await pids()).map(({ pid }) => pid);
  expect(all.length).toBeGreaterThan(former.length);
  for (const client of clients) await client.query("SET default_transaction_read_only = on");
  for (const client of clients) client.release();
  // Whoever reads is led to the new primary, and so is whoever listens.
  await eventually(async () => {
    await pool.query("SELECT 1");
    const now = (await pids()).map(({ pid }) => pid);
    expect(all.filter((pid) => now.includes(pid))).toEqual([]);
  });
  await pool.query("INSERT INTO accounts (name) VALUES ('written')");
  await eventually(() => expect(listener.hears()).toBe(true));
  listener.stop();
});

test("a write that is refused drops its connection, where the server does not report its state, as behind a pooler", async () => {
  const client = await pool.connect();
  const former = await pidOf(client);
  await client.query("SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY");
  client.release();
  await eventually(async () => {
    await pool.query("INSERT INTO accounts (name) VALUES ('written')");
    expect(await pidOf(pool)).not.toBe(former);
  });
});

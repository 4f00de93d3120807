/** Each store commits the effect and the position together or not at all, and lets nobody commit who is not the holder. */
import { randomUUID } from "node:crypto";
import { createRequire } from "node:module";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type ConsumerStore, memoryStore, postgresStore } from "../../../client/consumer/index.ts";
import { createEmptyDatabase, query, type TestDatabase } from "../../support/database.ts";
import { eventually } from "../../support/eventually.ts";
import { behavesAsASqliteStore, behavesAsAStore, leaseMs, type Sqlite, webhookId } from "./store-behaviour.ts";

describe("in memory", () => {
  let store: ConsumerStore<undefined>;
  let done: string[];
  beforeEach(() => {
    store = memoryStore();
    done = [];
  });
  behavesAsAStore(
    () => ({ one: store, other: store, effect: (_, text) => done.push(text), effects: async () => done }),
    { isTransactional: false },
  );
});

describe("in PostgreSQL", () => {
  let database: TestDatabase;
  let pools: pg.Pool[];
  const connect = (url: string) => new pg.Pool({ connectionString: url, max: 3 });
  const stores = () => pools.map((pool) => postgresStore(pool)) as [Store, Store];
  type Store = ReturnType<typeof postgresStore>;

  beforeAll(async () => {
    database = await createEmptyDatabase();
    await query(database.url, "CREATE TABLE effects (text text)");
  });
  beforeEach(async () => {
    await query(database.url, "DROP TABLE IF EXISTS chain_webhooks_consumers; TRUNCATE effects");
    pools = [connect(database.url), connect(database.url)];
    return () => Promise.all(pools.map((pool) => pool.end()));
  });
  afterAll(() => database.drop());
  const effects = async () =>
    (await query(database.url, "SELECT text FROM effects ORDER BY 1")).map(({ text }) => String(text));
  const effect = (transaction: { query(text: string, values: unknown[]): unknown }, text: string) =>
    transaction.query("INSERT INTO effects VALUES ($1)", [text]);

  behavesAsAStore(() => {
    const [one, other] = stores();
    return { one, other, effect, effects };
  });

  test("processes that start together create the table once", async () => {
    const all = Array.from({ length: 6 }, (_, index) => postgresStore(pools[index % 2] ?? connect(database.url)));
    await Promise.all(all.map((store, index) => store.hold(webhookId, String(index), leaseMs)));
    const held = await Promise.all(all.map((store, index) => store.hold(webhookId, String(index), leaseMs)));
    expect(held.filter(Boolean)).toHaveLength(1);
  });

  test("needs no right to create where the table is there", async () => {
    const [one] = stores();
    await one.read(webhookId);
    const role = `reader_${randomUUID().replaceAll("-", "")}`;
    await query(
      database.url,
      `CREATE ROLE ${role} LOGIN PASSWORD 'x'; REVOKE CREATE ON SCHEMA public FROM PUBLIC;
       GRANT SELECT, INSERT, UPDATE ON chain_webhooks_consumers TO ${role}`,
    );
    const url = new URL(database.url);
    Object.assign(url, { username: role, password: "x" });
    const pool = connect(url.href);
    expect(await postgresStore(pool).hold(webhookId, "it", leaseMs)).toBe(true);
    await pool.end();
    await query(database.url, `DROP OWNED BY ${role}; DROP ROLE ${role}`);
  });

  test("keeps its table in the schema of the pool, also where a handler looks into another", async () => {
    const schemas = "CREATE SCHEMA own; CREATE SCHEMA tenant; CREATE TABLE tenant.effects (text text)";
    await query(database.url, `DROP SCHEMA IF EXISTS own, tenant CASCADE; ${schemas}`);
    const url = new URL(database.url);
    url.searchParams.set("options", "-c search_path=own");
    const pool = connect(url.href);
    const [store, other] = [postgresStore(pool), stores()[0]];
    await store.hold(webhookId, "one", leaseMs);
    await other.hold(webhookId, "other", leaseMs);
    await store.advance(webhookId, "one", async (transaction) => {
      // As with a schema for each tenant.
      await transaction.query("SET LOCAL search_path TO tenant");
      await effect(transaction, "one");
      return { position: 1 };
    });
    expect(await store.read(webhookId)).toMatchObject({ position: 1 });
    expect(await other.read(webhookId)).toMatchObject({ position: undefined });
    // In the other schema there is such a table, too.
    await store.advance(webhookId, "one", async (transaction) => {
      await transaction.query("SET LOCAL search_path TO public");
      return { position: 2 };
    });
    expect(await store.read(webhookId)).toMatchObject({ position: 2 });
    expect(await other.read(webhookId)).toMatchObject({ position: undefined });
    await pool.end();
  });

  test("a lost connection commits nothing, and no connection is lost to the pool", async () => {
    const [one, other] = stores();
    await one.hold(webhookId, "one", leaseMs);
    for (let time = 0; time < 5; time += 1) {
      const cut = one.advance(webhookId, "one", async (transaction) => {
        await effect(transaction, "lost");
        const { rows } = await transaction.query("SELECT pg_backend_pid() AS pid");
        await query(database.url, `SELECT pg_terminate_backend(${Number(rows[0]?.pid)})`);
        return { position: 1 };
      });
      await expect(cut).rejects.toThrow();
    }
    expect(await other.read(webhookId)).toMatchObject({ position: undefined });
    await one.advance(webhookId, "one", async () => ({ position: 1 }));
    expect(await effects()).toEqual([]);
    // While nobody uses it.
    await query(
      database.url,
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()",
    );
    await eventually(async () => expect(await one.read(webhookId)).toMatchObject({ position: 1 }));
  });

  test("a process that has vanished in a transaction holds the webhook no longer than it may be idle", async () => {
    const store = postgresStore(pools[0] ?? expect.fail(), { idleMs: 50 });
    const [, other] = stores();
    await store.hold(webhookId, "one", 1);
    let resume = () => {};
    const silence = new Promise<void>((resolve) => {
      resume = resolve;
    });
    let began = false;
    const idle = store.advance(webhookId, "one", async (transaction) => {
      began = true;
      await effect(transaction, "lost");
      await silence;
      return { position: 1 };
    });
    const failed = expect(idle).rejects.toThrow();
    // Before that another could take the webhook, whose lease is over.
    await eventually(() => expect(began).toBe(true));
    await eventually(async () => expect(await other.hold(webhookId, "other", leaseMs)).toBe(true));
    resume();
    await failed;
    expect(await effects()).toEqual([]);
  });

  test("a long transaction keeps the webhook, even when its lease is over", async () => {
    const [one, other] = stores();
    await one.hold(webhookId, "one", 1);
    await one.advance(webhookId, "one", async () => {
      expect(await other.hold(webhookId, "other", leaseMs)).toBe(false);
      return { position: 1 };
    });
    expect(await other.hold(webhookId, "other", leaseMs)).toBe(true);
  });

  test.each(["COMMIT", "ROLLBACK", "COMMIT; BEGIN"])("a handler that sends %s gets an error", async (statement) => {
    const [one] = stores();
    await one.hold(webhookId, "one", leaseMs);
    const ended = one.advance(webhookId, "one", async (transaction) => {
      await transaction.query(statement);
      return { position: 1 };
    });
    await expect(ended).rejects.toThrow("The handler ended the transaction that it was given");
    expect(await one.read(webhookId)).toMatchObject({ position: undefined });
  });

  test("a statement that fails after its handler has returned commits nothing, and is no success", async () => {
    const [one] = stores();
    await one.hold(webhookId, "one", leaseMs);
    const unawaited = one.advance(webhookId, "one", async (transaction) => {
      // The next one waits in the connection, until that of the position has been sent.
      const later = transaction.query("SELECT pg_sleep(0.05)").then(() => transaction.query("SELECT 1 / 0"));
      later.catch(() => {});
      return { position: 1 };
    });
    await expect(unawaited).rejects.toThrow();
    expect(await one.read(webhookId)).toMatchObject({ position: undefined });
  });

  test("a handler that swallows the error of a statement commits nothing", async () => {
    const [one] = stores();
    await one.hold(webhookId, "one", leaseMs);
    const swallowed = one.advance(webhookId, "one", async (transaction) => {
      await transaction.query("SELECT 1 / 0").catch(() => {});
      return { position: 1 };
    });
    await expect(swallowed).rejects.toThrow("current transaction is aborted");
    expect(await one.read(webhookId)).toMatchObject({ position: undefined });
  });

  test("refuses an idle time that is none", () => {
    for (const idleMs of [0, -1, 1.5, Number.NaN, 2 ** 31])
      expect(() => postgresStore(pools[0] ?? expect.fail(), { idleMs })).toThrow("idleMs must be a whole number");
  });
});

/** Node 20 does not have it. `npm run test:more node` runs this file with a newer one. */
const sqlite = ((): { DatabaseSync: new (path: string) => Sqlite } | undefined => {
  try {
    return createRequire(import.meta.url)("node:sqlite");
  } catch {
    return undefined;
  }
})();

describe.runIf(sqlite)("in SQLite, by node:sqlite", () => {
  behavesAsASqliteStore({
    open: (path) => new (sqlite?.DatabaseSync ?? expect.fail())(path),
    program: (path) => `
      import { DatabaseSync } from "node:sqlite";
      const database = new DatabaseSync(${JSON.stringify(path)});`,
  });
});

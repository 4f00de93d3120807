/** Each store commits the effect and the position together or not at all, and lets nobody commit who is not the holder. */
import { randomUUID } from "node:crypto";
import { createRequire } from "node:module";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  type ConsumerStore,
  memoryStore,
  postgresStore,
  type SqliteDatabase,
  sqliteStore,
} from "../../../client/consumer/index.ts";
import { runChild } from "../../support/child.ts";
import { createEmptyDatabase, query, type TestDatabase } from "../../support/database.ts";
import { eventually } from "../../support/eventually.ts";

const webhookId = "6d1bbe40-2a4b-4c0e-8f0a-5e7f5b1d2c3a";
const leaseMs = 60_000;

/** Both stores of two processes, and the effects that were committed. */
type Pair<Transaction> = {
  one: ConsumerStore<Transaction>;
  other: ConsumerStore<Transaction>;
  effect(transaction: Transaction, text: string): unknown;
  effects(): Promise<string[]>;
};

function behavesAsAStore<Transaction>(pair: () => Pair<Transaction>, { isTransactional = true } = {}): void {
  test("begins without a position, and keeps what is committed", async () => {
    const { one, other, effect, effects } = pair();
    expect(await one.read(webhookId)).toEqual({ position: undefined, skipped: [] });
    expect(await one.hold(webhookId, "one", leaseMs)).toBe(true);
    const advanced = await one.advance(webhookId, "one", async (transaction, position) => {
      expect(position).toBeUndefined();
      await effect(transaction, "first");
      return { position: 7 };
    });
    expect(advanced).toBe(true);
    const skipped = { from: 8, to: 9, reason: "it's wrong", skippedAt: new Date().toISOString() };
    // Anybody may skip.
    await other.advance(webhookId, undefined, async (_, position) => {
      expect(position).toBe(7);
      return { position: 9, skipped };
    });
    expect(await other.read(webhookId)).toEqual({ position: 9, skipped: [skipped] });
    expect(await one.read("another")).toEqual({ position: undefined, skipped: [] });
    expect(await effects()).toEqual(["first"]);
  });

  test("only the holder advances, until it releases the webhook or its lease is over", async () => {
    const { one, other } = pair();
    expect(await one.hold(webhookId, "one", leaseMs)).toBe(true);
    expect(await other.hold(webhookId, "other", leaseMs)).toBe(false);
    expect(await one.hold(webhookId, "one", leaseMs)).toBe(true);
    expect(await other.hold("another", "other", leaseMs)).toBe(true);
    const never = () => expect.fail("it is not the holder");
    expect(await other.advance(webhookId, "other", never)).toBe(false);
    await other.release(webhookId, "other");
    expect(await other.hold(webhookId, "other", leaseMs)).toBe(false);
    await one.release(webhookId, "one");
    expect(await other.hold(webhookId, "other", 1)).toBe(true);
    await eventually(async () => expect(await one.hold(webhookId, "one", leaseMs)).toBe(true));
    expect(await other.advance(webhookId, "other", never)).toBe(false);
  });

  test("what fails commits nothing, and neither does what has nothing to commit", async () => {
    const { one, effect, effects } = pair();
    await one.hold(webhookId, "one", leaseMs);
    const failing = one.advance(webhookId, "one", async (transaction) => {
      if (isTransactional) await effect(transaction, "lost");
      throw new Error("broken");
    });
    await expect(failing).rejects.toThrow("broken");
    await one.advance(webhookId, "one", async (transaction) => {
      if (isTransactional) await effect(transaction, "lost");
      return undefined;
    });
    expect(await one.read(webhookId)).toEqual({ position: undefined, skipped: [] });
    expect(await effects()).toEqual([]);
    await one.advance(webhookId, "one", async () => ({ position: 1 }));
    expect(await one.read(webhookId)).toMatchObject({ position: 1 });
  });

  test("two that advance at the same time do so one after the other", async () => {
    const { one, other } = pair();
    const step = (store: ConsumerStore<Transaction>) =>
      store.advance(webhookId, undefined, async (_, position = 0) => {
        await new Promise((resolve) => setTimeout(resolve, 5));
        return { position: position + 1 };
      });
    await Promise.all(Array.from({ length: 10 }, (_, index) => step(index % 2 ? one : other)));
    expect(await one.read(webhookId)).toMatchObject({ position: 10 });
  });
}

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

type Sqlite = SqliteDatabase & { close(): void };
/** Node 20 does not have it. `npm run test:more node` runs this file with a newer one. */
const sqlite = ((): { DatabaseSync: new (path: string) => Sqlite } | undefined => {
  try {
    return createRequire(import.meta.url)("node:sqlite");
  } catch {
    return undefined;
  }
})();

describe.runIf(sqlite)("in SQLite, by node:sqlite", async () => {
  const { mkdtemp, rm } = await import("node:fs/promises");
  const { tmpdir } = await import("node:os");
  const { join } = await import("node:path");
  let folder: string;
  let databases: [Sqlite, Sqlite];
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "chain-webhooks-sqlite-"));
    const open = () => new (sqlite?.DatabaseSync ?? expect.fail())(join(folder, "ledger.db"));
    databases = [open(), open()];
    databases[0].exec("CREATE TABLE effects (text TEXT)");
    return async () => {
      for (const database of databases) database.close();
      await rm(folder, { recursive: true });
    };
  });
  const effects = async () => {
    const joined = databases[1].prepare("SELECT coalesce(json_group_array(text), '[]') AS all_ FROM effects").get();
    return JSON.parse((joined as { all_: string }).all_) as string[];
  };
  const effect = (database: Sqlite, text: string) => database.prepare("INSERT INTO effects VALUES (?)").run(text);

  behavesAsAStore(() => ({ one: sqliteStore(databases[0]), other: sqliteStore(databases[1]), effect, effects }));

  test("two stores of one connection take turns", async () => {
    const [one, same] = [sqliteStore(databases[0]), sqliteStore(databases[0])];
    await Promise.all(
      ["a", "b"].map((id, index) =>
        (index ? one : same).advance(id, undefined, async (database) => {
          effect(database, id);
          await new Promise((resolve) => setTimeout(resolve, 5));
          return { position: 1 };
        }),
      ),
    );
    expect((await effects()).toSorted()).toEqual(["a", "b"]);
  });

  test("a handler may ask for the position", async () => {
    const store = sqliteStore(databases[0]);
    await store.hold(webhookId, "one", leaseMs);
    await store.advance(webhookId, "one", async () => {
      expect(await store.read(webhookId)).toMatchObject({ position: undefined });
      return { position: 1 };
    });
  });

  test("a position is not there before it is committed", async () => {
    const store = sqliteStore(databases[0]);
    await store.hold(webhookId, "one", leaseMs);
    // A reader holds up the commit.
    databases[1].exec("BEGIN");
    databases[1].prepare("SELECT count(*) FROM chain_webhooks_consumers").get();
    const advanced = store.advance(webhookId, "one", async () => ({ position: 1 }));
    let isOver = false;
    let isEarly = false;
    let isReading = true;
    const reading = (async () => {
      while (!isOver) {
        const { position } = await store.read(webhookId);
        isEarly ||= position === 1 && isReading;
        await sleep(5);
      }
    })();
    await sleep(200);
    isReading = false;
    databases[1].exec("COMMIT");
    expect(await advanced).toBe(true);
    isOver = true;
    await reading;
    expect(isEarly).toBe(false);
    expect(await store.read(webhookId)).toMatchObject({ position: 1 });
  });

  test("who waits for a long handler of another process gets no error, even when its lease is over", async () => {
    const [one, other] = [sqliteStore(databases[0]), sqliteStore(databases[1])];
    await one.hold(webhookId, "one", 1);
    await sleep(5);
    let isDone = false;
    await one.advance(webhookId, "one", async () => {
      await Promise.all([
        expect(other.hold(webhookId, "other", leaseMs)).resolves.toBe(false),
        expect(other.read(webhookId)).resolves.toEqual({ position: undefined, skipped: [] }),
        expect(other.release(webhookId, "other")).resolves.toBeUndefined(),
      ]);
      isDone = true;
      return { position: 1 };
    });
    expect(isDone).toBe(true);
    expect(await other.hold(webhookId, "other", leaseMs)).toBe(true);
  });

  test("who reads waits for another process that commits", async () => {
    const store = sqliteStore(databases[0]);
    await store.hold(webhookId, "one", leaseMs);
    databases[1].exec("BEGIN EXCLUSIVE");
    const found = store.read(webhookId);
    databases[1].exec("COMMIT");
    expect(await found).toEqual({ position: undefined, skipped: [] });
  });

  test.each(["COMMIT", "ROLLBACK"])("a handler that sends %s gets an error", async (statement) => {
    const store = sqliteStore(databases[0]);
    await store.hold(webhookId, "one", leaseMs);
    const ended = store.advance(webhookId, "one", async (database) => {
      database.exec(statement);
      return { position: 1 };
    });
    await expect(ended).rejects.toThrow("The handler ended the transaction that it was given");
    expect(await store.read(webhookId)).toMatchObject({ position: undefined });
  });

  test("a process that is killed at any moment has committed the effect and the position, or neither", async () => {
    for (let time = 0; time < 3; time += 1) {
      const child = await runChild<boolean>(
        `import { DatabaseSync } from "node:sqlite";
        import { setTimeout as sleep } from "node:timers/promises";
        import { sqliteStore } from "./client/consumer/index.ts";
        const store = sqliteStore(new DatabaseSync(${JSON.stringify(join(folder, "ledger.db"))}));
        while (!(await store.hold("${webhookId}", String(process.pid), 50))) await sleep(5);
        report(true);
        for (;;)
          await store.advance("${webhookId}", String(process.pid), async (database, position = 0) => {
            database.prepare("INSERT INTO effects VALUES (?)").run(String(position + 1));
            if (Math.random() < 0.3) await sleep(1);
            return { position: position + 1 };
          });`,
      );
      const { position: before = 0 } = await sqliteStore(databases[1]).read(webhookId);
      await eventually(async () =>
        expect((await sqliteStore(databases[1]).read(webhookId)).position ?? 0).toBeGreaterThan(before + time),
      );
      await child.kill();
      const { position = 0 } = await sqliteStore(databases[1]).read(webhookId);
      const expected = Array.from({ length: position }, (_, index) => String(index + 1));
      expect((await effects()).toSorted((a, b) => Number(a) - Number(b))).toEqual(expected);
    }
  });

  test("a file that is locked by others is an error after a while, and changes nothing", async () => {
    const store = sqliteStore(databases[0]);
    await store.hold(webhookId, "one", leaseMs);
    databases[1].exec("BEGIN IMMEDIATE");
    await expect(store.advance(webhookId, "one", async () => ({ position: 1 }))).rejects.toThrow("locked");
    databases[1].exec("COMMIT");
    expect(await store.read(webhookId)).toMatchObject({ position: undefined });
    expect(await store.advance(webhookId, "one", async () => ({ position: 1 }))).toBe(true);
  });
});

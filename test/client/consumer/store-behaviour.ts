/** What each store must do, and each driver of SQLite. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { type ConsumerStore, type SqliteDatabase, sqliteStore } from "../../../client/consumer/index.ts";
import { runChild } from "../../support/child.ts";
import { eventually } from "../../support/eventually.ts";

export const webhookId = "6d1bbe40-2a4b-4c0e-8f0a-5e7f5b1d2c3a";
export const leaseMs = 60_000;

/** Both stores of two processes, and the effects that were committed. */
type Pair<Transaction> = {
  one: ConsumerStore<Transaction>;
  other: ConsumerStore<Transaction>;
  effect(transaction: Transaction, text: string): unknown;
  effects(): Promise<string[]>;
};

export function behavesAsAStore<Transaction>(pair: () => Pair<Transaction>, { isTransactional = true } = {}): void {
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

export type Sqlite = SqliteDatabase & { close(): void };

/** A driver of SQLite. */
export type SqliteDriver = {
  open(path: string): Sqlite;
  /** The lines of a program that have the database as `database`. */
  program(path: string): string;
};

/** Registers the tests of a store in files that the driver opens. */
export function behavesAsASqliteStore({ open: openAt, program }: SqliteDriver): void {
  let folder: string;
  let databases: [Sqlite, Sqlite];
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "chain-webhooks-sqlite-"));
    const open = () => openAt(join(folder, "ledger.db"));
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

  test("who reads waits for another process that commits, and does not keep it from the next commit", async () => {
    const store = sqliteStore(databases[0]);
    await store.hold(webhookId, "one", leaseMs);
    databases[1].exec("BEGIN EXCLUSIVE");
    const found = Promise.all(Array.from({ length: 100 }, () => store.read(webhookId)));
    databases[1].exec("COMMIT");
    expect((await found).at(-1)).toEqual({ position: undefined, skipped: [] });
    databases[1].exec("BEGIN EXCLUSIVE");
    databases[1].exec("COMMIT");
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
        `${program(join(folder, "ledger.db"))}
        import { setTimeout as sleep } from "node:timers/promises";
        import { sqliteStore } from "./client/consumer/index.ts";
        const store = sqliteStore(database);
        while (!(await store.hold("${webhookId}", String(process.pid), 50))) await sleep(5);
        report(true);
        for (;;)
          await store.advance("${webhookId}", String(process.pid), async (database, position = 0) => {
            database.prepare("INSERT INTO effects VALUES (?)").run(String(position + 1));
            await sleep(Math.random() * 5);
            return { position: position + 1 };
          });`,
      );
      onTestFinished(() => child.kill());
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
}

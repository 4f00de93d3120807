/** Transactions and time limits, also when the connection breaks. */

import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { isDatabaseUnavailable } from "../../server/store/database-errors.ts";
import {
  createPool,
  inTransaction,
  openTransaction,
  type Pool,
  type Queryable,
  readTogether,
  together,
  within,
} from "../../server/store/pool.ts";
import { createEmptyDatabase, type TestDatabase } from "../support/database.ts";
import { eventually } from "../support/eventually.ts";
import { lockWaits } from "../support/lock-waits.ts";

let database: TestDatabase;
let pool: Pool;
beforeAll(async () => {
  database = await createEmptyDatabase();
  pool = createPool(database.url, { max: 3, onError: () => undefined });
  await pool.query("CREATE TABLE things (name text)");
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

const names = async () => (await pool.query<{ name: string }>("SELECT name FROM things")).rows.map(({ name }) => name);

test("a transaction is all or nothing", async () => {
  await inTransaction(pool, (db) => db.query("INSERT INTO things VALUES ('kept')"));
  const failed = inTransaction(pool, async (db) => {
    await db.query("INSERT INTO things VALUES ('dropped')");
    throw new Error("no");
  });
  await expect(failed).rejects.toThrow("no");
  expect(await names()).toEqual(["kept"]);
});

test("a connection that breaks between two statements of a transaction is an error, and not the end of the process", async () => {
  const broken = inTransaction(pool, async (db) => {
    const { rows } = await db.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
    await pool.query("SELECT pg_terminate_backend($1)", [rows[0]?.pid]);
    // No statement is sent meanwhile, so only the connection itself reports that it broke.
    await new Promise((resolve) => setTimeout(resolve, 100));
    await db.query("INSERT INTO things VALUES ('never')");
  });
  await expect(broken).rejects.toThrow();
  await Promise.all(Array.from({ length: 4 }, () => pool.query("SELECT 1")));
  expect(await names()).not.toContain("never");
});

test("an array of texts comes back as it was, whatever its texts are", async () => {
  const texts = [["0xab", "b"], [], ["a,b", "{c}", 'q"', "\\", "", " ", "null", "NULL", "nULl"], ["a", null], ["only"]];
  for (const sent of texts) {
    const { rows } = await pool.query<{ texts: unknown }>("SELECT $1::text[] AS texts", [sent]);
    expect(rows[0]?.texts).toEqual(sent);
  }
  const { rows } = await pool.query<{ texts: unknown }>("SELECT ARRAY[ARRAY['a', 'b'], ARRAY['c', 'd']] AS texts");
  expect(rows[0]?.texts).toEqual([
    ["a", "b"],
    ["c", "d"],
  ]);
});

test("a query can have its own time limit, and its connection is not used again", async () => {
  const startedAt = performance.now();
  await expect(pool.query(within(100, { text: "SELECT pg_sleep(20)" }))).rejects.toThrow("timeout");
  expect(performance.now() - startedAt).toBeLessThan(19_000);
  await Promise.all(Array.from({ length: 4 }, () => pool.query("SELECT 1")));
});

test("a transaction whose connection keeps silent ends soon after its query", async () => {
  const startedAt = performance.now();
  const silent = inTransaction(pool, (db) => db.query(within(100, { text: "SELECT pg_sleep(20)" })));
  await expect(silent).rejects.toThrow("timeout");
  expect(performance.now() - startedAt).toBeLessThan(19_000);
});

test("what a transaction opens with takes effect in it, and a transaction whose opening fails is rolled back", async () => {
  const lock = "SELECT pg_advisory_xact_lock(77)";
  const isHeld = async () => {
    const free = "SELECT pg_try_advisory_xact_lock(77) AS free";
    return (await pool.query<{ free: boolean }>(free)).rows[0]?.free === false;
  };
  const opening = (db: Queryable) => db.query(lock);
  const held = await openTransaction(pool, opening, async (_, { rows }) => ({ result: [rows.length, await isHeld()] }));
  expect(held).toEqual([1, true]);
  expect(await isHeld()).toBe(false);
  const failing = (db: Queryable) => db.query("SELECT 1 / 0");
  const failed = openTransaction(pool, failing, async () => expect.fail("it began"));
  await expect(failed).rejects.toThrow("division by zero");
  const { rows } = await pool.query("SELECT 1 AS one");
  expect(rows).toEqual([{ one: 1 }]);
});

test("a transaction whose last statements share a round trip with COMMIT has all of them, or none if one fails", async () => {
  const insert = (db: Queryable, name: string) => db.query("INSERT INTO things VALUES ($1)", [name]);
  const committed = openTransaction(
    pool,
    (db) => insert(db, "early 1"),
    async (db) => ({ result: 2, sendLast: () => [insert(db, "early 2"), undefined, db.query("SELECT 1")] }),
  );
  expect(await committed).toBe(2);
  expect(await names()).toEqual(expect.arrayContaining(["early 1", "early 2"]));
  const failed = openTransaction(
    pool,
    (db) => insert(db, "failed 1"),
    async (db) => ({
      result: undefined,
      sendLast: () => [insert(db, "failed 2"), db.query("SELECT 1 / 0"), db.query("SELECT 1")],
    }),
  );
  await expect(failed).rejects.toThrow("division by zero");
  const broken = openTransaction(
    pool,
    (db) => db.query<{ pid: number }>("SELECT pg_backend_pid() AS pid"),
    async (db, { rows }) => {
      await insert(db, "broken");
      await pool.query("SELECT pg_terminate_backend($1)", [rows[0]?.pid]);
      return { result: undefined };
    },
  );
  await expect(broken).rejects.toThrow();
  await Promise.all(Array.from({ length: 4 }, () => pool.query("SELECT 1")));
  expect(await names()).not.toEqual(expect.arrayContaining([expect.stringMatching(/^failed|^broken/)]));
});

const unsendable = {
  toPostgres: () => {
    throw new RangeError("no memory");
  },
};

test("a transaction of which a statement failed before it was sent commits nothing", async () => {
  const insert = (db: Queryable, name: string) => db.query("INSERT INTO things VALUES ($1)", [name]);
  const ending = (sendLast: (db: Queryable) => unknown[]) =>
    openTransaction(
      pool,
      async () => undefined,
      async (db) => ({ result: undefined, sendLast: () => sendLast(db) }),
    );
  const failed = ending((db) => [
    insert(db, "unsent 1"),
    db.query("INSERT INTO things VALUES ($1)", [unsendable]),
    insert(db, "unsent 2"),
  ]);
  await expect(failed).rejects.toThrow("no memory");
  const thrown = ending((db) => {
    void insert(db, "unsent 3").catch(() => undefined);
    throw new Error("no");
  });
  await expect(thrown).rejects.toThrow("no");
  await Promise.all(Array.from({ length: 4 }, () => pool.query("SELECT 1")));
  expect(await names()).not.toEqual(expect.arrayContaining([expect.stringMatching(/^unsent/)]));
});

test("a connection that lacks a statement that could not be bound is closed by the next transaction that needs it", async () => {
  const narrow = createPool(database.url, { max: 1 });
  const insert = (db: Queryable, name: string, value: unknown) =>
    db.query({ name, text: "INSERT INTO things VALUES ($1)", values: [value] });
  const insertAlone = (name: string, value: unknown) => inTransaction(narrow, (db) => insert(db, name, value));
  await expect(insertAlone("insert", unsendable)).rejects.toThrow("no memory");
  await expect(insertAlone("insert", "bound 1")).rejects.toThrow("does not exist");
  await insertAlone("insert", "bound 2");
  await expect(insertAlone("another", unsendable)).rejects.toThrow("no memory");
  const swallowed = inTransaction(narrow, async (db) => {
    await insert(db, "another", "bound 3").catch(() => undefined);
    await db.query("SELECT 1");
  });
  await expect(swallowed).rejects.toThrow("aborted");
  await insertAlone("another", "bound 4");
  expect((await names()).filter((name) => name.startsWith("bound"))).toEqual(["bound 2", "bound 4"]);
  await narrow.end();
});

test("a connection on which one of several statements failed is not used again, since others may still run", async () => {
  const narrow = createPool(database.url, { max: 1 });
  const pid = async () => (await narrow.query<{ pid: number }>("SELECT pg_backend_pid() AS pid")).rows[0]?.pid;
  const first = await pid();
  await expect(readTogether(narrow, (db) => [db.query("SELECT 1 / 0"), db.query("SELECT 1")])).rejects.toThrow("zero");
  expect(await pid()).not.toBe(first);
  await narrow.end();
});

test("a connection that breaks while COMMIT waits behind a statement leaves no rejection unhandled", async () => {
  const unhandled: unknown[] = [];
  const note = (reason: unknown) => void unhandled.push(reason);
  process.on("unhandledRejection", note);
  const broken = openTransaction(
    pool,
    (db) => db.query<{ pid: number }>("SELECT pg_backend_pid() AS pid"),
    async (db, { rows }) => ({
      result: undefined,
      sendLast() {
        setTimeout(() => void pool.query("SELECT pg_terminate_backend($1)", [rows[0]?.pid]), 50);
        return [db.query("SELECT pg_sleep(5)"), db.query("SELECT 1")];
      },
    }),
  );
  await expect(broken).rejects.toThrow();
  await sleep(50);
  process.off("unhandledRejection", note);
  expect(unhandled).toEqual([]);
});

test("a server that ends a connection as soon as it is open is an error, and not the end of the process", async () => {
  const message = (type: string, body: string) => {
    const length = Buffer.alloc(4);
    length.writeInt32BE(4 + body.length);
    return Buffer.concat([Buffer.from(type), length, Buffer.from(body, "latin1")]);
  };
  const isOpen = [message("R", "\0\0\0\0"), message("Z", "I")];
  const isOver = message("E", "SFATAL\0C57P01\0Mterminating connection\0\0");
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.once("data", () => socket.end(Buffer.concat([...isOpen, isOver])));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const ended = createPool(`postgres://user@127.0.0.1:${port}/any`, { onError: () => undefined });
  await expect(inTransaction(ended, (db) => db.query("SELECT 1"))).rejects.toSatisfy(isDatabaseUnavailable);
  await expect(ended.query("SELECT 1")).rejects.toSatisfy(isDatabaseUnavailable);
  await ended.end();
  server.close();
});

test("statements that are sent together take effect in their order", async () => {
  await inTransaction(pool, async (db) => {
    const insert = (name: string) => db.query("INSERT INTO things VALUES ($1)", [name]);
    const count = () => db.query<{ count: number }>("SELECT count(*) FROM things WHERE name LIKE 'together %'");
    const [, first, , second] = await together([insert("together 1"), count(), insert("together 2"), count()]);
    expect([first, second].map(({ rows }) => rows[0]?.count)).toEqual([1, 2]);
  });
});

test("a statement that is sent together with a lock sees what the lock's former holder committed", async () => {
  const lock = "SELECT pg_advisory_xact_lock(7)";
  const count = "SELECT FROM things WHERE name = 'under the lock'";
  let seen: Promise<(number | null)[]> | undefined;
  await inTransaction(pool, async (holder) => {
    await holder.query(lock);
    seen = inTransaction(pool, async (db) => {
      const before = await db.query(count);
      const [, after] = await together([db.query(lock), db.query(count)]);
      return [before.rowCount, after.rowCount];
    });
    await eventually(async () => expect(await lockWaits(pool)).toHaveLength(1));
    await holder.query("INSERT INTO things VALUES ('under the lock')");
  });
  expect(await seen).toEqual([0, 1]);
});

test("work that is sent together fails with what failed first, and not with what that made of the transaction", async () => {
  const failed = inTransaction(pool, (db) =>
    together([
      db.query("SELECT 1").then(() => db.query("SELECT 2")),
      db.query("SET LOCAL statement_timeout = 50"),
      db.query("SELECT pg_sleep(5)"),
    ]),
  );
  await expect(failed).rejects.toSatisfy(isDatabaseUnavailable);
});

test("none of several statements that are sent together follows the end of a transaction that another one failed", async () => {
  const failed = inTransaction(pool, (db) =>
    together([
      db.query("SELECT 1 / 0"),
      db.query("SELECT 1").catch(() => db.query("INSERT INTO things VALUES ('late')")),
      // What fails here has not failed the transaction in the database.
      Promise.reject(new Error("here")),
      db
        .query("SELECT pg_sleep(0.1)")
        .catch(() => db.query("SELECT 1"))
        .catch(() => db.query("INSERT INTO things VALUES ('later')")),
    ]),
  );
  await expect(failed).rejects.toThrow("division by zero");
  const failedHere = inTransaction(pool, (db) =>
    together([
      Promise.reject(new Error("here")),
      db.query("SELECT pg_sleep(0.1)").then(() => db.query("INSERT INTO things VALUES ('latest')")),
    ]),
  );
  await expect(failedHere).rejects.toThrow("here");
  await Promise.all(Array.from({ length: 4 }, () => pool.query("SELECT 1")));
  expect((await names()).filter((name) => name.startsWith("late"))).toEqual([]);
});

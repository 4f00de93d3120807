/** Opening the configured database, or one of our own. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openDatabase } from "../../server/store/open.ts";
import { createEmptyDatabase } from "../support/database.ts";

test("the configured database is opened and brought to the newest schema, once", async () => {
  const { url, drop } = await createEmptyDatabase();
  const first = await openDatabase({ databaseUrl: url, dataDir: "/nowhere" });
  expect(first.migrated[0]).toBe("001.do.accounts.sql");
  const second = await openDatabase({ databaseUrl: url, dataDir: "/nowhere" });
  expect(second.migrated).toEqual([]);
  await Promise.all([first.close(), second.close()]);
  await drop();
});

test("without one, an embedded PostgreSQL is started, shared, and ended with its last user", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "chain-webhooks-open-"));
  const first = await openDatabase({ dataDir });
  const second = await openDatabase({ databaseUrl: "", dataDir });
  expect(second.url).toBe(first.url);
  await first.close();
  expect((await second.pool.query("SELECT count(*) FROM accounts")).rows).toEqual([{ count: 0 }]);
  await second.close();
  await rm(dataDir, { recursive: true, force: true });
});

test("a database that cannot be opened is an error", async () => {
  await expect(openDatabase({ databaseUrl: "postgres://x@127.0.0.1:1/x", dataDir: "/nowhere" })).rejects.toThrow();
});

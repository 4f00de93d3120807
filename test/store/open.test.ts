/** Opening the configured database. One of our own is in test/embedded-postgres. */
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

test("a database that cannot be opened is an error", async () => {
  await expect(openDatabase({ databaseUrl: "postgres://x@127.0.0.1:1/x", dataDir: "/nowhere" })).rejects.toThrow();
});

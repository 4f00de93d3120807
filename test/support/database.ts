/**
 * A fresh database for a test, on the server that the run shares, so that tests can run side by side.
 */
import { randomBytes } from "node:crypto";
import { Client } from "pg";
import { inject } from "vitest";

/** A database of a test's own. */
export type TestDatabase = {
  /** Connection string, as superuser. */
  url: string;
  /** Removes it, and with it the connections that are still open. */
  drop(): Promise<void>;
};

/**
 * Makes an empty database.
 *
 * @example
 * const database = await createTestDatabase();
 * const pool = new Pool({ connectionString: database.url });
 * await pool.end();
 * await database.drop();
 */
export async function createTestDatabase(): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString("hex")}`;
  await onServer(`create database ${name}`);
  const url = new URL(inject("postgresUrl"));
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => onServer(`drop database if exists ${name} with (force)`) };
}

/** Runs one statement on a connection of its own. @returns its rows. */
export async function query(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  client.on("error", () => undefined);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(statement)).rows;
  } finally {
    await client.end();
  }
}

async function onServer(statement: string): Promise<void> {
  await query(inject("postgresUrl"), statement);
}

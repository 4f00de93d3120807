/** What the service needs of a PostgreSQL, besides the order of positions. Each check is a function that returns what it found. */
import { randomBytes } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import type pg from "pg";
import { listenForWork } from "../../../server/store/delivery/announcements.ts";
import type { Pool } from "../../../server/store/pool.ts";

/** `slow`: the service works, with more polling. */
export type DatabaseFinding = { result: "holds" | "slow" | "fails"; text: string };

const holds = (text: string): DatabaseFinding => ({ result: "holds", text });
const fails = (text: string): DatabaseFinding => ({ result: "fails", text });

const oldest = 140_000;
const hearingMs = 3_000;

export const serverChecks: Readonly<Record<string, (pool: Pool) => Promise<DatabaseFinding>>> = {
  version,
  settings,
  "time limits": timeLimits,
  clock,
  "prepared statements": preparedStatements,
  "transaction locks": transactionLocks,
  "session locks": sessionLocks,
  "LISTEN and NOTIFY": announcements,
};

async function version(pool: Pool): Promise<DatabaseFinding> {
  const { rows } = await pool.query<{ number: string; name: string }>(
    "SELECT current_setting('server_version_num') AS number, current_setting('server_version') AS name",
  );
  const { number = "0", name = "" } = rows[0] ?? {};
  return Number(number) >= oldest ? holds(name) : fails(`${name}; it must be 14 or later`);
}

async function settings(pool: Pool): Promise<DatabaseFinding> {
  const { rows } = await pool.query<{ encoding: string; isolation: string; reader: boolean; lossy: string | null }>(
    `SELECT current_setting('server_encoding') AS encoding, current_setting('default_transaction_isolation') AS isolation,
       pg_is_in_recovery() OR current_setting('default_transaction_read_only')::boolean AS reader,
       (SELECT min(name) FROM pg_settings WHERE name IN ('fsync', 'synchronous_commit') AND setting = 'off') AS lossy`,
  );
  const { encoding, isolation, reader, lossy } = rows[0] ?? {};
  if (reader !== false)
    return fails("the server is a replica, or default_transaction_read_only is on; name the primary in DATABASE_URL");
  if (encoding !== "UTF8") return fails(`the database's encoding is ${encoding}; it must be UTF8`);
  if (isolation !== "read committed")
    return fails(`default_transaction_isolation is ${isolation}; it must be read committed`);
  if (lossy) return fails(`${lossy} is off: a crash of the server loses what it confirmed`);
  return holds("primary, UTF8, read committed, each commit on disk");
}

/** A pooler may drop what a session sets. Two connections are asked, since it may also give one's settings to the other. */
async function timeLimits(pool: Pool): Promise<DatabaseFinding> {
  return withClients(pool, async (one, other) => {
    for (const client of [one, other]) {
      const { rows } = await client.query<{ jit: string; statement: string; idle: string }>(
        `SELECT current_setting('jit') AS jit, current_setting('statement_timeout') AS statement,
           current_setting('idle_in_transaction_session_timeout') AS idle`,
      );
      const { jit, statement, idle } = rows[0] ?? {};
      if (statement === "0" || idle === "0")
        return fails(
          "statement_timeout or idle_in_transaction_session_timeout is not set, as behind a pooler that drops it",
        );
      if (jit === "on")
        return { result: "slow", text: "jit is on, as behind a pooler that resets it; ALTER ROLE … SET jit = off" };
    }
    return holds("each statement ends in the database; jit is off");
  });
}

/** Leases and due times are decided by it. */
async function clock(pool: Pool): Promise<DatabaseFinding> {
  let last = 0;
  for (let reading = 0; reading < 20; reading += 1) {
    const { rows } = await pool.query<{ now: number }>(
      "SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS now",
    );
    const now = rows[0]?.now ?? 0;
    if (now < last) return fails(`it went back by ${(last - now).toFixed(3)} ms from one statement to the next`);
    last = now;
  }
  return holds(`never goes back; ${Math.round(Math.abs(Date.now() - last))} ms from this machine's`);
}

async function preparedStatements(pool: Pool): Promise<DatabaseFinding> {
  return withClients(pool, async (one, other) => {
    const text = "SELECT $1::int AS n";
    for (let round = 0; round < 5; round += 1)
      for (const client of [one, other]) await client.query({ name: "check-database-n", text, values: [round] });
    return holds("a connection finds its own again");
  });
}

/** The chain's lock, which keeps positions in their order, is one of these. */
async function transactionLocks(pool: Pool): Promise<DatabaseFinding> {
  return withClients(pool, async (one, other) => {
    const key = lockKey();
    const take = `SELECT pg_try_advisory_xact_lock(${key}) AS mine`;
    await one.query("BEGIN");
    await other.query("BEGIN");
    const first = await isTrue(one, take);
    const both = await isTrue(other, take);
    await one.query("COMMIT");
    const then = await isTrue(other, take);
    await other.query("ROLLBACK");
    if (first && !both && then) return holds("one transaction at a time");
    return fails(both ? "two transactions hold the same lock" : "a lock is not released with its transaction");
  });
}

/** Whoever shifts the days' partitions holds one. */
async function sessionLocks(pool: Pool): Promise<DatabaseFinding> {
  return withClients(pool, async (one, other) => {
    const key = lockKey();
    const take = `SELECT pg_try_advisory_lock(${key}) AS mine`;
    const first = await isTrue(one, take);
    const both = await isTrue(other, take);
    if (both) await isTrue(other, `SELECT pg_advisory_unlock(${key}) AS mine`);
    const released = await isTrue(one, `SELECT pg_advisory_unlock(${key}) AS mine`);
    if (first && !both && released) return holds("belong to their connection");
    return fails("connections share them, as behind a pooler in transaction mode; use session mode or no pooler");
  });
}

async function announcements(pool: Pool): Promise<DatabaseFinding> {
  const listener = listenForWork(pool, () => undefined);
  try {
    const until = performance.now() + hearingMs;
    while (!listener.hears() && performance.now() < until) await wait(20);
    if (listener.hears()) return holds("announcements arrive");
    return { result: "slow", text: "announcements do not arrive, as behind a pooler; the service polls every 25 ms" };
  } finally {
    listener.stop();
  }
}

const lockKey = () => String(randomBytes(6).readUIntBE(0, 6));

async function isTrue(client: pg.ClientBase, text: string): Promise<boolean> {
  const { rows } = await client.query<{ mine: boolean }>(text);
  return rows[0]?.mine === true;
}

async function withClients(pool: Pool, work: (one: pg.ClientBase, other: pg.ClientBase) => Promise<DatabaseFinding>) {
  const one = await pool.connect();
  const other = await pool.connect();
  one.on("error", () => undefined);
  other.on("error", () => undefined);
  let broken = true;
  try {
    const finding = await work(one, other);
    broken = false;
    return finding;
  } finally {
    one.release(broken);
    other.release(broken);
  }
}

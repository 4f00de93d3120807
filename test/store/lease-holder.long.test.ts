/** Work that runs while a lease is held: begun, ended in order, and ended at once when the lease is gone. */

import { randomUUID } from "node:crypto";
import { pino } from "pino";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { holdLeases, type Lease, type LeaseHolder } from "../../server/store/lease-holder.ts";
import { ensureLeases } from "../../server/store/leases.ts";
import { createPool, type Pool } from "../../server/store/pool.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { eventually } from "../support/eventually.ts";

let database: TestDatabase;
let pool: Pool;
let kind: string;
const log = pino({ level: "silent" });
const holders: LeaseHolder[] = [];
beforeAll(async () => {
  database = await createTestDatabase();
  pool = createPool(database.url);
});
beforeEach(() => {
  kind = randomUUID();
});
afterAll(async () => {
  await Promise.all(holders.map((holder) => holder.stop()));
  await pool.end();
  await database.drop();
});

/** Holds leases with work that notes what it sees. */
function hold(options: { keys?: string[]; seconds?: number; work?: (lease: Lease) => Promise<void> } = {}) {
  const begun: Lease[] = [];
  const ended: Lease[] = [];
  const untilSignal = (lease: Lease) =>
    new Promise<void>((resolve) => lease.stopping.addEventListener("abort", () => resolve(), { once: true }));
  const { keys = ["a"], seconds = 60, work = untilSignal } = options;
  const holder = holdLeases({
    ...{ pool, kind, keys, seconds, log },
    async work(lease) {
      begun.push(lease);
      await work(lease);
      ended.push(lease);
    },
  });
  holders.push(holder);
  return { holder, begun, ended };
}

const owners = async () => {
  const { rows } = await pool.query<{ owner: string | null }>("SELECT owner FROM leases WHERE kind = $1", [kind]);
  return rows.map(({ owner }) => owner);
};

const endOfLease = async () => {
  const { rows } = await pool.query<{ endsAt: Date }>(`SELECT expires_at AS "endsAt" FROM leases WHERE kind = $1`, [
    kind,
  ]);
  return rows[0]?.endsAt.getTime() ?? 0;
};

test("work starts when the lease is claimed, runs while it is renewed, and releases it at the end", async () => {
  const { holder, begun, ended } = hold({ seconds: 6 });
  await eventually(() => expect(begun.length).toBe(1));
  const endsAt = await endOfLease();
  await eventually(async () => expect(await endOfLease()).toBeGreaterThan(endsAt));
  expect(begun[0]?.isOwned()).toBe(true);
  expect(begun.length).toBe(1);
  await holder.stop();
  expect([ended.length, begun[0]?.lost.aborted]).toEqual([1, false]);
  expect(await owners()).toEqual([null]);
});

test("a lease that another process has is lost at the next round, and claimed under a new epoch when free", async () => {
  const { holder, begun, ended } = hold({ seconds: 60 });
  await eventually(() => expect(begun.length).toBe(1));
  await pool.query("UPDATE leases SET owner = gen_random_uuid(), epoch = epoch + 1 WHERE kind = $1", [kind]);
  holder.check();
  await eventually(() => expect(ended.length).toBe(1));
  expect(begun[0]).toMatchObject({ lost: { aborted: true }, stopping: { aborted: true } });
  expect(begun[0]?.isOwned()).toBe(false);
  await pool.query("UPDATE leases SET owner = NULL WHERE kind = $1", [kind]);
  holder.check();
  await eventually(() => expect(begun.length).toBe(2));
  expect(begun[1]?.epoch).toBe(3);
});

test("a lease that cannot be renewed is lost at its end, and has another epoch when the same process has it again", async () => {
  const { begun } = hold({ seconds: 2 });
  await eventually(() => expect(begun.length).toBe(1));
  const client = await pool.connect();
  await client.query("BEGIN");
  // Renewing waits for this, longer than the lease lasts.
  await client.query("SELECT FROM leases WHERE kind = $1 FOR UPDATE", [kind]);
  await eventually(() => expect(begun[0]?.lost.aborted).toBe(true));
  await client.query("COMMIT");
  client.release();
  await eventually(() => expect(begun.length).toBe(2));
  expect(begun[1]?.epoch).toBeGreaterThan(begun[0]?.epoch ?? 0);
});

test("work that fails releases its lease, and is restarted", async () => {
  let failures = 2;
  const { begun } = hold({
    work: async ({ stopping }) => {
      failures -= 1;
      if (failures >= 0) throw new Error("not today");
      await new Promise((resolve) => stopping.addEventListener("abort", resolve, { once: true }));
    },
  });
  await eventually(() => expect(begun.length).toBe(3));
  expect(begun.map(({ epoch }) => epoch)).toEqual([1, 2, 3]);
});

test("holders share the leases, and hand over surplus ones in order", async () => {
  const keys = ["a", "b", "c", "d"];
  const one = hold({ keys, seconds: 9 });
  await eventually(() => expect(one.begun.length).toBe(4));
  const two = hold({ keys, seconds: 9 });
  await eventually(() => expect(two.begun.length).toBe(2));
  expect(one.ended.length).toBe(2);
  expect(one.begun.filter(({ lost }) => lost.aborted)).toEqual([]);
  await one.holder.stop();
  await eventually(() => expect(two.begun.length).toBe(4));
});

test("a dead owner's lease is claimed when it expires, not a period later", async () => {
  await ensureLeases(pool, kind, ["a"]);
  await pool.query(
    "UPDATE leases SET owner = gen_random_uuid(), expires_at = now() + interval '1 second' WHERE kind = $1",
    [kind],
  );
  // Its period is five minutes, longer than is waited for here.
  const { begun } = hold({ seconds: 900 });
  await eventually(() => expect(begun.length).toBe(1));
});

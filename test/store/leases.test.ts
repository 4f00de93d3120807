/** Leases in the database: one owner each, shared out evenly, and an epoch that grows with every change of owner. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { claimLeases, ensureLeases, leaveLeases, type OwnedLease, releaseLease } from "../../server/store/leases.ts";
import { createPool, type Pool } from "../../server/store/pool.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";

let database: TestDatabase;
let pool: Pool;
let kind: string;
const keys = Array.from({ length: 10 }, (_, index) => `k${index}`);
beforeAll(async () => {
  database = await createTestDatabase();
  pool = createPool(database.url);
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});
beforeEach(async () => {
  kind = randomUUID();
  await ensureLeases(pool, kind, keys);
});

/** A process that claims. */
function process(owner = randomUUID()) {
  let held: OwnedLease[] = [];
  return {
    owner,
    held: () => held,
    async claim({ seconds = 60, take = true, keep = held } = {}) {
      const claim = await claimLeases(pool, { kind, keys, owned: keep, owner, seconds, take }, 5_000);
      held = [...claim.renewed, ...claim.taken];
      return claim;
    },
    release: (lease: OwnedLease) => {
      held = held.filter(({ key }) => key !== lease.key);
      return releaseLease(pool, kind, owner, lease);
    },
  };
}

const expire = () => pool.query("UPDATE leases SET expires_at = now() - interval '1 s' WHERE kind = $1", [kind]);

test("one process claims all and renews them under the same epoch", async () => {
  const one = process();
  const { taken, renewed, part } = await one.claim();
  expect([taken.length, renewed.length, part]).toEqual([10, 0, 10]);
  expect(new Set(taken.map(({ epoch }) => epoch))).toEqual(new Set([1]));
  const again = await one.claim();
  expect([again.taken.length, again.renewed.length]).toEqual([0, 10]);
  expect(again.renewed.toSorted((a, b) => a.key.localeCompare(b.key))).toEqual(taken);
});

test("a second process reduces the first one's share, and claims what it releases", async () => {
  const [one, two] = [process(), process()];
  await one.claim();
  expect(await two.claim()).toMatchObject({ taken: [], part: 5 });
  expect(await one.claim()).toMatchObject({ part: 5 });
  for (const lease of one.held().slice(5)) await one.release(lease);
  const { taken } = await two.claim();
  expect(taken.length).toBe(5);
  expect(new Set(taken.map(({ epoch }) => epoch))).toEqual(new Set([2]));
  expect((await one.claim()).renewed.length).toBe(5);
});

test("another process can claim an expired lease; the old owner cannot renew it", async () => {
  const [one, two] = [process(), process()];
  await one.claim();
  await expire();
  await two.claim();
  expect(two.held().length).toBe(5);
  const { renewed } = await one.claim();
  expect(renewed.length).toBe(5);
  const keysOf = (leases: readonly OwnedLease[]) => leases.map(({ key }) => key);
  expect(keysOf(renewed).filter((key) => keysOf(two.held()).includes(key))).toEqual([]);
});

test("a lease that its owner has given up on comes back under a new epoch", async () => {
  const one = process();
  await one.claim();
  const { renewed, taken } = await one.claim({ keep: one.held().slice(1) });
  expect(renewed.length).toBe(9);
  expect(taken).toEqual([{ key: "k0", epoch: 2 }]);
});

test("a leaving process is no longer counted, and renews and claims nothing", async () => {
  const [one, two] = [process(), process()];
  await one.claim();
  await two.claim();
  await one.release({ key: "k0", epoch: 1 });
  expect(await one.claim({ take: false })).toMatchObject({ taken: [] });
  expect(one.held().length).toBe(9);
  expect(await two.claim()).toMatchObject({ part: 10, taken: [{ key: "k0", epoch: 2 }] });
  await leaveLeases(pool, kind, one.owner);
  expect((await two.claim()).taken.length).toBe(9);
});

test("a dead process is not counted", async () => {
  const [one, two] = [process(), process()];
  await one.claim({ seconds: 0 });
  expect(await two.claim()).toMatchObject({ part: 10 });
});

test("a late release of another's lease changes nothing", async () => {
  const [one, two] = [process(), process()];
  await one.claim();
  const [lease] = one.held();
  await expire();
  await two.claim();
  await pool.query("UPDATE leases SET owner = $2, epoch = 7 WHERE kind = $1", [kind, two.owner]);
  if (lease) await one.release(lease);
  const { rowCount } = await pool.query("SELECT FROM leases WHERE kind = $1 AND owner = $2", [kind, two.owner]);
  expect(rowCount).toBe(10);
});

test("concurrent claims never give two processes the same lease", async () => {
  const processes = Array.from({ length: 5 }, () => process());
  for (let round = 0; round < 20; round += 1) {
    if (round % 5 === 4) await expire();
    await Promise.all(processes.map((each) => each.claim()));
    const all = processes.flatMap((each) => each.held());
    const { rows } = await pool.query<OwnedLease & { owner: string }>(
      "SELECT key, epoch, owner FROM leases WHERE kind = $1",
      [kind],
    );
    const owners = new Map(rows.map(({ key, epoch, owner }) => [`${key} ${epoch}`, owner]));
    const current = processes.flatMap(({ owner, held }) =>
      held().filter(({ key, epoch }) => owners.get(`${key} ${epoch}`) === owner),
    );
    expect(new Set(current.map(({ key }) => key)).size).toBe(current.length);
    expect(new Set(all.map(({ key, epoch }) => `${key} ${epoch}`)).size).toBe(all.length);
  }
});

test("the database's time comes with every claim", async () => {
  const { databaseTimeMs } = await process().claim();
  expect(Math.abs(databaseTimeMs - Date.now())).toBeLessThan(60_000);
});

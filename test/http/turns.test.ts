/** Connections to the database are divided by account: what one account has waiting keeps no other from being answered. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { turns } from "../../server/http/turns.ts";
import { lockAccountsChanges } from "../../server/store/chain-lock.ts";
import { createPool, inTransaction } from "../../server/store/pool.ts";
import { type Api, newWebhook, startApi } from "../support/api.ts";

let api: Api;
beforeEach(async () => {
  api = await startApi();
});
afterEach(() => api.close());

/** Does something while no change of `ours` can go on. */
async function whileOursWait(work: () => Promise<unknown>): Promise<void> {
  const { rows } = await api.pool.query<{ id: number }>("SELECT id FROM accounts WHERE name = 'ours'");
  const pool = createPool(String(api.pool.options.connectionString), { max: 1 });
  await inTransaction(pool, async (db) => {
    // A slow machine takes longer than an idle transaction is given.
    await db.query("SET LOCAL idle_in_transaction_session_timeout = 0");
    await lockAccountsChanges(db, rows[0]?.id ?? 0, "43114");
    await work();
  });
  await pool.end();
}

const ways: [string, () => Record<string, string>][] = [
  ["changes of one chain", () => ({})],
  ["requests with one Idempotency-Key", () => ({ "idempotency-key": "the-same-key" })],
];

test.each(ways)("twenty %s leave connections for other accounts, and are all answered", async (_, headers) => {
  let waiting: ReturnType<Api["call"]>[] = [];
  await whileOursWait(async () => {
    waiting = Array.from({ length: 20 }, () =>
      api.call("POST", "/v1/webhooks", { body: newWebhook(), headers: headers() }),
    );
    // So that they hold what they can get.
    await expect.poll(() => api.pool.totalCount - api.pool.idleCount, { timeout: 5_000 }).toBeGreaterThan(2);
    const key = api.keys.stranger;
    for (let times = 0; times < 3; times += 1)
      expect((await api.call("GET", "/v1/webhooks", { key })).status).toBe(200);
    expect((await api.call("POST", "/v1/webhooks", { key, body: newWebhook() })).status).toBe(201);
    expect((await api.call("GET", "/v1/chains")).status).toBe(200);
  });
  expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual(Array(20).fill(201));
});

test("an account alone has three quarters of the places, another one finds some free, and those who wait take turns", async () => {
  const takeTurn = turns(8);
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const begin = (account: string) =>
    takeTurn(account, async () => {
      begun.push(account);
      await new Promise<void>((resolve) => void ends.push(resolve));
    });
  const all = Array.from({ length: 10 }, () => begin("one"));
  await expect.poll(() => begun).toEqual(Array(6).fill("one"));
  all.push(...Array.from({ length: 6 }, () => begin("other")));
  await expect.poll(() => begun.slice(6)).toEqual(["other", "other"]);
  ends.shift()?.();
  await expect.poll(() => begun.slice(8)).toEqual(["other"]);
  while (begun.length < all.length || ends.length > 0) {
    ends.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  }
  await Promise.all(all);
  expect(begun.filter((account) => account === "one")).toHaveLength(10);
});

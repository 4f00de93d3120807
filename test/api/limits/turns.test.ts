/** Connections to the database are divided by account: what one account has waiting keeps no other from being answered. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { turns } from "../../../server/api/limits/turns.ts";
import { readLimits } from "../../../server/settings/limits.ts";
import { lockAccountsChanges } from "../../../server/store/chains/lock.ts";
import { createPool, inTransaction } from "../../../server/store/pool.ts";
import { type Api, newWebhook, startApi } from "../../support/api.ts";

let api: Api;
beforeEach(async () => {
  // So many that none is refused on a machine that is late.
  api = await startApi({ limits: readLimits({ TRUST_PROXY: "1", MAX_CONCURRENT_REQUESTS: "1000" }) });
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
    await expect.poll(() => api.pool.totalCount - api.pool.idleCount).toBeGreaterThan(2);
    const stranger = { key: api.keys.stranger, headers: { "x-forwarded-for": "192.0.2.1" } };
    for (let times = 0; times < 3; times += 1)
      expect((await api.call("GET", "/v1/webhooks", stranger)).status).toBe(200);
    expect((await api.call("POST", "/v1/webhooks", { ...stranger, body: newWebhook() })).status).toBe(201);
    expect((await api.call("GET", "/v1/chains", { headers: { "x-forwarded-for": "192.0.2.2" } })).status).toBe(200);
  });
  expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual(Array(20).fill(201));
});

test("an account uses at most as many slots as are free, others get some, and waiting requests take turns", async () => {
  const takeTurn = turns(8);
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const begin = (account: string) => ends.push(takeTurn(account, () => begun.push(account)));
  for (let times = 0; times < 10; times += 1) begin("one");
  await settled();
  expect(begun).toEqual(Array(4).fill("one"));
  for (let times = 0; times < 6; times += 1) begin("other");
  await settled();
  expect(begun.slice(4)).toEqual(["other", "other"]);
  ends.shift()?.();
  await settled();
  expect(begun.slice(6)).toEqual(["other"]);
  while (ends.length > 0) {
    ends.shift()?.();
    await settled();
  }
  expect(begun.filter((account) => account === "one")).toHaveLength(10);
  expect(begun).toHaveLength(16);
});

const settled = () => new Promise((resolve) => setImmediate(resolve));

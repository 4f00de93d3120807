/** An account that moves to another cell takes its operational webhook along, and nothing is reported again. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { reportAll } from "../../server/operational/watch.ts";
import { noKeys } from "../../server/settings/keyring.ts";
import { createKey, findCaller } from "../../server/store/accounts/keys.ts";
import { moveAccount } from "../../server/store/moves/move-account.ts";
import { passOn } from "../../server/store/moves/pass-on.ts";
import { getOperationalWebhook, operationalWebhookId, putOperationalWebhook } from "../../server/store/operational.ts";
import { readFeedPages } from "../../server/store/outbox/feed-pages.ts";
import { createPool, inTransaction, type Pool } from "../../server/store/pool.ts";
import { createWebhook } from "../../server/store/webhooks/creation.ts";
import { getSecret } from "../../server/store/webhooks/secrets.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { chainAt } from "../support/move-cursor.ts";

let databases: TestDatabase[];
let pools: [Pool, Pool];
beforeAll(async () => {
  databases = await Promise.all([createTestDatabase(), createTestDatabase()]);
  pools = databases.map(({ url }) => createPool(url)) as [Pool, Pool];
  for (const pool of pools) await chainAt(pool, "1", 100);
});
afterAll(async () => {
  await Promise.all(pools.map((pool) => pool.end()));
  await Promise.all(databases.map((database) => database.drop()));
});

const wanted = {
  ...{ url: "https://example.com/first", chainId: "1", eventType: "address_activity" as const, name: "" },
  ...{ description: "", includeInternalTxs: false, includeLogs: false, eventSignatures: [] },
  addresses: [`0x${"01".repeat(20)}`],
};
const url = "https://example.com/operations";
const report = (pool: Pool) => reportAll({ pool, inactiveAfterDays: 5, holdMs: 0 });
const fail = (pool: Pool, id: string, days: number) =>
  pool.query(
    `INSERT INTO endpoint_states (shard, webhook_id, failing_since) SELECT shard, id, date_trunc('day', now()) - make_interval(days => $2)
     FROM webhooks WHERE id = $1 ON CONFLICT (webhook_id) DO UPDATE SET failing_since = EXCLUDED.failing_since`,
    [id, days],
  );

async function fed(pool: Pool, accountId: number) {
  const webhookId = await operationalWebhookId(pool, accountId);
  const [page] = await readFeedPages(pool, [{ webhookId, after: 0, limit: 100 }]);
  return (page?.notifications ?? []).map(({ sequence, eventText }) => [sequence, JSON.parse(eventText).type]);
}

test("it goes on in the new cell: the same secret, sequence and feed, and nothing is reported twice", async () => {
  const [from, to] = pools;
  const { key } = await createKey(from, { account: "traveller", scopes: ["read", "write"] });
  const idIn = async (pool: Pool) => (await findCaller(pool, key))?.accountId ?? 0;
  const here = await idIn(from);
  const { id } = await inTransaction(from, (db) => createWebhook(db, here, wanted, noKeys));
  await inTransaction(from, (db) => putOperationalWebhook(db, here, { url, format: "signed", headers: [] }, noKeys));
  await fail(from, id, 3);
  expect(await report(from)).toBe(1);
  // Counted before the switch and not reported yet.
  await from.query("INSERT INTO exhausted VALUES ($1, $2, 4, 9)", [id, here]);
  const ownId = await operationalWebhookId(from, here);
  const secret = await getSecret(from, here, ownId, noKeys);

  const cells = { from: { pool: from, name: "old" }, to: { pool: to, name: "new" } };
  expect(await moveAccount(cells, "traveller", { keyring: noKeys })).toBe(true);
  const there = await idIn(to);
  expect(await getOperationalWebhook(to, there)).toMatchObject({ url, status: "active" });
  expect(await getSecret(to, there, ownId, noKeys)).toEqual(secret);
  // It is still failing in both cells, and only one reports its account.
  expect([await report(from), await report(to)]).toEqual([0, 1]);
  for (const pool of [from, to]) expect(await report(pool)).toBe(0);
  await to.query("DELETE FROM endpoint_states WHERE webhook_id = $1", [id]);
  await from.query("DELETE FROM endpoint_states WHERE webhook_id = $1", [id]);
  expect([await report(from), await report(to)]).toEqual([0, 1]);
  expect(await fed(to, there)).toEqual([
    [1, "webhook.failing"],
    [2, "webhook.notifications_failed"],
    [3, "webhook.recovered"],
  ]);

  // What the account changes there holds for what the old cell still sends.
  await inTransaction(to, (db) => putOperationalWebhook(db, there, { url, format: "slack", headers: [] }, noKeys));
  await passOn(cells, "traveller", noKeys);
  const { rows } = await from.query("SELECT options FROM webhooks WHERE id = $1", [ownId]);
  expect(rows).toEqual([{ options: { operational: "slack" } }]);
  const { rows: counted } = await to.query("SELECT webhooks FROM accounts WHERE id = $1", [there]);
  expect(counted).toEqual([{ webhooks: 1 }]);
});

/** An account that takes too much of each block, in a real service: others are notified as ever, and it misses nothing. */
import { pad } from "viem";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createWebhooksClient } from "../../client/index.ts";
import { createKey } from "../../server/store/accounts/keys.ts";
import { eventually } from "../support/eventually.ts";
import { startWorld, testChainId, type World } from "../support/service.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

/** More than an account may be notified of in a block. */
const webhooks = 6_000;
const blocks = 4;

test("others are notified of each block meanwhile, and the costly account of all of them, once and in order", async () => {
  const { pool } = world.service.database;
  const someone = pad("0x51", { size: 20 });
  const input = (path: string) => ({
    ...{ url: `${world.receiver.url}/${path}`, chainId: testChainId, eventType: "address_activity" as const },
    metadata: { addresses: [someone] },
  });
  const { key } = await createKey(pool, { account: "costly", scopes: ["read", "write"] });
  const costly = createWebhooksClient({ baseUrl: world.service.url ?? "", apiKey: key });
  const first = await costly.createWebhook({ body: input("costly") });
  // Of the others, what is recorded counts, not what is sent: they have no secret.
  await pool.query(
    `WITH made AS (
       INSERT INTO webhooks SELECT (jsonb_populate_record(w, jsonb_build_object('id', gen_random_uuid()))).*
       FROM webhooks w, generate_series(2, $2::int) WHERE w.id = $1 RETURNING id, chain_id),
     numbered AS (INSERT INTO webhook_sequences (webhook_id) SELECT id FROM made)
     INSERT INTO webhook_addresses (chain_id, address, webhook_id, addition)
     SELECT made.chain_id, a.address, made.id, a.addition FROM made, webhook_addresses a WHERE a.webhook_id = $1`,
    [first.id, webhooks],
  );
  await pool.query("UPDATE chain_lanes SET cursor_mark = gen_random_uuid()");
  await world.client.createWebhook({ body: input("other") });
  for (let block = 0; block < blocks; block += 1) {
    const { transactionHash } = await world.wallet.send(someone, 1n);
    const [sent] = await world.receiver.waitFor(
      1,
      ({ path, notification }) => path === "/other" && notification.event.transaction.txHash === transactionHash,
    );
    expect(sent).toBeDefined();
  }
  expect((await costly.getWebhook({ path: { id: first.id } })).catchUp?.reason).toBe("costly");
  await eventually(async () => {
    expect((await pool.query("SELECT FROM notifications")).rowCount).toBe(blocks * (webhooks + 1));
  });
  const { rows } = await pool.query(
    `SELECT count(*) AS webhooks FROM (
       SELECT webhook_id FROM notifications n JOIN events e ON e.id = n.event_id AND e.recorded_on = n.recorded_on
       GROUP BY webhook_id HAVING array_agg(sequence ORDER BY block_number) = ARRAY(SELECT generate_series(1, $1::bigint))) exact`,
    [blocks],
  );
  expect(rows).toEqual([{ webhooks: webhooks + 1 }]);
  await world.receiver.waitFor(blocks, ({ path }) => path === "/costly");
});

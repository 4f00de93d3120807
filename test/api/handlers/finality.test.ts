/** A webhook's finality: who may have which, what the record shows, and how a notification shows that it was final. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { finalityText } from "../../../server/matching/event.ts";
import { noteFinalBlock, plainLane } from "../../../server/store/chains/cursor.ts";
import { holdNotifications } from "../../../server/store/outbox/held.ts";
import { inTransaction } from "../../../server/store/pool.ts";
import { type Api, newWebhook, startApi } from "../../support/api.ts";
import { assertError } from "../../support/contract-check.ts";
import { record } from "../../support/sent.ts";

let api: Api;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const create = (changes: Record<string, unknown>) => api.call("POST", "/v1/webhooks", { body: newWebhook(changes) });

test.each(["finalized", "both", { confirmations: 12 }])(
  "%j is shown by the record, with how many are held",
  async (finality) => {
    const { status, body } = await create({ finality });
    expect([status, body.finality, body.heldCount]).toEqual([201, finality, 0]);
    expect((await api.call("GET", `/v1/webhooks/${body.id}`)).body).toEqual(body);
  },
);

test("instant is the default, and its record is the one of a webhook without a finality", async () => {
  const { body } = await create({ finality: "instant" });
  expect(Object.keys(body)).toEqual(Object.keys((await create({})).body));
});

test.each([
  ["final", "finality must be instant, finalized, both, or an object with confirmations."],
  [{ confirmations: 0 }, "finality.confirmations must be at least 1"],
  [{ confirmations: 10_001 }, "finality.confirmations must be at most 10000"],
  [{}, "finality.confirmations is required"],
  [{ confirmations: 3, blocks: 3 }, "finality.blocks is not a known field"],
  [null, "finality"],
])("%j is refused", async (finality, message) => {
  const reply = await create({ finality });
  expect([reply.status, reply.body.message]).toEqual([400, expect.stringContaining(message)]);
});

test("finality cannot be changed", async () => {
  const { body } = await create({ finality: "both" });
  const reply = await api.call("PATCH", `/v1/webhooks/${body.id}`, { body: { finality: "finalized" } });
  expect(reply.status).toBe(400);
});

test.each(["finalized", "both"])("%s needs a chain whose nodes say which blocks are final", async (finality) => {
  const refusal = (chainId: string) =>
    `finality must be instant or {"confirmations": n} on chain ${chainId}, whose nodes do not say which blocks are final.`;
  assertError(await create({ chainId: "43113", finality }), 400, refusal("43113"));
  await api.pool.query("DELETE FROM final_blocks");
  assertError(await create({ chainId: "1", finality }), 400, refusal("1"));
  expect((await create({ chainId: "1", finality: { confirmations: 2 } })).status).toBe(201);
  await noteFinalBlock(api.pool, plainLane("1"), 236);
  expect((await create({ chainId: "1", finality })).status).toBe(201);
});

test("what is held is counted, and goes with the webhook", async () => {
  const { body } = await create({ finality: "both" });
  const event = (index: number) => ({
    ...{ blockNumber: 90, blockHash: `0x${"ab".repeat(32)}`, transactionHash: `0x${String(index).padStart(64, "0")}` },
    ...{ transactionIndex: index, removed: false, body: "{}" },
  });
  const held = [0, 1].map((index) => ({
    webhookId: body.id,
    shard: 0,
    occurrence: 1,
    event: event(index),
    dueAt: null,
  }));
  await inTransaction(api.pool, (db) => holdNotifications(db, "43114", held));
  expect((await api.call("GET", `/v1/webhooks/${body.id}`)).body.heldCount).toBe(2);
  expect((await api.call("GET", `/v1/webhooks/${body.id}/notifications`)).body.notifications).toEqual([]);
  const deleted = await api.call("DELETE", `/v1/webhooks/${body.id}`);
  expect(deleted.body).toMatchObject({ status: "inactive", finality: "both" });
});

test("a finalized notification shows so in the list, and in its own record", async () => {
  const { body } = await create({ finality: "both" });
  await record(api.pool, body.id, 2);
  const { rows } = await api.pool.query<{ body: string; id: number }>(
    "SELECT e.id, e.body FROM events e JOIN notifications n ON n.event_id = e.id WHERE n.webhook_id = $1 ORDER BY n.sequence",
    [body.id],
  );
  for (const [index, event] of rows.entries())
    await api.pool.query("UPDATE events SET body = $2 WHERE id = $1", [
      event.id,
      finalityText(event.body, { confirmations: index, finalized: index === 1 }),
    ]);
  const { notifications } = (await api.call("GET", `/v1/webhooks/${body.id}/notifications`)).body;
  expect(notifications.map(({ finalized }: { finalized?: boolean }) => finalized)).toEqual([undefined, true]);
  const detail = await api.call("GET", `/v1/webhooks/${body.id}/notifications/${notifications[1].messageId}`);
  expect(detail.body).toMatchObject({ finalized: true, payload: { event: { finalized: true, confirmations: 1 } } });
});

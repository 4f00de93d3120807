/** What is read for those who read feeds, while chains begin and days end. */
import { expect, onTestFinished, test } from "vitest";
import { lookForNew, readFeedPages } from "../../server/store/outbox/feed-pages.ts";
import type { Queryable } from "../../server/store/pool.ts";
import { newWebhook, startApi } from "../support/api.ts";
import { record } from "../support/sent.ts";

async function start() {
  const api = await startApi();
  onTestFinished(api.close);
  const { id } = (await api.call("POST", "/v1/webhooks", { body: newWebhook() })).body as { id: string };
  return { pool: api.pool, id };
}

test("of a chain that begins between two looks, nothing is passed over", async () => {
  const { pool, id } = await start();
  const { lookedAt } = await lookForNew(pool, new Map());
  const before = new Map([...lookedAt].filter(([chainId]) => chainId !== "43114"));
  await record(pool, id, 2);
  const first = await lookForNew(pool, before);
  const then = first.more ? await lookForNew(pool, first.lookedAt) : first;
  expect(then.newest.get(id)).toBe(2);
  expect(then.more).toBe(false);
});

test("texts that are dropped between two queries hide none of those that are kept", async () => {
  const { pool, id } = await start();
  await record(pool, id, 3);
  const dropping = (upTo: number): Queryable => ({
    query: (async (query: { name?: string }) => {
      if (query.name === "read-event-texts") {
        const dropped = "webhook_id = $1 AND sequence <= $2";
        await pool.query(`DELETE FROM events WHERE id IN (SELECT event_id FROM notifications WHERE ${dropped})`, [
          id,
          upTo,
        ]);
        await pool.query(`DELETE FROM notifications WHERE ${dropped}`, [id, upTo]);
      }
      return pool.query(query as never);
    }) as never,
  });
  const [page] = await readFeedPages(dropping(1), [{ webhookId: id, after: 0, limit: 50 }]);
  expect(page?.notifications.map(({ sequence }) => sequence)).toEqual([2, 3]);
  // Of all that was found nothing is left, so it must be read again.
  expect(await readFeedPages(dropping(3), [{ webhookId: id, after: 1, limit: 50 }])).toEqual([undefined]);
});

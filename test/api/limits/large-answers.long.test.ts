/** Who gets large answers, and when. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { largeAnswers } from "../../../server/api/limits/turns.ts";
import { type Api, newWebhook, startApi } from "../../support/api.ts";
import { record } from "../../support/sent.ts";

let api: Api;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const characters = 3_200_000;

test("after a large answer only its own account waits", async () => {
  const take = largeAnswers();
  const order: string[] = [];
  const taken = (what: string, accountId: number, size = characters) =>
    take(accountId, size).then(() => order.push(what));
  await Promise.all([
    taken("first", 1),
    taken("second", 1),
    taken("third", 1),
    taken("small", 1, 1_000),
    taken("other's", 2),
  ]);
  expect(new Set(order.slice(0, 3))).toEqual(new Set(["first", "small", "other's"]));
  expect(order.slice(3)).toEqual(["second", "third"]);
});

test("large answers of one account let others have many between two of them", async () => {
  const { id } = (await api.call("POST", "/v1/webhooks", { body: newWebhook() })).body;
  await record(api.pool, id, 1);
  const input = JSON.stringify(`0x${"ab".repeat(characters / 2)}`);
  await api.pool.query("UPDATE events SET body = jsonb_set(body::jsonb, '{transaction,input}', $1)::text", [input]);
  const { notifications } = (await api.call("GET", `/v1/webhooks/${id}/notifications`)).body;
  const get = () => api.call("GET", `/v1/webhooks/${id}/notifications/${notifications[0].messageId}`);
  expect((await get()).body.payload.event.transaction.input).toHaveLength(2 + characters);
  let going = true;
  let others = 0;
  const asking = (async () => {
    while (going) {
      await api.call("GET", "/v1/webhooks", { key: api.keys.stranger });
      others += 1;
    }
  })();
  const replies = await Promise.all(Array.from({ length: 8 }, get));
  going = false;
  await asking;
  // 205 with the rests and 6 without, in one run each.
  expect(others).toBeGreaterThan(8 * 5);
  expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200));
});

/** Replays, as far as the API alone decides; test/e2e/replays.long.test.ts has the rest. */
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type Api, newWebhook, startApi } from "../../support/api.ts";
import { assertError } from "../../support/contract-check.ts";

let api: Api;
let id: string;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());
beforeEach(async () => {
  id = (await api.call("POST", "/v1/webhooks", { body: newWebhook() })).body.id;
});

const create = (body: unknown) => api.call("POST", `/v1/webhooks/${id}/replays`, { body });

test("a replay is queued, is found at its Location, and shows its progress", async () => {
  const { status, headers, body } = await create({ fromBlock: "41", toBlock: "100" });
  expect(status).toBe(202);
  expect(body).toEqual({
    ...{ id: expect.any(String), webhookId: id, status: "queued", fromBlock: "41", toBlock: "100" },
    ...{ resentCount: 0, addedCount: 0, createdAt: expect.any(Number) },
  });
  const path = headers.get("location") ?? "";
  expect(path).toBe(`/v1/webhooks/${id}/replays/${body.id}`);
  expect((await api.call("GET", path)).body).toEqual(body);
  await api.pool.query("UPDATE replays SET next_block = 51, status = 'running', added = 2 WHERE id = $1", [body.id]);
  expect((await api.call("GET", path)).body).toMatchObject({ status: "running", currentBlock: "50", addedCount: 2 });
  assertError(await api.call("GET", path, { key: api.keys.stranger }), 404, `There is no webhook ${id}.`);
  const { body: other } = await api.call("POST", "/v1/webhooks", { body: newWebhook() });
  const elsewhere = `/v1/webhooks/${other.id}/replays/${body.id}`;
  const said = `There is no replay ${body.id} of the webhook ${other.id}.`;
  assertError(await api.call("GET", elsewhere), 404, said);
});

test.each([
  [{ fromBlock: "41", toBlock: "101" }, /^toBlock must be at most 100, the newest followed block of chain 43114\.$/],
  [{ fromBlock: "41", toBlock: "40" }, "fromBlock must be at most toBlock."],
  [{ fromBlock: "0", toBlock: "10000" }, "toBlock must be at most 9,999 above fromBlock."],
  [{ fromBlock: "9".repeat(19), toBlock: "9".repeat(19) }, /^toBlock must be at most 100,/],
  [{ fromBlock: "1", toBlock: "9".repeat(20) }, "toBlock must be a block's number, at most 19 decimal digits."],
  [{ fromBlock: "0x1", toBlock: "10" }, "fromBlock must be a block's number, at most 19 decimal digits."],
  [{ fromBlock: 1, toBlock: "10" }, "fromBlock must be a string."],
  [{ fromBlock: "1" }, "toBlock is required."],
  [{ fromBlock: "1", toBlock: "2", force: true }, "force is not a known field."],
])("%j is refused", async (body, message) => {
  assertError(await create(body), 400, message);
});

test("a webhook has at most ten unfinished replays", async () => {
  const body = { fromBlock: "1", toBlock: "2" };
  const replies = await Promise.all(Array.from({ length: 12 }, () => create(body)));
  expect(replies.filter(({ status }) => status === 202)).toHaveLength(10);
  for (const reply of replies.filter(({ status }) => status !== 202))
    assertError(reply, 409, "The webhook has 10 unfinished replays; wait until one finishes.");
  await api.pool.query("UPDATE replays SET status = 'done' WHERE id = $1", [
    replies.find(({ status }) => status === 202)?.body.id,
  ]);
  expect((await create(body)).status).toBe(202);
});

test("a replay of a deleted webhook is gone with it", async () => {
  const { body } = await create({ fromBlock: "1", toBlock: "2" });
  await api.call("DELETE", `/v1/webhooks/${id}`);
  assertError(await api.call("GET", `/v1/webhooks/${id}/replays/${body.id}`), 404, `There is no webhook ${id}.`);
});

/** How fast a webhook's endpoint may be called, as its record shows it; test/delivery/own-rate.test.ts has what follows. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Api, newWebhook, startApi } from "../../support/api.ts";
import { assertError } from "../../support/contract-check.ts";

let api: Api;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const create = (changes: Record<string, unknown> = {}) =>
  api.call("POST", "/v1/webhooks", { body: newWebhook(changes) });
const change = (id: string, body: object) => api.call("PATCH", `/v1/webhooks/${id}`, { body });

test("the record shows a limit while there is one, wherever it is shown", async () => {
  const { status, body } = await create({ maxPerSecond: 20 });
  expect(status).toBe(201);
  expect(body.maxPerSecond).toBe(20);
  expect((await api.call("GET", `/v1/webhooks/${body.id}`)).body).toEqual(body);
  expect((await api.call("GET", "/v1/webhooks?pageSize=1")).body.webhooks).toEqual([body]);
  expect((await change(body.id, { name: "same" })).body.maxPerSecond).toBe(20);
  expect((await change(body.id, { maxPerSecond: 1_000 })).body.maxPerSecond).toBe(1_000);
  expect((await change(body.id, { maxPerSecond: 0 })).body).not.toHaveProperty("maxPerSecond");
  for (const none of [{}, { maxPerSecond: 0 }]) expect((await create(none)).body).not.toHaveProperty("maxPerSecond");
});

test.each([
  [-1, "maxPerSecond must be at least 0."],
  [1_001, "maxPerSecond must be at most 1000."],
  [1.5, "maxPerSecond must be an integer."],
  ["5", "maxPerSecond must be an integer."],
  [null, "maxPerSecond must be an integer."],
])("%j is refused", async (maxPerSecond, message) => {
  assertError(await create({ maxPerSecond }), 400, message);
  const { id } = (await create()).body;
  assertError(await change(id, { maxPerSecond }), 400, message);
});

test("a webhook without a url takes none, and may be told that it has none", async () => {
  const { id } = (await create({ url: undefined, delivery: "feed" })).body;
  assertError(
    await change(id, { maxPerSecond: 5 }),
    400,
    "maxPerSecond must be absent: the webhook has the delivery feed.",
  );
  expect((await change(id, { maxPerSecond: 0 })).status).toBe(200);
});

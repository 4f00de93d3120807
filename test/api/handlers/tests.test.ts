/** Test sends, as far as the API alone decides; test/e2e/operations.long.test.ts has the rest. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Api, newWebhook, startApi } from "../../support/api.ts";
import { assertError } from "../../support/contract-check.ts";

let api: Api;
let id: string;
beforeAll(async () => {
  api = await startApi();
  id = (await api.call("POST", "/v1/webhooks", { body: newWebhook() })).body.id;
});
afterAll(() => api.close());

test("a test that no delivery process claims within two seconds gets a 503, and is never sent", async () => {
  const startedAt = performance.now();
  const reply = await api.call("POST", `/v1/webhooks/${id}/test`);
  assertError(reply, 503, "No delivery process took the test, and nothing was sent; try again in 5 seconds.");
  expect(performance.now() - startedAt).toBeLessThan(60_000);
  expect((await api.pool.query("SELECT FROM test_sends")).rowCount).toBe(0);
});

test("a test whose webhook is deleted meanwhile is a 404", async () => {
  const waiting = api.call("POST", `/v1/webhooks/${id}/test`);
  while ((await api.pool.query("SELECT FROM test_sends")).rowCount === 0);
  await api.call("DELETE", `/v1/webhooks/${id}`);
  assertError(await waiting, 404, `There is no webhook ${id}.`);
});

/** Who asks for more than the API can do is told so at once; who was let in, and health, is answered. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { readLimits } from "../../server/limits.ts";
import { createMetrics } from "../../server/metrics.ts";
import { type Api, newWebhook, startApi } from "../support/api.ts";
import { assertError } from "../support/contract-check.ts";

const inHand = 8;
const metrics = createMetrics();
let api: Api;
let id: string;
beforeAll(async () => {
  api = await startApi({ limits: readLimits({ MAX_REQUESTS_IN_HAND: String(inHand) }), metrics });
  id = (await api.call("POST", "/v1/webhooks", { body: newWebhook() })).body.id;
});
afterAll(() => api.close());

/** Keeps every reading of webhooks waiting in the database, until it is told to let them go. */
async function holdWebhooks(): Promise<() => Promise<void>> {
  const db = await api.pool.connect();
  await db.query("BEGIN; LOCK TABLE webhooks IN ACCESS EXCLUSIVE MODE");
  return async () => {
    await db.query("ROLLBACK");
    db.release();
  };
}

test("beyond what is in hand requests are refused at once, health is answered, and those in hand are when they can", async () => {
  const letGo = await holdWebhooks();
  const under = Array.from({ length: inHand }, () => api.call("GET", `/v1/webhooks/${id}`));
  await expect.poll(() => metrics.text(), { timeout: 10_000 }).toContain(`requests_in_hand ${inHand}\n`);
  for (const path of ["/v1/webhooks", "/v1/chains", "/docs"]) {
    const refused = await api.call("GET", path);
    assertError(refused, 503, /^The service has too much to do; try again in [123] seconds?\.$/);
    expect(refused.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
  }
  expect((await api.call("GET", "/healthz")).status).toBe(200);
  const told = await metrics.text();
  expect(told).toContain("chain_webhooks_http_requests_shed_total 3\n");
  expect(told).toContain(`chain_webhooks_http_requests_in_hand ${inHand}\n`);
  await letGo();
  expect((await Promise.all(under)).map(({ status }) => status)).toEqual(Array(inHand).fill(200));
  expect((await api.call("GET", `/v1/webhooks/${id}`)).status).toBe(200);
});

test("tests that wait for their endpoints have a part of their own, and leave room for all else", async () => {
  const tests = Array.from({ length: inHand }, () => api.call("POST", `/v1/webhooks/${id}/test`));
  const refused = await Promise.all(tests.map((one) => Promise.race([one.then(({ status }) => status), later()])));
  expect(refused.filter((status) => status === 503)).toHaveLength(inHand - inHand / 4);
  expect((await api.call("GET", `/v1/webhooks/${id}`)).status).toBe(200);
  await Promise.all(tests);
});

const later = () => new Promise((resolve) => setTimeout(resolve, 1_000, "waits"));

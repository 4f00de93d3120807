/** Reading and rotating a webhook's secret. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Api, newWebhook, startApi } from "../../support/api.ts";

let api: Api;
let path: string;
beforeAll(async () => {
  api = await startApi();
  const { body } = await api.call("POST", "/v1/webhooks", { body: newWebhook() });
  path = `/v1/webhooks/${body.id}/secret`;
});
afterAll(() => api.close());

test("a webhook's secret is 32 bytes, and the same until it is rotated", async () => {
  const { body } = await api.call("GET", path);
  expect(Object.keys(body)).toEqual(["secret"]);
  expect(Buffer.from(body.secret.slice("whsec_".length), "base64")).toHaveLength(32);
  expect((await api.call("GET", path)).body).toEqual(body);
});

test("a rotation returns a new secret, and the previous one signs for another day", async () => {
  const before = (await api.call("GET", path)).body;
  const rotated = await api.call("POST", `${path}/rotate`);
  expect(rotated.status).toBe(200);
  expect(rotated.body.secret).not.toBe(before.secret);
  expect(Math.abs(rotated.body.previousSecretExpiresAt - Date.now() - 86_400_000)).toBeLessThan(60_000);
  expect((await api.call("GET", path)).body).toEqual(rotated.body);
});

test("however often it is rotated, at most two secrets sign", async () => {
  await Promise.all(Array.from({ length: 5 }, () => api.call("POST", `${path}/rotate`)));
  const { rows } = await api.pool.query("SELECT expires_at FROM webhook_secrets");
  expect(rows).toHaveLength(2);
  expect(rows.filter((row) => row.expires_at === null)).toHaveLength(1);
});

test("once the day is over, only the new secret is reported", async () => {
  await api.pool.query("UPDATE webhook_secrets SET expires_at = now() WHERE expires_at IS NOT NULL");
  expect((await api.call("GET", path)).body).not.toHaveProperty("previousSecretExpiresAt");
});

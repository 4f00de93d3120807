/** Webhooks whose notifications have Glacier's form: what is taken, refused and shown, and the account's shared secret. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Api, address, newWebhook, startApi } from "../../support/api.ts";
import { assertError } from "../../support/contract-check.ts";

let api: Api;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const create = (more: Record<string, unknown> = {}, metadata: Record<string, unknown> = {}) => {
  const own = { metadata: { addresses: [address(1)], ...metadata } };
  return api.call("POST", "/v1/webhooks", { body: newWebhook({ compatibility: "glacier", ...own, ...more }) });
};

test("its record says so, and that it has transfers", async () => {
  const { status, body } = await create();
  expect(status).toBe(201);
  expect(body).toMatchObject({ compatibility: "glacier", metadata: { includeTransfers: true } });
  expect((await api.call("GET", `/v1/webhooks/${body.id}`)).body).toEqual(body);
  const other = await api.call("POST", "/v1/webhooks", { body: newWebhook() });
  expect(other.body).not.toHaveProperty("compatibility");
  expect(other.body.metadata).not.toHaveProperty("includeTransfers");
});

test.each<[string, Record<string, unknown>, Record<string, unknown>]>([
  ["compatibility must be glacier.", { compatibility: "moralis" }, {}],
  ["metadata.includeTransfers must be true or absent with compatibility.", {}, { includeTransfers: false }],
  ["metadata.batch must be absent with compatibility.", {}, { batch: { maxItems: 2 } }],
])("%s", async (message, more, metadata) => {
  assertError(await create(more, metadata), 400, message);
});

test("it cannot be changed later, since a notification's bytes stay the same", async () => {
  const { body } = await create();
  for (const compatibility of ["glacier", "usual", null])
    assertError(
      await api.call("PATCH", `/v1/webhooks/${body.id}`, { body: { compatibility } }),
      400,
      "compatibility is not a known field.",
    );
});

test("the shared secret is 32 bytes in hex, the account's own, and the same until it is rotated", async () => {
  const { status, body } = await api.call("GET", "/v1/shared-secret");
  expect(status).toBe(200);
  expect(Object.keys(body)).toEqual(["secret"]);
  expect(body.secret).toMatch(/^[0-9a-f]{64}$/);
  expect((await api.call("GET", "/v1/shared-secret")).body).toEqual(body);
  const stranger = await api.call("GET", "/v1/shared-secret", { key: api.keys.stranger });
  expect(stranger.body.secret).not.toBe(body.secret);
  const rotated = await api.call("POST", "/v1/shared-secret/rotate");
  expect(rotated.status).toBe(201);
  expect(rotated.body.secret).not.toBe(body.secret);
  expect(Math.abs(rotated.body.previousSecretExpiresAt - Date.now() - 86_400_000)).toBeLessThan(60_000);
  expect((await api.call("GET", "/v1/shared-secret")).body).toEqual(rotated.body);
  expect((await api.call("GET", "/v1/shared-secret", { key: api.keys.stranger })).body).toEqual(stranger.body);
});

test("asked for at the same time for the first time, everybody gets one and the same; at most two sign", async () => {
  await api.pool.query("DELETE FROM shared_secrets");
  const answers = await Promise.all(Array.from({ length: 5 }, () => api.call("GET", "/v1/shared-secret")));
  expect(new Set(answers.map(({ body }) => body.secret)).size).toBe(1);
  await Promise.all(Array.from({ length: 4 }, () => api.call("POST", "/v1/shared-secret/rotate")));
  const { rows } = await api.pool.query("SELECT expires_at FROM shared_secrets");
  expect(rows).toHaveLength(2);
  expect(rows.filter((row) => row.expires_at === null)).toHaveLength(1);
});

test("webhooks are created, changed and deleted while the secret is rotated", async () => {
  const statuses = await Promise.all(
    Array.from({ length: 20 }, async () => {
      const { status, body } = await create();
      const answers = await Promise.all([
        api.call("POST", "/v1/shared-secret/rotate"),
        api.call("PATCH", `/v1/webhooks/${body.id}`, { body: { url: "https://example.com/other" } }),
        api.call("POST", "/v1/webhooks:generateOrRotateSharedSecret"),
      ]);
      const [deleted, rotated] = await Promise.all([
        api.call("DELETE", `/v1/webhooks/${body.id}`),
        api.call("POST", "/v1/shared-secret/rotate"),
      ]);
      return [status, ...[...answers, deleted, rotated].map((answer) => answer.status)];
    }),
  );
  expect(statuses).toEqual(statuses.map(() => [201, 201, 200, 201, 200, 201]));
});

test.each([
  ["GET", "/v1/shared-secret", "/v1/webhooks:getSharedSecret", 200],
  ["POST", "/v1/shared-secret/rotate", "/v1/webhooks:generateOrRotateSharedSecret", 201],
] as const)("%s %s has the other name %s", async (method, path, alias, status) => {
  for (const each of [path, alias]) {
    const answer = await api.call(method, each);
    expect(answer.status).toBe(status);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    assertError(await api.call(method, each, { key: "" }), 401);
    assertError(await api.call(method, each, { key: api.keys.read }), 403);
    assertError(await api.call(method, `${each}?colour=red`), 400, "colour is not a known query parameter.");
    const other = await api.call(method === "GET" ? "POST" : "GET", each);
    assertError(other, 405, method === "GET" ? "The method must be one of GET, HEAD." : "The method must be POST.");
    expect(other.headers.get("allow")).toBe(method === "GET" ? "GET, HEAD" : "POST");
  }
  const { body } = await api.call("GET", "/v1/shared-secret");
  if (method === "GET") expect((await api.call("GET", alias)).body).toEqual(body);
  // Nothing else with a colon is a path.
  const mistyped = await api.call(method, `${alias}s`);
  assertError(mistyped, 404);
  expect(mistyped.body.message).toContain(alias);
});

test("while its account moves to another cell, none is made and none rotated", async () => {
  await api.pool.query("DELETE FROM shared_secrets");
  await api.pool.query("UPDATE accounts SET move_state = 'leaving'");
  try {
    assertError(await api.call("GET", "/v1/shared-secret"), 503);
    assertError(await api.call("POST", "/v1/shared-secret/rotate"), 503);
  } finally {
    await api.pool.query("UPDATE accounts SET move_state = NULL");
  }
  expect((await api.pool.query("SELECT FROM shared_secrets")).rowCount).toBe(0);
});

/** Who may do what: every operation of the contract, by key and scope. */

import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createApp } from "../../server/api/app.ts";
import { type Listening, listen } from "../../server/api/listening/listen.ts";
import { noKeys } from "../../server/settings/keyring.ts";
import { createKey, revokeKey } from "../../server/store/accounts/keys.ts";
import { createPool, type Pool } from "../../server/store/pool.ts";
import { type Api, chains, newWebhook, send, startApi } from "../support/api.ts";
import { assertError } from "../support/contract-check.ts";
import { callOperation, type Operation, operations } from "../support/operations.ts";

const unknownId = "0b8f6c1e-3c55-4f0e-9f57-3a1d9f4b7e21";
const unauthorized = "The header x-service-api-key must hold a valid API key.";
const keyed = operations.filter(({ scope }) => scope !== undefined);

let api: Api;
let id: string;
let ended: { expired: string; revoked: string };
beforeAll(async () => {
  api = await startApi();
  id = (await api.call("POST", "/v1/webhooks", { body: newWebhook() })).body.id;
  const make = (expiresAt?: Date) =>
    createKey(api.pool, { account: "ours", scopes: ["read", "write"], ...(expiresAt && { expiresAt }) });
  const revoked = await make();
  await revokeKey(api.pool, revoked.prefix);
  ended = { expired: (await make(new Date(Date.now() - 1))).key, revoked: revoked.key };
});
afterAll(() => api.close());

const call = (operation: Operation, key: string) =>
  callOperation(api, operation, { id, messageId: unknownId, replayId: unknownId, changeId: unknownId }, { key });

test("the contract names the scope of each operation that needs a key", () => {
  expect(keyed.length).toBeGreaterThanOrEqual(16);
  expect(operations.filter(({ scope }) => scope === undefined).map(({ path }) => path)).toEqual(["/v1/chains"]);
  for (const { method, path, scope } of keyed)
    if ((method !== "GET" && !path.endsWith("/preview")) || path.includes("secret"))
      expect({ method, path, scope }).toMatchObject({ scope: "write" });
});

describe.each(keyed.map((operation) => [operation.id, operation] as const))("%s", (_, operation) => {
  test("without a valid key is a 401, the same whatever is wrong with it but for a typing error", async () => {
    const { both } = api.keys;
    const wrong = ["", `cwk_${"0".repeat(64)}`, ended.expired, ended.revoked, "' OR '1'='1", "k".repeat(8_000)];
    for (const key of wrong) assertError(await call(operation, key), 401, unauthorized);
    const mistyped = [both.slice(0, 12), `${both}0`, both.toUpperCase(), `${both}, ${both}`];
    for (const key of mistyped)
      assertError(await call(operation, key), 401, unauthorized.replace(".", "; this one is mistyped."));
  });

  test("with a key of the other scope is a 403", async () => {
    const other = operation.scope === "read" ? api.keys.write : api.keys.read;
    assertError(await call(operation, other), 403, `The API key must have the scope ${operation.scope}.`);
  });
});

test("a key needs only the scope that the operation requires", async () => {
  const get = keyed.find((operation) => operation.id === "getWebhook") as Operation;
  const update = keyed.find((operation) => operation.id === "updateWebhook") as Operation;
  expect((await call(get, api.keys.read)).status).toBe(200);
  expect((await call(update, api.keys.write)).status).toBe(200);
  for (const open of operations.filter(({ scope }) => scope === undefined))
    expect((await call(open, "")).status).toBe(200);
});

describe("with a second process on the same database", () => {
  let pool: Pool;
  let second: Listening;
  beforeAll(async () => {
    pool = createPool(String(api.pool.options.connectionString));
    const log = pino({ enabled: false });
    second = await listen(await createApp({ pool, keyring: noKeys, chains, allowPrivateTargets: false, log }), {
      port: 0,
    });
  });
  afterAll(async () => {
    await second.close();
    await pool.end();
  });

  const statuses = (key: string) =>
    Promise.all([api.url, second.url].map(async (url) => (await send(`${url}/v1/webhooks`, "GET", { key })).status));

  test("a revocation holds in both at the next request, whichever has just used the key", async () => {
    const { key, prefix } = await createKey(api.pool, { account: "ours", scopes: ["read"] });
    for (let n = 0; n < 3; n += 1) expect(await statuses(key)).toEqual([200, 200]);
    await revokeKey(pool, prefix);
    expect(await statuses(key)).toEqual([401, 401]);
  });

  test("a key ends in both when it expires", async () => {
    const { key, id: keyId } = await createKey(api.pool, {
      account: "ours",
      scopes: ["read"],
      expiresAt: new Date(Date.now() + 60_000),
    });
    expect(await statuses(key)).toEqual([200, 200]);
    await api.pool.query("UPDATE api_keys SET expires_at = clock_timestamp() WHERE id = $1", [keyId]);
    expect(await statuses(key)).toEqual([401, 401]);
  });

  test("the use of a key is recorded, even for a read", async () => {
    const { key, id: keyId } = await createKey(api.pool, { account: "ours", scopes: ["read"] });
    await statuses(key);
    await expect
      .poll(async () => (await pool.query("SELECT last_used_at FROM api_keys WHERE id = $1", [keyId])).rows)
      .toEqual([{ last_used_at: expect.any(Date) }]);
  });
});

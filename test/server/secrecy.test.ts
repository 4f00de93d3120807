/** Keys and secrets are answered to who asks for them and found nowhere else: in no log, error, list or metric, whatever fails. */
import { randomBytes } from "node:crypto";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createLog } from "../../server/base/log.ts";
import { type Service, startService } from "../../server/service.ts";
import { type Keyring, newKey, noKeys, parseKeyring } from "../../server/settings/keyring.ts";
import { createKey } from "../../server/store/accounts/keys.ts";
import { createPool, type Pool } from "../../server/store/pool.ts";
import { type Call, newWebhook, type Reply, send } from "../support/api.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { chainAt } from "../support/move-cursor.ts";
import { type Receiver, startReceiver } from "../support/receiver.ts";
import { record } from "../support/sent.ts";
import { testConfig } from "../support/service.ts";

let database: TestDatabase;
let pool: Pool;
let receiver: Receiver;
let service: Service;
let key: string;
/** All that was logged and answered, but for the answers that are asked for a secret. */
let reported: string[];
beforeEach(async () => {
  [database, receiver] = await Promise.all([createTestDatabase(), startReceiver()]);
  pool = createPool(database.url);
  await chainAt(pool, "43114", 100);
  key = (await createKey(pool, { account: "ours", scopes: ["read", "write"] })).key;
  reported = [];
});
afterEach(async () => {
  await service.stop();
  await pool.end();
  await receiver.close();
  await database.drop();
});

async function start(keyring: Keyring): Promise<void> {
  const chain = { chainId: "43114", name: "C", rpcUrls: ["http://127.0.0.1:2"], traces: true };
  const config = testConfig(database.url, [{ ...chain, finality: "latest", pollMs: 1_000 }], {
    ...{ keyring, roles: new Set(["api", "deliver"]) },
  });
  service = await startService(
    config,
    createLog("trace", { destination: { write: (line) => void reported.push(line) } }),
  );
}

async function call(method: string, path: string, more: Call = {}): Promise<Reply> {
  const reply = await send(`${service.url}${path}`, method, { key, ...more });
  reported.push(JSON.stringify([...reply.headers]), JSON.stringify(reply.body) ?? "");
  return reply;
}

/** Asks for a secret, and keeps the answer to itself. */
async function secretOf(path: string, method = "GET"): Promise<string> {
  const reply = await send(`${service.url}${path}`, method, { key });
  expect([200, 201]).toContain(reply.status);
  return reply.body.secret;
}

const logged = (text: string) => expect.poll(() => reported.join("\n")).toContain(text);

/** A secret as it could be written anywhere; its beginning, since PostgreSQL cuts off what is long. */
function spellings(secret: string): string[] {
  const bytes = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  return (["base64", "base64url", "hex"] as const).map((form) => bytes.toString(form).slice(0, 24));
}

const secretKey = newKey();
test.each([
  ["as they are", noKeys],
  ["encrypted", parseKeyring(secretKey)],
])("with secrets kept %s", async (_, keyring) => {
  await start(keyring);
  // The endpoint answers with all that it got, and then with nothing.
  receiver.answer = ({ headers, rawBody, sequence }, response) =>
    void (sequence === 2 ? response.destroy() : response.writeHead(500).end(JSON.stringify(headers) + rawBody));
  const headers = { "idempotency-key": "once" };
  const [token, later] = [randomBytes(24).toString("base64"), randomBytes(24).toString("base64")];
  const wanted = { url: receiver.url, compatibility: "glacier", headers: { Authorization: `Bearer ${token}` } };
  const { body: webhook } = await call("POST", "/v1/webhooks", { body: newWebhook(wanted), headers });
  await call("POST", "/v1/webhooks", { body: newWebhook(wanted), headers });
  const path = `/v1/webhooks/${webhook.id}`;
  const secrets = [await secretOf(`${path}/secret`), await secretOf(`${path}/secret/rotate`, "POST")];
  const shared = [
    await secretOf("/v1/shared-secret"),
    await secretOf("/v1/webhooks:generateOrRotateSharedSecret", "POST"),
  ];
  secrets.push(...shared.map((hex) => Buffer.from(hex, "hex").toString("base64")));
  const [messageId] = await record(pool, webhook.id, 3);
  const [first] = await receiver.waitFor(3);
  expect(first?.headers.authorization).toBe(`Bearer ${token}`);
  await call("POST", `${path}/test`);
  await expect.poll(async () => (await call("GET", `${path}/notifications/${messageId}`)).body.attemptCount).toBe(1);
  for (const more of ["", "/addresses", "/notifications"]) expect((await call("GET", path + more)).status).toBe(200);
  await call("GET", "/v1/webhooks");
  await call("PATCH", path, { body: { url: "https://127.0.0.1:2/" } });
  await call("PATCH", path, { body: { headers: { Authorization: `Bearer ${later}` } } });
  await call("PATCH", path, { body: { headers: { Host: token, authorization: `Bearer ${later}\r\n` } } });
  await call("POST", `${path}/notifications/${messageId}/resend`);

  // What is wrong with a request.
  await call("POST", "/v1/webhooks", { body: `{"a": "${secrets[0]}", ${key}` });
  await call("PUT", `/v1/webhooks?key=${key}`);
  await call("GET", `/v1/webhooks?pageToken=${key}`);
  await call("GET", "/nowhere", { headers: { authorization: `Bearer ${key}` } });
  await call("GET", path, { key: `${key}0` });

  // Faults of the service: refused rows, whose every value PostgreSQL reports, and a missing table.
  await pool.query("ALTER TABLE webhook_secrets ADD CONSTRAINT refused CHECK (expires_at IS NULL) NOT VALID");
  await pool.query("ALTER TABLE api_keys ADD CONSTRAINT refused CHECK (last_used_at IS NULL) NOT VALID");
  await pool.query("ALTER TABLE shared_secrets ADD CONSTRAINT refused CHECK (expires_at IS NULL) NOT VALID");
  expect((await call("POST", `${path}/secret/rotate`)).status).toBe(500);
  expect((await call("POST", "/v1/shared-secret/rotate")).status).toBe(500);
  await pool.query("ALTER TABLE webhook_headers ADD CONSTRAINT refused CHECK (created_at IS NULL) NOT VALID");
  expect((await call("PATCH", path, { body: { headers: { a: later } } })).status).toBe(500);
  await logged("violates check constraint");
  await pool.query("ALTER TABLE webhook_secrets RENAME TO elsewhere");
  expect((await call("GET", `${path}/secret`)).status).toBe(500);
  await record(pool, webhook.id, 1);
  await pool.query("UPDATE webhooks SET url = url || 'x'");
  await logged("could not be read");
  reported.push(await (await fetch(`${service.metricsUrl}/metrics`)).text());

  const text = reported.join("\n");
  expect(text).toContain(webhook.id);
  const password = new URL(database.url).password;
  const needles = [
    ...[...secrets, token, later].flatMap(spellings),
    ...spellings(secretKey),
    key.slice(25, 49),
    password,
  ].filter(Boolean);
  for (const needle of needles) expect(text.includes(needle), `${needle.slice(0, 6)}… was disclosed`).toBe(false);
});

test("no key or secret is logged from a path, a query or an error, however it is written; ids and words stay", async () => {
  await start(noKeys);
  const whsec = `whsec_${Buffer.from("0123456789abcdefghijklmn").toString("base64")}`;
  const other = "sk_live_51H8xkFJ2eZvKYlo2C0aB9qL";
  const encoded = `%63wk_${key.slice(4)}`;
  const twice = `%2563wk%255F${key.slice(4)}`;
  const places = [key, key.toUpperCase(), `${key}/addresses`, encoded, twice, encodeURIComponent(whsec), whsec, other];
  for (const place of places)
    for (const path of [
      `/v1/${place}`,
      `/v1/webhooks/${place}`,
      `/${place}`,
      `/v1/webhooks?key=${place}`,
      `/metrics/${place}?a=${place}`,
    ])
      await send(`${service.url}${path}`, "GET", {});
  const log = createLog("trace", { destination: { write: (line) => void reported.push(line) } });
  log.warn(
    { err: new Error(`GET https://a.example/${key}?s=${whsec} failed`), url: `https://b.example/${whsec}` },
    `of ${key}`,
  );
  const id = "5a2ad0ed-7b3c-4a57-9f20-0a7f3d0c1e11";
  await send(`${service.url}/v1/webhooks/${id}/notifications/${id}?q=1`, "GET", { key });
  await logged("failed");
  await logged(`"/v1/webhooks/${id}/notifications/${id}"`);
  await logged('"/v1/cwk_…"');
  const text = reported.join("\n").toLowerCase();
  for (const needle of [key.slice(25, 49), whsec.slice(6, 24), other.slice(5)])
    expect(text.includes(needle.toLowerCase()), `${needle.slice(0, 6)}… was disclosed`).toBe(false);
});

test("an error is logged without the data that it happened with, also as the cause of another", async () => {
  await start(noKeys);
  const lines: string[] = [];
  const log = createLog("trace", { destination: { write: (line) => void lines.push(line) } });
  const inner = Object.assign(new Error("violates"), { code: "23514", detail: "row (secret)", where: "secret" });
  log.error({ err: new Error("outer", { cause: inner }) }, "failed");
  log.error({ err: new AggregateError([inner], "several") }, "failed");
  expect(lines.map((line) => JSON.parse(line).err.message)).toEqual(["outer: violates", "several"]);
  expect(lines.join()).not.toContain("secret");
  expect(JSON.parse(lines[1] ?? "").err.aggregateErrors[0]).toMatchObject({ type: "Error", code: "23514" });
});

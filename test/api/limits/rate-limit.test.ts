/** Each caller has one rate limit across all processes, and the headers report it. */
import { pino } from "pino";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createApp } from "../../../server/api/app.ts";
import { type Listening, listen } from "../../../server/api/listening/listen.ts";
import { noKeys } from "../../../server/settings/keyring.ts";
import { readLimits } from "../../../server/settings/limits.ts";
import { createKey } from "../../../server/store/accounts/keys.ts";
import { type Api, chains, type Reply, send, startApi } from "../../support/api.ts";
import { assertError } from "../../support/contract-check.ts";

// A minute, so that no bucket is filled up during a test.
const env = {
  RATE_LIMIT_KEY: "20",
  RATE_LIMIT_ADDRESS: "10",
  RATE_LIMIT_SECONDS: "60",
  TRUST_PROXY: "1",
  MAX_CONCURRENT_REQUESTS: "1000",
};
let api: Api;
let second: Listening;
beforeAll(async () => {
  const limits = readLimits(env);
  api = await startApi({ limits });
  const log = pino({ enabled: false });
  second = await listen(
    await createApp({ pool: api.pool, keyring: noKeys, chains, allowPrivateTargets: false, log, limits }),
    {
      port: 0,
    },
  );
});
afterAll(async () => {
  await second.close();
  await api.close();
});

let client = 0;
let from: Record<string, string>;
let key: string;
beforeEach(async () => {
  client += 1;
  from = { "x-forwarded-for": `203.0.113.${client}` };
  ({ key } = await createKey(api.pool, { account: "ours", scopes: ["read"] }));
});

const statuses = (replies: readonly Reply[]) => {
  const counted: Record<number, number> = {};
  for (const { status } of replies) counted[status] = (counted[status] ?? 0) + 1;
  return counted;
};
const both = () => [api.url, second.url];

test("a key has its rate over all processes, not one request more and not one less", async () => {
  const calls = Array.from({ length: 50 }, (_, n) =>
    send(`${both()[n % 2]}/v1/webhooks`, "GET", { key, headers: from }),
  );
  const replies = await Promise.all(calls);
  expect(statuses(replies)).toEqual({ 200: 20, 429: 30 });
});

test("the headers state the rate, what remains, and when to retry", async () => {
  const first = await send(`${api.url}/v1/webhooks`, "GET", { key, headers: from });
  expect(first.headers.get("ratelimit-policy")).toBe('"key";q=20;w=60');
  expect(first.headers.get("ratelimit")).toMatch(/^"key";r=19;t=(60|59)$/);
  for (let n = 0; n < 19; n += 1) await send(`${api.url}/v1/webhooks`, "GET", { key, headers: from });
  const refused = await send(`${api.url}/v1/webhooks`, "GET", { key, headers: from });
  assertError(refused, 429, /^Too many requests; try again in \d+ seconds\.$/);
  expect(refused.headers.get("ratelimit")).toMatch(/^"key";r=0;t=\d+$/);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(30);
  expect(Number(refused.headers.get("retry-after"))).toBeLessThanOrEqual(60);
});

test("another key of the same account has its own rate", async () => {
  for (let n = 0; n < 21; n += 1) await send(`${api.url}/v1/webhooks`, "GET", { key, headers: from });
  const other = await createKey(api.pool, { account: "ours", scopes: ["read"] });
  expect((await send(`${api.url}/v1/webhooks`, "GET", { key: other.key, headers: from })).status).toBe(200);
});

test.each(["/v1/chains", "/docs/", "/openapi.json", "/nothing/here"])(
  "without a key, %s is counted for the client address, over all processes",
  async (path) => {
    const replies = await Promise.all(
      Array.from({ length: 16 }, async (_, n) => {
        const response = await fetch(`${both()[n % 2]}${path}`, { headers: from });
        await response.body?.cancel();
        return response;
      }),
    );
    expect(replies.filter(({ status }) => status === 429)).toHaveLength(6);
    expect(replies[0]?.headers.get("ratelimit-policy")).toBe('"address";q=10;w=60');
  },
);

test("wrong keys count against the client address, then are not looked up; known keys still work", async () => {
  expect((await send(`${api.url}/v1/webhooks`, "GET", { key, headers: from })).status).toBe(200);
  const wrong = () => send(`${api.url}/v1/webhooks`, "GET", { key: `cwk_${"0".repeat(64)}`, headers: from });
  const replies = [];
  for (let n = 0; n < 15; n += 1) replies.push(await wrong());
  expect(statuses(replies)).toEqual({ 401: 10, 429: 5 });
  assertError(await wrong(), 429);
  assertError(await send(`${api.url}/v1/webhooks`, "GET", { key: api.keys.read, headers: from }), 429);
  expect((await send(`${api.url}/v1/webhooks`, "GET", { key, headers: from })).status).toBe(200);
});

test("of an IPv6 address the first 64 bits count, and an IPv4 address is the same in both notations", async () => {
  const ask = (address: string) => send(`${api.url}/v1/chains`, "GET", { headers: { "x-forwarded-for": address } });
  for (let n = 0; n < 10; n += 1) expect((await ask(`2001:db8:1:1::${n}`)).status).toBe(200);
  expect((await ask("2001:db8:1:1:ffff::1")).status).toBe(429);
  expect((await ask("2001:db8:1:2::1")).status).toBe(200);
  for (let n = 0; n < 10; n += 1) await ask("198.51.100.7");
  expect((await ask("::ffff:198.51.100.7")).status).toBe(429);
});

test("a client cannot pretend to be another trusted proxy", async () => {
  const ask = (n: number) =>
    send(`${api.url}/v1/chains`, "GET", { headers: { "x-forwarded-for": `192.0.2.${n}, 203.0.113.200` } });
  for (let n = 0; n < 10; n += 1) await ask(n);
  expect((await ask(99)).status).toBe(429);
});

test("without TRUST_PROXY, X-Forwarded-For is ignored", async () => {
  const limits = { ...readLimits(env), trustProxy: 0 };
  const app = await createApp({
    pool: api.pool,
    keyring: noKeys,
    chains,
    allowPrivateTargets: false,
    log: pino({ enabled: false }),
    limits,
  });
  const direct = await listen(app, { port: 0 });
  const ask = (n: number) =>
    send(`${direct.url}/v1/chains`, "GET", {
      headers: { "x-forwarded-for": `192.0.2.${n}`, forwarded: `for=192.0.2.${n}` },
    });
  for (let n = 0; n < 10; n += 1) await ask(n);
  expect((await ask(99)).status).toBe(429);
  await direct.close();
});

test("health is not counted", async () => {
  for (let n = 0; n < 15; n += 1)
    for (const path of ["/healthz", "/readyz"])
      expect((await send(`${api.url}${path}`, "GET", { headers: from })).status).toBe(200);
});

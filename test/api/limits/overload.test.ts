/** A client over the API's limit is refused immediately. Requests already admitted, other clients and health checks are answered. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { createMetrics } from "../../../server/base/metrics.ts";
import { readLimits } from "../../../server/settings/limits.ts";
import { makeKey } from "../../../server/store/accounts/key-form.ts";
import { type Api, address, newWebhook, type Reply, startApi } from "../../support/api.ts";
import { assertError } from "../../support/contract-check.ts";
import { lockWaits } from "../../support/lock-waits.ts";
import { openSocket } from "../../support/raw-http.ts";

const maxConcurrent = 8;
/** Three times as many as it leaves free. */
const share = 6;
/** As many as it leaves free. */
const testShare = 4;
/** Of the database's ten connections, as many as it leaves free. */
const turns = 5;
const metrics = createMetrics();
let api: Api;
let id: string;
let strange: { key: string };
let strangersId: string;
beforeAll(async () => {
  const limits = readLimits({ MAX_CONCURRENT_REQUESTS: String(maxConcurrent), TRUST_PROXY: "1" });
  api = await startApi({ limits, metrics });
  strange = { key: api.keys.stranger };
  id = (await api.call("POST", "/v1/webhooks", { body: newWebhook() })).body.id;
  // Opens all connections of the pool: a request whose key waits for a new one would be overtaken.
  await Promise.all(times(10, () => api.pool.query("SELECT pg_sleep(0.1)")));
  strangersId = (await api.call("POST", "/v1/webhooks", { ...strange, body: newWebhook() })).body.id;
});
afterAll(() => api.close());

/** Keeps every reading of a table waiting in the database meanwhile. */
async function whileHeld(table: "webhooks" | "api_keys", meanwhile: () => Promise<void>): Promise<void> {
  const db = await api.pool.connect();
  await db.query(
    `BEGIN; SET LOCAL idle_in_transaction_session_timeout = 0; LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`,
  );
  await meanwhile().finally(async () => {
    await db.query("ROLLBACK");
    db.release();
  });
}

const waitingForLock = async () => (await lockWaits(api.pool, "webhooks")).length;
const waiting = (count: number) => expect.poll(waitingForLock).toBe(count);
const inFlightNow = async () => Number(/_requests_in_flight (\d+)/.exec(await metrics.text())?.[1]);
const inHandIs = (count: number) => expect.poll(inFlightNow).toBe(count);
const times = <T>(count: number, make: () => T) => Array.from({ length: count }, make);
const statuses = (replies: Reply[]) => replies.map(({ status }) => status);
const from = (address: string) => ({ headers: { "x-forwarded-for": address } });
const tooMuch = /^The service is too busy; try again in [123] seconds?\.$/;
const assertRefused = (reply: Reply) => assertError(reply, 503, tooMuch);

test("an account gets at most its share of concurrent requests; others, health and documents are unaffected", async () => {
  const read = () => api.call("GET", `/v1/webhooks/${id}`);
  const under: Promise<Reply>[] = [];
  await whileHeld("webhooks", async () => {
    under.push(...times(share, read));
    // Then the last one waits for its turn, and none has its body on its way.
    await waiting(turns);
    await inHandIs(share);
    // They count for their account once their keys were looked up, which happens in the order of arrival.
    assertError(await api.call("GET", "/v1/webhooks/none", strange), 400);
    for (let n = 0; n < 3; n += 1) {
      const refused = await read();
      assertRefused(refused);
      expect(refused.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
    }
    under.push(api.call("GET", `/v1/webhooks/${strangersId}`, strange));
    await inHandIs(share + 1);
    // It does not wait behind the other account's requests for the database.
    await waiting(turns + 1);
    for (const path of ["/healthz", "/readyz", "/openapi.json"]) expect((await api.call("GET", path)).status).toBe(200);
    const reported = await metrics.text();
    expect(reported).toContain("chain_webhooks_http_requests_shed_total 3\n");
    expect(reported).toContain(`chain_webhooks_http_requests_in_flight ${share + 1}\n`);
  });
  expect(statuses(await Promise.all(under))).toEqual(Array(share + 1).fill(200));
  expect((await read()).status).toBe(200);
});

test("the log has the first refusal, with the caller, but not every refusal", () => {
  const reported = api.logged.filter((line) => line.includes("too many in flight")).map((line) => JSON.parse(line));
  expect(reported).toEqual([
    expect.objectContaining({
      level: 40,
      refused: 1,
      newest: expect.objectContaining({
        client: expect.stringMatching(/^account \d+$/),
        operation: "getWebhook",
        inFlight: expect.any(Number),
        requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      }),
    }),
  ]);
});

test("a request that asks nodes for a block of the past leaves its place to others meanwhile", async () => {
  const past = { fromBlock: "1" };
  const added = { addresses: [address(9)], ...past };
  const asked = [
    ...times(2, () => api.call("POST", "/v1/webhooks", { body: { ...newWebhook(), ...past } })),
    api.call("PATCH", `/v1/webhooks/${id}/addresses`, { body: added }),
  ];
  await expect.poll(async () => (await api.pool.query("SELECT FROM questions")).rowCount).toBe(asked.length);
  expect(await inFlightNow()).toBe(0);
  // Here nobody follows the chain.
  expect(statuses(await Promise.all(asked))).toEqual(asked.map(() => 503));
});

test("pipelined requests are handled in order, and use one slot", async () => {
  const socket = openSocket(api.url);
  let answers = "";
  socket.on("data", (chunk) => {
    answers += chunk;
  });
  await whileHeld("webhooks", async () => {
    const head = `GET /v1/webhooks/${id} HTTP/1.1\r\nhost: a\r\nx-service-api-key: ${api.keys.both}\r\n\r\n`;
    socket.write(head.repeat(50));
    await waiting(1);
    const under = times(share - 1, () => api.call("GET", `/v1/webhooks/${id}`));
    await waiting(turns);
    await inHandIs(share);
    under.push(api.call("GET", `/v1/webhooks/${strangersId}`, strange));
    await inHandIs(share + 1);
    await waiting(turns + 1);
  });
  await expect.poll(() => answers.match(/HTTP\/1\.1 200/g)?.length).toBe(50);
  socket.destroy();
});

test("a client that leaves has its turns until what it asked for ends in the database", async () => {
  const under: Promise<Reply>[] = [];
  await whileHeld("webhooks", async () => {
    const leaving = new AbortController();
    const { signal } = leaving;
    const headers = { "x-service-api-key": api.keys.both };
    const left = times(turns, () => fetch(`${api.url}/v1/webhooks/${id}`, { headers, signal }));
    await waiting(turns);
    leaving.abort();
    await Promise.allSettled(left);
    await inHandIs(0);
    under.push(...times(turns, () => api.call("GET", `/v1/webhooks/${id}`)));
    await inHandIs(turns);
    under.push(api.call("GET", `/v1/webhooks/${strangersId}`, strange));
    await inHandIs(turns + 1);
    // The other account's has a connection of the ten. Of those who left, each still has one, and nobody has theirs.
    await waiting(turns + 1);
  });
  expect(statuses(await Promise.all(under))).toEqual(Array(turns + 1).fill(200));
});

test("a client address without a valid key has no more than its share", async () => {
  const unknown = makeKey("000000000000");
  const wrong = (address: string) => ({ key: unknown, ...from(address) });
  const under: Promise<Reply>[] = [];
  await whileHeld("api_keys", async () => {
    let refused = 0;
    under.push(...times(20, () => api.call("GET", "/v1/webhooks", wrong("192.0.2.1"))));
    for (const one of under) void one.then(() => (refused += 1));
    await expect.poll(() => refused).toBe(20 - share);
    under.push(api.call("GET", "/v1/webhooks", wrong("192.0.2.2")));
    expect((await api.call("GET", "/v1/chains", from("192.0.2.3"))).status).toBe(200);
  });
  expect(statuses(await Promise.all(under)).filter((status) => status === 401)).toHaveLength(share + 1);
});

test("tests that wait for their endpoints have places of their own, divided by account, however the URL is written", async () => {
  const urls = [`/v1/webhooks/${id}/test`, `/v1/webhooks/${id}/test?`, `/v1/webhooks/${id}/test?a=/`];
  // Nobody delivers here, so a test waits for two seconds.
  const tests = urls.flatMap((url) => times(4, () => api.call("POST", url, from(`192.0.2.${url.length}`))));
  const asked = async () => (await api.pool.query("SELECT FROM test_sends")).rowCount;
  await expect.poll(asked).toBeGreaterThan(0);
  const others = api.call("POST", `/v1/webhooks/${strangersId}/test`, strange);
  const read = await Promise.all(times(3, () => api.call("GET", `/v1/webhooks/${id}`)));
  expect(statuses(read)).toEqual([200, 200, 200]);
  const [ended, other] = [await Promise.all(tests), await others];
  expect(other.body.message).toMatch(/^No delivery process took the test/);
  const refused = ended.filter(({ body }) => tooMuch.test(body.message));
  // On a slow machine some come when the first are over.
  expect(refused.length).toBeGreaterThanOrEqual(12 - 2 * testShare);
});

test.each([
  "/v1/webhooks/:id/test/",
  "/v1/webhooks/:id/%74est",
  "/v1/webhooks/:id/TEST",
  "/v1//webhooks/:id/test",
  "//v1/webhooks/:id/test",
  "/v1/webhooks/:id/test/?",
  "/v1/webhooks/:id/test%3f",
])("%s is no test", async (path) => {
  const before = (await api.pool.query("SELECT count(*) FROM test_sends")).rows;
  expect((await api.call("POST", path.replace(":id", id))).status).toBe(404);
  expect((await api.pool.query("SELECT count(*) FROM test_sends")).rows).toEqual(before);
});

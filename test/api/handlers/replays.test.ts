/** Replays, as far as the API alone decides; test/e2e/replays.long.test.ts has the rest. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
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

const earlier = { includeEarlier: true };
const create = (body: unknown) => api.call("POST", `/v1/webhooks/${id}/replays`, { body });

test("a replay is queued, is found at its Location, and shows its progress", async () => {
  const { status, headers, body } = await create({ fromBlock: "41", toBlock: "100", ...earlier });
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
  [
    { fromBlock: "41", toBlock: "100" },
    "fromBlock must be at least 101, the webhook's effectiveFromBlock, or includeEarlier must be true.",
  ],
  [{ fromBlock: "41", toBlock: "100", includeEarlier: "yes" }, "includeEarlier must be a boolean."],
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
  const body = { fromBlock: "1", toBlock: "2", ...earlier };
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
  const { body } = await create({ fromBlock: "1", toBlock: "2", ...earlier });
  await api.call("DELETE", `/v1/webhooks/${id}`);
  assertError(await api.call("GET", `/v1/webhooks/${id}/replays/${body.id}`), 404, `There is no webhook ${id}.`);
});

test("a range of any length is taken, up to the newest block that is recorded", async () => {
  await api.pool.query("UPDATE chain_lanes SET cursor_number = 5000000 WHERE chain_id = '43114'");
  try {
    expect((await create({ fromBlock: "0", toBlock: "5000000", ...earlier })).status).toBe(202);
    assertError(await create({ fromBlock: "0", toBlock: "5000001", ...earlier }), 400);
  } finally {
    await api.pool.query("UPDATE chain_lanes SET cursor_number = 100 WHERE chain_id = '43114'");
  }
});

test("a running replay says how fast it is and when it will be done, and one that has ended does not", async () => {
  const { body } = await create({ fromBlock: "1", toBlock: "100", ...earlier });
  const path = `/v1/webhooks/${id}/replays/${body.id}`;
  const set = (changes: string) => api.pool.query(`UPDATE replays SET ${changes} WHERE id = $1`, [body.id]);
  await set("status = 'running', next_block = 51, blocks_per_second = 12.345");
  const before = Date.now();
  const running = (await api.call("GET", path)).body;
  expect(running).toMatchObject({ blocksPerSecond: 12, currentBlock: "50" });
  const leftMs = (50 / 12.345) * 1_000;
  expect(running.finishesAt).toBeGreaterThanOrEqual(Math.floor(before + leftMs));
  expect(running.finishesAt).toBeLessThanOrEqual(Math.ceil(Date.now() + leftMs));
  await set("status = 'done', next_block = 101, finished_at = now()");
  const done = (await api.call("GET", path)).body;
  expect(done).not.toHaveProperty("blocksPerSecond");
  expect(done).not.toHaveProperty("finishesAt");
});

test("a cancelled replay stays as it is, and frees its place", async () => {
  const range = { fromBlock: "1", toBlock: "2", ...earlier };
  const made = await Promise.all(Array.from({ length: 10 }, () => create(range)));
  const path = `/v1/webhooks/${id}/replays/${made[0]?.body.id}`;
  assertError(await create(range), 409);
  assertError(await api.call("DELETE", path, { key: api.keys.read }), 403);
  assertError(await api.call("DELETE", path, { key: api.keys.stranger }), 404, `There is no webhook ${id}.`);
  const { status, body } = await api.call("DELETE", path);
  expect(status).toBe(200);
  expect(body).toEqual({ ...made[0]?.body, status: "cancelled", finishedAt: expect.any(Number) });
  expect((await create(range)).status).toBe(202);
  for (const method of ["DELETE", "GET"]) expect((await api.call(method, path)).body).toEqual(body);
  await api.pool.query("UPDATE replays SET status = 'done' WHERE id = $1", [made[1]?.body.id]);
  const ended = await api.call("DELETE", `/v1/webhooks/${id}/replays/${made[1]?.body.id}`);
  expect(ended).toMatchObject({ status: 200, body: { status: "done" } });
});

describe("with a quota of blocks", () => {
  const setQuota = (quota: number | null) =>
    api.pool.query("UPDATE accounts SET history_quota = $1 WHERE name = 'ours'", [quota]);
  beforeEach(async () => {
    await api.pool.query("DELETE FROM replays");
    await api.pool.query("DELETE FROM history_used");
    await setQuota(100);
  });
  afterAll(() => setQuota(null));

  test("a replay beyond it is a 403 that says how many are left, and when enough are free", async () => {
    const first = await create({ fromBlock: "1", toBlock: "60", ...earlier });
    expect(first.status).toBe(202);
    await api.pool.query("UPDATE replays SET created_at = date_trunc('minute', now()) - interval '2 hours'");
    expect((await create({ fromBlock: "1", toBlock: "30", ...earlier })).status).toBe(202);
    const over = await create({ fromBlock: "1", toBlock: "11", ...earlier });
    const { rows } = await api.pool.query<{ at: Date }>("SELECT min(created_at) + interval '1 day' AS at FROM replays");
    const at = rows[0]?.at.toISOString().replace(".000", "");
    const left = "The account may read at most 100 blocks of the past within 24 hours, of which 10 are left;";
    assertError(over, 403, `${left} enough are free again at ${at}.`);
    const tooMany = await create({ fromBlock: "0", toBlock: "100", ...earlier });
    assertError(tooMany, 403, `${left} ask for fewer blocks, or the operator for more.`);
    expect((await create({ fromBlock: "1", toBlock: "10", ...earlier })).status).toBe(202);
    await api.pool.query("UPDATE replays SET created_at = created_at - interval '23 hours'");
    expect((await create({ fromBlock: "1", toBlock: "60", ...earlier })).status).toBe(202);
  });

  test("a cancelled replay counts what it did, also once its webhook is deleted", async () => {
    const range = { fromBlock: "1", toBlock: "100", ...earlier };
    const { body } = await create(range);
    await api.pool.query("UPDATE replays SET next_block = 41, status = 'running' WHERE id = $1", [body.id]);
    assertError(await create({ ...range, toBlock: "1" }), 403);
    await api.call("DELETE", `/v1/webhooks/${id}/replays/${body.id}`);
    assertError(await create({ ...range, toBlock: "61" }), 403);
    await api.call("DELETE", `/v1/webhooks/${id}`);
    id = (await api.call("POST", "/v1/webhooks", { body: newWebhook() })).body.id;
    assertError(await create({ ...range, toBlock: "61" }), 403);
    expect((await create({ ...range, toBlock: "60" })).status).toBe(202);
  });

  test("two that fit only one after the other are not both taken", async () => {
    const replies = await Promise.all(
      Array.from({ length: 5 }, () => create({ fromBlock: "1", toBlock: "60", ...earlier })),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([202, 403, 403, 403, 403]);
  });
});

test("an account creates at most 10,000 replays in 24 hours", async () => {
  await api.pool.query(
    `INSERT INTO replays (id, account_id, webhook_id, chain_id, from_block, to_block, next_block, status)
     SELECT gen_random_uuid(), account_id, id, chain_id, 0, 0, 1, 'done' FROM webhooks, generate_series(1, 10000) WHERE id = $1`,
    [id],
  );
  const range = { fromBlock: "1", toBlock: "2", ...earlier };
  const message = "The account has created 10,000 replays within 24 hours; try again later.";
  assertError(await create(range), 403, message);
  await api.pool.query("UPDATE replays SET created_at = created_at - interval '1 day'");
  expect((await create(range)).status).toBe(202);
  await api.pool.query("DELETE FROM replays");
});

/** A change of what is watched is seen by every block after the cursor, and by none that is being recorded. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { lockChainExclusively } from "../../server/store/chains/lock.ts";
import { inTransaction } from "../../server/store/pool.ts";
import { type Api, address, newWebhook, startApi } from "../support/api.ts";
import { lockWaits } from "../support/lock-waits.ts";
import { moveCursor } from "../support/move-cursor.ts";

let api: Api;
let path: string;
beforeAll(async () => {
  api = await startApi();
  const { body } = await api.call("POST", "/v1/webhooks", { body: newWebhook() });
  path = `/v1/webhooks/${body.id}`;
});
afterAll(() => api.close());

const isWaiting = async () => (await lockWaits(api.pool)).length > 0;

/** Records a block as a follower does, and makes the request while that goes on. @returns the answer */
async function whileRecording(blockNumber: number, request: () => ReturnType<Api["call"]>) {
  let answer: ReturnType<Api["call"]> | undefined;
  await inTransaction(api.pool, async (db) => {
    await lockChainExclusively(db, "43114");
    answer = request();
    while (!(await isWaiting()));
    await db.query("UPDATE chain_lanes SET cursor_number = $1 WHERE chain_id = '43114'", [blockNumber]);
  });
  return answer;
}

test.each([
  ["a creation", 111, () => api.call("POST", "/v1/webhooks", { body: newWebhook() })],
  ["an added address", 121, () => api.call("PATCH", `${path}/addresses`, { body: { addresses: [address(9)] } })],
  ["a removed address", 131, () => api.call("DELETE", `${path}/addresses`, { body: { addresses: [address(9)] } })],
])("%s waits for the block that is being recorded and holds from the next one on", async (_, next, request) => {
  const answer = await whileRecording(next - 1, request);
  expect(answer?.body.effectiveFromBlock).toBe(String(next));
});

test("so do a pause, a reactivation, a switch of what is included, and a deletion", async () => {
  const patch = (body: unknown) => () => api.call("PATCH", path, { body });
  expect((await whileRecording(140, patch({ status: "inactive" })))?.status).toBe(200);
  expect((await whileRecording(150, patch({ status: "active" })))?.body.effectiveFromBlock).toBe("151");
  expect((await whileRecording(160, patch({ includeLogs: true })))?.body.includeLogs).toBe(true);
  expect((await whileRecording(170, () => api.call("DELETE", path)))?.status).toBe(200);
});

test("a creation that waits for a block does not hold its account yet", async () => {
  let created: ReturnType<Api["call"]> | undefined;
  await inTransaction(api.pool, async (db) => {
    await lockChainExclusively(db, "43114");
    created = api.call("POST", "/v1/webhooks", { body: newWebhook() });
    while (!(await isWaiting()));
    await api.pool.query("SELECT FROM accounts FOR NO KEY UPDATE NOWAIT");
  });
  expect((await created)?.status).toBe(201);
});

test("a new name or url does not wait for blocks", async () => {
  const { body } = await api.call("POST", "/v1/webhooks", { body: newWebhook() });
  await inTransaction(api.pool, async (db) => {
    await lockChainExclusively(db, "43114");
    const change = { name: "new", description: "new", url: "https://example.org/" };
    expect(await api.call("PATCH", `/v1/webhooks/${body.id}`, { body: change })).toMatchObject({
      status: 200,
      body: change,
    });
  });
});

test("changes of different webhooks do not wait for each other", async () => {
  await moveCursor(api.pool, "43114", 200);
  const replies = await Promise.all(
    Array.from({ length: 8 }, () => api.call("POST", "/v1/webhooks", { body: newWebhook() })),
  );
  expect(replies.map((reply) => reply.body.effectiveFromBlock)).toEqual(replies.map(() => "201"));
});

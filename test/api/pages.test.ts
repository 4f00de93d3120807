/** Paging through lists, to the end, without gaps or repeats, whatever else happens meanwhile. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Api, address, newWebhook, startApi } from "../support/api.ts";
import { assertError } from "../support/contract-check.ts";

let api: Api;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const create = async (name: string) => (await api.call("POST", "/v1/webhooks", { body: newWebhook({ name }) })).body;

test("webhooks are listed newest first, ten a page, each once while others are created", async () => {
  const created: string[] = [];
  for (let n = 0; n < 23; n++) created.push((await create(`${n}`)).id);
  // Of the same millisecond, so that the order among them is by id.
  await api.pool.query("UPDATE webhooks SET created_at = '2026-01-01' WHERE name::int BETWEEN 5 AND 15");
  const listed: string[] = [];
  const sizes: number[] = [];
  let path: string | undefined = "/v1/webhooks";
  while (path) {
    const { body } = await api.call("GET", path);
    listed.push(...body.webhooks.map((webhook: { id: string }) => webhook.id));
    sizes.push(body.webhooks.length);
    await create(`${100 + sizes.length}`);
    path = body.nextPageToken && `/v1/webhooks?pageToken=${body.nextPageToken}`;
  }
  expect(sizes).toEqual([10, 10, 3]);
  expect(listed.toSorted()).toEqual(created.toSorted());
});

test("a page that is exactly full ends the list", async () => {
  const { rows } = await api.pool.query("SELECT count(*) FROM webhooks");
  const { body } = await api.call("GET", `/v1/webhooks?pageSize=${rows[0].count}`);
  expect(body.webhooks).toHaveLength(rows[0].count);
  expect(body).not.toHaveProperty("nextPageToken");
});

test("the list can be of one status", async () => {
  const { id } = await create("500");
  await api.call("PATCH", `/v1/webhooks/${id}`, { body: { status: "inactive" } });
  const { body } = await api.call("GET", "/v1/webhooks?status=inactive");
  expect(body.webhooks.map((webhook: { id: string }) => webhook.id)).toEqual([id]);
});

test("addresses are listed in ascending order, all of them", async () => {
  const addresses = Array.from({ length: 250 }, (_, n) => address(n * 7_919 + 1));
  const { id } = (
    await api.call("POST", "/v1/webhooks", { body: newWebhook({ metadata: { addresses: addresses.toReversed() } }) })
  ).body;
  const listed: string[] = [];
  let query: string | undefined = "";
  while (query !== undefined) {
    const { body } = await api.call("GET", `/v1/webhooks/${id}/addresses${query}`);
    expect(body.totalAddresses).toBe(250);
    listed.push(...body.addresses);
    query = body.nextPageToken && `?pageToken=${body.nextPageToken}`;
  }
  expect(listed).toEqual(addresses);
});

test.each(["abc", "!", "MTIz", "MDAwLg==", Buffer.from(`1.${"a".repeat(36)}`).toString("base64url"), "a".repeat(513)])(
  "the page token %s is refused",
  async (token) => {
    const { id } = await create("600");
    for (const path of ["/v1/webhooks", `/v1/webhooks/${id}/addresses`])
      assertError(await api.call("GET", `${path}?pageToken=${encodeURIComponent(token)}`), 400, /^pageToken must /);
  },
);

test("a token of one list is refused by the other", async () => {
  const { body } = await api.call("GET", "/v1/webhooks?pageSize=1");
  const path = `/v1/webhooks/${body.webhooks[0].id}/addresses?pageToken=${body.nextPageToken}`;
  assertError(await api.call("GET", path), 400, /^pageToken must /);
});

/** Accounts are apart: every operation, called with another account's key and all that there is of ours, gives nothing of it. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Api, address, newWebhook, type Reply, startApi } from "../support/api.ts";
import { callOperation, type Operation, operations } from "../support/operations.ts";
import { attempt, record } from "../support/sent.ts";

const keyed = operations.filter(({ scope }) => scope !== undefined);
const ofOneWebhook = keyed.filter(({ pathParameters }) => pathParameters.includes("id"));
const lists = keyed.filter(({ queryParameters }) => queryParameters.includes("pageToken"));
// Nobody follows here, who could explain.
const reads = keyed.filter(({ method, id }) => method === "GET" && id !== "explainWebhook");

type Values = { id: string; messageId: string; replayId: string; changeId: string };
const nobodys: Values = {
  id: "00000000-0000-4000-8000-000000000001",
  messageId: "00000000-0000-5000-8000-000000000002",
  replayId: "00000000-0000-4000-8000-000000000003",
  changeId: "00000000-0000-4000-8000-000000000004",
};

let api: Api;
let ours: Values;
let theirs: Values;
/** Our page tokens, by operation. */
const tokens = new Map<string, string>();
const idempotencyKey = "ours-alone";

async function populate(key: string): Promise<Values> {
  const create = async (n: number) =>
    (
      await api.call("POST", "/v1/webhooks", {
        key,
        body: newWebhook({ name: `number ${n}`, metadata: { addresses: [1, 2, 3].map(address) } }),
        headers: key === api.keys.both ? { "idempotency-key": `${idempotencyKey}-${n}` } : {},
      })
    ).body.id as string;
  await create(1);
  const id = await create(2);
  const [messageId = ""] = await record(api.pool, id, 3);
  await attempt(api.pool, id, [1], "failed for good");
  const { body } = await api.call("POST", `/v1/webhooks/${id}/replays`, {
    key,
    body: { fromBlock: "100", toBlock: "100", includeEarlier: true },
  });
  const changeId = randomUUID();
  await api.call("PATCH", `/v1/webhooks/${id}/addresses/changes/${changeId}`, { key, body: { add: [address(4)] } });
  return { id, messageId, replayId: body.id, changeId };
}

beforeAll(async () => {
  api = await startApi();
  ours = await populate(api.keys.both);
  theirs = await populate(api.keys.stranger);
  await api.call("PUT", "/v1/operational-webhook", { body: { url: "https://example.com/ours" } });
  for (const list of lists) {
    const { body } = await callOperation(api, list, ours, {}, "?pageSize=1");
    expect(body.nextPageToken, `${list.id} has a second page`).toEqual(expect.any(String));
    tokens.set(list.id, body.nextPageToken);
  }
});
afterAll(() => api.close());

const stranger = (operation: Operation, values: Values, query = "") =>
  callOperation(api, operation, values, { key: api.keys.stranger }, query);

/** What an answer says, without what differs from one request to the next. */
function said({ status, headers, body }: Reply, values: Values): unknown {
  const names = [...headers.keys()].filter((name) => name !== "date").sort();
  let text = JSON.stringify({ status, names, body });
  for (const [name, value] of Object.entries(values)) text = text.replaceAll(value, name);
  return JSON.parse(text);
}

const snapshot = async () =>
  Object.fromEntries(
    await Promise.all(reads.map(async (read) => [read.id, (await callOperation(api, read, ours)).body])),
  );

test("there are such operations, with identifiers and pages, and ours can be read by us", async () => {
  expect(ofOneWebhook.length).toBeGreaterThanOrEqual(14);
  expect(lists.map(({ id }) => id)).toEqual(["listWebhooks", "listWebhookAddresses", "listNotifications"]);
  for (const read of reads) expect((await callOperation(api, read, ours)).status, read.id).toBe(200);
});

test("an operation that names no webhook is tested here by its name", () => {
  const others = keyed.filter((operation) => !ofOneWebhook.includes(operation));
  expect(others.map(({ id }) => id).sort()).toEqual([
    ...[
      "createWebhook",
      "deleteOperationalWebhook",
      "getOperationalSecret",
      "getOperationalWebhook",
      "getSharedSecret",
    ],
    ...["listWebhooks", "previewWebhook", "putOperationalWebhook", "readOperationalFeed", "rotateOperationalSecret"],
    ...["rotateSharedSecret", "testOperationalWebhook"],
  ]);
});

test("an operational webhook is each account's own", async () => {
  const of = async (key: string, method = "GET", path = "", body?: unknown) =>
    api.call(method, `/v1/operational-webhook${path}`, { key, body });
  for (const path of ["", "/secret", "/feed"]) expect((await of(api.keys.stranger, "GET", path)).status).toBe(404);
  await of(api.keys.stranger, "PUT", "", { url: "https://example.com/theirs" });
  const [own, theirs] = [await of(api.keys.both, "GET", "/secret"), await of(api.keys.stranger, "GET", "/secret")];
  expect(own.body).not.toEqual(theirs.body);
  await of(api.keys.stranger, "POST", "/secret/rotate");
  await of(api.keys.stranger, "DELETE");
  expect((await of(api.keys.both)).body).toMatchObject({ url: "https://example.com/ours", status: "active" });
  expect((await of(api.keys.both, "GET", "/secret")).body).toEqual(own.body);
});

test("a shared secret is each account's own, and so is its rotation", async () => {
  const secret = async (key: string) => (await api.call("GET", "/v1/shared-secret", { key })).body;
  const own = await secret(api.keys.both);
  const before = await secret(api.keys.stranger);
  expect(before).not.toEqual(own);
  const rotated = await api.call("POST", "/v1/shared-secret/rotate", { key: api.keys.stranger });
  expect(rotated.status).toBe(201);
  expect(await secret(api.keys.stranger)).not.toEqual(before);
  expect(await secret(api.keys.both)).toEqual(own);
});

test.each(ofOneWebhook.map((operation) => [operation.id, operation] as const))(
  "another account's %s looks as if it did not exist",
  async (_, operation) => {
    const before = await snapshot();
    const token = tokens.get(operation.id);
    for (const query of ["", ...(token ? [`?pageToken=${token}`] : [])]) {
      const missing = await stranger(operation, nobodys, query);
      expect(missing.status).toBe(404);
      expect(said(await stranger(operation, ours, query), ours)).toEqual(said(missing, nobodys));
    }
    // Our identifiers under a webhook of their own.
    if (operation.pathParameters.length > 1) {
      const missing = await stranger(operation, { ...nobodys, id: theirs.id });
      // A client makes up a change's identifier.
      expect(missing.status).toBe(operation.id === "changeWebhookAddresses" ? 200 : 404);
      const mixed = { ...ours, id: theirs.id };
      expect(said(await stranger(operation, mixed), mixed)).toEqual(said(missing, { ...nobodys, id: theirs.id }));
    }
    expect(await snapshot()).toEqual(before);
  },
);

test("our page tokens show another account its own only", async () => {
  const own = new Set(
    (await api.call("GET", "/v1/webhooks?pageSize=100", { key: api.keys.stranger })).body.webhooks.map(
      ({ id }: { id: string }) => id,
    ),
  );
  for (const [operation, token] of tokens) {
    const list = lists.find(({ id }) => id === operation) as Operation;
    const { status, body } = await stranger(list, theirs, `?pageToken=${token}`);
    expect(status).toBe(200);
    const text = JSON.stringify(body);
    for (const value of Object.values(ours)) expect(text).not.toContain(value);
    if (operation === "listWebhooks") for (const { id } of body.webhooks) expect(own.has(id)).toBe(true);
  }
});

test("an idempotency key is each account's own: the same body makes another webhook, another body no conflict", async () => {
  const create = (name: string) =>
    api.call("POST", "/v1/webhooks", {
      key: api.keys.stranger,
      body: newWebhook({ name, metadata: { addresses: [1, 2, 3].map(address) } }),
      headers: { "idempotency-key": `${idempotencyKey}-2` },
    });
  const created = await create("number 2");
  expect(created.status).toBe(201);
  expect(created.body.id).not.toBe(ours.id);
  const other = await api.call("POST", "/v1/webhooks", {
    key: api.keys.stranger,
    body: newWebhook({ name: "something else" }),
    headers: { "idempotency-key": `${idempotencyKey}-1` },
  });
  expect(other.status).toBe(201);
});

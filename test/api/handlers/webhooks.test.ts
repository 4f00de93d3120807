/** The operations on webhooks, and the rules that the contract has for them in words. */

import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { addressDigest } from "../../../client/address-digest.ts";
import { removePart } from "../../../server/store/webhooks/removed-webhooks.ts";
import { type Api, address, newWebhook, startApi } from "../../support/api.ts";
import { assertError } from "../../support/contract-check.ts";
import { moveCursor } from "../../support/move-cursor.ts";

let api: Api;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const create = async (changes: Record<string, unknown> = {}) =>
  (await api.call("POST", "/v1/webhooks", { body: newWebhook(changes) })).body;
const update = (id: string, body: unknown) => api.call("PATCH", `/v1/webhooks/${id}`, { body });

test("a history by headers is refused on a chain whose headers do not prove their blooms, and on no other", async () => {
  const chains = [
    ...["1", "10", "324", "137", "25"].map((chainId) => ({ chainId, name: chainId, traces: false })),
    { chainId: "43114", name: "changed", traces: false, checks: { bloom: "off" as const } },
    { chainId: "43113", name: "changed", traces: false, checks: { headerHash: "off" as const } },
    // Of a chain without a profile nobody knows, unless the operator does.
    { chainId: "123456789", name: "unknown", traces: false },
    { chainId: "12", name: "known to the operator", traces: false, checks: { bloom: "on" as const } },
  ];
  const other = await startApi({ chains });
  onTestFinished(() => other.close());
  const metadata = { addresses: [address(1)], eventSignatures: [`0x${"ab".repeat(32)}`] };
  const said = new Map<string, string>();
  for (const { chainId } of chains) {
    const wanted = { chainId, metadata, fromBlock: "9000000", historyMode: "headers" };
    const { status, body } = await other.call("POST", "/v1/webhooks", { body: newWebhook(wanted) });
    if (status === 400) said.set(chainId, body.message);
  }
  const refused = (chainId: string) => [
    chainId,
    `historyMode must be complete or logs on chain ${chainId}, whose headers do not prove which logs a block has.`,
  ];
  // The first passes this check.
  expect([...said]).toEqual([
    ["1", "fromBlock must be at most 300, the newest block of chain 1."],
    ...["324", "137", "25", "43114", "43113", "123456789"].map(refused),
  ]);
});

test("a webhook is created active, effective from the next block, and can be read at its Location", async () => {
  const before = Date.now();
  const signature = `0x${"AB".repeat(32)}`;
  const metadata = {
    addresses: [address(255).toUpperCase().replace("X", "x"), address(255), address(3)],
    eventSignatures: [signature, signature.toLowerCase()],
  };
  const reply = await api.call("POST", "/v1/webhooks", { body: newWebhook({ metadata, name: "N", description: "D" }) });
  expect(reply.status).toBe(201);
  const { id, createdAt, statusSince, ...rest } = reply.body;
  expect(reply.headers.get("location")).toBe(`/v1/webhooks/${id}`);
  expect(reply.headers.get("cache-control")).toBe("no-store");
  expect(createdAt).toBeGreaterThanOrEqual(before - 1_000);
  expect(statusSince).toBe(createdAt);
  expect(rest).toEqual({
    url: "https://example.com/hook",
    chainId: "43114",
    status: "active",
    statusReason: "created",
    name: "N",
    description: "D",
    eventType: "address_activity",
    metadata: { addresses: [address(3), address(255)], eventSignatures: [signature.toLowerCase()] },
    addressCount: 2,
    addressDigest: addressDigest([address(3), address(255)]),
    includeInternalTxs: false,
    includeLogs: false,
    effectiveFromBlock: "101",
  });
  expect((await api.call("GET", `/v1/webhooks/${id}`)).body).toEqual(reply.body);
});

test("a new webhook has a secret, a sequence and its shard", async () => {
  const { id } = await create();
  const { rows } = await api.pool.query(
    `SELECT shard, last_sequence, octet_length(secret) AS length FROM webhooks w
     JOIN webhook_sequences q ON q.webhook_id = w.id JOIN webhook_secrets s ON s.webhook_id = w.id WHERE w.id = $1`,
    [id],
  );
  expect(rows).toEqual([{ shard: Number.parseInt(id.slice(-2), 16) % 32, last_sequence: 0, length: 32 }]);
});

test("the two booleans may be in metadata, at the top level, or in both if they agree", async () => {
  const inside = { addresses: [address(1)], includeLogs: true, includeInternalTxs: true };
  expect(await create({ metadata: inside })).toMatchObject({ includeLogs: true, includeInternalTxs: true });
  expect(await create({ includeLogs: true })).toMatchObject({ includeLogs: true, includeInternalTxs: false });
  expect(await create({ metadata: inside, includeLogs: true })).toMatchObject({ includeLogs: true });
  const reply = await api.call("POST", "/v1/webhooks", { body: newWebhook({ metadata: inside, includeLogs: false }) });
  assertError(reply, 400, "includeLogs must be the same as metadata.includeLogs where both are given.");
});

test("internal transactions are refused on a chain without traces", async () => {
  const message = "includeInternalTxs must be false on a chain without traces.";
  const body = newWebhook({ chainId: "1", includeInternalTxs: true });
  assertError(await api.call("POST", "/v1/webhooks", { body }), 400, message);
  const { id } = await create({ chainId: "1" });
  assertError(await update(id, { includeInternalTxs: true }), 400, message);
  expect((await update(id, { includeInternalTxs: false })).status).toBe(200);
});

test("an unknown chain gets a 400 that lists the followed chains", async () => {
  const reply = await api.call("POST", "/v1/webhooks", { body: newWebhook({ chainId: "137" }) });
  assertError(reply, 400, "chainId must be one of the supported chains: 1, 10, 43113, 43114.");
});

test("a chain of which nothing is known yet is a 502, and nothing is created", async () => {
  const reply = await api.call("POST", "/v1/webhooks", { body: newWebhook({ chainId: "10" }) });
  assertError(reply, 502, "No node of chain 10 has answered yet; try again later.");
  expect((await api.pool.query("SELECT FROM webhooks WHERE chain_id = '10'")).rowCount).toBe(0);
});

test("a mixed-case address must have a right checksum", async () => {
  const right = "0x5425890298aed601595a70AB815c96711a31Bc65";
  const wrong = right.replace("AB", "Ab");
  expect((await create({ metadata: { addresses: [right] } })).metadata.addresses).toEqual([right.toLowerCase()]);
  const reply = await api.call("POST", "/v1/webhooks", {
    body: newWebhook({ metadata: { addresses: [address(1), wrong] } }),
  });
  assertError(reply, 400, "metadata.addresses.1 must have a right checksum (EIP-55) or be in one letter case.");
});

test.each([
  "http://example.com/",
  "https://127.0.0.1/",
  "https://[::1]:8443/",
  "https://2130706433/",
  "https://localhost",
  "https://a.localhost./x",
])("the url %s is refused", async (url) => {
  assertError(await api.call("POST", "/v1/webhooks", { body: newWebhook({ url }) }), 400, /^url must /);
  const { id } = await create();
  assertError(await update(id, { url }), 400, /^url must /);
});

test("an operator can allow them", async () => {
  const lenient = await startApi({ allowPrivateTargets: true });
  const body = newWebhook({ url: "http://127.0.0.1:8080/hook" });
  expect((await lenient.call("POST", "/v1/webhooks", { body })).status).toBe(201);
  await lenient.close();
});

test("an update changes only the fields in the request", async () => {
  const { id, ...before } = await create({ name: "old" });
  const { body, status } = await update(id, { name: "new", url: "https://example.org/", includeLogs: true });
  expect(status).toBe(200);
  expect(body).toEqual({ id, ...before, name: "new", url: "https://example.org/", includeLogs: true });
  expect((await update(id, { description: "" })).body).toEqual(body);
  expect((await update(id, { description: "text" })).body).toEqual({ ...body, description: "text" });
});

test("an empty object changes nothing", async () => {
  const before = await create();
  expect(await update(before.id, {})).toMatchObject({ status: 200, body: before });
});

test("a field that cannot be changed is an unknown field", async () => {
  const { id } = await create();
  for (const field of ["chainId", "eventType", "metadata", "id", "createdAt", "statusReason"])
    assertError(await update(id, { [field]: "1" }), 400, `${field} is not a known field.`);
  assertError(await update(id, { status: "paused" }), 400, "status must be one of active, inactive.");
  assertError(await update(id, { name: null }), 400, "name must be a string.");
});

test("a paused webhook is effective again from the block after the cursor", async () => {
  const other = "43113";
  const created = await create({ chainId: other });
  expect(created.effectiveFromBlock).toBe("201");
  const paused = (await update(created.id, { status: "inactive" })).body;
  expect(paused).toMatchObject({ status: "inactive", statusReason: "requested", effectiveFromBlock: "201" });
  expect(paused.statusSince).toBeGreaterThanOrEqual(created.statusSince);
  expect((await update(created.id, { status: "inactive" })).body).toEqual(paused);
  await moveCursor(api.pool, other, 250);
  expect((await update(created.id, { status: "active" })).body).toMatchObject({
    status: "active",
    statusReason: "requested",
    effectiveFromBlock: "251",
  });
  await moveCursor(api.pool, other, 260);
  expect((await update(created.id, { status: "active" })).body.effectiveFromBlock).toBe("251");
});

test("deleting a webhook returns it, then it and its pending notifications are gone", async () => {
  const { id, ...before } = await create();
  await api.pool.query(
    "INSERT INTO retries (shard, account_id, webhook_id, sequence, recorded_on, attempts, due_at) VALUES (0, 1, $1, 1, now(), 1, now())",
    [id],
  );
  await api.pool.query("INSERT INTO endpoint_states VALUES (0, $1, 1, now())", [id]);
  const reply = await api.call("DELETE", `/v1/webhooks/${id}`);
  expect(reply.status).toBe(200);
  const { statusSince, failingSince, ...after } = reply.body;
  expect(after).toEqual({ id, ...before, status: "inactive", statusReason: "requested", statusSince: undefined });
  expect(failingSince).toBeGreaterThanOrEqual(before.createdAt);
  expect(statusSince).toBeGreaterThanOrEqual(before.statusSince);
  for (const method of ["GET", "DELETE"]) assertError(await api.call(method, `/v1/webhooks/${id}`), 404);
  while (await removePart(api.pool));
  for (const table of ["webhook_addresses", "webhook_secrets", "webhook_sequences", "retries", "endpoint_states"])
    expect((await api.pool.query(`SELECT FROM ${table} WHERE webhook_id = $1`, [id])).rowCount).toBe(0);
});

test("text of any script is stored unchanged", async () => {
  const name = "日本語 🦊 \u0001 \\ ' \" </script>";
  expect((await create({ name })).name).toBe(name);
});

test("a page shows at most 10,000 addresses, which its webhooks share", async () => {
  const addresses = Array.from({ length: 1_100 }, (_, index) => address(10_000 + index));
  const { id } = await create({ metadata: { addresses } });
  for (const [pageSize, shown] of [
    [10, 1_000],
    [11, 909],
    [100, 100],
  ]) {
    const { webhooks } = (await api.call("GET", `/v1/webhooks?pageSize=${pageSize}`)).body;
    const found = webhooks.find((webhook: { id: string }) => webhook.id === id);
    expect(found).toMatchObject({ addressCount: 1_100, metadata: { addresses: addresses.slice(0, shown) } });
  }
});

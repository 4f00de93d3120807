/** Each operation of the webhooks in AvaCloud's SDK, against the service: which works, and what differs, as the guide's table has it. */
import { createHmac, randomBytes } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { signNotification, verifyNotification } from "../../client/receiver/index.ts";
import { notificationExamples } from "../../generated/notification-examples.ts";
import { apiKeyHeader } from "../../generated/operations.ts";
import { eventTextFor } from "../../server/contract/example-event.ts";
import { noKeys } from "../../server/settings/keyring.ts";
import { getSharedSecret } from "../../server/store/webhooks/secrets.ts";
import { run } from "../codegen/harness/run.ts";
import { type Api, address, startApi } from "../support/api.ts";
import { readDocument } from "../support/document.ts";
import { openOutbox } from "../support/outbox.ts";
import { type Delivered, startReceiver } from "../support/receiver.ts";
import { type CallOptions, installSdk, type Read, type Sdk, type SdkWebhooks } from "./sdk.ts";

let sdk: Sdk;
let api: Api;
let webhooks: SdkWebhooks;
let options: CallOptions;
beforeAll(async () => {
  [sdk, api] = await Promise.all([installSdk(), startApi()]);
  webhooks = sdk.webhooks(api.url, api.keys.both, apiKeyHeader);
  options = { serverURL: api.url };
});
afterAll(async () => {
  await api.close();
  sdk.close();
});

const seen = new Map<string, "works">();
const works = (name: string, check: () => Promise<void>) =>
  test(`webhooks.${name} works`, () => check().then(() => void seen.set(name, "works")));

const wanted = {
  eventType: "address_activity",
  url: "https://example.com/hooks",
  chainId: "43114",
  metadata: { addresses: [address(1)], eventSignatures: [] },
  includeLogs: true,
};
const created = async () => String((await webhooks.create(wanted, options)).id);
const failure = (call: Promise<unknown>) =>
  call.then(
    () => undefined,
    (error: Error & Read) => [error.constructor.name, error.statusCode],
  );

/** The fields that their record has; the SDK drops the others. */
const known = [
  "id",
  "url",
  "chainId",
  "status",
  "createdAt",
  "name",
  "description",
  "eventType",
  "metadata",
  "includeInternalTxs",
  "includeLogs",
];

works("create", async () => {
  const record = await webhooks.create(wanted, options);
  expect(record).toMatchObject({ ...wanted, status: "active", name: "", description: "", includeInternalTxs: false });
  expect(Object.keys(record)).toEqual(known);
});

works("list", async () => {
  const id = await created();
  const pages: Read[] = [];
  for await (const { result } of await webhooks.list({ pageSize: 1, status: "active" }, options)) pages.push(result);
  expect(pages.length).toBeGreaterThan(1);
  expect(pages[0]).toMatchObject({ webhooks: [{ id }] });
});

works("get", async () => {
  const id = await created();
  expect(await webhooks.get({ id }, options)).toMatchObject({ ...wanted, id });
});

works("update", async () => {
  const id = await created();
  const updateWebhookRequest = { name: "New", status: "inactive", includeLogs: false };
  expect(await webhooks.update({ id, updateWebhookRequest }, options)).toMatchObject({ id, ...updateWebhookRequest });
});

works("deactivate", async () => {
  const id = await created();
  expect(await webhooks.deactivate({ id }, options)).toMatchObject({ id, status: "inactive" });
  // The guide says so: there it could be read, and activated again.
  expect(await failure(webhooks.get({ id }, options))).toEqual(["NotFound", 404]);
});

works("addresses.list", async () => {
  const id = await created();
  await webhooks.addresses.add({ id, addressesChangeRequest: { addresses: [address(2)] } }, options);
  const pages: Read[] = [];
  for await (const { result } of await webhooks.addresses.list({ id, pageSize: 1 }, options)) pages.push(result);
  expect(pages.map(({ addresses, totalAddresses }) => [addresses, totalAddresses])).toEqual([
    [[address(1)], 2],
    [[address(2)], 2],
  ]);
});

works("addresses.add", async () => {
  const id = await created();
  const addressesChangeRequest = { addresses: [address(2), address(3)] };
  const record = await webhooks.addresses.add({ id, addressesChangeRequest }, options);
  expect(record).toMatchObject({ id, metadata: { addresses: [address(1), address(2), address(3)] } });
  expect(Object.keys(record)).toEqual(known);
});

works("addresses.remove", async () => {
  const id = await created();
  const addressesChangeRequest = { addresses: [address(1)] };
  const record = await webhooks.addresses.remove({ id, addressesChangeRequest }, options);
  expect(record).toMatchObject({ id, metadata: { addresses: [] } });
});

works("getSharedSecret", async () => {
  const { secret } = await webhooks.getSharedSecret(options);
  expect(secret).toMatch(/^[0-9a-f]{64}$/);
  expect(await webhooks.getSharedSecret(options)).toEqual({ secret });
});

works("generateOrRotateSharedSecret", async () => {
  const { secret: before } = await webhooks.getSharedSecret(options);
  const { secret } = await webhooks.generateOrRotateSharedSecret(options);
  expect(secret).not.toBe(before);
  expect(await webhooks.getSharedSecret(options)).toEqual({ secret });
});

test("the other account has another shared secret, and a key without the scope none", async () => {
  const { secret } = await webhooks.getSharedSecret(options);
  const other = await sdk.webhooks(api.url, api.keys.stranger, apiKeyHeader).getSharedSecret(options);
  expect(other.secret).not.toBe(secret);
  expect(await failure(sdk.webhooks(api.url, api.keys.read, apiKeyHeader).getSharedSecret(options))).toEqual([
    "Forbidden",
    403,
  ]);
});

test("errors are the SDK's own classes, with the service's message", async () => {
  const id = await created();
  const wrong = { ...wanted, metadata: { addresses: ["0x1"] } };
  await expect(webhooks.create(wrong, options)).rejects.toThrow(/metadata\.addresses\.0 must be an address/);
  expect(await failure(webhooks.create(wrong, options))).toEqual(["BadRequest", 400]);
  expect(await failure(sdk.webhooks(api.url, "unknown", apiKeyHeader).get({ id }, options))).toEqual([
    "Unauthorized",
    401,
  ]);
  expect(await failure(sdk.webhooks(api.url, api.keys.read, apiKeyHeader).deactivate({ id }, options))).toEqual([
    "Forbidden",
    403,
  ]);
});

test("with its own header the key does not arrive", async () => {
  expect(await failure(sdk.webhooks(api.url, api.keys.both).get({ id: await created() }, options))).toEqual([
    "Unauthorized",
    401,
  ]);
});

test("events of other kinds are refused", async () => {
  const validators = { ...wanted, eventType: "validator_activity" };
  expect(await failure(webhooks.create(validators, options))).toBeDefined();
});

const transfers = ["erc20Transfers", "erc721Transfers", "erc1155Transfers"];

test("a notification without includeTransfers lacks three lists of decoded transfers, has null topics, and else fits the SDK's schema", () => {
  const folder = fileURLToPath(new URL("../../openapi/examples/", import.meta.url));
  const names = readdirSync(folder).filter((name) => name.startsWith("notification."));
  expect(names.length).toBeGreaterThan(7);
  for (const name of names) {
    const { value } = JSON.parse(readFileSync(join(folder, name), "utf8"));
    const nulls = (value.event.logs ?? []).flatMap((log: Read, index: number) =>
      Object.keys(log).flatMap((field) => (log[field] === null ? [`event.logs.${index}.${field}`] : [])),
    );
    const lacking = transfers.filter((list) => !(list in value.event.transaction));
    expect(lacking.length, name).toBe(name.includes("token-transfers") ? 0 : transfers.length);
    const lists = lacking.map((list) => `event.transaction.${list}`);
    expect(sdk.misfits(value).sort(), name).toEqual([...lists, ...nulls].sort());
    expect(nulls.every((place: string) => /topic\d$/.test(place))).toBe(true);
  }
});

test("with the compatibility glacier each of the contract's notifications fits it, and isValidSignature accepts it", async () => {
  vi.spyOn(console, "log").mockImplementation(() => undefined);
  const outbox = await openOutbox();
  const receiver = await startReceiver();
  outbox.deliver();
  try {
    const url = `${receiver.url}/glacier`;
    const webhook = await outbox.addWebhook(url, undefined, undefined, {
      ...{ includeTransfers: true, compatibility: "glacier" },
    });
    const examples = Object.entries(notificationExamples);
    expect(examples).toHaveLength(11);
    for (const [name, { event }] of examples) {
      const includeInternalTxs = "internalTransactions" in event.transaction;
      const record = { chainId: "1", includeLogs: true, includeInternalTxs, metadata: { includeTransfers: true } };
      await outbox.append([webhook], 1, eventTextFor({ ...record, compatibility: "glacier" }, event));
      const seen = await receiver.waitFor(1);
      const { rawBody, headers } = seen[0] as Delivered;
      receiver.deliveries.length = 0;
      const notification = JSON.parse(rawBody);
      expect(sdk.misfits(notification), name).toEqual([]);
      const { secret } = await getSharedSecret(outbox.pool, webhook.accountId, noKeys);
      expect(sdk.isValidSignature(secret.toString("hex"), String(headers["x-signature"]), notification), name).toBe(
        true,
      );
      expect(sdk.isValidSignature(randomBytes(32).toString("hex"), String(headers["x-signature"]), notification)).toBe(
        false,
      );
    }
  } finally {
    await outbox.close();
    await receiver.close();
  }
});

test("its isValidSignature accepts AvaCloud's signatures and none of the usual form, and we none of AvaCloud's", async () => {
  vi.spyOn(console, "log").mockImplementation(() => undefined);
  const { secret } = (await api.call("GET", `/v1/webhooks/${await created()}/secret`)).body;
  const payload = { b: 1, a: 2 };
  const body = JSON.stringify(payload);
  const key = Buffer.from(secret.slice("whsec_".length), "base64");
  const theirs = createHmac("sha256", key).update('{"a":2,"b":1}').digest("base64");
  const [id, timestamp] = ["6d1bbe40-2a4b-4c0e-8f0a-5e7f5b1d2c3a", Math.floor(Date.now() / 1000)];
  const ours = await signNotification({ id, timestamp, body, secret });
  expect(sdk.isValidSignature(key.toString("hex"), theirs, payload)).toBe(true);
  for (const signature of [ours, ours.slice("v1,".length)])
    expect(sdk.isValidSignature(key.toString("hex"), signature, payload)).toBe(false);
  const headers = {
    "webhook-id": id,
    "webhook-timestamp": `${timestamp}`,
    "webhook-signature": `v1,${theirs}`,
    "webhook-sequence": "1",
  };
  await expect(verifyNotification(body, headers, secret)).rejects.toThrow(/signature/);
});

const guide = readDocument("docs/avacloud.md");

test("the guide's program runs", async () => {
  const [program = ""] = guide.fences("js");
  writeFileSync(join(sdk.folder, "avacloud.mjs"), program);
  const env = { ...process.env, BASE_URL: api.url, API_KEY: api.keys.both };
  const printed = await run({
    name: "the program",
    command: "node avacloud.mjs",
    cwd: sdk.folder,
    env,
    limitMs: 60_000,
  });
  expect(printed).toMatch(
    /^[0-9a-f-]{36} watches 2 addresses\nIts notifications are signed with a secret of 64 digits\n$/,
  );
  const [id = ""] = printed.split(" ");
  expect((await api.call("GET", `/v1/webhooks/${id}`)).body).toMatchObject({
    ...{ compatibility: "glacier", metadata: { includeTransfers: true } },
  });
});

test("the guide's table has each operation of the SDK's webhooks, as it was seen here: ten of ten", () => {
  const rows = [...guide.text.matchAll(/^\| `webhooks\.([\w.]+)` +\| (works) /gm)];
  expect(rows).toHaveLength(10);
  expect(Object.fromEntries(rows.map(([, name, verdict]) => [name, verdict]))).toEqual(Object.fromEntries(seen));
  const methods = (object: object) =>
    Object.getOwnPropertyNames(Object.getPrototypeOf(object)).filter((name) => name !== "constructor");
  const names = [
    ...methods(webhooks).filter((name) => name !== "addresses"),
    ...methods(webhooks.addresses).map((name) => `addresses.${name}`),
  ];
  expect([...seen.keys()].sort()).toEqual(names.sort());
});

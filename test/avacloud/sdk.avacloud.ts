/** Each operation of the webhooks in AvaCloud's SDK, against the service: which works, and what differs, as the guide's table has it. */
import { createHmac } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { signNotification, verifyNotification } from "../../client/receiver/index.ts";
import { apiKeyHeader } from "../../generated/operations.ts";
import { run } from "../codegen/harness/run.ts";
import { type Api, address, startApi } from "../support/api.ts";
import { readDocument } from "../support/document.ts";
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

const seen = new Map<string, "works" | "differs">();
const works = (name: string, check: () => Promise<void>) =>
  test(`webhooks.${name} works`, () => check().then(() => void seen.set(name, "works")));
const differs = (name: string, how: string, check: () => Promise<void>) =>
  test(`webhooks.${name} differs: ${how}`, () => check().then(() => void seen.set(name, "differs")));

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

differs("deactivate", "the webhook is deleted", async () => {
  const id = await created();
  expect(await webhooks.deactivate({ id }, options)).toMatchObject({ id, status: "inactive" });
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

differs("getSharedSecret", "each webhook has its own secret", async () => {
  expect(await failure(webhooks.getSharedSecret(options))).toEqual(["NotFound", 404]);
});

differs("generateOrRotateSharedSecret", "each webhook's is rotated", async () => {
  expect(await failure(webhooks.generateOrRotateSharedSecret(options))).toEqual(["NotFound", 404]);
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

test("its isValidSignature accepts AvaCloud's signatures and none of ours, and we none of AvaCloud's", async () => {
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
  expect(printed).toMatch(/^[0-9a-f-]{36} watches 2 addresses\n$/);
});

test("the guide's table has each operation of the SDK's webhooks, as it was seen here", () => {
  const rows = [...guide.text.matchAll(/^\| `webhooks\.([\w.]+)` +\| (works|differs) /gm)];
  expect(Object.fromEntries(rows.map(([, name, verdict]) => [name, verdict]))).toEqual(Object.fromEntries(seen));
  const methods = (object: object) =>
    Object.getOwnPropertyNames(Object.getPrototypeOf(object)).filter((name) => name !== "constructor");
  const names = [
    ...methods(webhooks).filter((name) => name !== "addresses"),
    ...methods(webhooks.addresses).map((name) => `addresses.${name}`),
  ];
  expect([...seen.keys()].sort()).toEqual(names.sort());
});

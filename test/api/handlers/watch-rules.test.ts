/** Webhooks with conditions, with any address and with a factory: what is accepted and shown, and what is refused by which field. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { readLimits } from "../../../server/settings/limits.ts";
import { createKey } from "../../../server/store/accounts/keys.ts";
import { setQuotas } from "../../../server/store/accounts/quotas.ts";
import { type Api, address, newWebhook, startApi } from "../../support/api.ts";
import { assertError } from "../../support/contract-check.ts";

let api: Api;
let key = "";
beforeAll(async () => {
  api = await startApi({ limits: readLimits({ MAX_CONCURRENT_REQUESTS: "1000" }) });
  ({ key } = await createKey(api.pool, { account: "rules", scopes: ["read", "write"] }));
});
afterAll(() => api.close());

const create = (metadata: object) => api.call("POST", "/v1/webhooks", { key, body: newWebhook({ metadata }) });
const addresses = [address(1)];
const signature = `0x${"ab".repeat(32)}`;
const abi = [
  {
    type: "event",
    name: "Order",
    inputs: [
      { name: "id", type: "int256", indexed: true },
      { name: "order", type: "tuple", components: [{ name: "amount", type: "uint256" }] },
      { name: "ids", type: "uint256[]" },
    ],
  },
];
const compare = (field: string, op: string, value: unknown) => ({ field, op, value });
const large = compare("transfer.value", "gte", "1000000");
const nested = (depth: number): object => (depth === 1 ? large : { not: nested(depth - 1) });

test.each([
  ["a comparison of a transfer", { conditions: large }],
  ["numbers as hex", { conditions: compare("transaction.value", "gt", `0x${"f".repeat(64)}`) }],
  [
    "arguments of an event",
    { abi, conditions: { all: [compare("args.id", "lt", "-1"), compare("args.order.amount", "eq", "1")] } },
  ],
  ["8 levels", { conditions: nested(8) }],
  ["50 comparisons", { conditions: { any: Array(50).fill(large) } }],
])("conditions are accepted and shown as they were given: %s", async (_, metadata) => {
  const { status, body } = await create({ addresses, ...metadata });
  expect([status, body.metadata.conditions]).toEqual([201, metadata.conditions]);
  expect((await api.call("GET", `/v1/webhooks/${body.id}`, { key })).body.metadata.conditions).toEqual(
    metadata.conditions,
  );
});

const integerPhrase =
  "must be an integer of 256 bits and not negative, in decimal digits without leading zeros, or as 0x and up to 64 hex digits.";
test.each<[object, string]>([
  [compare("transfer.value", "gte", "1.5"), `metadata.conditions.value ${integerPhrase}`],
  [compare("transfer.value", "gte", "-1"), `metadata.conditions.value ${integerPhrase}`],
  [compare("transfer.value", "eq", `${2n ** 256n}`), `metadata.conditions.value ${integerPhrase}`],
  [
    { all: [large, compare("transfer.to", "in", [address(1), "me"])] },
    "metadata.conditions.all.1.value.1 must be an address, 0x and 40 hex digits.",
  ],
  [
    compare("transfer.to", "gt", address(1)),
    "metadata.conditions.op must be eq, ne or in for transfer.to, which has no order.",
  ],
  [compare("transfer.value", "in", "1"), "metadata.conditions.value must be an array with in."],
  [compare("transfer.value", "eq", ["1"]), "metadata.conditions.value must be a string with eq."],
  [compare("transaction.status", "eq", "success"), "metadata.conditions.value must be one of 0, 1."],
  [compare("transaction.method", "eq", "0xa9059c"), "metadata.conditions.value must be 0x and 8 hex digits."],
  [
    { not: { field: "transfer.amount", op: "eq", value: "1" } },
    "metadata.conditions.not.field must be transaction.value|status|from|to|method, transfer.standard|contract|value|tokenId|from|to|direction or args.… with the name of an argument.",
  ],
  [compare("args.id", "eq", "1"), "metadata.conditions.field must not name an argument without metadata.abi."],
  [
    compare("transfer.__proto__", "eq", "1"),
    "metadata.conditions.field must be transaction.value|status|from|to|method, transfer.standard|contract|value|tokenId|from|to|direction or args.… with the name of an argument.",
  ],
  [{ field: "transfer.value", op: "eq" }, "metadata.conditions.value is required."],
  [{ any: [{}] }, "metadata.conditions.any.0 must have one of all, any and not, or field, op and value."],
  [{ ...large, not: large }, "metadata.conditions must have one of all, any and not, or field, op and value."],
  [nested(9), "metadata.conditions.not.not.not.not.not.not.not.not must be at most 8 levels deep."],
  [{ all: [{ any: Array(50).fill(large) }, large] }, "metadata.conditions must have at most 50 comparisons."],
  [
    compare(
      "transfer.value",
      "in",
      Array(100)
        .fill("9".repeat(78))
        .map((one) => `0x${"a".repeat(64)}${one.slice(99)}`),
    ),
    "",
  ],
])("conditions %j are refused", async (conditions, message) => {
  const reply = await create({
    addresses,
    conditions: message === "" ? { any: [conditions, conditions] } : conditions,
  });
  assertError(reply, 400, message || "metadata.conditions must be at most 8000 characters long as JSON.");
});

test.each<[object, string]>([
  [compare("args.nothing", "eq", "1"), "metadata.conditions.field must name an argument of an event in metadata.abi."],
  [
    compare("args.ids", "eq", "1"),
    "metadata.conditions.field must name an argument that is neither an array nor a tuple.",
  ],
  [
    compare("args.order", "eq", "1"),
    "metadata.conditions.field must name an argument that is neither an array nor a tuple.",
  ],
  [
    compare("args.id", "eq", "x"),
    "metadata.conditions.value must be an integer of 256 bits, in decimal digits without leading zeros, or as 0x and up to 64 hex digits.",
  ],
])("conditions on arguments %j are refused", async (conditions, message) => {
  assertError(await create({ addresses, abi, conditions }), 400, message);
});

test.each<[object, string]>([
  [
    { anyAddress: true },
    "metadata.eventSignatures, metadata.abi or metadata.conditions is required with metadata.anyAddress.",
  ],
  [
    { anyAddress: true, addresses, eventSignatures: [signature] },
    "metadata.addresses must be absent with metadata.anyAddress.",
  ],
  [
    { anyAddress: true, conditions: { any: [large, compare("transfer.direction", "eq", "in")] } },
    "metadata.conditions.any.1.field must not be transfer.direction with metadata.anyAddress.",
  ],
  [
    {
      anyAddress: true,
      createdBy: { address: address(1), eventSignature: signature, argument: "data0" },
      eventSignatures: [signature],
    },
    "metadata.createdBy must be absent with metadata.anyAddress.",
  ],
  [
    {
      createdBy: {
        address: "0x5425890298aed601595a70Ab815c96711a31Bc65",
        eventSignature: signature,
        argument: "topic1",
      },
    },
    "metadata.createdBy.address must have a right checksum (EIP-55) or be in one letter case.",
  ],
  [
    { createdBy: { address: address(1), eventSignature: signature, argument: "topic0" } },
    "metadata.createdBy.argument must be topic1 to topic3, or data0 to data99.",
  ],
])("metadata %j is refused", async (metadata, message) => {
  assertError(await create(metadata), 400, message);
});

test("the conditions of an account's webhooks have a quota of comparisons together, freed by a deletion", async () => {
  const own = await createKey(api.pool, { account: "compares", scopes: ["read", "write"] });
  const make = (conditions: object) =>
    api.call("POST", "/v1/webhooks", { key: own.key, body: newWebhook({ metadata: { addresses, conditions } }) });
  const half = {
    all: [{ any: Array(24).fill(large) }, { not: compare("transfer.standard", "in", ["erc20", "erc721"]) }],
  };
  const replies = [];
  for (let n = 0; n < 20; n += 1) replies.push(await make({ any: [half, half] }));
  expect(replies.map(({ status }) => status)).toEqual(Array(20).fill(201));
  assertError(
    await make(large),
    403,
    "metadata.conditions must leave the account with at most 1,000 comparisons in all its webhooks; remove some, or ask the operator for more.",
  );
  expect((await create({ addresses, conditions: large })).status).toBe(201);
  await api.call("DELETE", `/v1/webhooks/${replies[0]?.body.id}`, { key: own.key });
  expect((await make(large)).status).toBe(201);
});

test("any address needs the operator's leave, for as many webhooks as the account's quota says", async () => {
  const any = () => create({ anyAddress: true, eventSignatures: [signature] });
  const refused = "metadata.anyAddress must be allowed by the operator: the account may have";
  assertError(await any(), 403, `${refused} no webhook with it.`);
  await setQuotas(api.pool, "rules", { anyAddress: 1 });
  const { status, body } = await any();
  expect([status, body.metadata]).toEqual([201, { addresses: [], eventSignatures: [signature], anyAddress: true }]);
  assertError(await any(), 403, `${refused} at most 1 webhook with it.`);
  const add = await api.call("PATCH", `/v1/webhooks/${body.id}/addresses`, { key, body: { addresses } });
  assertError(add, 400, "addresses must not be added to a webhook with anyAddress.");
  expect((await api.call("DELETE", `/v1/webhooks/${body.id}`, { key })).status).toBe(200);
  expect((await any()).status).toBe(201);
});

test("a factory is shown in lower case, without addresses until it creates contracts", async () => {
  const createdBy = { address: address(10), eventSignature: signature, argument: "data3" };
  const { status, body } = await create({ createdBy: { ...createdBy, eventSignature: `0x${"AB".repeat(32)}` } });
  expect([status, body.metadata, body.addressCount]).toEqual([
    201,
    { addresses: [], eventSignatures: [], createdBy },
    0,
  ]);
});

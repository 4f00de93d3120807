/** Events in JSON ABI form: what is taken, what is refused, and what a record shows. */
import { keccak256, toHex } from "viem";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Api, address, newWebhook, startApi } from "../../support/api.ts";
import { assertError } from "../../support/contract-check.ts";

let api: Api;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const transferHash = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
const create = (metadata: Record<string, unknown>) =>
  api.call("POST", "/v1/webhooks", { body: newWebhook({ metadata: { addresses: [address(1)], ...metadata } }) });
const event = (inputs: unknown, more: Record<string, unknown> = {}) => ({ type: "event", name: "E", inputs, ...more });
const inputs = [
  { name: "from", type: "address", internalType: "address", indexed: true },
  { name: "to", type: "address", internalType: "address", indexed: true },
  { name: "value", type: "uint256", internalType: "uint256", indexed: false },
];
const transfer = { type: "event", name: "Transfer", inputs, anonymous: false };

test("the signatures follow from the events, and the record shows both", async () => {
  const created = await create({ abi: [transfer] });
  expect(created.status).toBe(201);
  const shown = {
    type: "event",
    name: "Transfer",
    inputs: inputs.map(({ internalType: _, ...rest }) => rest),
    anonymous: false,
  };
  const metadata = { addresses: [address(1)], eventSignatures: [transferHash], abi: [shown] };
  expect(created.body.metadata).toEqual(metadata);
  expect((await api.call("GET", `/v1/webhooks/${created.body.id}`)).body.metadata).toEqual(metadata);
  const given = await create({ abi: [transfer], eventSignatures: [`0x${"1".repeat(64)}`] });
  expect(given.body.metadata.eventSignatures).toEqual([`0x${"1".repeat(64)}`]);
  expect((await create({ abi: [transfer], eventSignatures: [] })).body.metadata.eventSignatures).toEqual([
    transferHash,
  ]);
});

test("types are written in short, as tuples, and without names", async () => {
  const members = [{ type: "uint" }, { name: "parts", type: "tuple[2][]", components: [{ type: "bytes3" }] }];
  const { status, body } = await create({ abi: [event([{ type: "tuple[]", components: members }, { type: "int" }])] });
  expect([status, body.metadata?.eventSignatures]).toEqual([
    201,
    [keccak256(toHex("E((uint256,(bytes3)[2][])[],int256)"))],
  ]);
});

const deep = (depth: number): unknown =>
  depth === 0 ? { type: "bool" } : { type: "tuple", components: [deep(depth - 1)] };

test.each<[string, unknown, string]>([
  [
    "anonymous",
    event([], { anonymous: true }),
    "0.anonymous must be false: an anonymous event has no signature to find it by.",
  ],
  ["of an unknown type", event([{ type: "uint7" }]), "0.inputs.0.type must be a Solidity type, such as uint256."],
  [
    "of another unknown type",
    event([{ type: "function" }]),
    "0.inputs.0.type must be a Solidity type, such as uint256.",
  ],
  ["with an array of none", event([{ type: "bool[0]" }]), "0.inputs.0.type must be a Solidity type, such as uint256."],
  [
    "with a huge array",
    event([{ type: "bool[999][2]" }]),
    "0.inputs.0.type must have at most 1,000 items where its length is fixed.",
  ],
  ["with many dimensions", event([{ type: "bool[][][][][]" }]), "0.inputs.0.type must have at most 4 dimensions."],
  ["with an empty tuple", event([{ type: "tuple" }]), "0.inputs.0.components must have the members of the tuple."],
  [
    "with members of no tuple",
    event([{ type: "bool", components: [] }]),
    "0.inputs.0.components must be absent unless the type is a tuple.",
  ],
  [
    "nested deep",
    event([deep(6)]),
    "0.inputs.0.components.0.components.0.components.0.components.0.components.0 must be at most 5 tuples deep.",
  ],
  [
    "with two names alike",
    event([
      { name: "a", type: "bool" },
      { name: "a", type: "bool" },
    ]),
    "0.inputs.1.name must differ from the names before it.",
  ],
  [
    "with four indexed arguments",
    event(Array.from({ length: 4 }, () => ({ type: "bool", indexed: true }))),
    "0.inputs must have at most 3 indexed arguments.",
  ],
  [
    "with an indexed member",
    event([{ type: "tuple", components: [{ type: "bool", indexed: true }] }]),
    "0.inputs.0.components.0.indexed must be absent from a member of a tuple.",
  ],
  [
    "with very many members",
    event(
      Array.from({ length: 6 }, (_, n) => ({
        name: `t${n}`,
        type: "tuple",
        components: Array.from({ length: 20 }, (_, m) => ({ name: `m${m}`, type: "bool" })),
      })),
    ),
    "0 must have at most 100 arguments and members.",
  ],
])("an event %s is a 400 that names it", async (_, wrong, message) => {
  assertError(await create({ abi: [wrong] }), 400, `metadata.abi.${message}`);
});

test("schema faults name their place, too", async () => {
  assertError(await create({ abi: [] }), 400, "metadata.abi must have at least 1 item.");
  assertError(
    await create({ abi: [{ type: "function", name: "f", inputs: [] }] }),
    400,
    "metadata.abi.0.type must be event.",
  );
  assertError(
    await create({ abi: [event([{ type: "" }])] }),
    400,
    "metadata.abi.0.inputs.0.type must be a Solidity type.",
  );
});

test("a hundred events of five arguments fit, and more than 32 KiB do not", async () => {
  const inputs = ["a", "b", "c", "d", "e"].map((name) => ({
    name,
    type: "address",
    internalType: "address payable",
    indexed: false,
  }));
  const events = (name: string) => Array.from({ length: 100 }, (_, n) => event(inputs, { name: `${name}${n}` }));
  const short = await create({
    abi: events("E").map(({ type, name }) => ({ type, name, inputs: inputs.slice(0, 3) })),
  });
  expect(short.status).toBe(201);
  expect(short.body.metadata.eventSignatures).toHaveLength(100);
  const message = "metadata.abi must have at most 32 KiB as JSON without each internalType.";
  assertError(await create({ abi: events("x".repeat(150)) }), 400, message);
});

test("of one signature, events have at most eight forms of what is indexed; repetitions do not count", async () => {
  const formOf = (indexed: number) =>
    event(Array.from({ length: 9 }, (_, n) => ({ type: "bool", indexed: n === indexed })));
  const eight = Array.from({ length: 8 }, (_, n) => formOf(n));
  expect((await create({ abi: [...eight, ...eight] })).status).toBe(201);
  const bools = Array(9).fill("bool").join();
  assertError(
    await create({ abi: [...eight, formOf(7), formOf(8)] }),
    400,
    `metadata.abi.9.inputs must be indexed as in an event before it: of E(${bools}) there are 8 forms already.`,
  );
});

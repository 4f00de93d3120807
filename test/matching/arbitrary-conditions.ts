/** Random conditions, and blocks of transfers and events for them, from so few values that they meet all the time. */
import fc from "fast-check";
import { encode } from "ox/AbiParameters";
import { compileAbi } from "../../server/matching/abi.ts";
import type { Condition } from "../../server/matching/conditions.ts";
import type { WebhookOptions } from "../../server/matching/new-webhook.ts";
import type { BlockBundle, Hex } from "../../server/matching/wire.ts";
import { addressOf, frame, hashOf, type MadeLog, madeBundle, padded } from "./made-bundle.ts";
import type { NaiveWebhook } from "./naive.ts";

type Abi = NonNullable<WebhookOptions["abi"]>;

export const parties = [1, 2, 3].map(addressOf);
const zero: Hex = `0x${"0".repeat(40)}`;
const party = fc.constantFrom(...parties, zero);

/** Near each other, and where doubles cannot tell them apart. */
const amounts = [0n, 1n, 2n ** 53n, 2n ** 53n + 1n, 2n ** 255n, 2n ** 256n - 1n];
const amount = fc.constantFrom(...amounts);
const signedAmounts = [-(2n ** 255n), -(2n ** 53n) - 1n, -1n, 0n, 2n ** 53n, 2n ** 255n - 1n];
const signedAmount = fc.constantFrom(...signedAmounts);

const order = {
  type: "event",
  name: "Order",
  inputs: [
    { name: "id", type: "int256", indexed: true },
    { name: "label", type: "string", indexed: true },
    { name: "order", type: "tuple", components: [{ name: "amount", type: "uint128" }, { type: "address" }] },
    { name: "open", type: "bool" },
    { name: "note", type: "string" },
    { name: "tag", type: "bytes4" },
  ],
} as const;
const erc20 = {
  type: "event",
  name: "Transfer",
  inputs: [
    { name: "from", type: "address", indexed: true },
    { name: "to", type: "address", indexed: true },
    { name: "amount", type: "uint256" },
  ],
} as const;
const erc721 = {
  ...erc20,
  inputs: [...erc20.inputs.slice(0, 2), { name: "id", type: "int256", indexed: true }],
} as const;

/** The last has the second's signature, and its first argument by another name. */
export const abis: Abi[] = [
  [order, erc20, erc721],
  [order],
  [erc721, erc20],
  [{ ...erc20, inputs: erc20.inputs.map((one) => ({ ...one, name: "" })) }],
].map((events) => structuredClone(events) as unknown as Abi);

const [orderTopic = "", transferTopic = ""] = compileAbi(abis[0] ?? []).signatures as Hex[];
const topics: Hex[] = [
  orderTopic,
  transferTopic,
  hashOf(1, "e"),
  "0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62",
].map((topic) => topic as Hex);
const [, , otherTopic = "0x", singleTopic = "0x"] = topics;

const encoded = (types: readonly string[], values: readonly unknown[]): Hex =>
  encode(
    types.map((type) => ({ type })),
    values as never,
  );
const word = (value: bigint) => encoded(["int256"], [BigInt.asIntN(256, value)]);

const labels = ["blue", "red"].map((_, index) => hashOf(index + 1, "9"));
const log: fc.Arbitrary<MadeLog> = fc.oneof(
  fc.record({ address: party, from: party, to: party, value: amount }).map(({ address, from, to, value }) => ({
    ...{ address, topics: [transferTopic as Hex, padded(from), padded(to)], data: word(value) },
  })),
  fc.record({ address: party, from: party, to: party, id: amount }).map(({ address, from, to, id }) => ({
    ...{ address, topics: [transferTopic as Hex, padded(from), padded(to), word(id)] },
  })),
  fc.record({ address: party, from: party, to: party, id: amount, value: amount }).map((one) => ({
    address: one.address,
    topics: [singleTopic, padded(zero), padded(one.from), padded(one.to)],
    data: encoded(["uint256", "uint256"], [one.id, one.value]),
  })),
  fc
    .record({
      address: party,
      id: signedAmount,
      label: fc.constantFrom(...labels),
      open: fc.boolean(),
      whole: fc.boolean(),
    })
    .map(({ address, id, label, open, whole }) => {
      const data = encode(
        [
          { type: "tuple", components: [{ type: "uint128" }, { type: "address" }] },
          { type: "bool" },
          { type: "string" },
          { type: "bytes4" },
        ] as never,
        [[BigInt.asUintN(128, id), parties[0]], open, open ? "yes" : "7", "0x12345678"] as never,
      );
      return {
        address,
        topics: [orderTopic as Hex, word(id), label],
        data: whole ? data : (data.slice(0, 130) as Hex),
      };
    }),
  fc.record({ address: party, topics: fc.constant<Hex[]>([otherTopic]) }),
);

export const arbitraryActivity: fc.Arbitrary<BlockBundle> = fc
  .array(
    fc
      .record({
        from: party,
        to: fc.option(party, { nil: null }),
        status: fc.constantFrom<(Hex | null)[]>("0x1", "0x1", "0x1", "0x0", null),
        logs: fc.array(log, { maxLength: 5 }),
        value: amount,
        input: fc.constantFrom<Hex[]>("0x", "0xA9059cbb", "0xa9059cbb00", "0x1234"),
        inner: party,
      })
      .map(({ value, input, inner, ...one }) => ({
        ...one,
        fields: { value: `0x${value.toString(16)}` as Hex, input },
        trace: { ...frame(one.from, one.to ?? zero), calls: [frame(inner, one.from)] },
      })),
    { maxLength: 4 },
  )
  .map((made) => madeBundle(...made));

const spelt = (value: bigint) =>
  fc.constantFrom(
    value.toString(),
    ...(value < 0n ? [] : [`0x${value.toString(16)}`, `0x${value.toString(16).toUpperCase()}`]),
  );
const numberText = amount.chain(spelt);
const signedText = signedAmount.chain(spelt);
const addressText = fc
  .tuple(party, fc.boolean())
  .map(([one, upper]) => (upper ? `0x${one.slice(2).toUpperCase()}` : one));
const oneOf = (...texts: string[]) => fc.constantFrom(...texts);

const compared = (
  fields: readonly string[],
  value: fc.Arbitrary<string>,
  ops: readonly NonNullable<Condition["op"]>[],
) =>
  fc
    .record({ field: fc.constantFrom(...fields), op: fc.constantFrom(...ops), value })
    .chain(
      (one): fc.Arbitrary<Condition> =>
        one.op === "in"
          ? fc.array(value, { minLength: 1, maxLength: 3 }).map((value) => ({ ...one, value }))
          : fc.constant(one),
    );
const equality = ["eq", "ne", "in"] as const;
const order7 = [...equality, "gt", "gte", "lt", "lte"] as const;

const common = [
  compared(["transaction.value", "transfer.value", "transfer.tokenId"], numberText, order7),
  compared(
    ["transaction.from", "transaction.to", "transfer.contract", "transfer.from", "transfer.to"],
    addressText,
    equality,
  ),
  compared(["transaction.status"], oneOf("0", "1"), equality),
  compared(["transaction.method"], oneOf("0xa9059cbb", "0xA9059CBB", "0x12345678"), equality),
  compared(["transfer.standard"], oneOf("native", "erc20", "erc721", "erc1155"), equality),
  compared(["transfer.direction"], oneOf("in", "out"), equality),
];
const ofOrder = [
  compared(["args.id"], signedText, order7),
  compared(["args.order.amount"], numberText, order7),
  compared(["args.order.1"], addressText, equality),
  compared(["args.open"], oneOf("true", "false"), equality),
  compared(["args.note"], oneOf("yes", "7", "07"), equality),
  compared(["args.tag"], oneOf("0x12345678", "0x00000000"), equality),
  compared(["args.label"], oneOf(...labels), equality),
];
const ofTransfers = [
  compared(["args.from", "args.to"], addressText, equality),
  compared(["args.amount"], numberText, order7),
];
const ofAbi = [
  [...ofOrder, ...ofTransfers],
  ofOrder,
  [compared(["args.id"], signedText, order7), ...ofTransfers],
  [compared(["args.0", "args.1"], addressText, equality), compared(["args.2"], numberText, order7)],
];

function conditions(comparisons: fc.Arbitrary<Condition>[]): fc.Arbitrary<Condition> {
  const { tree } = fc.letrec<{ tree: Condition; list: Condition[] }>((tie) => ({
    tree: fc.oneof(
      { depthSize: "small", maxDepth: 4, withCrossShrink: true },
      fc.oneof(...comparisons),
      tie("list").map((all) => ({ all })),
      tie("list").map((any) => ({ any })),
      tie("tree").map((not) => ({ not })),
    ),
    list: fc.array(tie("tree"), { minLength: 1, maxLength: 3 }),
  }));
  return tree;
}

const options: fc.Arbitrary<NonNullable<NaiveWebhook["options"]>> = fc.oneof(
  conditions(common).map((conditions) => ({ conditions })),
  ...abis.map((abi, index) =>
    conditions([...common, ...(ofAbi[index] ?? []), ...(ofAbi[index] ?? [])]).map((conditions) => ({
      abi,
      conditions,
    })),
  ),
);

/** A few webhooks, each with an id of its own, most of them with conditions. */
export const conditionalWebhooks: fc.Arbitrary<NaiveWebhook[]> = fc.uniqueArray(
  fc.record({
    id: fc.uuid(),
    addresses: fc.subarray<string>([...parties, zero], { minLength: 1 }),
    eventSignatures: fc.oneof(fc.constant<string[]>([]), fc.subarray<string>(topics, { maxLength: 3 })),
    includeInternalTxs: fc.boolean(),
    options: fc.oneof({ weight: 9, arbitrary: options }, fc.constant({})),
  }),
  { selector: ({ id }) => id, maxLength: 6 },
);

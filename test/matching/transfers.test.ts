/** The shapes of transfers, each with a recorded example where a recorded block has one, and what only looks like one. */
import fc from "fast-check";
import { toEventSelector } from "viem";
import { describe, expect, it } from "vitest";
import { recordedBundle } from "../../scripts/local/recorded.ts";
import { nativeTransfersAt, tokenTransfers, transfersOfLog } from "../../server/matching/transfers.ts";
import type { Hex, WireLog } from "../../server/matching/wire.ts";
import {
  addressOf,
  frame,
  hashOf,
  type MadeLog,
  type MadeTransaction,
  madeBundle,
  padded,
  receiver,
  sender,
} from "./made-bundle.ts";

const zero: Hex = `0x${"0".repeat(40)}`;
const [alice, bob, token] = [addressOf(1), addressOf(2), addressOf(3)];
const topic = {
  transfer: toEventSelector("Transfer(address,address,uint256)"),
  single: toEventSelector("TransferSingle(address,address,address,uint256,uint256)"),
  batch: toEventSelector("TransferBatch(address,address,address,uint256[],uint256[])"),
  deposit: toEventSelector("Deposit(address,uint256)"),
  withdrawal: toEventSelector("Withdrawal(address,uint256)"),
};

const words = (...numbers: (number | bigint)[]): Hex =>
  `0x${numbers.map((number) => number.toString(16).padStart(64, "0")).join("")}`;
const wireLog = ({ address, topics, data = "0x" }: MadeLog): WireLog => ({ address, topics, data, logIndex: "0x0" });
const read = (topics: Hex[], data: Hex = "0x") => transfersOfLog(wireLog({ address: token, topics, data }), 7);

const erc20 = (contract: string, from: string, to: string, value: bigint) => [
  { standard: "erc20", contract, from, to, value, tokenId: null },
];
const weth = "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2";
const uniswap = "0x7a250d5630b4cf539739df2c5dacb4c659f2488d";

/** The table of shapes: what the log is, where it is recorded, and what it moved. */
const shapes: [shape: string, block: string, transaction: number, log: number, moved: object[]][] = [
  [
    "Transfer with two indexed arguments: ERC-20",
    ...(["mainnet/15537394", 68, 0] as const),
    erc20(
      ...(["0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48", "0x486263aa56d1b49d78dea765754164b880c99954"] as const),
      ...(["0xe2b8eb988735f7709d08b7d07b41460073904830", 19545916917n] as const),
    ),
  ],
  [
    "Transfer with three indexed arguments: ERC-721",
    ...(["mainnet/15537394", 1, 0] as const),
    [
      {
        ...{ standard: "erc721", contract: "0xe42cad6fc883877a76a26a16ed92444ab177e306", from: zero },
        ...{ to: "0xda12b368a93007ef2446717765917933cebc6080", value: 1n, tokenId: 1n },
      },
    ],
  ],
  [
    "TransferSingle: ERC-1155",
    ...(["mainnet/17034870", 163, 0] as const),
    [
      {
        ...{ standard: "erc1155", contract: "0x8240534f3fbf684c0e29635ab5c8f8efb6f66d42", from: zero },
        ...{ to: "0x875a7b08843a3ccd9584734c602658e2729bf5bb", value: 1n, tokenId: 4n },
      },
    ],
  ],
  [
    "Deposit of WETH9: from zero",
    ...(["mainnet/17034870", 1, 0] as const),
    erc20(weth, zero, uniswap, 93152925134681206n),
  ],
  [
    "Withdrawal of WETH9: to zero",
    ...(["mainnet/17034870", 5, 5] as const),
    erc20(weth, uniswap, zero, 480699751330152607n),
  ],
  [
    "Deposit of a pool that logs as WETH9 does: taken for one",
    ...(["mainnet/18951424", 86, 0] as const),
    erc20(
      ...(["0x258c3104388f8cd72c8b4336fc536033e6db764e", zero] as const),
      ...(["0x03f10fb9c8a553ae7c71a0cbc22105a6087b58c0", 237794875424705929198n] as const),
    ),
  ],
  ["Transfer without indexed arguments, of CryptoKitties: none", "mainnet/4662649", 100, 1, []],
  ["Deposit without indexed arguments: none", "mainnet/1000000", 0, 0, []],
];

describe("A recorded log", () => {
  it.each(shapes)("%s", (_shape, block, transaction, index, moved) => {
    const log = recordedBundle(block).receipts[transaction]?.logs[index];
    expect(log && transfersOfLog(log, index)).toEqual(moved.map((each) => ({ ...each, logIndex: index })));
  });
});

const batchData = words(0x40, 0xa0, 2, 11, 12, 2, 100, 0);
const parties: Hex[] = [padded(sender), padded(alice), padded(bob)];

describe("A batch of ERC-1155", () => {
  const moved = { standard: "erc1155", contract: token, from: alice, to: bob, logIndex: 7 };

  it("is one transfer for each id", () => {
    expect(read([topic.batch, ...parties], batchData)).toEqual([
      { ...moved, tokenId: 11n, value: 100n },
      { ...moved, tokenId: 12n, value: 0n },
    ]);
  });

  it("may have its arrays in any place and order", () => {
    const data = words(0x80, 0x40, 1, 5, 1, 9);
    expect(read([topic.batch, ...parties], data)).toEqual([{ ...moved, tokenId: 9n, value: 5n }]);
  });

  it("may be empty", () => {
    expect(read([topic.batch, ...parties], words(0x40, 0x60, 0, 0))).toEqual([]);
  });
});

describe("A log that is malformed is no transfer:", () => {
  const max = 2n ** 256n - 1n;
  it.each<[string, Hex[], Hex]>([
    ["ERC-20 without data", [topic.transfer, padded(alice), padded(bob)], "0x"],
    ["ERC-20 with half a word", [topic.transfer, padded(alice), padded(bob)], `0x${"0".repeat(32)}`],
    ["ERC-20 with data that is no hex", [topic.transfer, padded(alice), padded(bob)], `0x${"zz".repeat(32)}`],
    ["a party that is no address", [topic.transfer, hashOf(1), padded(bob)], words(1)],
    ["one indexed argument", [topic.transfer, padded(alice)], words(1, 2)],
    ["a topic cut short", [topic.transfer, padded(alice), "0x"], words(1)],
    ["ERC-721 with an id cut short", [topic.transfer, padded(alice), padded(bob), "0x1"], "0x"],
    ["TransferSingle without a value", [topic.single, ...parties], words(1)],
    ["TransferSingle without a receiver", [topic.single, padded(sender), padded(alice)], words(1, 1)],
    ["a batch with more ids than values", [topic.batch, ...parties], words(0x40, 0xa0, 2, 11, 12, 1, 100, 0)],
    ["a batch of 2^256 - 1 ids", [topic.batch, ...parties], words(0x40, 0x40, max)],
    ["a batch that ends early", [topic.batch, ...parties], words(0x40, 0x40, 3, 1, 2)],
    ["a batch whose offset is outside", [topic.batch, ...parties], words(0x40, max, 0)],
    ["a batch whose offset is no whole word", [topic.batch, ...parties], words(0x41, 0x41, 0, 0)],
    ["a batch without data", [topic.batch, ...parties], "0x"],
    ["Deposit with two indexed arguments", [topic.deposit, padded(alice), words(1)], "0x"],
    ["Deposit with two words", [topic.deposit, padded(alice)], words(1, 2)],
    ["Withdrawal without data", [topic.withdrawal, padded(alice)], "0x"],
    ["no topics", [], words(1)],
  ])("%s", (_what, topics, data) => {
    expect(read(topics, data)).toEqual([]);
  });

  it("whatever it holds, nothing is thrown", () => {
    const hex = fc.oneof(
      fc.uint8Array({ maxLength: 200 }).map((bytes): Hex => `0x${Buffer.from(bytes).toString("hex")}`),
      fc
        .array(
          fc.oneof(
            fc.nat(12).map((n) => n * 32),
            fc.bigInt(0n, 2n ** 256n - 1n),
          ),
          { maxLength: 10 },
        )
        .map((list) => words(...list)),
      fc.string().map((text): Hex => `0x${text}`),
    );
    const topics = fc.tuple(
      fc.constantFrom(...Object.values(topic)),
      fc.array(fc.oneof(fc.constant(padded(alice)), hex), { maxLength: 4 }),
    );
    fc.assert(
      fc.property(topics, hex, ([first, others], data) => {
        for (const { from, to, value } of read([first, ...others], data)) {
          expect([from, to].every((party) => /^0x[0-9a-f]{40}$/.test(party))).toBe(true);
          expect(value).toBeLessThan(2n ** 256n);
        }
      }),
      { numRuns: 2_000 },
    );
  });
});

describe("A transaction", () => {
  const minted = { address: token, topics: [topic.transfer, padded(zero), padded(alice)], data: words(5) };
  const deposited = { address: token, topics: [topic.deposit, padded(alice)], data: words(5) };
  const transfersOf = (...made: Parameters<typeof madeBundle>) =>
    madeBundle(...made).receipts.flatMap((receipt) => tokenTransfers(receipt));

  it("that wraps is told once if the coin logs both Transfer and Deposit", () => {
    expect(transfersOf({ logs: [minted, deposited] })).toEqual([{ ...erc20(token, zero, alice, 5n)[0], logIndex: 0 }]);
    const withdrawn = { ...deposited, topics: [topic.withdrawal, padded(alice)] };
    const burned = { ...minted, topics: [topic.transfer, padded(alice), padded(zero)] };
    expect(transfersOf({ logs: [burned, withdrawn] })).toHaveLength(1);
  });

  it("that wraps is told of both if they differ", () => {
    expect(transfersOf({ logs: [minted, { ...deposited, data: words(6) }] })).toHaveLength(2);
    expect(transfersOf({ logs: [minted, { ...deposited, address: bob }] })).toHaveLength(2);
    expect(transfersOf({ logs: [deposited, deposited] })).toHaveLength(2);
  });

  it("tells of ten thousand ids in batches, and of no more, since nobody could move so many", () => {
    const batchOf = (ids: number) => ({
      ...{ address: token, topics: [topic.batch, ...parties] },
      data: words(0x40, 0x40, ids, ...Array.from({ length: ids }, (_, id) => id)),
    });
    expect(transfersOf({ logs: [batchOf(10_000)] })).toHaveLength(10_000);
    expect(transfersOf({ logs: [batchOf(10_001)] })).toEqual([]);
    const flood = transfersOf({ logs: [...Array.from({ length: 20 }, () => batchOf(9_000)), batchOf(1_001), minted] });
    expect(flood).toHaveLength(9_001);
  });

  it("that failed moved nothing", () => {
    const failed: MadeTransaction = {
      status: "0x0",
      logs: [minted],
      fields: { value: "0x5" },
      trace: frame(sender, receiver),
    };
    expect(transfersOf(failed)).toEqual([]);
    expect(nativeTransfersAt(madeBundle(failed), 0, true)).toEqual([]);
  });
});

describe("The native coin", () => {
  const moved = (from: Hex, to: Hex, value: bigint) => ({
    ...{ standard: "native", contract: null, from, to, value, tokenId: null, logIndex: null, parties: [from, to] },
  });

  it("moves by the transaction's value", () => {
    expect(nativeTransfersAt(madeBundle({ fields: { value: "0x5" } }), 0, false)).toEqual([
      moved(sender, receiver, 5n),
    ]);
    expect(nativeTransfersAt(madeBundle({ fields: { value: "0x0" } }), 0, false)).toEqual([]);
  });

  it("moves to the contract that the transaction creates", () => {
    const created = madeBundle({ to: null, contractAddress: alice, fields: { value: "0x5" } });
    expect(nativeTransfersAt(created, 0, false)).toEqual([moved(sender, alice, 5n)]);
  });

  it("moves by call frames that stand, creations and self-destructions among them, and by no delegatecall", () => {
    const trace = frame(sender, receiver, {
      ...{ value: "0x5" },
      calls: [
        frame(receiver, alice, { value: "0x1" }),
        frame(receiver, bob, { value: "0x7", type: "DELEGATECALL" }),
        frame(receiver, bob, { value: "0x7", type: "CALLCODE" }),
        frame(receiver, bob, {
          value: "0x7",
          error: "execution reverted",
          calls: [frame(bob, alice, { value: "0x7" })],
        }),
        frame(receiver, token, { value: "0x2", type: "CREATE2", calls: [frame(token, bob, { value: "0x3" })] }),
        frame(receiver, bob, { value: "0x0" }),
        frame(receiver, bob, { value: "0x4", type: "SELFDESTRUCT" }),
      ],
    });
    const bundle = madeBundle({ fields: { value: "0x5" }, trace });
    expect(nativeTransfersAt(bundle, 0, true)).toEqual([
      moved(sender, receiver, 5n),
      moved(receiver, alice, 1n),
      moved(receiver, token, 2n),
      moved(token, bob, 3n),
      moved(receiver, bob, 4n),
    ]);
    expect(nativeTransfersAt(bundle, 0, false)).toEqual([moved(sender, receiver, 5n)]);
  });
});

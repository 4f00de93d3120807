/** What nodes write in several forms is read where it has one meaning. Otherwise the error names field and value, and advises only what works. */
import { describe, expect, test } from "vitest";
import { otherChainBundle, recordedBundle } from "../../../scripts/local/recorded.ts";
import { acceptBundle, type BlockRefusedError } from "../../../server/chain/check/accept.ts";
import { readBlock } from "../../../server/chain/read/block.ts";
import { buildEvent } from "../../../server/matching/event.ts";
import { quantityIn } from "../../../server/matching/quantities.ts";
import type { BlockBundle } from "../../../server/matching/wire.ts";
import { checkNames, rulesOf } from "../../../server/settings/chain-profiles.ts";

const origin = "https://node.example";
const name = "mainnet-traced/19933122";
const unknownChain = "99999";
type Loose = { [field: string]: unknown; logs: Record<string, unknown>[] };
type LooseBundle = { block: Loose & { transactions: Loose[] }; receipts: Loose[]; traces: { result: Loose }[] };

function changed(change: (bundle: LooseBundle) => unknown, of = name): BlockBundle {
  const bundle = structuredClone(recordedBundle(of));
  change(bundle as unknown as LooseBundle);
  return bundle;
}

const accept = (bundle: BlockBundle, chainId = "1", checks: Parameters<typeof rulesOf>[0]["checks"] = {}) =>
  acceptBundle(bundle, rulesOf({ chainId, checks }), origin);

function refusalOf(...accepted: Parameters<typeof accept>): BlockRefusedError {
  try {
    accept(...accepted);
  } catch (error) {
    return error as BlockRefusedError;
  }
  throw new Error("the block is accepted");
}

const adviceOf = ({ summary }: BlockRefusedError) =>
  JSON.parse(/"checks": (\{.*?\})/.exec(summary)?.[1] ?? "{}") as Record<string, "off">;

const padded = (value: unknown) => (typeof value === "string" ? `0x${value.slice(2).padStart(64, "0")}` : value);
const numeric = (value: unknown) => (Number.isSafeInteger(Number(value)) ? Number(value) : value);
const bare = (value: unknown) => (value === "0x0" ? "0x" : value);
const numbers = {
  block: ["number", "timestamp", "difficulty", "gasLimit", "gasUsed", "baseFeePerGas", "blobGasUsed", "excessBlobGas"],
  transaction: [
    "type",
    "gas",
    "gasPrice",
    "maxFeePerGas",
    "nonce",
    "value",
    "transactionIndex",
    "chainId",
    "v",
    "r",
    "s",
  ],
  receipt: ["type", "status", "cumulativeGasUsed", "gasUsed", "effectiveGasPrice", "transactionIndex"],
  log: ["logIndex"],
  frame: ["value", "gas", "gasUsed"],
};

function rewrite(bundle: LooseBundle, form: (value: unknown) => unknown): void {
  const inPlace = (object: Record<string, unknown>, names: readonly string[]) => {
    for (const field of names) if (object[field] != null) object[field] = form(object[field]);
  };
  const frames = (frame: Record<string, unknown>) => {
    inPlace(frame, numbers.frame);
    for (const call of (frame.calls ?? []) as Record<string, unknown>[]) frames(call);
  };
  inPlace(bundle.block, numbers.block);
  for (const transaction of bundle.block.transactions) inPlace(transaction, numbers.transaction);
  for (const receipt of bundle.receipts) {
    inPlace(receipt, numbers.receipt);
    for (const log of receipt.logs) inPlace(log, numbers.log);
  }
  for (const { result } of bundle.traces) frames(result);
}

describe("A block", () => {
  test.each([
    ["with zeros in front", padded],
    ["as JSON numbers", numeric],
    ["without digits for zero", bare],
  ])("with its numbers %s is the same block", (_, form) => {
    const { bundle, skipped } = accept(changed((bundle) => rewrite(bundle, form)));
    expect(skipped).toEqual([]);
    const expected = accept(recordedBundle(name)).bundle;
    expect(bundle).toEqual(expected);
    const variant = { chainId: "1", includeLogs: true, includeInternalTxs: true };
    expect(buildEvent(bundle, 3, variant)).toEqual(buildEvent(expected, 3, variant));
  });

  test("in the usual form is not copied", () => {
    const recorded = recordedBundle(name);
    expect(accept(recorded).bundle.block).toBe(recorded.block);
  });

  test.each<[string, (bundle: LooseBundle) => unknown, string, string]>([
    [
      "a type",
      ({ block }) => Object.assign(block.transactions[2] ?? {}, { type: "0xzz" }),
      "transactionsRoot",
      '2 whose type is "0xzz"',
    ],
    [
      "a value in decimal",
      ({ block }) => Object.assign(block.transactions[0] ?? {}, { value: "12" }),
      "transactionsRoot",
      '0 whose value is "12"',
    ],
    [
      "a time",
      ({ block }) => Object.assign(block, { timestamp: "soon" }),
      "headerHash",
      'header whose timestamp is "soon"',
    ],
    [
      "a status",
      ({ receipts }) => Object.assign(receipts[1] ?? {}, { status: true }),
      "receipts",
      "1 whose status is true",
    ],
    [
      "gas beyond 2^53",
      ({ receipts }) => Object.assign(receipts[0] ?? {}, { gasUsed: 2 ** 60 }),
      "receipts",
      "0 whose gasUsed is 1152921504606847000",
    ],
    [
      "a call's value",
      ({ traces }) => Object.assign(traces[0]?.result ?? {}, { value: {} }),
      "traces",
      "0 with a call whose value is {}",
    ],
  ])("with %s that is no number is refused by the field and its value, without advice", (_, change, check, reason) => {
    for (const checks of [{}, Object.fromEntries(checkNames.slice(1).map((name) => [name, "off" as const]))]) {
      const error = refusalOf(changed(change), "1", checks);
      expect(error.message).toContain(reason);
      expect(error.summary).toBe(`Block 19933122 fails the check ${check}.`);
    }
  });

  test("with another number that is none fails the check that reads it, and passes without", () => {
    const bundle = changed(({ block }) => Object.assign(block, { gasLimit: "many" }));
    const error = refusalOf(bundle);
    expect(error.message).toContain(
      'has a header whose gasLimit is "many", which must be a number in hex, such as 0x1f (check headerHash)',
    );
    expect(adviceOf(error)).toEqual({ headerHash: "off" });
    expect(accept(bundle, "1", adviceOf(error)).bundle.receipts).toHaveLength(45);
  });

  test("with an authorization of another form is refused by its field", () => {
    const authorization = { chain_id: 945, address: "0x00", nonce: "0x6", signature: {} };
    const bundle = changed(({ block }) => {
      const typed = block.transactions.find(({ type }) => type === "0x4");
      Object.assign(typed ?? {}, { authorizationList: [authorization] });
    }, "mainnet/22869878");
    expect(refusalOf(bundle).message).toContain("an authorization of a transaction has no chainId");
  });
});

describe("Logs that are null", () => {
  const withoutLogs = (change: (receipt: Loose, block: Loose) => unknown = () => undefined) =>
    changed(({ block, receipts }) => {
      for (const receipt of receipts) {
        if (receipt.logs.length > 0) continue;
        Object.assign(receipt, { logs: null });
        change(receipt, block);
      }
    });

  test("are none beside an empty bloom", () => {
    const bundle = withoutLogs();
    expect(bundle.receipts.filter(({ logs }) => logs === null).length).toBeGreaterThan(3);
    expect(accept(bundle).bundle).toEqual(accept(recordedBundle(name)).bundle);
  });

  test("are refused beside another bloom or none, whatever is off, and nothing is advised", () => {
    const off = Object.fromEntries(checkNames.slice(1).map((name) => [name, "off" as const]));
    for (const logsBloom of [`0x${"01".repeat(256)}`, null, "0x"])
      for (const checks of [{}, off]) {
        const error = refusalOf(
          withoutLogs((receipt) => Object.assign(receipt, { logsBloom })),
          "1",
          checks,
        );
        expect(error.message).toMatch(/no list of logs|whose logs are null/);
        expect(error.summary).not.toContain("add");
      }
  });

  test("are no evidence on a chain whose nodes need not return blooms", () => {
    expect(refusalOf(withoutLogs(), "324").message).toContain("no list of logs");
  });
});

describe("What a refused block advises", () => {
  test.each<[string, (bundle: LooseBundle) => unknown]>([
    ["a receipt is missing", ({ receipts }) => receipts.pop()],
    [
      "a receipt is another transaction's",
      ({ receipts }) => Object.assign(receipts[0] ?? {}, { transactionHash: "0x12" }),
    ],
    [
      "a log has no topics",
      ({ receipts }) => Object.assign(receipts.find(({ logs }) => logs.length)?.logs[0] ?? {}, { topics: null }),
    ],
    ["receipts are no objects", (bundle) => Object.assign(bundle, { receipts: [5] })],
    ["a receipt is null", ({ receipts }) => receipts.splice(0, 1, null as unknown as Loose)],
  ])("is nothing where %s", (_, change) => {
    const error = refusalOf(changed(change));
    expect(error).toMatchObject({ name: "BlockRefusedError" });
    expect(adviceOf(error)).toEqual({});
  });

  test("works when it is followed", () => {
    const spoils: ((bundle: LooseBundle) => unknown)[] = [
      ({ block }) => Object.assign(block, { logsBloom: "0x" }),
      ({ block }) => Object.assign(block, { receiptsRoot: block.stateRoot }),
      ({ receipts }) =>
        receipts.unshift({
          ...structuredClone(receipts[0]),
          transactionHash: `0x${"0f".repeat(32)}`,
          logs: [{ address: "0x", topics: [], data: "0x", logIndex: "0x0" }],
        }),
      ({ receipts }) => receipts.reverse(),
      ({ receipts }) => Object.assign(receipts.find(({ logs }) => logs.length)?.logs[0] ?? {}, { logIndex: "0x63" }),
      ({ traces }) => Object.assign(traces[0]?.result ?? {}, { value: "0x7" }),
    ];
    for (const spoil of spoils) {
      const bundle = changed(spoil);
      const advice = adviceOf(refusalOf(bundle));
      expect(advice).not.toEqual({});
      const followed = accept(bundle, "1", advice).bundle;
      expect(readBlock(followed, "1").participants.length).toBeGreaterThan(10);
    }
  });

  test("covers the blocks of a chain without blooms, also if the first is empty", () => {
    /** VeChain's nodes return no bloom, and roots of another hash. */
    const plain = ({ block, receipts }: LooseBundle, logsBloom: unknown) => {
      Object.assign(block, { logsBloom, transactionsRoot: `0x${"45".repeat(32)}` });
      for (const receipt of receipts) Object.assign(receipt, { logsBloom, cumulativeGasUsed: "0x0" });
    };
    for (const bloom of [undefined, null, "0x"]) {
      const empty = changed((bundle) => plain(bundle, bloom), "mainnet-traced/19910734");
      const error = refusalOf(empty, unknownChain);
      expect(adviceOf(error)).toEqual({
        bloom: "off",
        transactionsRoot: "off",
        receiptsRoot: "off",
        headerHash: "off",
      });
      expect(error.summary).toContain("This block has no transactions: one that has some may fail further checks.");
      const full = changed((bundle) => plain(bundle, bloom));
      expect(accept(full, unknownChain, adviceOf(error)).bundle.receipts).toHaveLength(45);
    }
  });
});

test("of Cronos, a block passes its profile, and one that lacks a receipt is refused for that alone", () => {
  expect(accept(otherChainBundle("cronos-6542"), "25").skipped).toEqual([]);
  const error = refusalOf(otherChainBundle("cronos-131465"), "25");
  expect(error.summary).toBe("Block 131465 fails the check receipts.");
  expect(error.message).toContain("has 3 transactions and 2 receipts");
});

test.each<[unknown, string | undefined]>([
  ["0x", "0x0"],
  ["0x000", "0x0"],
  ["0x00Ff", "0xFf"],
  [255, "0xff"],
  [0, "0x0"],
  ["12", undefined],
  ["0x-1", undefined],
  ["", undefined],
  [-1, undefined],
  [1.5, undefined],
  [2 ** 53, undefined],
  [true, undefined],
])("%j is the number %j", (value, read) => expect(quantityIn(value)).toBe(read));

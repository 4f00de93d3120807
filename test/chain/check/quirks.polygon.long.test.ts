/** Polygon's state-sync transactions, which headers leave out in part, are notified like any other. */
import { describe, expect, test } from "vitest";
import { recordedBundle } from "../../../scripts/local/recorded.ts";
import { hex } from "../../../server/chain/check/check.ts";
import { bloomsOf, union } from "../../../server/chain/check/encoding/receipt.ts";
import type { BlockBundle, Hex, WireBlock, WireReceipt, WireTransaction } from "../../../server/matching/wire.ts";
import { chainShapes } from "../../support/chain-shapes.ts";
import { payee } from "../../support/made-transactions.ts";
import { polygonBlock } from "../../support/public-answers.ts";
import type { RpcAnswer } from "../../support/rpc-proxy.ts";
import { rehashed } from "../../support/sealed.ts";
import { followBlock, zero } from "../one-block.ts";

const emitter: Hex = `0x${"10".repeat(20)}`;
const hash: Hex = `0x${"5a".repeat(32)}`;

/** A recorded block with a state-sync transaction behind its others. */
function withStateSync(type: Hex, headerOf: (receipts: WireReceipt[]) => Partial<WireBlock>): BlockBundle {
  const { block, receipts } = recordedBundle("mainnet-traced/19933122");
  const place = { transactionIndex: `0x${receipts.length.toString(16)}` as Hex, from: zero, to: zero, type };
  const logIndex: Hex = `0x${receipts.flatMap(({ logs }) => logs).length.toString(16)}`;
  const receipt: WireReceipt = {
    ...place,
    transactionHash: hash,
    blockHash: block.hash,
    cumulativeGasUsed: receipts.at(-1)?.cumulativeGasUsed ?? "0x0",
    gasUsed: "0x0",
    status: "0x1",
    logs: [{ address: emitter, topics: [], data: "0x", logIndex }],
  };
  const nothing = { gas: "0x0", gasPrice: "0x0", input: "0x", nonce: "0x0", value: "0x0" } as const;
  const stateSync: WireTransaction = { ...place, ...nothing, hash, v: "0x0", r: "0x0", s: "0x0" };
  const whole = [...receipts, receipt];
  const transactions = [...block.transactions, stateSync];
  return rehashed({ block: { ...block, transactions, ...headerOf(whole) }, receipts: whole });
}

const leftOut = () => ({});
const inBloom = (receipts: WireReceipt[]) => ({ logsBloom: hex(union(bloomsOf(receipts))) as Hex });
const unknownType = [
  { check: "transactionsRoot", reason: "transactions of type 0x7f are not known" },
  { check: "receiptsRoot", reason: "receipts of type 0x7f are not known" },
];

test.each([
  ["before Madhugiri, in neither roots nor bloom", "0x0" as const, leftOut, []],
  ["of a type of its own, in the bloom", "0x7f" as const, inBloom, unknownType],
  ["of a type of its own, not in the bloom", "0x7f" as const, leftOut, unknownType],
])("%s", async (_, type, headerOf, skipped) => {
  const { notified, accepted } = await followBlock("137", withStateSync(type, headerOf), [emitter]);
  expect(notified.map(({ transactionHash }) => transactionHash)).toEqual([hash]);
  expect(notified[0]?.event).toMatchObject({ transaction: { from: zero, to: zero, type: Number(type) } });
  expect(notified[0]?.event.logs).toHaveLength(1);
  expect(accepted).toEqual(skipped);
});

test("in a real block that has nothing else", async () => {
  const block = polygonBlock();
  const [transaction] = block.transactions;
  const receipt: WireReceipt = {
    ...{ transactionHash: transaction?.hash ?? hash, blockHash: block.hash, transactionIndex: "0x0", status: "0x1" },
    ...{ cumulativeGasUsed: "0x0", gasUsed: "0x0", from: zero, to: zero },
    logs: [{ address: emitter, topics: [], data: "0x", logIndex: "0x0" }],
  };
  const { notified, accepted } = await followBlock("137", { block, receipts: [receipt] }, [emitter]);
  expect(notified.map(({ transactionHash }) => transactionHash)).toEqual([transaction?.hash]);
  expect(accepted).toEqual([]);
});

test("a log that is missing elsewhere is still missed", async () => {
  const bundle = withStateSync("0x7f", leftOut);
  bundle.receipts.findLast(({ logs }) => logs.length > 0 && logs[0]?.address !== emitter)?.logs.pop();
  const { refused } = await followBlock("137", bundle, [emitter]);
  expect(refused).toMatch(/\(check (logIndex|bloom)\)/);
});

describe("A node that does not return the traces of a block", () => {
  const { bundle } = chainShapes.find(({ chainId }) => chainId === "137") ?? {};
  if (!bundle) throw new Error("there is no block of Polygon");
  const [first, ...others] = bundle.traces ?? [];
  const unknownMethod = { error: { code: -32601, message: "the method does not exist" } };

  test.each<[string, RpcAnswer]>([
    ["an empty list", { result: [] }],
    ["an error for one", { result: [{ txHash: first?.txHash, error: "execution timeout" }, ...others] }],
    ["that it does not know the method, as one of several behind its address", unknownMethod],
  ])("is retried, and the receiver of an internal transaction is notified: %s", async (_, answer) => {
    let times = 0;
    const { notified } = await followBlock("137", bundle, [payee], {}, ({ method }, usual) =>
      method === "debug_traceBlockByHash" && times++ < 2 ? answer : usual,
    );
    expect(times).toBe(3);
    expect(notified.map(({ transactionHash }) => transactionHash)).toEqual(
      bundle.block.transactions.slice(0, 2).map(({ hash }) => hash),
    );
    for (const { event } of notified)
      expect(event.transaction.internalTransactions).toMatchObject([{ to: payee, value: "1" }]);
  });
});

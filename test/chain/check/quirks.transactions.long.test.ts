/** Unusual transactions and blocks are followed, with payloads as the contract says. */
import { describe, expect, test } from "vitest";
import { recordedBundle } from "../../../scripts/local/recorded.ts";
import type { WireReceipt } from "../../../server/matching/wire.ts";
import { publicBlocks } from "../../support/public-answers.ts";
import { copyOf, followBlock, unknownChain, zero } from "../one-block.ts";

describe("A block without transactions", () => {
  test.each([{ traces: [] }, {}])("is followed, with traces or without: %o", async (traces) => {
    const { block, receipts } = recordedBundle("mainnet-traced/19910734");
    const followed = await followBlock("1", { block, receipts, ...traces }, [block.miner ?? zero]);
    expect(followed).toEqual({ notified: [], refused: undefined, accepted: [] });
  });

  test("that should have some is refused", async () => {
    const { block } = recordedBundle("mainnet/1000000");
    const { refused } = await followBlock("1", { block: { ...block, transactions: [] }, receipts: [] }, [zero]);
    expect(refused).toContain("(check bloom)");
  });
});

describe("A transaction of unknown type", () => {
  test("is notified with its type, and fees are what the node returns", async () => {
    const { bundle, transaction, receipt } = copyOf("mainnet/1000000");
    Object.assign(transaction, { type: "0x5f", gasPrice: null, v: null, r: null, s: null });
    Object.assign(receipt, { type: "0x5f" });
    const { notified, accepted } = await followBlock(unknownChain, bundle, [transaction.from ?? zero]);
    expect(notified[0]?.event.transaction).toMatchObject({
      type: 0x5f,
      txHash: transaction.hash,
      gasPrice: BigInt(receipt.effectiveGasPrice ?? 0).toString(),
      maxFeePerGas: "0",
    });
    expect(accepted).toEqual([
      { check: "transactionsRoot", reason: "transactions of type 0x5f are not known" },
      { check: "receiptsRoot", reason: "receipts of type 0x5f are not known" },
    ]);
  });

  test("does not hide that another transaction is not what its hash says", async () => {
    const { bundle, transaction, receipt } = copyOf("mainnet/1000000");
    Object.assign(transaction, { type: "0x5f" });
    Object.assign(receipt, { type: "0x5f" });
    Object.assign(bundle.block.transactions[1] ?? {}, { value: "0x1" });
    const { refused } = await followBlock(unknownChain, bundle, [zero]);
    expect(refused).toContain("(check transactionsRoot)");
  });
});

describe("A receipt without status", () => {
  test("from before Byzantium passes all checks; the payload has no txStatus", async () => {
    const { bundle, transaction } = copyOf("mainnet/1000000");
    const { notified, accepted } = await followBlock("1", bundle, [transaction.from ?? zero]);
    expect(notified[0]?.event.transaction).not.toHaveProperty("txStatus");
    expect(accepted).toEqual([]);
  });

  test("nor a root is logged, and accepted", async () => {
    const { bundle, transaction, receipt } = copyOf("mainnet-traced/19933122");
    Object.assign(receipt, { status: null });
    const { notified, accepted } = await followBlock(unknownChain, bundle, [transaction.from ?? zero]);
    expect(notified[0]?.event.transaction).not.toHaveProperty("txStatus");
    expect(accepted).toEqual([{ check: "receiptsRoot", reason: "a receipt has no outcome" }]);
  });
});

describe("A system transaction without signature", () => {
  test("of the OP stack passes all checks of its chain", async () => {
    const { block } = publicBlocks().find(({ chainId }) => chainId === "10") ?? {};
    const deposit = block?.transactions[0];
    if (!block || !deposit) throw new Error("there is no deposit");
    const receipt: WireReceipt = {
      ...{ transactionHash: deposit.hash, blockHash: block.hash, transactionIndex: "0x0", type: "0x7e", status: "0x1" },
      ...{
        cumulativeGasUsed: "0xb76d",
        gasUsed: "0xb76d",
        depositNonce: "0x111",
        depositReceiptVersion: "0x1",
        logs: [],
      },
    };
    const { notified, accepted } = await followBlock("10", { block, receipts: [receipt] }, [deposit.from ?? zero]);
    expect(notified[0]?.event.transaction).toMatchObject({ type: 0x7e, gasPrice: "0", maxFeePerGas: "0" });
    expect(accepted).toEqual([]);
  });

  test("of another chain is notified with zeros for what it lacks", async () => {
    const { bundle, transaction, receipt } = copyOf("mainnet/1000000");
    delete receipt.from;
    const lacking = ["from", "gas", "gasPrice", "input", "nonce", "value", "v", "r", "s"] as const;
    for (const field of lacking) delete transaction[field];
    const { notified, accepted } = await followBlock(unknownChain, bundle, [transaction.to ?? zero]);
    expect(notified[0]?.event.transaction).toMatchObject({ from: zero, gas: "0", input: "0x", nonce: "0", value: "0" });
    expect(accepted).toEqual([{ check: "transactionsRoot", reason: "a transaction is not signed" }]);
  });
});

/** Unusual receipts, times, headers and traces are followed where possible, with payloads as the contract says. */
import { describe, expect, test } from "vitest";
import { recordedBundle } from "../../../scripts/local/recorded.ts";
import { sealed } from "../../support/sealed.ts";
import { copyOf, followBlock, unknownChain, zero } from "../one-block.ts";

describe("Receipts and logs", () => {
  const orphaned = () => {
    const { bundle, transaction, receipt } = copyOf("mainnet-traced/19933122");
    const orphan = { ...structuredClone(receipt), transactionHash: `0x${"0f".repeat(32)}` as const };
    bundle.receipts.unshift({ ...orphan, logs: [{ address: zero, topics: [], data: "0x", logIndex: "0x0" }] });
    return { bundle, sender: transaction.from ?? zero };
  };

  test("without a transaction are refused", async () => {
    const { bundle, sender } = orphaned();
    expect((await followBlock(unknownChain, bundle, [sender])).refused).toContain("(check receipts)");
  });

  test("without a transaction are nobody's activity where the check is off", async () => {
    const { bundle, sender } = orphaned();
    const { notified, accepted } = await followBlock(unknownChain, bundle, [sender, zero], {
      checks: { receipts: "off" },
    });
    expect(notified.length).toBeGreaterThan(0);
    expect(notified[0]?.transactionHash).toBe(bundle.block.transactions[0]?.hash);
    expect(accepted).toEqual([
      { check: "receipts", reason: "receipts of transactions that are not in the block were left out" },
    ]);
  });

  test("repeated count once", async () => {
    const { bundle, transaction, receipt } = copyOf("mainnet-traced/19933122");
    bundle.receipts.splice(1, 0, structuredClone(receipt));
    const { notified, accepted } = await followBlock("1", bundle, [transaction.from ?? zero]);
    expect(notified.map(({ transactionHash }) => transactionHash)).toContain(transaction.hash);
    expect(accepted).toEqual([{ check: "receipts", reason: "receipts were repeated" }]);
  });

  test("repeated and different are refused", async () => {
    const { bundle, receipt } = copyOf("mainnet-traced/19933122");
    bundle.receipts.splice(1, 0, { ...receipt, status: "0x0" });
    expect((await followBlock("1", bundle, [zero])).refused).toContain("(check receipts)");
  });
});

describe("A time", () => {
  test("that is also there in milliseconds is notified in seconds", async () => {
    const { bundle, transaction } = copyOf("avalanche/21");
    expect(bundle.block.timestampMilliseconds).toBeDefined();
    const { notified, accepted } = await followBlock("43114", bundle, [transaction.from ?? zero]);
    expect(notified[0]?.event.transaction.blockTimestamp).toBe(Number(bundle.block.timestamp));
    expect(accepted).toEqual([]);
  });

  test("that is there in milliseconds only is notified in seconds", async () => {
    const { bundle, transaction } = copyOf("mainnet-traced/19933122");
    const milliseconds = sealed(bundle, {
      timestamp: `0x${(Number(bundle.block.timestamp) * 1_000 + 7).toString(16)}`,
    });
    const { notified } = await followBlock(unknownChain, milliseconds, [transaction.from ?? zero]);
    expect(notified[0]?.event.transaction.blockTimestamp).toBe(Number(bundle.block.timestamp));
  });
});

describe("A header with the bloom and receipts root of another block", () => {
  const { logsBloom, receiptsRoot } = recordedBundle("mainnet/20000000").block;

  test("is the rule on the C-Chain where it names the block that it settles", async () => {
    const { bundle, transaction } = copyOf("avalanche/16");
    const later = sealed(bundle, { logsBloom, receiptsRoot, settledHeight: "0xc" });
    const { notified, accepted } = await followBlock("43114", later, [transaction.from ?? zero]);
    expect(notified).toHaveLength(1);
    const reason = "the chain settles execution in later blocks";
    expect(accepted).toEqual(["bloom", "receiptsRoot", "traceGas"].map((check) => ({ check, reason })));
  });

  test("is refused elsewhere, and taken where the two checks are off", async () => {
    const { bundle, transaction } = copyOf("mainnet-traced/19933122");
    const foreign = sealed(bundle, { logsBloom, receiptsRoot });
    expect((await followBlock(unknownChain, foreign, [zero])).refused).toContain("(check bloom)");
    const checks = { bloom: "off", receiptsRoot: "off" } as const;
    const { notified, refused } = await followBlock(unknownChain, foreign, [transaction.from ?? zero], { checks });
    expect(refused).toBeUndefined();
    expect(notified[0]?.event.transaction.receiptRoot).toBe(receiptsRoot);
  });
});

describe("A trace with an error instead of a result", () => {
  const failing = () => {
    const { bundle, transaction } = copyOf("mainnet-traced/12244000");
    bundle.traces?.splice(0, 1, { txHash: transaction.hash, error: "execution timeout" });
    return { bundle };
  };

  test.each(["on", "off"] as const)("is refused, with the check %s", async (traces) => {
    const { bundle } = failing();
    const { refused, notified } = await followBlock("1", bundle, [zero], { checks: { traces } });
    expect(refused).toContain("has no trace 0: execution timeout (check traces)");
    expect(notified).toEqual([]);
  });
});

test("A header with a field of a future fork is logged, and the block is accepted", async () => {
  const { bundle, transaction } = copyOf("mainnet-traced/19933122");
  Object.assign(bundle.block, { slotNumber: "0x1", hash: `0x${"e1".repeat(32)}` });
  for (const receipt of bundle.receipts) {
    receipt.blockHash = bundle.block.hash;
    for (const log of receipt.logs) log.blockHash = bundle.block.hash;
  }
  const { notified, accepted } = await followBlock("1", bundle, [transaction.from ?? zero]);
  expect(notified.length).toBeGreaterThan(0);
  expect(accepted).toEqual([{ check: "headerHash", reason: "headers have fields that are not known: slotNumber" }]);
});

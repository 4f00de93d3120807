/** What a node lists twice counts once, or the block is refused: whichever checks are off. */
import { describe, expect, test } from "vitest";
import { recordedBundle } from "../../../scripts/local/recorded.ts";
import { acceptBundle, BlockRefusedError } from "../../../server/chain/check/accept.ts";
import type { BlockBundle, Hex } from "../../../server/matching/wire.ts";
import { type Checks, checkNames, rulesOf } from "../../../server/settings/chain-profiles.ts";
import { copyOf, followBlock, unknownChain, zero } from "../one-block.ts";

const name = "mainnet-traced/19933122";
const allOff = Object.fromEntries(checkNames.map((check) => [check, "off"])) as Checks;
const settings: [string, Partial<Checks>][] = [
  ["all checks on", {}],
  ["receipts off", { receipts: "off" }],
  ["transactionsRoot off", { transactionsRoot: "off" }],
  ["traces off", { traces: "off" }],
  ["receiptsRoot, logIndex and bloom off", { receiptsRoot: "off", logIndex: "off", bloom: "off" }],
  ["all checks off", allOff],
];

const accept = (bundle: BlockBundle, checks: Partial<Checks>) =>
  acceptBundle(bundle, rulesOf({ chainId: "1", checks }), "http://node");
function refusalOf(bundle: BlockBundle, checks: Partial<Checks>): BlockRefusedError | undefined {
  try {
    accept(bundle, checks);
    return undefined;
  } catch (error) {
    if (error instanceof BlockRefusedError) return error;
    throw error;
  }
}

describe.each(settings)("with %s", (_, checks) => {
  test.each(["alone", "with its receipt", "with its receipt and trace"])(
    "a transaction listed twice %s counts once",
    (how) => {
      const { bundle, transaction, receipt } = copyOf(name);
      const [trace] = bundle.traces ?? [];
      bundle.block.transactions.splice(1, 0, structuredClone(transaction));
      if (how !== "alone") bundle.receipts.splice(1, 0, structuredClone(receipt));
      if (how.endsWith("trace") && trace) bundle.traces?.splice(1, 0, structuredClone(trace));
      const { bundle: accepted, skipped } = accept(bundle, checks);
      const original = recordedBundle(name);
      expect(accepted.block.transactions).toEqual(original.block.transactions);
      expect(accepted.receipts).toEqual(original.receipts);
      expect(accepted.traces).toEqual(original.traces);
      expect(skipped).toContainEqual({ check: "transactionsRoot", reason: "transactions were repeated" });
    },
  );

  test("two transactions of one hash that differ are refused, without advice that could not help", () => {
    const { bundle, transaction, receipt } = copyOf(name);
    bundle.block.transactions.splice(1, 0, { ...structuredClone(transaction), transactionIndex: "0x1" });
    bundle.receipts.splice(1, 0, { ...structuredClone(receipt), transactionIndex: "0x1" });
    bundle.traces?.splice(1, 0, structuredClone(bundle.traces[0] ?? {}));
    const refusal = refusalOf(bundle, checks);
    expect(refusal?.message).toContain("has two different transactions of hash 0x");
    expect(refusal?.message).not.toContain("add");
  });

  test("two receipts of one transaction that differ are refused", () => {
    const { bundle, receipt } = copyOf(name);
    bundle.receipts.splice(1, 0, { ...structuredClone(receipt), status: "0x0" });
    expect(refusalOf(bundle, checks)?.message).toContain("has two different receipts of hash 0x");
  });

  test("a log that is there twice under its number counts once", () => {
    const { bundle } = copyOf(name);
    const receipt = bundle.receipts.find(({ logs }) => logs.length > 2);
    const [, log] = receipt?.logs ?? [];
    if (!receipt || !log) throw new Error("there are no logs");
    receipt.logs.splice(2, 0, structuredClone(log));
    const { bundle: accepted, skipped } = accept(bundle, checks);
    expect(accepted.receipts).toEqual(recordedBundle(name).receipts);
    expect(skipped).toContainEqual({ check: "logIndex", reason: "logs were repeated" });
  });

  test("a trace that is there twice is no other transaction's", () => {
    const { bundle } = copyOf(name);
    bundle.traces?.splice(1, 0, structuredClone(bundle.traces[0] ?? {}));
    expect(refusalOf(bundle, checks)?.message).toContain("traces (check traces)");
  });
});

test("equal logs stay where numbers name no log, as on a chain that numbers none", () => {
  const { bundle } = copyOf(name);
  const receipt = bundle.receipts.find(({ logs }) => logs.length > 2);
  for (const one of bundle.receipts) for (const log of one.logs) log.logIndex = "0x0" as Hex;
  receipt?.logs.push(...structuredClone(receipt.logs.slice(0, 1)));
  const { bundle: accepted } = accept(bundle, allOff);
  expect(accepted.receipts).toEqual(bundle.receipts);
});

test("a transaction listed twice is notified once, in one sequence, on a chain where no check can tell", async () => {
  const { bundle, transaction, receipt } = copyOf(name);
  bundle.block.transactions.splice(1, 0, structuredClone(transaction));
  bundle.receipts.splice(1, 0, structuredClone(receipt));
  delete bundle.traces;
  const checks = {
    transactionsRoot: "off",
    receiptsRoot: "off",
    receipts: "off",
    headerHash: "off",
    bloom: "off",
    logIndex: "off",
  } as const;
  const { notified, accepted } = await followBlock(unknownChain, bundle, [transaction.from ?? zero], {
    checks,
    traces: false,
  });
  const own = notified.filter(({ transactionHash }) => transactionHash === transaction.hash);
  expect(own.map(({ sequence }) => sequence)).toEqual([1]);
  expect(accepted).toContainEqual({ check: "transactionsRoot", reason: "transactions were repeated" });
});

/** Recorded blocks of chains without a profile: what an unknown type may not have is not compared, and what a node adds turns nothing off. */
import { describe, expect, test } from "vitest";
import { otherChainBundle, recordedBundle } from "../../../scripts/local/recorded.ts";
import { acceptBundle } from "../../../server/chain/check/accept.ts";
import { payloadTransaction } from "../../../server/matching/event.ts";
import { participantsOf } from "../../../server/matching/participants.ts";
import type { BlockBundle, WireBlock } from "../../../server/matching/wire.ts";
import { profileOf } from "../../../server/settings/chain-profiles.ts";
import { sealed } from "../../support/sealed.ts";
import { origin, refusal } from "./spoil.ts";

/** The checks that the block is accepted without. @throws BlockRefusedError */
function skipped(chainId: string, bundle: BlockBundle): string[] {
  return acceptBundle(bundle, profileOf(chainId), origin).skipped.map(({ check }) => check);
}

describe("Transactions of an unknown type", () => {
  test.each(["tempo-mainnet-17708868", "tempoModerato-6000178"])("without a receiver are read: %s", (name) => {
    const bundle = otherChainBundle(name);
    expect(skipped("4217", bundle)).toEqual(["transactionsRoot", "receiptsRoot", "headerHash"]);
    const index = bundle.block.transactions.findIndex(({ type, to }) => type === "0x76" && !to);
    const to = bundle.receipts[index]?.to ?? "";
    expect(to).toMatch(/^0x/);
    expect(participantsOf(bundle)).toContain(to);
    expect(payloadTransaction(bundle, index, "4217").to).toBe(to);
  });

  test("may be traced with a value of their own", () => {
    const bundle = otherChainBundle("tempo-mainnet-17708868");
    const traces = bundle.block.transactions.map(({ hash, from, to }, index) => {
      const receiver = to ?? bundle.receipts[index]?.to ?? null;
      return {
        txHash: hash,
        result: { type: "CALL", from: from ?? "0x", to: receiver, value: to ? ("0x0" as const) : ("0x7" as const) },
      };
    });
    expect(skipped("4217", { ...bundle, traces })).not.toContain("traces");
  });

  test("do not hide that another receipt is to someone else", () => {
    const bundle = otherChainBundle("tempoModerato-6000178");
    const index = bundle.block.transactions.findIndex(({ type }) => type === "0x2");
    Object.assign(bundle.receipts[index] ?? {}, { to: bundle.block.miner });
    expect(() => skipped("42431", bundle)).toThrow("(check receipts)");
  });
});

test("Hyperliquid's block passes", () => {
  expect(skipped("999", otherChainBundle("hyperliquid-50000"))).toEqual([]);
});

test("Stable's block is refused for its hash alone", () => {
  expect(() => skipped("2201", otherChainBundle("stable-testnet-59083166"))).toThrow(
    /says \(check headerHash\)\. If all nodes of the chain return such blocks, add "checks": \{"headerHash":"off"\}/,
  );
});

test("a receipt without a type has its transaction's", () => {
  const bundle = structuredClone(recordedBundle("mainnet/20000000"));
  for (const receipt of bundle.receipts) delete receipt.type;
  expect(skipped("1", bundle)).toEqual([]);
});

describe("A node that adds a field to a header turns no check off", () => {
  const withoutLogs = (added: Partial<WireBlock>) => (bundle: BlockBundle) => {
    for (const receipt of bundle.receipts) receipt.logs.splice(0);
    for (const receipt of bundle.receipts) receipt.logsBloom = `0x${"00".repeat(256)}`;
    Object.assign(bundle.block, added);
  };
  const delayed = { settledHeight: "0x1" } as const;
  const cChain = { ...delayed, extDataHash: `0x${"ab".repeat(32)}` } as const;

  test.each(["1", "5", "137", "324"])("settledHeight, on chain %s", async (chainId) => {
    expect((await refusal("mainnet/20000000", withoutLogs(delayed), chainId))?.check).toBe("bloom");
    expect(
      (await refusal("mainnet/20000000", withoutLogs(cChain), chainId))?.failed.map(({ check }) => check),
    ).toContain("bloom");
  });

  test("but the C-Chain's own header with it does, also of a chain without a profile", () => {
    const { logsBloom, receiptsRoot } = recordedBundle("mainnet/20000000").block;
    const later = sealed(structuredClone(recordedBundle("avalanche/16")), { logsBloom, receiptsRoot, ...delayed });
    for (const chainId of ["43114", "43113", "43112"]) expect(skipped(chainId, later)).toContain("bloom");
    // One that is not what its hash says is no such header.
    Object.assign(later.block, { gasUsed: "0x1" });
    expect(() => skipped("43112", later)).toThrow("(check bloom)");
  });

  test("only Polygon leaves a transaction from the zero address to itself out of its roots", () => {
    const { block, receipts } = structuredClone(recordedBundle("mainnet-traced/19933122"));
    const zero = `0x${"00".repeat(20)}` as const;
    const place = { from: zero, to: zero, type: "0x0", transactionIndex: `0x${receipts.length.toString(16)}` } as const;
    const hash = `0x${"5a".repeat(32)}` as const;
    block.transactions.push({ ...place, hash, gas: "0x0", gasPrice: "0x0", input: "0x", nonce: "0x0", value: "0x0" });
    receipts.push({
      ...place,
      transactionHash: hash,
      blockHash: block.hash,
      ...{ status: "0x1", gasUsed: "0x0", logs: [] },
      cumulativeGasUsed: receipts.at(-1)?.cumulativeGasUsed ?? "0x0",
    });
    expect(() => skipped("1", { block, receipts })).toThrow("(check receiptsRoot)");
    expect(skipped("137", { block, receipts })).toEqual([]);
  });
});

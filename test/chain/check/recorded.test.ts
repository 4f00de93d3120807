/** Real blocks pass all checks of their chain, and no check is skipped. */
import { expect, test } from "vitest";
import { recordedBlocks, recordedBundle } from "../../../scripts/local/recorded.ts";
import { checkBundle } from "../../../server/chain/check/accept.ts";
import type { Hex } from "../../../server/matching/wire.ts";
import { profileOf } from "../../../server/settings/chain-profiles.ts";

/** The recorded test network is of the C-Chain's kind. */
const profileOfRecorded = (chainId: string) => profileOf(chainId === "43110" ? "43114" : chainId);

test.each(recordedBlocks())("the recorded block $name passes its profile", async ({ chainId, bundle }) => {
  expect(checkBundle(bundle, profileOfRecorded(chainId), "a node")).toEqual([]);
});

test.each(recordedBlocks())("the recorded block $name passes as a block of an unknown chain", async ({ bundle }) => {
  expect(checkBundle(bundle, profileOf("5"), "a node")).toEqual([]);
});

test("the letter case of hashes does not count", async () => {
  const bundle = structuredClone(recordedBundle("mainnet-traced/9069000"));
  const upper = (hex: Hex): Hex => `0x${hex.slice(2).toUpperCase()}`;
  const { block, receipts, traces } = bundle;
  block.logsBloom = upper(block.logsBloom);
  block.receiptsRoot = upper(block.receiptsRoot);
  for (const transaction of block.transactions) transaction.hash = upper(transaction.hash);
  for (const receipt of receipts) {
    receipt.transactionHash = upper(receipt.transactionHash);
    for (const log of receipt.logs) log.address = upper(log.address);
  }
  for (const trace of traces ?? []) if (trace.txHash) trace.txHash = upper(trace.txHash);
  expect(checkBundle(bundle, profileOfRecorded("1"), "a node")).toEqual([]);
});

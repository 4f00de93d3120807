/** However small its messages are, a run of packed blocks takes no more memory than a run of a node. */
import { expect, test } from "vitest";
import { type CheckName, checkNames } from "../../../server/chain/check/check.ts";
import { rulesOf } from "../../../server/chain/check/profiles.ts";
import { packBlock } from "../../../server/chain/read/packed-block.ts";
import { heaviestRun } from "../../../server/chain/read/run-length.ts";
import { unpackRun } from "../../../server/chain/read/unpack.ts";
import type { BlockBundle, Hex } from "../../../server/matching/wire.ts";
import { recordedBundle } from "../../support/recorded.ts";
import { testChain } from "../../support/service.ts";

const off = Object.fromEntries(checkNames.map((name) => [name, "off"])) as Record<CheckName, "off">;
const rules = { ...rulesOf(testChain({ rpcUrl: "http://127.0.0.1:1" })), checks: off };
const { block, receipts } = recordedBundle("mainnet/20000000");
const hashOf = (index: number): Hex => `0x${index.toString(16).padStart(64, "0")}`;

/** A block with one transaction that compresses well. */
function blockOf(index: number, bytes: number): BlockBundle {
  const input: Hex = `0x${"0".repeat(bytes)}`;
  const transactions = block.transactions.slice(0, 1).map((transaction) => ({ ...transaction, input }));
  const [hash, parentHash, number] = [hashOf(index), hashOf(index - 1), `0x${index.toString(16)}` as Hex];
  return { block: { ...block, number, hash, parentHash, transactions }, receipts: receipts.slice(0, 1) };
}

function unpack(bytes: number): number[] {
  const packed = [1, 2, 3, 4].map((index) => packBlock(blockOf(index, bytes)));
  for (const { length } of packed) expect(length).toBeLessThan(heaviestRun / 100);
  const context = { chainId: "1", rules, origin: "the stream", onSkippedCheck: () => undefined };
  return unpackRun(context, { packed, traces: false, requestedAt: 0, fetchedAt: 0 }).map(({ number }) => number);
}

test("a run ends before the block that makes it too heavy, and always has its first", () => {
  expect(unpack(1_000)).toEqual([1, 2, 3, 4]);
  expect(unpack(heaviestRun * 0.4)).toEqual([1, 2]);
  expect(unpack(heaviestRun * 1.2)).toEqual([1]);
});

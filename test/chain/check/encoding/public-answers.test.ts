/** Headers, transactions and receipts of other chains than mainnet serialize to the hashes that they have there. */

import { encodeAbiParameters, fromRlp, keccak256, parseAbiParameters, size } from "viem";
import { expect, test } from "vitest";
import { recordedBundle } from "../../../../scripts/local/recorded.ts";
import { hex } from "../../../../server/chain/check/check.ts";
import { keccak } from "../../../../server/chain/check/encoding/fields.ts";
import { serializeHeader, zkStackHash, zkStackLegacyHash } from "../../../../server/chain/check/encoding/header.ts";
import { serializeReceipt } from "../../../../server/chain/check/encoding/receipt.ts";
import { serializeTransaction } from "../../../../server/chain/check/encoding/transaction.ts";
import { listRoot } from "../../../../server/chain/check/encoding/trie-root.ts";
import { checkHeaderHash } from "../../../../server/chain/check/header.ts";
import type { Hex, WireBlock, WireTransaction } from "../../../../server/matching/wire.ts";
import { cip64, legacy } from "../../../support/made-transactions.ts";
import {
  arbitrumHeader,
  gnosisHeader,
  polygonBlock,
  publicBlocks,
  systemTransactions,
} from "../../../support/public-answers.ts";

const hashOf = (transaction: WireTransaction) => hex(keccak(serializeTransaction(transaction) ?? new Uint8Array()));

test.each(publicBlocks())("the header of $name has its hash", ({ block }) => {
  expect(hex(keccak(serializeHeader(block)))).toBe(block.hash);
});

test.each(publicBlocks())("the transactions of $name have their hashes, and its root", ({ block }) => {
  expect(block.transactions.map(hashOf)).toEqual(block.transactions.map(({ hash }) => hash));
  const serialized = block.transactions.map((transaction) => serializeTransaction(transaction) ?? new Uint8Array());
  expect(hex(listRoot(serialized))).toBe(block.transactionsRoot);
});

test.each([
  ["Arbitrum", arbitrumHeader()],
  ["Polygon", polygonBlock()],
  ["Gnosis", gnosisHeader()],
])("a header of %s has its hash, whatever else the node returns", (_, header) => {
  expect(hex(keccak(serializeHeader(header)))).toBe(header.hash);
});

test.each(systemTransactions())("$name has its hash", ({ transaction }) => {
  expect(hashOf(transaction)).toBe(transaction.hash);
});

test.each([
  ["1", "0x51f81bcdfc324a0dff2b5bec9d92e21cbebc4d5e29d3a3d30de3e03fbeab8d7f"],
  ["2302499", "0x288c26fa1cc1814b638f3010f20d17fc5d1a2667fb5aa1dd6354ad889fa335b4"],
])("old block %s of zkSync Era has its hash", (number, hash) => {
  const { block } = recordedBundle("mainnet/20000000");
  const old: WireBlock = { ...block, number: `0x${BigInt(number).toString(16)}`, hash: hash as Hex };
  expect(hex(zkStackLegacyHash(old))).toBe(hash);
  const reason = "old headers commit to their number only";
  expect(checkHeaderHash({ block: old, receipts: [] }, "zksync")).toEqual({ skipped: reason });
  expect(checkHeaderHash({ block: { ...old, number: "0x7" }, receipts: [] }, "zksync")).toHaveProperty("refused");
});

/** What SystemContext hashes, by viem's ABI encoding. */
test("a block of zkSync Era hashes as its system contract does it", () => {
  const { block } = recordedBundle("mainnet/20000000");
  const rolling = block.transactions.reduce<Hex>(
    (before, { hash }) => keccak256(encodeAbiParameters(parseAbiParameters("bytes32, bytes32"), [before, hash])),
    `0x${"00".repeat(32)}`,
  );
  const hash = keccak256(
    encodeAbiParameters(parseAbiParameters("uint128, uint128, bytes32, bytes32"), [
      ...([BigInt(block.number), BigInt(block.timestamp), block.parentHash, rolling] as const),
    ]),
  );
  expect(hex(zkStackHash(block))).toBe(hash);
  const bare = { ...block, transactions: block.transactions.map((transaction) => transaction.hash) };
  expect(hex(zkStackHash(bare as never))).toBe(hash);
});

test.each([
  [1, "0x1b", "0x0"],
  [2, "0x1c", "0x1"],
  [2, "0x25", "0x0"],
  [2, "0x0", "0x0"],
  [2, "0x1", "0x1"],
])("a transaction of type %d with v %s and no parity has the parity %s", (type, v, yParity) => {
  const { block } = recordedBundle("mainnet/18951424");
  const found = block.transactions.find(
    (tx) => Number(tx.type) === type && BigInt(tx.yParity ?? tx.v ?? 0) === BigInt(yParity),
  );
  if (!found) throw new Error("there is no such transaction");
  const { yParity: _, ...without } = found;
  expect(hashOf({ ...without, v: v as Hex })).toBe(found.hash);
});

test("a transaction without a type whose v is the parity alone has its hash", async () => {
  const made = await legacy(324);
  const parity: Hex = `0x${(BigInt(made.v ?? 0) - 35n - 2n * 324n).toString(16)}`;
  expect(hashOf({ ...made, v: parity })).toBe(made.hash);
});

test("Celo's transaction that pays its fee in a token has its hash", async () => {
  const made = await cip64(42220);
  expect(hashOf(made)).toBe(made.hash);
});

test("a receipt of Celo's commits to the base fee, since Celo is a rollup", () => {
  const [receipt] = recordedBundle("mainnet/20000000").receipts;
  if (!receipt) throw new Error("there is no receipt");
  const celo = { ...receipt, type: "0x7b" as Hex };
  const [outcome, gas, bloom, logs, ...more] = fromRlp(
    `0x${hex(serializeReceipt({ ...celo, baseFee: "0x5f5e100" }, new Uint8Array(256))).slice(4)}`,
  ) as Hex[];
  expect([outcome, BigInt(gas ?? 0), size(bloom ?? "0x"), Array.isArray(logs)]).toEqual([
    "0x01",
    BigInt(receipt.cumulativeGasUsed),
    256,
    true,
  ]);
  expect(more).toEqual(["0x05f5e100"]);
  expect(fromRlp(`0x${hex(serializeReceipt(celo, new Uint8Array(256))).slice(4)}`)).toHaveLength(4);
});

test("a receipt of an OP stack deposit commits to nonce and version since Canyon", () => {
  const [, { block } = { block: undefined }] = publicBlocks();
  const [deposit] = block?.transactions ?? [];
  if (!block || !deposit) throw new Error("there is no deposit");
  const receipt = {
    transactionHash: deposit.hash,
    blockHash: block.hash,
    transactionIndex: "0x0",
    type: "0x7e",
    status: "0x1",
    cumulativeGasUsed: block.gasUsed ?? "0x0",
    gasUsed: block.gasUsed ?? "0x0",
    logs: [],
  } as const;
  const rootOf = (more: object) =>
    hex(listRoot([serializeReceipt({ ...receipt, logs: [], ...more }, new Uint8Array(256))]));
  expect(rootOf({ depositNonce: "0x111", depositReceiptVersion: "0x1" })).toBe(block.receiptsRoot);
  expect(rootOf({ depositNonce: "0x111" })).toBe(rootOf({}));
  expect(rootOf({})).not.toBe(block.receiptsRoot);
});

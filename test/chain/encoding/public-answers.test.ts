/** Headers, transactions and receipts of other chains than mainnet serialize to the hashes that these chains gave them. */
import { expect, test } from "vitest";
import { hex } from "../../../server/chain/checks/check.ts";
import { serializeHeader } from "../../../server/chain/encoding/header.ts";
import { keccak } from "../../../server/chain/encoding/keccak.ts";
import { serializeReceipt } from "../../../server/chain/encoding/receipt.ts";
import { serializeTransaction } from "../../../server/chain/encoding/transaction.ts";
import { listRoot } from "../../../server/chain/encoding/trie-root.ts";
import type { WireTransaction } from "../../../server/matching/wire.ts";
import { arbitrumHeader, publicBlocks, systemTransactions } from "../../support/public-answers.ts";

const hashOf = (transaction: WireTransaction) => hex(keccak(serializeTransaction(transaction) ?? new Uint8Array()));

test.each(publicBlocks())("the header of $name has its hash", ({ block }) => {
  expect(hex(keccak(serializeHeader(block)))).toBe(block.hash);
});

test.each(publicBlocks())("the transactions of $name have their hashes, and its root", ({ block }) => {
  expect(block.transactions.map(hashOf)).toEqual(block.transactions.map(({ hash }) => hash));
  const serialized = block.transactions.map((transaction) => serializeTransaction(transaction) ?? new Uint8Array());
  expect(hex(listRoot(serialized))).toBe(block.transactionsRoot);
});

test("a header of Arbitrum has its hash, whatever the node tells beside it", () => {
  const header = arbitrumHeader();
  expect(hex(keccak(serializeHeader(header)))).toBe(header.hash);
});

test.each(systemTransactions())("$name has its hash", ({ transaction }) => {
  expect(hashOf(transaction)).toBe(transaction.hash);
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

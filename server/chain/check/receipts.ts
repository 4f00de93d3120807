/** A receipt for each transaction, in order and of this block; and all of them against what the header commits to: their root and their logs' bloom. Also what nodes derive from them: gas, contracts. */
import { zeroAddress } from "../../matching/bundle.ts";
import type { BlockBundle, Hex, WireBlock, WireReceipt, WireTransaction } from "../../matching/wire.ts";
import type { ChainKind } from "../../settings/chain-profiles.ts";
import { type Check, type CheckFinding, hex, refuse, refuseRepeated, same, skip } from "./check.ts";
import { data, keccak, quantity } from "./encoding/fields.ts";
import { bloomsOf, serializeReceipt, union } from "./encoding/receipt.ts";
import { rlp } from "./encoding/rlp.ts";
import { kindOf, transactionType } from "./encoding/transaction.ts";
import { listRoot } from "./encoding/trie-root.ts";
import { delayedExecution } from "./header.ts";
import { committedBundle, withoutStateSync } from "./system-transactions.ts";

/** Copies are dropped before, so two of one transaction differ. */
export const checkReceiptsDistinct: Check = ({ receipts }) =>
  refuseRepeated(
    "receipts",
    receipts.flatMap((receipt) => receipt?.transactionHash ?? []),
  );

export const checkReceipts: Check = (bundle, kind) => {
  const { block, receipts } = bundle;
  const repeated = checkReceiptsDistinct(bundle, kind);
  if (repeated) return repeated;
  const { transactions } = block;
  if (receipts.length !== transactions.length)
    return refuse(`has ${transactions.length} transactions and ${receipts.length} receipts`);
  for (const [index, transaction] of transactions.entries()) {
    const receipt = receipts[index];
    if (!receipt) return refuse(`has no receipt ${index}`);
    const fault = faultOf(receipt, index, transaction, block);
    if (fault) return refuse(`has a receipt ${index} that ${fault}`);
  }
  return undefined;
};

function faultOf(receipt: WireReceipt, index: number, transaction: WireTransaction, block: WireBlock) {
  if (!Array.isArray(receipt.logs)) return "has no list of logs";
  if (!same(receipt.transactionHash, transaction.hash) || !same(receipt.blockHash, block.hash))
    return `belongs to transaction ${receipt.transactionHash} of block ${receipt.blockHash}`;
  if (Number(receipt.transactionIndex) !== index) return `says that it is number ${Number(receipt.transactionIndex)}`;
  if (receipt.from && transaction.from && !same(receipt.from, transaction.from))
    return `is from ${receipt.from} where the transaction is from ${transaction.from}`;
  // We do not know whether a transaction of unknown type may lack a receiver. Its receipt may name one.
  const receiver = transaction.to ?? (kindOf(transactionType(transaction)) === "unknown" ? receipt.to : zeroAddress);
  if (receipt.to && !same(receipt.to, receiver))
    return `is to ${receipt.to} where the transaction is to ${transaction.to}`;
  if (receipt.type != null && transaction.type != null && BigInt(receipt.type) !== BigInt(transaction.type))
    return `is of type ${Number(receipt.type)}, unlike its transaction, which is of type ${Number(transaction.type)}`;
  const stray = receipt.logs.find(
    (log) => strays(log.transactionHash, receipt.transactionHash) || strays(log.blockHash, block.hash),
  );
  return stray && `has a log of transaction ${stray.transactionHash} of block ${stray.blockHash}`;
}

/** A log need not name its block and transaction, but must not name others. */
function strays(named: Hex | null | undefined, actual: Hex): boolean {
  return named != null && !same(named, actual);
}

/** Logs are numbered through the block, from 0 and without gaps. Catches one that is missing between others. */
export const checkLogIndex: Check = ({ receipts }) => {
  const logs = receipts.flatMap((receipt) => receipt.logs);
  const wrong = logs.findIndex((log, place) => Number(log.logIndex) !== place);
  return wrong < 0 ? undefined : refuse(`has log ${Number(logs[wrong]?.logIndex)} at place ${wrong}`);
};

export const checkReceiptsRoot: Check = (bundle, kind) => {
  const committed = committedBundle(bundle, kind);
  return checkDerived(committed) ?? delayedExecution(bundle.block, kind) ?? checkRoot(committed, kind);
};

function checkRoot({ block, receipts }: BlockBundle, kind: ChainKind): CheckFinding | undefined {
  const unknown = receipts.map(transactionType).find((type) => kindOf(type) === "unknown");
  if (unknown !== undefined) return skip(`receipts of type 0x${unknown.toString(16)} are not known`);
  if (receipts.some(({ status, root }) => status == null && !root)) return skip("a receipt has no outcome");
  if (committedBlooms({ block, receipts }, kind)) return undefined;
  const blooms = bloomsOf(receipts);
  const root = listRoot(receipts.map((receipt, index) => serializeReceipt(receipt, blooms[index] ?? new Uint8Array())));
  return same(block.receiptsRoot, hex(root))
    ? undefined
    : refuse("has a receipts root that is not that of its receipts");
}

function checkDerived({ block, receipts }: BlockBundle): CheckFinding | undefined {
  let before = 0n;
  for (const [index, receipt] of receipts.entries()) {
    const upTo = BigInt(receipt.cumulativeGasUsed);
    const known = kindOf(transactionType(receipt)) !== "unknown";
    if (known && upTo - before !== BigInt(receipt.gasUsed))
      return refuse(
        `has a receipt ${index} with ${BigInt(receipt.gasUsed)} gas used, of which ${upTo - before} is accounted for`,
      );
    before = upTo;
    const expected = createdBy(block.transactions[index]);
    if (expected && receipt.contractAddress && !same(receipt.contractAddress, expected))
      return refuse(`has a receipt ${index} that created ${receipt.contractAddress} instead of ${expected}`);
  }
  return undefined;
}

/** The address of a created contract follows from its creator and the creator's nonce (Yellow Paper, section 7). */
function createdBy(transaction: WireTransaction | undefined): WireReceipt["contractAddress"] {
  if (!transaction || transaction.to || kindOf(transactionType(transaction)) !== "ethereum") return undefined;
  const { from, nonce } = transaction;
  return from && nonce ? `0x${hex(keccak(rlp([from, quantity(nonce)]))).slice(26)}` : undefined;
}

/** Compares the blooms of header and receipts with the logs. Catches missing logs, even if all are missing. */
export const checkBloom: Check = (bundle, kind) => {
  const { block, receipts } = bundle;
  if (kind === "zksync" && isZero(block.logsBloom) && receipts.some(({ logs }) => logs.length > 0))
    return skip("headers come without a bloom");
  const receiptBlooms = committedBlooms(bundle, kind);
  if (receiptBlooms && same(block.logsBloom, hex(union(receiptBlooms.map(data))))) return undefined;
  const blooms = bloomsOf(receipts);
  const wrong = receipts.findIndex(
    ({ logsBloom }, index) =>
      logsBloom != null &&
      !(kind === "zksync" && isZero(logsBloom)) &&
      !same(logsBloom, hex(blooms[index] ?? new Uint8Array())),
  );
  if (wrong >= 0) return refuse(`has a receipt ${wrong} whose bloom is not that of its logs`);
  const delayed = delayedExecution(block, kind);
  if (delayed) return delayed;
  const candidates = new Set([committedBundle(bundle, kind), withoutStateSync(bundle, kind)]);
  for (const { receipts } of candidates) if (same(block.logsBloom, hex(union(bloomsOf(receipts))))) return undefined;
  return refuse("has a bloom that is not that of its logs");
};

const isZero = (bloom: string | null | undefined) => /^0x0+$/.test(bloom ?? "");

const known = new WeakMap<readonly WireReceipt[], readonly Hex[] | undefined>();

/**
 * The receipts' own blooms, if the header's root commits to them. The root commits to logs and bloom alike, so nobody need compare
 * the two log by log, which takes a tenth of the time of reading a block. It is computed once for a list of receipts.
 */
function committedBlooms({ block, receipts }: BlockBundle, kind: ChainKind): readonly Hex[] | undefined {
  if (delayedExecution(block, kind)) return undefined;
  if (!known.has(receipts)) known.set(receipts, bloomsUnder(block.receiptsRoot, receipts));
  return known.get(receipts);
}

function bloomsUnder(root: Hex, receipts: readonly WireReceipt[]): readonly Hex[] | undefined {
  const blooms = receipts.flatMap(({ logsBloom }) => logsBloom ?? []);
  if (blooms.length < receipts.length) return undefined;
  try {
    const computed = listRoot(receipts.map((receipt, index) => serializeReceipt(receipt, blooms[index] ?? "0x")));
    return same(root, hex(computed)) ? blooms : undefined;
  } catch {
    // The checks report what cannot be serialized.
    return undefined;
  }
}

/** Receipts against the root that the header commits to, and what nodes derive from them: gas used, contracts created. */
import type { BlockBundle, Hex, WireReceipt, WireTransaction } from "../../matching/wire.ts";
import { type Check, cannotTell, type Finding, hex, type Kind, refuse, same } from "./check.ts";
import { data, quantity } from "./encoding/fields.ts";
import { keccak } from "./encoding/keccak.ts";
import { bloomsOf, serializeReceipt, union } from "./encoding/receipt.ts";
import { rlp } from "./encoding/rlp.ts";
import { kindOf, typeOf } from "./encoding/transaction.ts";
import { listRoot } from "./encoding/trie-root.ts";
import { settledLater } from "./header.ts";
import { committed, withoutStateSync } from "./system-transactions.ts";

export const checkReceiptsRoot: Check = (bundle, kind) => {
  const counted = committed(bundle, kind);
  return checkDerived(counted) ?? settledLater(bundle.block, kind) ?? checkRoot(counted, kind);
};

function checkRoot({ block, receipts }: BlockBundle, kind: Kind): Finding | undefined {
  const unknown = receipts.map(typeOf).find((type) => kindOf(type) === "unknown");
  if (unknown !== undefined) return cannotTell(`receipts of type 0x${unknown.toString(16)} are not known`);
  if (receipts.some(({ status, root }) => status == null && !root)) return cannotTell("a receipt tells no outcome");
  if (committedBlooms({ block, receipts }, kind)) return undefined;
  const blooms = bloomsOf(receipts);
  const root = listRoot(receipts.map((receipt, index) => serializeReceipt(receipt, blooms[index] ?? new Uint8Array())));
  return same(block.receiptsRoot, hex(root))
    ? undefined
    : refuse("has a receipts root that is not that of its receipts");
}

function checkDerived({ block, receipts }: BlockBundle): Finding | undefined {
  let before = 0n;
  for (const [index, receipt] of receipts.entries()) {
    const upTo = BigInt(receipt.cumulativeGasUsed);
    const known = kindOf(typeOf(receipt)) !== "unknown";
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
  if (!transaction || transaction.to || kindOf(typeOf(transaction)) !== "ethereum") return undefined;
  const { from, nonce } = transaction;
  return from && nonce ? `0x${hex(keccak(rlp([from, quantity(nonce)]))).slice(26)}` : undefined;
}

// FROM server/chain/check/bloom.ts: /** The header's bloom, and each receipt's where it has one, against the logs': catches logs left out, even all of them. */
export const checkBloom: Check = (bundle, kind) => {
  const { block, receipts } = bundle;
  if (kind === "zksync" && isZero(block.logsBloom) && receipts.some(({ logs }) => logs.length > 0))
    return cannotTell("headers come without a bloom");
  const given = committedBlooms(bundle, kind);
  if (given && same(block.logsBloom, hex(union(given.map(data))))) return undefined;
  const blooms = bloomsOf(receipts);
  const wrong = receipts.findIndex(
    ({ logsBloom }, index) =>
      logsBloom != null &&
      !(kind === "zksync" && isZero(logsBloom)) &&
      !same(logsBloom, hex(blooms[index] ?? new Uint8Array())),
  );
  if (wrong >= 0) return refuse(`has a receipt ${wrong} whose bloom is not that of its logs`);
  const later = settledLater(block, kind);
  if (later) return later;
  const readings = new Set([committed(bundle, kind), withoutStateSync(bundle, kind)]);
  for (const { receipts } of readings) if (same(block.logsBloom, hex(union(bloomsOf(receipts))))) return undefined;
  return refuse("has a bloom that is not that of its logs");
};

const isZero = (bloom: string | null | undefined) => /^0x0+$/.test(bloom ?? "");

// FROM server/chain/check/committed-blooms.ts: /** * Whether the header's root commits to the receipts with the blooms that they were given with. It commits to logs and bloom alike, so * that the two need not be compared log by log, which takes a tenth of all that reading a block does. */
const known = new WeakMap<readonly WireReceipt[], readonly Hex[] | undefined>();

/** @returns the blooms, where the root commits to them; undefined where that is not so, or cannot be told */
export function committedBlooms({ block, receipts }: BlockBundle, kind: Kind): readonly Hex[] | undefined {
  if (settledLater(block, kind)) return undefined;
  if (!known.has(receipts)) known.set(receipts, bloomsUnder(block.receiptsRoot, receipts));
  return known.get(receipts);
}

function bloomsUnder(root: Hex, receipts: readonly WireReceipt[]): readonly Hex[] | undefined {
  const blooms = receipts.flatMap(({ logsBloom }) => logsBloom ?? []);
  if (blooms.length < receipts.length) return undefined;
  try {
    const given = listRoot(receipts.map((receipt, index) => serializeReceipt(receipt, blooms[index] ?? "0x")));
    return same(root, hex(given)) ? blooms : undefined;
  } catch {
    // What cannot be serialized is for the checks to tell.
    return undefined;
  }
}

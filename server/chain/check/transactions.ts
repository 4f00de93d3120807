/** Each transaction against its hash, and all of them against the root that the header commits to. */
import { isServiceError } from "../../base/errors.ts";
import type { WireTransaction } from "../../matching/wire.ts";
import { type Check, type CheckFinding, hex, refuse, refuseRepeated, same, skip } from "./check.ts";
import { keccak } from "./encoding/fields.ts";
import { kindOf, serializeTransaction, transactionType } from "./encoding/transaction.ts";
import { listRoot } from "./encoding/trie-root.ts";
import { committedBundle } from "./system-transactions.ts";

/** Copies are dropped before, so two of one hash differ. A messageId names the transaction by its hash. */
export const checkTransactionsDistinct: Check = ({ block }) =>
  refuseRepeated(
    "transactions",
    block.transactions.map(({ hash }) => hash),
  );

export const checkTransactionsRoot: Check = (bundle, kind) => {
  const repeated = checkTransactionsDistinct(bundle, kind);
  if (repeated) return repeated;
  const { transactionsRoot, transactions } = committedBundle(bundle, kind).block;
  const serialized: Uint8Array[] = [];
  let skipped: CheckFinding | undefined;
  for (const transaction of transactions) {
    const verified = verify(transaction);
    if (verified instanceof Uint8Array) serialized.push(verified);
    else if ("refused" in verified) return verified;
    else skipped ??= verified;
  }
  // Without one transaction we cannot compute the root, but we have checked the others' hashes.
  if (skipped) return skipped;
  // A ZK stack block has no root: its own hash commits to the transactions' hashes.
  if (kind === "zksync") return undefined;
  return same(transactionsRoot, hex(listRoot(serialized)))
    ? undefined
    : refuse("has a transactions root that is not that of its transactions");
};

/** @returns the transaction as it is hashed, if that is its hash */
function verify(transaction: WireTransaction): Uint8Array | CheckFinding {
  const type = transactionType(transaction);
  const kind = kindOf(type);
  if (kind === "unknown") return skip(`transactions of type 0x${type.toString(16)} are not known`);
  if (kind === "ethereum" && !isSigned(transaction)) return skip("a transaction is not signed");
  try {
    const serialized = serializeTransaction(transaction) ?? new Uint8Array();
    if (same(hex(keccak(serialized)), transaction.hash)) return serialized;
  } catch (error) {
    if (kind === "ethereum" || !isServiceError(error, "field_missing")) throw error;
  }
  // Nodes differ in which fields of system transactions they return.
  if (kind === "system") return skip(`a system transaction of type 0x${type.toString(16)} lacks fields`);
  return refuse(`has a transaction that is not what its hash ${transaction.hash} says`);
}

/** A real signature has no zero part. A chain's own transactions have zeros, or no signature. */
function isSigned({ r, s }: WireTransaction): boolean {
  return [r, s].some((part) => part != null && !/^0x0*$/.test(part));
}

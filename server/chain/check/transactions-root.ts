/** Each transaction against its hash, and all of them against the root that the header commits to. */
import type { WireTransaction } from "../../matching/wire.ts";
import { type Check, cannotTell, type Finding, hex, refuse, same } from "./check.ts";
import { MissingFieldError } from "./encoding/fields.ts";
import { keccak } from "./encoding/keccak.ts";
import { kindOf, serializeTransaction, typeOf } from "./encoding/transaction.ts";
import { listRoot } from "./encoding/trie-root.ts";
import { committed } from "./state-sync.ts";

export const checkTransactionsRoot: Check = (bundle, kind) => {
  const { transactionsRoot, transactions } = committed(bundle, kind).block;
  const serialized: Uint8Array[] = [];
  let unreadable: Finding | undefined;
  for (const transaction of transactions) {
    const read = verified(transaction);
    if (read instanceof Uint8Array) serialized.push(read);
    else if ("refused" in read) return read;
    else unreadable ??= read;
  }
  // One that cannot be read leaves the root unknown, but not the others' hashes.
  if (unreadable) return unreadable;
  // These have no root: the block's own hash commits to the transactions' hashes.
  if (kind === "zksync") return undefined;
  return same(transactionsRoot, hex(listRoot(serialized)))
    ? undefined
    : refuse("has a transactions root that is not that of its transactions");
};

function verified(transaction: WireTransaction): Uint8Array | Finding {
  const type = typeOf(transaction);
  const kind = kindOf(type);
  if (kind === "unknown") return cannotTell(`transactions of type 0x${type.toString(16)} are not known`);
  if (kind === "ethereum" && !isSigned(transaction)) return cannotTell("a transaction is not signed");
  try {
    const serialized = serializeTransaction(transaction) ?? new Uint8Array();
    if (same(hex(keccak(serialized)), transaction.hash)) return serialized;
  } catch (error) {
    if (kind === "ethereum" || !(error instanceof MissingFieldError)) throw error;
  }
  // Nodes differ in which fields of system transactions they give.
  if (kind === "system") return cannotTell(`a system transaction of type 0x${type.toString(16)} was not given whole`);
  return refuse(`has a transaction that is not what its hash ${transaction.hash} says`);
}

/** No signature has a zero in it; a chain's own transactions have nothing else, or none. */
function isSigned({ r, s }: WireTransaction): boolean {
  return [r, s].some((part) => part != null && !/^0x0*$/.test(part));
}
